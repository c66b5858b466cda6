"""``bandsmith web``: the page in the browser."""

from __future__ import annotations

import asyncio
import secrets
import signal
import sys
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bandsmith.shared.bus.base import Bus
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.settings import BusSettings, HomeSettings, WebSettings

from ..attachments import Attachment, attachment
from ..client import Client
from ..locale import user_language
from ..web.server import serving
from .messages import message, quiet_log


def web(listen: str, attach: Path | None, *, open_browser: bool) -> None:
    """Serve the page until SIGINT or SIGTERM. Raises ``BadInput`` and ``MissingPart``."""
    quiet_log()
    settings = WebSettings()
    if listen:
        settings = settings.model_copy(update={"web": listen})
    form = attachment(attach) if attach else None
    asyncio.run(_serve(settings, form, open_browser=open_browser))


async def _serve(settings: WebSettings, form: Attachment | None, *, open_browser: bool) -> None:
    _print(message("cli.web.starting"))
    async with open_bus() as bus, serving(bus, settings) as (address, door):
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        session = ""
        if form:
            session = secrets.token_hex(8)
            title = Path(form.name).stem
            await Client(bus).start(session, attachments=[form], language=user_language(), title=title)
        if settings.web_origin:  # others may read what is printed here
            link = f"{address}/#{session}"
            _print(message("cli.web.serving_users", link=address))
        else:
            link = f"{address}/enter?key={door.access.invite()}" + (f"&session={session}" if session else "")
            _print(message("cli.web.serving", link=link))
        if open_browser:
            await asyncio.to_thread(webbrowser.open, link)
        await stop.wait()
        _print(message("cli.web.stopping"))


@asynccontextmanager
async def open_bus() -> AsyncIterator[Bus]:
    """Provide the bus: that of the server at NATS_URL, where services run elsewhere, else one with all services."""
    if not BusSettings().nats_url:
        from ..local import local  # noqa: PLC0415 - loads every service, which run elsewhere otherwise

        async with local(store=HomeSettings().bus, warm_up=True) as bus:
            yield bus
        return
    bus = await NatsBus.connect(BusSettings().nats_url or "")
    try:
        yield bus
    finally:
        await bus.close()


def _print(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
