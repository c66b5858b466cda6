"""``bandsmith serve --host ray``: each service as an application of Ray Serve, from the start until Ctrl-C."""

from __future__ import annotations

import importlib
import math
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from ray import serve as rayserve
from ray.serve.schema import ApplicationStatus

from bandsmith.shared.errors import MissingPart
from bandsmith.shared.events import Service
from bandsmith.shared.replies import listed, message_in, text
from bandsmith.shared.serving.deployment import environment, error_in
from bandsmith.shared.serving.pools import Pool, Pools
from bandsmith.shared.settings import BusSettings

from ..locale import user_language
from .cluster import is_external, machines, ray_running
from .resources import PoolsByService, cores, fit

POLL_S = 0.2
DELETE_MARGIN_S = 20.0
"""Seconds beyond the drain timeout after which replicas that still run are left behind."""
NO_ROOM_S = 30.0
"""Seconds of waiting on an external cluster after which it may have no room for the replicas."""
FAILED = (ApplicationStatus.DEPLOY_FAILED, ApplicationStatus.UNHEALTHY)


def serve(services: Sequence[Service], pools: Pools) -> None:
    """Run services until SIGINT or SIGTERM, and return once the messages in flight are finished or handed back.

    Raises ``BadInput``, and ``MissingPart`` for what the machines lack.
    """
    wanted = {service: pools.of(service) for service in services}
    for service, pool in wanted.items():  # errors in the configuration come before the start of Ray
        _application(service, pool)
    _tell("cli.ray.starting")
    # A signal during Ray's start leaves it half started, and Ray lives as long as the thread that started it.
    # So Ray has a thread of its own, and the main thread receives the signals.
    with _stop_on_signal() as stop, ThreadPoolExecutor(1) as ray_thread:
        ray_thread.submit(_serve, wanted, stop).result()


def _serve(wanted: PoolsByService, stop: threading.Event) -> None:
    with ray_running(cores(wanted)):
        if stop.is_set():
            return
        fitted, warnings = fit(wanted, machines(), growing=is_external())
        for warning in warnings:
            _print(message_in(warning, user_language()))
        applications = [_application(service, pool) for service, pool in fitted.items()]
        names = [application.name for application in applications]
        try:
            rayserve.run_many(
                applications, wait_for_ingress_deployment_creation=False, wait_for_applications_running=False
            )
            _wait_until_ready(names, stop)
            if not stop.is_set():
                _tell("cli.ray.serving", services=listed(list(wanted), user_language()))
            stop.wait()
        finally:
            # In a thread with a timeout: a Ray that has ended, as on shutdown of the machine, never answers.
            deleting = threading.Thread(target=_delete, args=[names], daemon=True)
            deleting.start()
            deleting.join(BusSettings().drain_timeout + DELETE_MARGIN_S)


def application_name(service: Service) -> str:
    return f"bandsmith-{service}"


def _application(service: Service, pool: Pool) -> rayserve.RunTarget:
    app = importlib.import_module(f"bandsmith.services.{service}.app")
    return rayserve.RunTarget(app.application(pool, environment()), name=application_name(service), route_prefix=None)


def _wait_until_ready(names: Sequence[str], stop: threading.Event) -> None:
    """Print each application that becomes ready. Raises ``MissingPart`` with what keeps a replica from starting."""
    waiting = list(names)
    started = time.monotonic() if is_external() else math.inf
    while waiting and not stop.wait(POLL_S):
        if time.monotonic() - started > NO_ROOM_S:
            services = [_service(name) for name in waiting]
            _tell("cli.ray.no_room", services=listed(services, user_language()))
            started = math.inf
        status = rayserve.status().applications
        for name in list(waiting):
            if name not in status:
                continue
            if status[name].status == ApplicationStatus.RUNNING:
                waiting.remove(name)
                _tell("cli.ray.ready", service=_service(name))
            _raise_failure(status[name])


def _raise_failure(application: Any) -> None:
    """Raise the error that one of our replicas put into Ray's status, or a general one for a failed application."""
    messages = [application.message, *(deployment.message for deployment in application.deployments.values())]
    for reported in messages:
        if error := error_in(reported):
            raise error
    if application.status in FAILED:
        raise MissingPart.of("cli.ray.failed")


def _delete(names: Sequence[str]) -> None:
    """Delete all applications at once, so that they drain in parallel."""
    for name in names:
        rayserve.delete(name, _blocking=False)
    while set(rayserve.status().applications) & set(names):
        threading.Event().wait(POLL_S)


def _service(application: str) -> str:
    return application.removeprefix("bandsmith-")


@contextmanager
def _stop_on_signal() -> Iterator[threading.Event]:
    """Provide an event that SIGINT and SIGTERM set."""
    stop = threading.Event()

    def handle(*_: object) -> None:
        if not stop.is_set():
            _tell("cli.serve.stopping")
            stop.set()

    previous = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _tell(code: str, **values: object) -> None:
    """Print a text of the catalogue in the language of the user."""
    _print(text(code, user_language(), **values))


def _print(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
