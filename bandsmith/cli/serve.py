"""``bandsmith serve``: some or all services in this process or on Ray, on a NATS server that other programs share."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import cast

from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.errors import BadInput, MissingPart
from bandsmith.shared.events import Service
from bandsmith.shared.replies import listed
from bandsmith.shared.serving.garbage import collect_rarely
from bandsmith.shared.serving.pools import Pools, read_pools
from bandsmith.shared.settings import BusSettings, MonitoringSettings
from bandsmith.shared.telemetry import log

from ..local import SERVICES, Host
from ..locale import user_language
from ..metrics import metrics_server
from ..watchdog import watchdog
from .messages import message

HOSTS = ("local", "ray")


def serve(names: list[str], host: str = "local", config: Path | None = None) -> None:
    """Run services until SIGINT or SIGTERM. Raises ``BadInput`` and ``MissingPart``."""
    log.configure()
    if host not in HOSTS:
        raise BadInput.of("cli.serve.unknown_host", code=BadInput.code, host=host, hosts=", ".join(HOSTS))
    url = BusSettings().nats_url
    if not url:
        raise BadInput.of("cli.serve.no_url", code=BadInput.code)
    for name in names:
        if name not in SERVICES:
            known = ", ".join(SERVICES)
            raise BadInput.of("cli.serve.unknown_service", code=BadInput.code, service=name, services=known)
    services = cast("list[Service]", names) or list(SERVICES)
    pools = read_pools(config)
    _print(message("cli.serve.starting", services=listed(services, user_language())))
    if host == "ray":
        asyncio.run(_check_server(url))
        _serve_on_ray(services, pools)
    else:
        os.environ.update(pools.ocr.environment())
        asyncio.run(_serve(url, services, pools))


async def _serve(url: str, services: list[Service], pools: Pools) -> None:
    settings = MonitoringSettings()
    if services == ["gateway"]:
        collect_rarely()
    # Shielded, because nats-py waits in a way that may miss Ctrl-C.
    bus = await asyncio.shield(asyncio.ensure_future(NatsBus.connect(url)))
    stop = asyncio.Event()  # signals are handled from here on; before, there is nothing to shut down in order
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    try:
        with watchdog(settings.watchdog):
            async with metrics_server(bus, settings.metrics), Host(bus, services, pools):
                _print(message("cli.serve.serving", services=listed(services, user_language())))
                await stop.wait()
                _print(message("cli.serve.stopping"))
    finally:
        await bus.close()


async def _check_server(url: str) -> None:
    """Raise ``MissingPart`` when no server answers: starting Ray first would be in vain."""
    await (await NatsBus.connect(url)).close()


def _serve_on_ray(services: list[Service], pools: Pools) -> None:
    try:
        from ..ray import applications  # noqa: PLC0415 - Ray takes seconds to import, and is optional
    except ModuleNotFoundError as error:
        if error.name != "ray":
            raise
        raise MissingPart.of("cli.serve.no_ray") from None
    applications.serve(services, pools)


def _print(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
