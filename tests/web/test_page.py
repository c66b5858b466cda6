"""What a user does on the page, in a real Chromium, with the real services."""

from __future__ import annotations

import base64
import re
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Page, async_playwright, expect

from .conftest import SAMPLE, Open, Place

pytestmark = pytest.mark.slow

DROP = """([name, content]) => {
  const bytes = Uint8Array.from(atob(content), (char) => char.charCodeAt(0))
  const files = new DataTransfer()
  files.items.add(new File([bytes], name, { type: "image/jpeg" }))
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }))
}"""
SENTENCE = "a sales report with customer and amount, total at the bottom"


async def say(page: Page, text: str) -> None:
    await page.get_by_label("Message").fill(text)
    await page.keyboard.press("Enter")


async def built(page: Page) -> None:
    """Build a report from a sentence."""
    await say(page, SENTENCE)
    await expect(page.locator(".page img")).to_be_visible()


async def shown_version(page: Page, number: int) -> None:
    await expect(page.locator(".versions [aria-current]")).to_contain_text(str(number))


async def test_a_dropped_photo_becomes_a_report_that_is_changed_undone_and_downloaded(browse: Open):
    """Given the page
    When the user drops a photo, watches it being built, clicks its title and says "make this bold", undoes that,
        and downloads the report
    Then each step shows what was asked for
    """
    page = await browse()
    hosts: set[str] = set()
    page.on("request", lambda request: hosts.add(urlsplit(request.url).netloc))
    await page.evaluate(DROP, [SAMPLE.name, base64.b64encode(SAMPLE.read_bytes()).decode()])
    await expect(page.locator(".steps")).to_contain_text("Reading what you sent")
    await expect(page.get_by_role("img", name="Page 1 of the report")).to_be_visible()

    await expect(page.get_by_role("button", name=re.compile("邵国平"))).to_be_attached()
    await page.get_by_role("button", name="Element 销 售 单").click()
    await expect(page.locator(".chip.accent")).to_contain_text("1 element selected")
    await say(page, "make this bold")
    await shown_version(page, 2)
    await expect(page.locator(".log")).to_contain_text("bold")

    await page.get_by_role("button", name="Undo").click()
    await shown_version(page, 3)

    form, slider = page.get_by_role("img", name="The original form"), page.get_by_label("How much of the form is shown")
    await page.get_by_role("button", name="Form", exact=True).click()
    await expect(form).to_be_visible()
    await page.get_by_role("button", name="Compare", exact=True).click()
    edge = page.locator(".page .edge")
    middle = (await edge.bounding_box())["x"]
    await slider.fill("20")
    assert (await edge.bounding_box())["x"] < middle
    assert "80%" in await form.evaluate("one => getComputedStyle(one).clipPath")
    await page.get_by_role("button", name="Differences", exact=True).click()
    await expect(page.get_by_role("img", name="Before and after, with the differences marked")).to_be_visible()

    for label, name, start in (("PDF", "report.pdf", b"%PDF"), ("Template (JRXML)", "report.jrxml", b"<?xml")):
        await page.locator(".downloads summary").click()
        async with page.expect_download() as download:
            await page.get_by_role("link", name=label).click()
        file = await download.value
        assert file.suggested_filename == name
        assert (await file.path()).read_bytes().startswith(start)
    await page.locator(".downloads summary").click()
    async with page.expect_download() as download:
        await page.get_by_role("button", name="Template for JasperReports 7").click()
    assert b"<jasperReport" in (await (await download.value).path()).read_bytes()
    assert hosts - {""} == {urlsplit(page.url).netloc}, "the page asks no other host"


async def test_a_reload_in_the_middle_of_a_turn_loses_nothing(browse: Open):
    page = await browse()
    await page.evaluate(DROP, [SAMPLE.name, base64.b64encode(SAMPLE.read_bytes()).decode()])
    await expect(page.locator(".steps")).to_be_visible()
    await page.reload()
    await expect(page.locator(".asked")).to_contain_text(SAMPLE.name)
    await expect(page.locator(".page img")).to_be_visible()
    await expect(page.locator(".turn")).to_have_count(1)


async def test_a_second_tab_sees_the_question_and_its_answer(browse: Open):
    first = await browse()
    await built(first)
    second = await browse(f"/#{first.url.partition('#')[2]}")
    await expect(second.locator(".page img")).to_be_visible()
    await say(first, "make the title larger")
    await expect(second.locator(".asked").last).to_contain_text("make the title larger")
    await shown_version(second, 2)


async def test_the_bar_changes_the_selection_and_an_older_version_is_restored(browse: Open):
    page = await browse()
    await built(page)
    await page.locator(".mark").first.click()
    await page.get_by_role("button", name="Red", exact=True).click()
    await shown_version(page, 2)

    await page.get_by_role("button", name=re.compile("^Version 1")).last.click()
    await page.get_by_role("button", name="Restore version 1").click()
    await shown_version(page, 3)
    await expect(page.locator(".log")).to_contain_text("version 1")


async def test_a_user_signs_in_with_a_key(chromium: str, place: Place):
    """Given a browser that the page does not know
    When its user sends a key
    Then the page opens, and the key is nowhere in the address
    """
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = await (await browser.new_context(locale="en-GB")).new_page()
        await page.goto(place.address)
        await page.get_by_label("Key").fill("bsk_wrong")
        await page.get_by_role("button", name="Sign in").click()
        await expect(page.get_by_role("alert")).to_contain_text("not valid")
        await page.get_by_label("Key").fill(place.keys.add("ann", "editor"))
        await page.get_by_role("button", name="Sign in").click()
        await page.get_by_label("Message").wait_for()
        assert page.url == f"{place.address}/"
        await browser.close()
