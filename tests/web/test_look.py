"""Anyone can use the page: axe finds nothing, in both languages, dark and light, on a phone, by keyboard alone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Page, expect

from .conftest import Open
from .test_page import built, say, shown_version

pytestmark = pytest.mark.slow

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


async def violations(page: Page, axe: str) -> list[str]:
    await page.evaluate(axe)
    found: dict[str, Any] = await page.evaluate("axe.run(document)")
    return [f"{one['id']}: {node['html'][:200]}" for one in found["violations"] for node in one["nodes"]]


@pytest.mark.parametrize(
    "options",
    [{}, {"color_scheme": "dark"}, {"locale": "zh-CN", "color_scheme": "dark"}, PHONE],
    ids=["light", "dark", "Chinese, dark", "phone"],
)
async def test_axe_finds_nothing(browse: Open, axe: str, options: dict[str, Any]):
    page = await browse(**options)
    assert await violations(page, axe) == []
    await page.locator("#message").fill("a sales report with customer and amount")
    await page.keyboard.press("Enter")
    await expect(page.locator(".page img")).to_be_visible()
    await page.locator(".mark").first.click()
    assert await violations(page, axe) == []
    await page.get_by_role("button", name="Reports").or_(page.get_by_role("button", name="报表列表")).click()
    await page.locator(".drawer .open").first.wait_for()
    assert await violations(page, axe) == []


async def test_the_page_speaks_chinese(browse: Open):
    page = await browse(locale="zh-CN")
    await page.get_by_label("消息").fill("做一张销售报表，包含客户和金额")
    await page.keyboard.press("Enter")
    await expect(page.locator(".page img")).to_be_visible()
    await page.locator(".mark").first.click()
    await page.get_by_role("button", name="红色").click()
    await shown_version(page, 2)
    assert await page.locator("html").get_attribute("lang") == "zh"
    assert "。 " not in await page.locator(".log").inner_text()


async def test_a_phone_shows_the_conversation_or_the_report_without_scrolling_sideways(browse: Open):
    page = await browse(**PHONE)
    await built(page)
    for view in ("Report", "Data"):
        await page.locator(".tools").get_by_role("button", name=view, exact=True).click()
        width = await page.evaluate("document.documentElement.scrollWidth")
        assert width <= PHONE["viewport"]["width"], view
    menu, box = page.get_by_role("button", name="Reports", exact=True), page.locator("#message")
    assert (await menu.bounding_box())["x"] >= 0 and (await box.bounding_box())["height"] < 40
    await page.get_by_role("button", name="Conversation").click()
    await expect(page.locator(".asked")).to_be_visible()
    await expect(page.locator(".page img")).to_be_hidden()


@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
async def test_the_bar_at_the_top_fits_the_narrowest_phone_and_a_window_at_400_percent(browse: Open, locale: str):
    page = await browse(locale=locale, **PHONE)
    await page.locator("#message").fill("a sales report with customer and amount")
    await page.keyboard.press("Enter")
    await expect(page.locator(".page img")).to_be_visible()
    for width in (375, 360, 340, 320):
        await page.set_viewport_size({"width": width, "height": 640})
        places = [await one.bounding_box() for one in await page.locator(".top button:visible").all()]
        edges = [(one["x"], one["x"] + one["width"]) for one in places if one]
        assert len(edges) == 7 and min(edges)[0] >= 0 and max(right for _, right in edges) <= width, (width, edges)
        assert await page.evaluate("document.documentElement.scrollWidth") <= width
    await page.locator(".top button").first.click()
    await expect(page.locator(".drawer .open").first).to_be_visible()


async def test_the_keyboard_is_enough(browse: Open):
    """Given a report
    When the user goes through the elements to the title by keys alone, selects it, has it made red and undoes that
    Then the versions follow
    """
    page = await browse()
    await built(page)
    await page.locator(".mark[tabindex='0']").focus()
    for key in ("ArrowDown", "ArrowUp", "Enter"):
        await page.keyboard.press(key)
    await expect(page.locator(".mark[aria-pressed='true']").first).to_be_visible()
    await page.get_by_label("Message").focus()
    await say(page, "make this red")
    await shown_version(page, 2)
    await page.keyboard.press("Control+z")
    await shown_version(page, 3)
