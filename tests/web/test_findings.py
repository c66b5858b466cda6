"""What a report's findings lead to on the page, and what may be done with it on a phone; the services are scripted."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator

import orjson
import pytest
from PIL import Image
from playwright.async_api import Page, async_playwright, expect

from bandsmith.shared.events import ValidateTemplate
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.turns.verdict import Finding, Printed, Verdict
from tests.gateway.scripted import Script
from tests.validator.reports import report, static
from tests.workflow.service_events import ref, validated

from .conftest import Place
from .test_api import build

pytestmark = pytest.mark.slow
CUT = Finding(code="structure.cut", message="The text “Total” is cut.", element="total", severity="warning")
PLACES = {"title": Box(x=30, y=20, width=200, height=20), "total": Box(x=30, y=60, width=80, height=20)}


@pytest.fixture
def script() -> Script:
    more = {"elements": ref("elements"), "verdict": ref("verdict"), "findings": [CUT], "page_count": 1}
    return {ValidateTemplate: [validated().model_copy(update=more)]}


@pytest.fixture
async def page(chromium: str, place: Place) -> AsyncIterator[Page]:
    """The page with a report of which a check has found something."""
    picture = io.BytesIO()
    Image.new("RGB", (1240, 1754), "white").save(picture, "PNG")
    printed = [Printed(key=key, box=box, text=key.title()).model_dump() for key, box in PLACES.items()]
    place.bus._broker.objects |= {
        "page": picture.getvalue(),
        "mapped": report(static("Title", "title"), static("Total", "total", y=60)),
        "elements": orjson.dumps(printed),
        "verdict": Verdict(passed=True, findings=[CUT]).model_dump_json().encode(),
    }
    async with place.client("user ann") as ann:
        await build(ann)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = await (await browser.new_context(locale="en-GB")).new_page()
        await page.goto(f"{place.address}/enter?key={place.access.invite('user ann', 'editor')}&session=march")
        await page.locator(".mark").first.wait_for()
        yield page
        await browser.close()


async def test_a_finding_leads_to_its_element(page: Page):
    """Given a report whose total is cut, and another view than that of the report
    When its user opens the findings, and chooses the one about the total
    Then the total is selected on the page and has the focus
    """
    await page.get_by_role("button", name="Form", exact=True).click()
    await page.get_by_text("1 finding").click()
    await page.get_by_role("button", name="The text “Total” is cut.").click()
    total = page.get_by_role("button", name="Element Total")
    await expect(total).to_have_attribute("aria-pressed", "true")
    await expect(total).to_be_focused()
    await expect(page.get_by_role("button", name="Element Title")).to_have_attribute("aria-pressed", "false")


async def test_the_elements_lie_where_they_are_printed(page: Page):
    """As the boxes of the printout say, in the measure of the picture."""
    picture = await page.get_by_role("img", name="Page 1 of the report").bounding_box()
    scale = picture["width"] / (1240 * 72 / 150)
    for key, box in PLACES.items():
        mark = await page.get_by_role("button", name=f"Element {key.title()}").bounding_box()
        found = [mark["x"] - picture["x"], mark["y"] - picture["y"], mark["width"], mark["height"]]
        assert found == pytest.approx([side * scale for side in (box.x, box.y, box.width, box.height)], abs=1)


@pytest.mark.parametrize("is_phone", [True, False], ids=["phone", "desktop"])
async def test_the_camera_is_offered_where_there_is_one_in_the_hand(chromium: str, place: Place, is_phone: bool):
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        context = await browser.new_context(locale="en-GB", has_touch=is_phone, is_mobile=is_phone)
        page = await context.new_page()
        await page.goto(f"{place.address}/enter?key={place.access.invite('user ann', 'editor')}")
        await page.get_by_label("Message").wait_for()
        buttons = page.get_by_role("button", name="Take a photo")
        assert await buttons.count() == (2 if is_phone else 0)
        inputs = page.locator("input[capture=environment]")
        assert await inputs.first.get_attribute("accept") == "image/*"
        await browser.close()
