"""The web door: its HTTP interface on scripted services, and the page in a real browser on the real ones."""

from __future__ import annotations

import os
import re
import shutil
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, suppress
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import pytest
from playwright.async_api import ConsoleMessage, Page, async_playwright, expect
from playwright.async_api import Error as PlaywrightError

from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.shared.bus.memory import Broker, MemoryBus
from bandsmith.shared.settings import WebSettings
from bandsmith.web.access import Access
from bandsmith.web.authentication import COOKIE
from bandsmith.web.door import Door
from bandsmith.web.identity import Role
from bandsmith.web.keys import Keys
from bandsmith.web.server import serving
from tests.gateway.scripted import Script, ScriptedActor, scripted
from tests.shared.processes import until

from .issuer import Issuer

SAMPLE = Path(__file__).parents[2] / "samples" / "sales-slip.jpg"
OBJECTS = ("generated", "mapped", "modified", "data", "mapped-data", "page", "pdf", "compare", "form", "exported")
TEMPLATE = b'<jasperReport xmlns="http://jasperreports.sourceforge.net/jasperreports" name="mapped"/>'
_USUAL: dict[str, Any] = {"timeout": 20, "trust_env": False, "verify": ssl.create_default_context()}
"""Of every client. To load the certificates again takes longer than a request."""


class Place(NamedTuple):
    """A web process on a bus in memory, with scripted services."""

    address: str
    door: Door
    bus: MemoryBus
    keys: Keys
    issuer: Issuer

    @property
    def access(self) -> Access:
        return self.door.access

    def client(self, owner: str | None = "ann") -> httpx2.AsyncClient:
        """Return a client with the cookie of an owner, or without one."""
        cookies = {COOKIE: self.access.cookie(owner)} if owner is not None else {}
        return httpx2.AsyncClient(base_url=self.address, cookies=cookies, headers={"origin": self.address}, **_USUAL)

    def with_token(self, token: str, **headers: str) -> httpx2.AsyncClient:
        """Return a client that sends an API key or a token, as programs do."""
        headers = {"authorization": f"Bearer {token}"} | headers
        return httpx2.AsyncClient(base_url=self.address, headers=headers, **_USUAL)

    def with_key(self, name: str, role: Role = "editor", user: str = "") -> httpx2.AsyncClient:
        """Return a client with a new API key."""
        return self.with_token(self.keys.add(name, role, user))


@pytest.fixture
def issuer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Issuer]:
    with Issuer() as one:
        monkeypatch.setenv("BANDSMITH_OIDC_ISSUER", one.address)
        yield one


@pytest.fixture
def script() -> Script:
    """What the services answer; a module of tests may have another one."""
    return {}


@pytest.fixture
def actor(script: Script) -> ScriptedActor:
    """The services but the gateway."""
    return ScriptedActor(script)


@pytest.fixture
async def place(
    issuer: Issuer, actor: ScriptedActor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Place]:
    monkeypatch.setenv("BANDSMITH_HOME", str(tmp_path))
    broker = Broker()
    broker.objects |= {key: key.encode() for key in OBJECTS}
    broker.objects |= {"mapped": TEMPLATE, "data": b"{}", "mapped-data": b"{}"}
    broker.objects |= {f"verdict-{errors}": b'{"passed": true}' for errors in range(2)}
    bus = MemoryBus(broker)
    await scripted(bus, actor=actor)
    await GatewayActor(bus).start()
    async with serving(bus, WebSettings(web="127.0.0.1:0")) as (address, door):
        yield Place(address, door, bus, door.keys, issuer)
    await bus.close()


# --- the page in a real browser --------------------------------------------------------------------------------------

expect.set_options(timeout=120_000)


@pytest.fixture(scope="session")
def chromium() -> str:
    program = shutil.which("chromium")
    assert program, "Chromium is missing: run `python3 tools/setup.py tests`"
    return program


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core."""
    return resources.files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def link(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The link that `bandsmith web` prints."""
    home = tmp_path_factory.mktemp("web")
    command = [sys.executable, "-c", "from bandsmith.cli import main; main()", "web", "--no-browser"]
    environment = {**os.environ, "BANDSMITH_HOME": str(home), "BANDSMITH_WEB": "127.0.0.1:0", "LANG": "C.UTF-8"}
    output = home / "output"
    with output.open("wb") as out:
        process = subprocess.Popen(command, env=environment, stdout=out, stderr=out)
    try:
        until(lambda: "http://" in output.read_text() or process.poll() is not None, seconds=150)
        yield re.findall(r"http://\S+", output.read_text())[0]
    finally:
        process.terminate()
        process.wait(30)


@pytest.fixture(scope="session")
def cookies() -> dict[str, Any]:
    """The cookies of the browser that used the link; empty before that."""
    return {}


def is_error(line: ConsoleMessage) -> bool:
    """Whether the browser reports an error that is none of a connection that a test cut, or of a revoked link."""
    expected = ("ERR_INTERNET_DISCONNECTED", "status of 410")
    return line.type == "error" and not any(text in line.text for text in expected)


async def print_turns_under_way(page: Page) -> None:
    """Print what the server knows of a session whose turn still seems to be under way: a failed test shows it."""
    with suppress(PlaywrightError):
        if await page.locator(".reply.live").count():
            asked = "fetch(`/api/sessions/${location.hash.slice(1)}`).then((answer) => answer.text())"
            print(await page.evaluate(asked))


Open = Callable[..., Awaitable[Page]]


@pytest.fixture
async def browse(chromium: str, link: str, cookies: dict[str, Any]) -> AsyncIterator[Open]:
    """Open the page in a new window; the first one uses the link, the others have its cookie."""
    errors: list[str] = []
    async with AsyncExitStack() as stack:
        playwright = await stack.enter_async_context(async_playwright())
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])

        async def open_page(path: str = "/", *, lets_in: bool = True, **options: Any) -> Page:
            known = {"storage_state": cookies} if cookies and lets_in else {}
            usual = {"locale": "en-GB", "viewport": {"width": 1360, "height": 860}}
            context = await browser.new_context(**(usual | options | known))
            context.set_default_timeout(60_000)
            page = await context.new_page()
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.on("console", lambda line: errors.append(line.text) if is_error(line) else None)
            if not lets_in:
                return page
            if not known:
                await page.goto(link)
                cookies.update(await context.storage_state())
            await page.goto(link.partition("/enter")[0] + path)
            await page.get_by_label("Message").or_(page.get_by_label("消息")).wait_for()
            return page

        yield open_page
        for page in [page for context in browser.contexts for page in context.pages]:
            await print_turns_under_way(page)
        await browser.close()
    assert errors == [], "the browser reports errors"
