"""How the page is started: `make web`, `bandsmith web`, and the browser that they open."""

from __future__ import annotations

import os
import re
import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import async_playwright, expect

from bandsmith.shared.bus.memory import MemoryBus
from bandsmith.shared.settings import WebSettings
from bandsmith.web.server import serving
from tests.shared.processes import until

ROOT = Path(__file__).parents[2]
BROWSER = """#!/bin/sh
echo "$1" > "$OPENED"
"""
"""A browser that notes the address that it is to open."""


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[str]:
    """What `make web` opens in the browser, once it is served."""
    browser, note = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(BROWSER)
    browser.chmod(0o755)
    recipe = subprocess.run(["make", "-n", "web"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    [arguments] = re.findall(r"^\S*/bandsmith (web .*)$", recipe, re.MULTILINE)
    command = [sys.executable, "-c", "from bandsmith.cli import main; main()", *shlex.split(arguments)]
    environment = {**os.environ, "BANDSMITH_HOME": str(tmp_path), "BANDSMITH_WEB": "127.0.0.1:0", "LANG": "C.UTF-8"}
    environment |= {"BROWSER": f"{browser} %s", "OPENED": str(note)}
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
    try:
        until(lambda: note.exists() or process.poll() is not None, seconds=150)
        yield note.read_text()
    finally:
        process.terminate()
        process.wait(30)


@pytest.mark.slow
async def test_make_web_opens_the_page_with_the_sample_form_on_it(opened: str, chromium: str):
    """Given a checkout
    When the recipe of `make web` is run
    Then a browser is opened once, with a link that lets it in, and shows how the sample photo becomes a report
    """
    [address] = opened.split()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = await (await browser.new_context(locale="en-GB")).new_page()
        await page.goto(address)
        await expect(page.locator(".asked")).to_contain_text("sales-slip.jpg")
        await expect(page.get_by_role("img", name="Page 1 of the report")).to_be_visible()
        await browser.close()


async def test_a_link_that_is_shown_early_waits_for_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Given the address of a page whose server does not accept yet
    When a browser connects
    Then it is not refused
    """
    monkeypatch.setenv("BANDSMITH_HOME", str(tmp_path))
    bus = MemoryBus()
    async with serving(bus, WebSettings(web="127.0.0.1:0")) as (address, _):
        host, _, port = address.removeprefix("http://").partition(":")
        socket.create_connection((host, int(port)), timeout=5).close()
    await bus.close()
