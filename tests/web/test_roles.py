"""What the page shows by role: a reader looks and downloads, and is offered nothing else; the services are scripted."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from playwright.async_api import Page, async_playwright, expect

from bandsmith.shared.settings import SourceSettings
from bandsmith.shared.sources import Source, write_sources
from bandsmith.web.identity import Role

from .conftest import Place
from .test_api import build
from .test_look import violations

pytestmark = pytest.mark.slow

EDITS = ("Message", "Undo", "Name and sharing", "New report", "Delete form", "Ask shop", "Plan work", "Choose a file")
OVER = """(kind) => {
  const data = new DataTransfer()
  data.items.add(new File(["x"], "form.jpg", { type: "image/jpeg" }))
  dispatchEvent(new DragEvent(kind, { dataTransfer: data, cancelable: true, bubbles: true }))
}"""
"""A file that is dragged over the page."""

Enter = Callable[[Role], Awaitable[Page]]


@pytest.fixture
async def enter(chromium: str, place: Place) -> AsyncIterator[Enter]:
    """Open the page as ann, who has a report and may ask the source "shop", in a role."""
    write_sources(SourceSettings().file, {"shop": Source(name="shop", url="sqlite:///shop.db", users=["ann"])})
    async with place.with_key("ann") as ann:
        await build(ann)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])

        async def enter_as(role: Role) -> Page:
            page = await (await browser.new_context(locale="en-GB")).new_page()
            await page.goto(f"{place.address}/enter?key={place.access.invite('user ann', role)}&session=march")
            await page.locator(".reply").first.wait_for()
            return page

        yield enter_as
        await browser.close()


async def test_a_reader_is_shown_the_report_and_nothing_that_changes_it(enter: Enter, axe: str):
    page = await enter("reader")
    await expect(page.get_by_role("img", name="Page 1 of the report")).to_be_attached()
    await expect(page.locator(".shared")).to_contain_text("sign in with the key of an editor")
    await page.locator(".downloads summary").click()
    await expect(page.get_by_role("link", name="PDF")).to_be_visible()
    await expect(page.get_by_role("button", name="Excel")).to_have_count(0)
    await page.get_by_role("button", name="Reports", exact=True).click()
    await page.locator(".drawer .open").wait_for()
    for change in EDITS:
        await expect(page.get_by_label(change, exact=True)).to_have_count(0)
        await expect(page.get_by_role("button", name=change, exact=True)).to_have_count(0)
    assert await violations(page, axe) == []
    await page.keyboard.press("Escape")
    await page.evaluate(OVER, "dragover")
    await expect(page.locator(".dropping")).to_have_count(0)


async def test_a_reader_with_nothing_open_is_led_to_the_reports(enter: Enter):
    page = await enter("reader")
    await page.goto(page.url.partition("#")[0])
    await page.reload()
    await page.locator(".welcome").get_by_role("button", name="Reports").click()
    await page.locator(".drawer .open").click()
    await expect(page.get_by_role("img", name="Page 1 of the report")).to_be_attached()


async def test_an_editor_is_offered_all_of_it(enter: Enter):
    """So that the other test fails for what is hidden, and not for what it is called."""
    page = await enter("editor")
    await page.evaluate(OVER, "dragover")
    await expect(page.locator(".dropping")).to_be_visible()
    await page.evaluate(OVER, "drop")
    await page.get_by_role("button", name="Reports", exact=True).click()
    for change in ("Name and sharing", "New report", "Delete form", "Ask shop", "Plan work"):
        await expect(page.get_by_role("button", name=change, exact=True, include_hidden=True).first).to_be_attached()


async def test_a_question_about_data_with_a_file_is_not_sent_as_something_else(enter: Enter):
    """Given the mode for questions about a source
    When the user attaches a file too
    Then nothing is sent, and the page says what to do
    """
    page = await enter("editor")
    await page.get_by_role("button", name="Reports", exact=True).click()
    await page.get_by_role("button", name="Ask shop").click()
    await page.evaluate(OVER, "drop")
    await expect(page.locator(".chip", has_text="form.jpg")).to_be_visible()
    await page.get_by_label("Message").fill("how many customers are there?")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("alert")).to_contain_text("Remove the file, or go back to reports")
    await page.get_by_role("button", name="Remove form.jpg").click()
    await page.get_by_label("Message").press("Enter")
    await expect(page.locator(".query summary")).to_be_visible()


@pytest.mark.parametrize("session", ["march", "abcdef"])
async def test_the_address_of_a_report_that_is_not_one_s_own_says_so_and_begins_nothing(
    enter: Enter, place: Place, session: str
):
    """Given the report "march" of ann
    When ben opens its address, or one where there has never been a report
    Then the page says that there is none, takes no message there, and leads to a new report
    """
    page = await (await (await enter("editor")).context.browser.new_context(locale="en-GB")).new_page()
    await page.goto(f"{place.address}/enter?key={place.access.invite('user ben', 'editor')}&session={session}")
    await expect(page.get_by_role("alert")).to_contain_text("There is no report at this address")
    await expect(page.get_by_label("Message")).to_have_count(0)
    await page.evaluate(OVER, "dragover")
    await expect(page.locator(".dropping")).to_have_count(0)
    await page.locator(".welcome").get_by_role("button", name="New report").click()
    await page.get_by_label("Message").fill("a sales report with customer and amount")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("img", name="Page 1 of the report")).to_be_attached()
    assert not page.url.endswith(session)
