"""A report on the page, in a real browser: from the navigation to its last picture."""

from __future__ import annotations

import os
import shutil
import statistics
import tempfile
from unittest import mock

from playwright.async_api import Browser, async_playwright

from bandsmith.attachments import attachment
from bandsmith.client import Client
from bandsmith.local import local
from bandsmith.shared.settings import WebSettings
from bandsmith.web.server import serving

from .pages import FORM
from .results import Result

WHOLE = """() => {
  const pictures = [...document.querySelectorAll(".page img, .versions img")]
  const isWhole = pictures.every((one) => one.complete && one.naturalWidth)
  return document.querySelector(".page .mark") && isWhole && performance.now()
}"""
"""The milliseconds since the navigation, once every picture is there and the elements can be selected."""


async def measure(rounds: int = 10) -> list[Result]:
    program = shutil.which("chromium")
    assert program, "Chromium is missing: run `python3 tools/setup.py tests`"
    with tempfile.TemporaryDirectory() as home, mock.patch.dict(os.environ, {"BANDSMITH_HOME": home}):
        async with local() as bus, serving(bus, WebSettings(web="127.0.0.1:0")) as (address, door):
            await Client(bus).say("report", attachments=[attachment(FORM)])
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
                times = [await _load(browser, address, door.access.invite()) for _ in range(rounds)]
                await browser.close()
    return [
        Result(
            "a report on the page: from the navigation to its last picture",
            f"{statistics.median(times):.0f} ms",
            "at most 1,000 ms",
            f"Chromium, over loopback; median of {rounds}, the slowest {max(times):.0f} ms",
        )
    ]


async def _load(browser: Browser, address: str, invitation: str) -> float:
    """Return the milliseconds that a new window needs to show the report whole."""
    async with await browser.new_context() as context:
        page = await context.new_page()
        await page.goto(f"{address}/enter?key={invitation}")
        await page.goto("about:blank")
        await page.goto(f"{address}/#report")
        whole = await page.wait_for_function(WHOLE, polling=10)
        return float(await whole.json_value())
