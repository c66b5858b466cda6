"""`bandsmith serve`: some or all services in processes of their own, on a message server that others use too."""

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
from bandsmith.shared.serving.pools import Pools, read_pools
from bandsmith.shared.settings import BusSettings, MonitoringSettings
from bandsmith.shared.telemetry import log

from ..local import SERVICES, Host
from ..metrics import exposing
from ..watchdog import watchdog
from .messages import either

HOSTS = ("local", "ray")


def serve(names: list[str], host: str = "local", config: Path | None = None) -> None:
    """Returns when it was told to stop and has. Raises ``BadInput`` and ``MissingPart``."""
    log.configure()
    if host not in HOSTS:
        raise BadInput(
            f"There is no host {host}; there are {', '.join(HOSTS)}.",
            message_zh=f"没有运行方式 {host}；可选：{', '.join(HOSTS)}。",
        )
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
    services = cast("list[Service]", names) or list(SERVICES)
    pools = read_pools(config)
    _say(either(f"Starting {', '.join(services)} ...", f"正在启动 {'、'.join(services)}…"))
    if host == "ray":
        asyncio.run(_answers(url))
        _on_ray(services, pools)
    else:
        os.environ.update(pools.ocr.environment())
        asyncio.run(_serve(url, services, pools))


async def _serve(url: str, services: list[Service], pools: Pools) -> None:
    watch = MonitoringSettings()
    # Shielded, because nats-py waits in a way that may miss Ctrl-C.
    bus = await asyncio.shield(asyncio.ensure_future(NatsBus.connect(url)))
    told = asyncio.Event()  # only from here on is there something to end in good order
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, told.set)
    try:
        with watchdog(watch.watchdog):
            async with exposing(bus, watch.metrics), Host(bus, services, pools):
                _say(
                    either(
                        f"Serving {', '.join(services)}; Ctrl-C stops.",
                        f"正在运行 {'、'.join(services)}；按 Ctrl-C 停止。",
                    )
                )
                await told.wait()
                _say(either("Stopping ...", "正在停止…"))
    finally:
        await bus.close()


async def _answers(url: str) -> None:
    """Raises ``MissingPart`` when no server does: that is said before Ray has been started in vain."""
    await (await NatsBus.connect(url)).close()


def _on_ray(services: list[Service], pools: Pools) -> None:
    try:
        from ..ray import applications  # noqa: PLC0415 - Ray takes seconds to load, and need not be installed
    except ModuleNotFoundError as error:
        if error.name != "ray":
            raise
        raise MissingPart(
            "Ray is not installed: run `pip install 'bandsmith[cluster]'`.",
            message_zh="没有安装 Ray：请运行 `pip install 'bandsmith[cluster]'`。",
        ) from None
    applications.serve(services, pools)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
