"""`bandsmith serve`: some or all services in a process of their own, on a server that others use too."""

from __future__ import annotations

import asyncio
import signal
import sys
from typing import cast

from shared import log
from shared.bus.nats import NatsBus
from shared.errors import BadInput
from shared.events import Service
from shared.settings import BusSettings

from .local import SERVICES, Host


def serve(names: list[str]) -> None:
    """Returns when it was told to stop and has. Raises ``BadInput`` and ``MissingPart``."""
    log.configure()
    url = BusSettings().nats_url
    if not url:
        raise BadInput(
            "Name the message server that the services share: NATS_URL=nats://127.0.0.1:4222 bandsmith serve",
            message_zh="请指定各服务共用的消息服务器：NATS_URL=nats://127.0.0.1:4222 bandsmith serve",
        )
    for name in names:
        if name not in SERVICES:
            known = ", ".join(SERVICES)
            raise BadInput(
                f"There is no service {name}; there are {known}.", message_zh=f"没有服务 {name}；可选：{known}。"
            )
    asyncio.run(_serve(url, cast("list[Service]", names) or list(SERVICES)))


async def _serve(url: str, services: list[Service]) -> None:
    told = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, told.set)
    bus = await NatsBus.connect(url)
    try:
        async with Host(bus, services):
            print(f"Serving {', '.join(services)}; Ctrl-C stops.", file=sys.stderr, flush=True)
            await told.wait()
    finally:
        await bus.close()
