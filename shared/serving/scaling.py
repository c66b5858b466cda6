"""How many replicas a service wants: more within seconds when too much waits, fewer only after a calm while."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Mapping
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

RISE = 2.0
"""Seconds for which too much must have waited before there are more: what a replica does in less needs no help."""
CALM = 60.0
"""Seconds for which fewer must have been enough before there are fewer: starting one costs many seconds of work."""
POLL = 0.5
"""Seconds between two looks at the queue."""


@dataclass(frozen=True)
class Look:
    """What one look at the queue says."""

    at: float
    """Seconds of any clock that only goes forward."""
    needed: int


History = tuple[Look, ...]
"""Looks of the last `CALM` seconds and the one before them, the oldest first."""


def replicas(
    waiting: int, in_hand: int, now: float, history: History, *, present: int, target_lag: int, calm: float = CALM
) -> tuple[int, History]:
    """How many are wanted where there are `present` ones, and the history that the next call wants.

    One is needed for each `target_lag` messages, waiting or in hand. There are more when more were needed throughout
    the last `RISE` seconds, and fewer when fewer were throughout the last `calm` ones; so what goes up does not come
    down before it was calm, and not up and down by turns. What cannot be told from the history stays as it is.
    """
    history = (*history, Look(now, math.ceil((waiting + in_hand) / target_lag)))
    least, most = (_throughout(history, now - seconds, worst) for seconds, worst in ((RISE, min), (calm, max)))
    if least is not None and least > present:
        wanted = least
    elif most is not None and most < present:
        wanted = most
    else:
        wanted = present
    return wanted, _since(history, now - calm)


def _throughout(history: History, since: float, worst: Any) -> int | None:
    """The smallest or greatest need ever since; None where the history does not reach so far back."""
    if history[0].at > since:
        return None
    return int(worst(look.needed for look in _since(history, since)))


def _since(history: History, since: float) -> History:
    """The looks from then on, and the last before: what it saw was still so."""
    first = max((number for number, look in enumerate(history) if look.at <= since), default=0)
    return history[first:]


def without_secrets(settings: BusSettings) -> dict[str, Any]:
    """What a ``LagPolicy`` may be told of the settings: no secret, and no address with a password."""
    secrets = {name for name in BusSettings.model_fields if isinstance(getattr(settings, name), SecretStr)}
    if "@" in (settings.nats_url or ""):
        secrets.add("nats_url")
    return settings.model_dump(mode="json", exclude=secrets)


class Situation(Protocol):
    """What Ray Serve tells an autoscaling policy, as far as we ask."""

    target_num_replicas: int


class LagPolicy:
    """The policy of Ray Serve's autoscaling, for one service; it lives in Serve's controller and looks at the queue.

    While the message server is away, or nobody said where it is, the number stays as it is. The address is that of
    `settings`, else NATS_URL of the controller: one with a password is never put into Serve's configuration, which
    Ray shows and logs.
    """

    def __init__(self, service: str, target_lag: int, settings: Mapping[str, Any], calm: float = CALM) -> None:
        self._service = service
        self._target_lag = target_lag
        configure()  # Serve's controller has a process of its own
        self._settings = BusSettings(**settings)
        self._calm = calm
        self._history: History = ()
        self._queues: list[Queue] | None = None
        self._looked = -POLL
        self._looking: asyncio.Task[None] | None = None
        self._bus: Bus | None = None
        if not self._settings.nats_url:
            log.warning("scaling.blind", service=service, code="no_address")

    def __call__(self, situation: Situation) -> tuple[int, dict[str, Any]]:
        """Never blocks, and never raises: what it goes by is the answer to the look before."""
        now = time.monotonic()
        if (self._looking is None or self._looking.done()) and now - self._looked >= POLL:
            self._looked = now
            self._looking = asyncio.get_running_loop().create_task(self._look())
        present = situation.target_num_replicas
        if self._queues is None:
            return present, {}
        mine = [queue for queue in self._queues if queue.service == self._service]
        self._queues = None
        wanted, self._history = replicas(
            sum(queue.waiting for queue in mine),
            sum(queue.in_flight for queue in mine),
            now,
            self._history,
            present=present,
            target_lag=self._target_lag,
            calm=self._calm,
        )
        return wanted, {}

    async def _look(self) -> None:
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
        with suppress(RuntimeError):  # the loop has ended, and everything with it
            if self._bus is not None:
                self._closing = asyncio.get_running_loop().create_task(self._bus.close())
