"""Take the pictures of the page in docs/ again: ``python -m tools.web_pictures``. Needs Chromium, as the tests do."""

from __future__ import annotations

import asyncio
import io
import os
import shutil
import tempfile
from typing import Literal
from unittest import mock

from PIL import Image
from playwright.async_api import Browser, Page, ViewportSize, async_playwright

from bandsmith.attachments import attachment
from bandsmith.client import Client
from bandsmith.local import local
from bandsmith.shared.language import Language
from bandsmith.shared.settings import WebSettings
from bandsmith.web.server import serving

from .picture import ROOT

FORM = ROOT / "samples" / "sales-slip.jpg"
SIZE: ViewportSize = {"width": 1360, "height": 860}
Scheme = Literal["light", "dark"]


async def main() -> None:
    program = shutil.which("chromium")
    assert program, "Chromium is missing: run `python3 tools/setup.py tests`"
    with tempfile.TemporaryDirectory() as home, mock.patch.dict(os.environ, {"BANDSMITH_HOME": home}):
        async with local() as bus, serving(bus, WebSettings(web="127.0.0.1:0")) as (address, door):
            for language in ("en", "zh"):
                await Client(bus).say(f"slip-{language}", attachments=[attachment(FORM)], language=language)
                await Client(bus).rename(f"slip-{language}", FORM.stem)
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])

                async def opened(language: Language, scheme: Scheme = "light") -> Page:
                    link = f"{address}/enter?key={door.access.invite()}"
                    return await _opened(browser, link, f"{address}/#slip-{language}", language, scheme)

                await _take(await _data(await opened("en")), "web-data.png")
                await _take(await _selected(await opened("en")), "web.png")
                await _take(await _compared(await opened("zh", "dark")), "web-dark.png")
                await browser.close()


async def _opened(browser: Browser, link: str, address: str, language: Language, scheme: Scheme) -> Page:
    locale = "zh-CN" if language == "zh" else "en-GB"
    context = await browser.new_context(locale=locale, color_scheme=scheme, viewport=SIZE)
    page = await context.new_page()
    await page.goto(link)
    await page.goto(address)
    await page.locator(".mark").first.wait_for()
    return page


async def _data(page: Page) -> Page:
    await page.get_by_role("button", name="Data", exact=True).click()
    await page.locator(".data table").wait_for()
    return page


async def _selected(page: Page) -> Page:
    await page.locator(".mark").first.click()
    await page.get_by_role("button", name="Blue", exact=True).click()
    await page.locator(".versions button").nth(1).wait_for(timeout=120_000)
    await page.locator('.bar[aria-busy="false"] .blue[aria-pressed="true"]').wait_for()
    return page


async def _compared(page: Page) -> Page:
    await page.get_by_role("button", name="对比").click()
    await page.get_by_role("img", name="原表单").wait_for()
    return page


async def _take(page: Page, name: str) -> None:
    await page.evaluate("document.activeElement.blur()")
    await page.wait_for_timeout(500)  # until nothing moves
    Image.open(io.BytesIO(await page.screenshot())).convert("RGB").save(ROOT / "docs" / name, optimize=True)
    await page.context.close()


if __name__ == "__main__":
    asyncio.run(main())
