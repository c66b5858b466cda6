"""``bandsmith metrics``: serve the metrics of a Bandsmith that is running elsewhere to Prometheus."""

from __future__ import annotations

import asyncio
import signal
import sys

from bandsmith.shared.settings import HomeSettings, MonitoringSettings
from bandsmith.shared.telemetry import log

from ..local import running
from ..metrics import ANSWER_TIMEOUT_S, DEFAULT_ADDRESS, metrics_server
from .messages import message


def metrics(listen: str) -> None:
    """Serve until SIGINT or SIGTERM. Raises ``BadInput`` for a wrong address, ``MissingPart`` where nothing runs."""
    log.configure()
    asyncio.run(_serve(listen or MonitoringSettings().metrics or DEFAULT_ADDRESS))


async def _serve(listen: str) -> None:
    async with running(HomeSettings().bus, ANSWER_TIMEOUT_S) as bus, metrics_server(bus, listen) as address:
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        print(message("cli.metrics.serving", address=address), file=sys.stderr, flush=True)
        await stop.wait()
