"""`bandsmith serve --host ray`: each service an application of Ray Serve, from start to Ctrl-C."""

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
from bandsmith.shared.serving.deployment import environment, error_in
from bandsmith.shared.serving.pools import Pool, Pools
from bandsmith.shared.settings import BusSettings

from ..cli.messages import either, sentence
from .cluster import joined, machines, ray_running
from .resources import Wanted, cores, fit

LOOK_SECONDS = 0.2
MORE_SECONDS = 20.0
"""Beyond what replicas have to drain, until those that are still there are left to themselves."""
WAITED = 30.0
"""Seconds after which a cluster of others may have no room for what still waits."""
FAILED = (ApplicationStatus.DEPLOY_FAILED, ApplicationStatus.UNHEALTHY)


def serve(services: Sequence[Service], pools: Pools) -> None:
    """Returns when it was told to stop, and what was in hand is finished or handed back.

    Raises ``BadInput``, and ``MissingPart`` for what the machines do not have.
    """
    wanted = {service: pools.of(service) for service in services}
    for service, pool in wanted.items():  # what is wrong with one is said before Ray has been started in vain
        _application(service, pool)
    _say(either("Starting Ray ...", "正在启动 Ray…"))
    # Ray ends badly when a signal stops it in the middle of its start, and lives as long as the thread that started it.
    # So it has a thread of its own, and signals come to this one.
    with _telling() as stop, ThreadPoolExecutor(1) as apart:
        apart.submit(_serve, wanted, stop).result()


def _serve(wanted: Wanted, stop: threading.Event) -> None:
    with ray_running(cores(wanted)):
        if stop.is_set():
            return
        fitted, warnings = fit(wanted, machines(), growing=joined())
        for warning in warnings:
            _say(sentence(warning))
        applications = [_application(service, pool) for service, pool in fitted.items()]
        try:
            rayserve.run_many(
                applications, wait_for_ingress_deployment_creation=False, wait_for_applications_running=False
            )
            _until_ready([application.name for application in applications], stop)
            if not stop.is_set():
                english, chinese = ", ".join(wanted), "、".join(wanted)
                _say(either(f"Serving {english} on Ray; Ctrl-C stops.", f"已在 Ray 上运行 {chinese}；Ctrl-C 停止。"))
            stop.wait()
        finally:
            # A Ray that has ended, as when everything on the machine is told to, would never answer.
            deleting = threading.Thread(target=_delete, args=[[one.name for one in applications]], daemon=True)
            deleting.start()
            deleting.join(BusSettings().drain_timeout + MORE_SECONDS)


def application_name(service: Service) -> str:
    return f"bandsmith-{service}"


def _application(service: Service, pool: Pool) -> rayserve.RunTarget:
    app = importlib.import_module(f"bandsmith.services.{service}.app")
    return rayserve.RunTarget(app.application(pool, environment()), name=application_name(service), route_prefix=None)


def _until_ready(names: Sequence[str], stop: threading.Event) -> None:
    """Say of each that it is ready. Raises ``MissingPart`` with what keeps a replica from starting."""
    waiting = list(names)
    asked = time.monotonic() if joined() else math.inf
    while waiting and not stop.wait(LOOK_SECONDS):
        if time.monotonic() - asked > WAITED:
            _say(_no_room([_short(name) for name in waiting]))
            asked = math.inf
        status = rayserve.status().applications
        for name in list(waiting):
            if name not in status:
                continue
            if status[name].status == ApplicationStatus.RUNNING:
                waiting.remove(name)
                _say(either(f"{_short(name)}: ready", f"{_short(name)}：就绪"))
            _refuse(status[name])


def _no_room(services: Sequence[str]) -> str:
    return either(
        f"Still waiting for {', '.join(services)}. If it lasts, the cluster has no room left for it: see `ray status`.",
        f"仍在等待 {'、'.join(services)}。若持续如此，则集群已无空余资源：请查看 `ray status`。",
    )


def _refuse(application: Any) -> None:
    messages = [application.message, *(one.message for one in application.deployments.values())]
    for message in messages:
        if error := error_in(message):
            raise error
    if application.status in FAILED:
        raise MissingPart(
            "A service did not start on Ray; the log of its replica says where.",
            message_zh="有服务未能在 Ray 上启动；其副本的日志中有位置。",
        )


def _delete(names: Sequence[str]) -> None:
    """All at once, so that they drain side by side."""
    for name in names:
        rayserve.delete(name, _blocking=False)
    while set(rayserve.status().applications) & set(names):
        threading.Event().wait(LOOK_SECONDS)


def _short(name: str) -> str:
    return name.removeprefix("bandsmith-")


@contextmanager
def _telling() -> Iterator[threading.Event]:
    """An event that Ctrl-C and SIGTERM set."""
    stop = threading.Event()

    def tell(*_: object) -> None:
        if not stop.is_set():
            _say(either("Stopping ...", "正在停止…"))
            stop.set()

    before = {number: signal.signal(number, tell) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
