"""The Ray Serve deployment of a service: how replicas start and stop, their resources, and autoscaling."""

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

HEALTH_CHECK_PERIOD_S, HEALTH_CHECK_TIMEOUT_S = 5.0, 5.0
"""Ray Serve replaces a replica after three failed health checks."""
SHUTDOWN_MARGIN_S = 10.0
"""Time that a replica has to stop beyond its drain timeout."""
SETTINGS_PREFIXES = ("BANDSMITH_", "NATS_URL", "OTEL_")
"""Prefixes of the environment variables that replicas inherit."""
START_TAG, SEPARATOR, END_TAG = "<bandsmith>", "<|>", "</bandsmith>"
"""Delimiters of an error inside Ray's own error messages."""


class ServeReplica(ServiceReplica):
    """A replica with the lifecycle methods of Ray Serve, which awaits both of these."""

    async def __init__(self, make: WorkFactory, concurrency: int, environment: Mapping[str, str]) -> None:  # type: ignore[misc]
        super().__init__(make, concurrency, environment)
        try:
            await self.start()
        except BandsmithError as error:
            raise ReplicaNotStarted(error) from None
        except Exception as error:
            log.error("replica.not_started", error=type(error).__name__, where=error_locations(error))
            raise

    async def __del__(self) -> None:
        await self.stop()


class ReplicaNotStarted(Exception):
    """Carries a replica's error through Ray as text; ``error_in`` extracts it on the other side."""

    def __init__(self, error: BandsmithError) -> None:
        kind = BadInput if isinstance(error, BadInput) else MissingPart
        super().__init__(f"{START_TAG}{SEPARATOR.join((kind.__name__, error.message, error.message_zh))}{END_TAG}")


def error_in(message: str) -> BandsmithError | None:
    """Return the replica's error inside a message from Ray, if there is one."""
    _, start, remainder = message.partition(START_TAG)
    encoded, end, _ = remainder.partition(END_TAG)
    if not (start and end):
        return None
    name, english, chinese = encoded.split(SEPARATOR)
    return (BadInput if name == BadInput.__name__ else MissingPart)(english, message_zh=chinese)


def environment() -> dict[str, str]:
    """Return this process's settings, as defaults for replicas on other machines."""
    return {name: value for name, value in os.environ.items() if name.startswith(SETTINGS_PREFIXES)}


def options(service: Service, pool: Pool) -> dict[str, Any]:
    """Return the options of a service's deployment: resources, number of replicas, health checks and shutdown."""
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
            "upscale_delay_s": 0,  # the policy implements the delays
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
        "health_check_period_s": HEALTH_CHECK_PERIOD_S,
        "health_check_timeout_s": HEALTH_CHECK_TIMEOUT_S,
        "graceful_shutdown_wait_loop_s": 0.1,
        "graceful_shutdown_timeout_s": BusSettings().drain_timeout + SHUTDOWN_MARGIN_S,
    }
