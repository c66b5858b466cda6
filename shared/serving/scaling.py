"""Autoscaling by queue length: scale up within seconds, scale down only after a minute of lower load."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

import structlog
from pydantic import SecretStr

from ..bus.base import Bus, Queue
from ..bus.nats import NatsBus
from ..errors import BandsmithError
from ..settings import BusSettings
from ..telemetry.log import configure

log = structlog.get_logger(__name__)

UPSCALE_DELAY_S = 2.0
"""How long more replicas must have been needed; shorter peaks are handled without help."""
DOWNSCALE_DELAY_S = 60.0
"""How long fewer replicas must have been enough; starting one costs many seconds of work."""
POLL_INTERVAL_S = 0.5


@dataclass(frozen=True)
class QueueSample:
    """The number of replicas needed at one time."""

    time: float
    """Seconds of a monotonic clock."""
    needed: int


History = tuple[QueueSample, ...]
"""The samples of the last `DOWNSCALE_DELAY_S` seconds and the one before them, oldest first."""


def wanted_replicas(
    waiting: int,
    in_flight: int,
    now: float,
    history: History,
    *,
    current: int,
    target_lag: int,
    downscale_delay: float = DOWNSCALE_DELAY_S,
) -> tuple[int, History]:
    """Return the wanted number of replicas and the history for the next call.

    One replica is needed per `target_lag` messages, waiting or in flight. The number rises to the smallest need of the
    last `UPSCALE_DELAY_S` seconds and falls to the greatest need of the last `downscale_delay` seconds, so it does not
    oscillate. It stays the same while the history is too short to decide.
    """
    history = (*history, QueueSample(now, math.ceil((waiting + in_flight) / target_lag)))
    lowest = _extreme_since(history, now - UPSCALE_DELAY_S, min)
    highest = _extreme_since(history, now - downscale_delay, max)
    if lowest is not None and lowest > current:
        wanted = lowest
    elif highest is not None and highest < current:
        wanted = highest
    else:
        wanted = current
    return wanted, _since(history, now - downscale_delay)


def _extreme_since(history: History, since: float, extreme: Callable[[Iterable[int]], int]) -> int | None:
    """Return the smallest or greatest need since a time; None if the history does not reach back that far."""
    if history[0].time > since:
        return None
    return extreme(sample.needed for sample in _since(history, since))


def _since(history: History, since: float) -> History:
    """Return the samples since a time and the one before, which was still valid then."""
    first = max((number for number, sample in enumerate(history) if sample.time <= since), default=0)
    return history[first:]


def without_secrets(settings: BusSettings) -> dict[str, Any]:
    """Return the settings for a ``LagPolicy``, without secrets and without an address that contains a password."""
    secrets = {name for name in BusSettings.model_fields if isinstance(getattr(settings, name), SecretStr)}
    if "@" in (settings.nats_url or ""):
        secrets.add("nats_url")
    return settings.model_dump(mode="json", exclude=secrets)


class ScalingContext(Protocol):
    """The part of Ray Serve's ``AutoscalingContext`` that is used."""

    target_num_replicas: int


class LagPolicy:
    """Ray Serve's autoscaling policy for one service; runs in Serve's controller and polls the service's queue.

    The number of replicas stays the same while the message server is unreachable or its address is unknown. The address
    comes from `settings`, or else from the controller's NATS_URL: an address with a password is never part of Serve's
    configuration, which Ray displays and logs.
    """

    def __init__(
        self, service: str, target_lag: int, settings: Mapping[str, Any], downscale_delay: float = DOWNSCALE_DELAY_S
    ) -> None:
        self._service = service
        self._target_lag = target_lag
        configure()  # Serve's controller is a separate process
        self._settings = BusSettings(**settings)
        self._downscale_delay = downscale_delay
        self._history: History = ()
        self._queues: list[Queue] | None = None
        self._last_poll = -POLL_INTERVAL_S
        self._polling: asyncio.Task[None] | None = None
        self._bus: Bus | None = None
        if not self._settings.nats_url:
            log.warning("scaling.blind", service=service, code="no_address")

    def __call__(self, context: ScalingContext) -> tuple[int, dict[str, Any]]:
        """Return the wanted number from the latest poll; never blocks and never raises."""
        now = time.monotonic()
        if (self._polling is None or self._polling.done()) and now - self._last_poll >= POLL_INTERVAL_S:
            self._last_poll = now
            self._polling = asyncio.get_running_loop().create_task(self._poll())
        current = context.target_num_replicas
        if self._queues is None:
            return current, {}
        queues = [queue for queue in self._queues if queue.service == self._service]
        self._queues = None
        wanted, self._history = wanted_replicas(
            sum(queue.waiting for queue in queues),
            sum(queue.in_flight for queue in queues),
            now,
            self._history,
            current=current,
            target_lag=self._target_lag,
            downscale_delay=self._downscale_delay,
        )
        return wanted, {}

    async def _poll(self) -> None:
        if not self._settings.nats_url:
            return
        try:
            if self._bus is None:
                self._bus = await NatsBus.connect(self._settings.nats_url, self._settings)
            self._queues = await self._bus.queues()
        except BandsmithError as error:
            log.warning("scaling.blind", service=self._service, code=error.code)
            self._history = ()

    def __del__(self) -> None:
        with suppress(RuntimeError):  # the event loop has ended, and the connection with it
            if self._bus is not None:
                self._closing = asyncio.get_running_loop().create_task(self._bus.close())
