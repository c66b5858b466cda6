"""The page by keys alone, from its opening to a downloaded report: no pointer, and nothing is focused by the test."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from .conftest import SAMPLE, Open
from .test_page import shown_version

pytestmark = pytest.mark.slow
MAX_STEPS = 60
NAME = """() => {
  const one = document.activeElement
  const label = one.getAttribute("aria-label") || one.textContent.trim() || one.getAttribute("placeholder") || ""
  return `${one.tagName.toLowerCase()} ${label}`
}"""
SHOWS_FOCUS = """() => {
  const one = document.activeElement
  const style = getComputedStyle(one)
  const around = getComputedStyle(one.closest(".box") ?? one)
  return style.outlineStyle !== "none" || around.borderColor !== getComputedStyle(document.body).borderColor
}"""


async def tab_to(page: Page, name: str, key: str = "Tab") -> None:
    """Press Tab until what has the focus is called that. Each stop on the way shows that it has the focus."""
    seen = []
    for _ in range(MAX_STEPS):
        await page.keyboard.press(key)
        seen.append(await page.evaluate(NAME))
        if not seen[-1].startswith("body"):
            assert await page.evaluate(SHOWS_FOCUS), f"{seen[-1]} does not show that it has the focus"
        if name in seen[-1]:
            return
    raise AssertionError(f"{name} is not reached: {seen}")


async def test_a_form_is_sent_changed_compared_and_downloaded_by_keys(browse: Open):
    """Given the empty page
    When the user chooses a photo, goes to an element by the arrows, says what to do with it, takes that back, moves the
        slider over the form, and downloads the report, all by keys
    Then each of it happens
    """
    page = await browse()
    # Choosers are caught from here on: `expect_file_chooser` alone asks for it no sooner than the key is pressed.
    page.on("filechooser", lambda _: None)
    await page.reload()
    await page.get_by_role("button", name="Choose a file").wait_for()
    await tab_to(page, "Choose a file")
    async with page.expect_file_chooser() as chooser:
        await page.keyboard.press("Enter")
    await (await chooser.value).set_files(SAMPLE)
    await expect(page.get_by_role("img", name="Page 1 of the report")).to_be_visible()

    await tab_to(page, "button Element")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("Enter")
    await expect(page.locator(".chip.accent")).to_contain_text("1 element selected")
    await tab_to(page, "textarea Message", key="Shift+Tab")
    await page.keyboard.type("make this bold")
    await page.keyboard.press("Enter")
    await shown_version(page, 2)
    await page.keyboard.press("Control+z")
    await shown_version(page, 3)

    await tab_to(page, "button Compare")
    await page.keyboard.press("Enter")
    await tab_to(page, "input How much of the form is shown")
    slider = page.get_by_label("How much of the form is shown")
    before = int(await slider.input_value())
    await page.keyboard.press("ArrowLeft")
    assert int(await slider.input_value()) == before - 1

    await tab_to(page, "summary Download", key="Shift+Tab")
    await page.keyboard.press("Enter")
    await tab_to(page, "a PDF")
    async with page.expect_download() as download:
        await page.keyboard.press("Enter")
    assert (await (await download.value).path()).read_bytes().startswith(b"%PDF")


async def test_a_dialog_keeps_the_focus_and_gives_it_back(browse: Open):
    page = await browse()
    await page.reload()
    await page.get_by_label("Message").wait_for()
    await tab_to(page, "button Reports")
    await page.keyboard.press("Enter")
    await page.get_by_role("dialog", name="Reports").wait_for()
    for _ in range(MAX_STEPS):
        await page.keyboard.press("Tab")
        assert await page.evaluate("document.activeElement.matches('body, dialog, dialog *')")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    assert await page.evaluate(NAME) == "button Reports"
