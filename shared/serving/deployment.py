"""What Ray Serve is told of a service: how to make and end a replica, what one needs, and how many there are."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import structlog

from ..errors import BadInput, BandsmithError, MissingPart
from ..events import Service
from ..settings import BusSettings
from ..telemetry.log import error_locations
from .pools import Pool
from .replica import ServiceReplica, WorkFactory
from .scaling import LagPolicy, without_secrets

log = structlog.get_logger(__name__)

HEALTH_PERIOD, HEALTH_TIMEOUT = 5.0, 5.0
"""Seconds between two questions whether a replica lives, and to answer one; the third that fails replaces it."""
OURS = ("BANDSMITH_", "NATS_URL", "OTEL_")
"""What the names of the settings begin with that a replica takes over."""
BEGIN, BETWEEN, END = "<bandsmith>", "<|>", "</bandsmith>"


class ServeReplica(ServiceReplica):
    """As Ray Serve makes and ends one: it awaits both of these."""

    async def __init__(self, make: WorkFactory, concurrency: int, environment: Mapping[str, str]) -> None:  # type: ignore[misc]
        super().__init__(make, concurrency, environment)
        try:
            await self.start()
        except BandsmithError as error:
            raise NotStarted(error) from None
        except Exception as error:
            log.error("replica.not_started", error=type(error).__name__, where=error_locations(error))
            raise

    async def __del__(self) -> None:
        await self.stop()


class NotStarted(Exception):
    """Why a replica did not start, in words that survive the way through Ray: the host reads them from its messages."""

    def __init__(self, error: BandsmithError) -> None:
        kind = BadInput if isinstance(error, BadInput) else MissingPart
        super().__init__(f"{BEGIN}{BETWEEN.join((kind.__name__, error.message, error.message_zh))}{END}")


def error_in(message: str) -> BandsmithError | None:
    """The error that a message of Ray's contains, if one of our replicas put it there."""
    _, begun, rest = message.partition(BEGIN)
    words, ended, _ = rest.partition(END)
    if not (begun and ended):
        return None
    name, english, chinese = words.split(BETWEEN)
    return (BadInput if name == BadInput.__name__ else MissingPart)(english, message_zh=chinese)


def environment() -> dict[str, str]:
    """This process's settings, for replicas on machines that say nothing else themselves."""
    return {name: value for name, value in os.environ.items() if name.startswith(OURS)}


def options(service: Service, pool: Pool) -> dict[str, Any]:
    """What Ray Serve is to know of a service's deployment: what replicas need, how many there are, when one is gone."""
    drain = BusSettings().drain_timeout
    return {
        "name": service,
        "ray_actor_options": {
            "num_cpus": pool.cpus,
            "num_gpus": pool.gpus,
            "resources": pool.resources,
            "runtime_env": {"env_vars": pool.environment()},
        },
        "autoscaling_config": {
            "min_replicas": pool.min,
            "max_replicas": pool.max,
            "initial_replicas": pool.min,
            "upscale_delay_s": 0,  # the policy has its own sense of time
            "downscale_delay_s": 0,
            "policy": {
                "policy_function": f"{LagPolicy.__module__}:{LagPolicy.__name__}",
                "policy_kwargs": {
                    "service": service,
                    "target_lag": pool.target_lag,
                    "settings": without_secrets(BusSettings()),
                },
            },
        },
        "health_check_period_s": HEALTH_PERIOD,
        "health_check_timeout_s": HEALTH_TIMEOUT,
        "graceful_shutdown_wait_loop_s": 0.1,
        "graceful_shutdown_timeout_s": drain + 10,
    }
