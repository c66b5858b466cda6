"""Metrics of every process over HTTP, for ``bandsmith metrics`` and for ``bandsmith serve`` with BANDSMITH_METRICS.

Each request to ``/metrics`` asks the bus, so the server keeps no state and any number of servers may run. ``/healthz``
answers 200 while the bus answers, ``/livez`` while this process does.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from socketserver import TCPServer, ThreadingMixIn
from typing import Any, TypeVar
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer
from wsgiref.types import StartResponse, WSGIEnvironment

import structlog
from prometheus_client import CollectorRegistry, Metric, make_wsgi_app
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector

from bandsmith.shared.bus.base import Bus, Queue, Replica
from bandsmith.shared.errors import BadInput
from bandsmith.shared.telemetry import log as logs

log = structlog.get_logger(__name__)
T = TypeVar("T")

DEFAULT_ADDRESS = "127.0.0.1:9464"
ANSWER_TIMEOUT_S = 5.0
"""Seconds in which the bus has to answer; Prometheus itself waits for ten."""
MAX_PORT = 65535


@asynccontextmanager
async def metrics_server(bus: Bus, listen: str) -> AsyncIterator[str]:
    """Within the block, serve the metrics of the bus and of every process on it at `listen`, ``HOST:PORT``.

    Yields the address; port 0 is any free port. An empty `listen` serves nothing. Raises ``BadInput``.
    """
    if not listen:
        yield ""
        return
    server = _bind(*_host_and_port(listen))
    server.set_app(_Pages(bus, asyncio.get_running_loop()))
    threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    try:
        yield f"http://{listen.rpartition(':')[0]}:{server.server_port}"
    finally:
        await asyncio.to_thread(server.shutdown)
        server.server_close()


async def collect(bus: Bus) -> list[Metric]:
    """Collect every metric: queue lengths, dead letters, and what each process counts."""
    queues, replicas, dead = await asyncio.gather(bus.queues(), bus.replicas(), bus.dead_letter_counts())
    return [*_queue_metrics(queues), *_service_metrics(replicas, dead), *merge(replicas)]


def merge(replicas: Iterable[Replica]) -> list[Metric]:
    """Merge the metrics of all processes by family; each sample gets the label ``process``."""
    families: dict[str, Metric] = {}
    for process, text in {replica.process: replica.metrics for replica in replicas}.items():
        try:
            parsed = list(text_string_to_metric_families(text))
        except ValueError:
            log.warning("metrics.unreadable", process=process)
            continue
        for family in parsed:
            merged = families.setdefault(family.name, Metric(family.name, family.documentation, family.type))
            for sample in family.samples if merged.type == family.type else ():
                merged.add_sample(sample.name, {**sample.labels, "process": process}, sample.value)
    return list(families.values())


def _queue_metrics(queues: list[Queue]) -> list[Metric]:
    labels = ["service", "holds"]
    waiting = GaugeMetricFamily("bandsmith_queue_waiting", "Messages not yet delivered: the lag.", labels=labels)
    in_flight = GaugeMetricFamily("bandsmith_queue_in_hand", "Messages in flight, not yet acknowledged.", labels=labels)
    redelivered = GaugeMetricFamily(
        "bandsmith_queue_redelivered", "Messages in flight that were delivered before.", labels=labels
    )
    for queue in queues:
        for family, value in ((waiting, queue.waiting), (in_flight, queue.in_flight), (redelivered, queue.redelivered)):
            family.add_metric([queue.service, queue.holds], value)
    return [waiting, in_flight, redelivered]


def _service_metrics(replicas: list[Replica], dead: dict[str, int]) -> list[Metric]:
    present = GaugeMetricFamily("bandsmith_replicas", "Registered replicas.", labels=["service"])
    for service in sorted({replica.service for replica in replicas}):
        present.add_metric([service], sum(replica.service == service for replica in replicas))
    letters = GaugeMetricFamily("bandsmith_dead_letters", "Dead-lettered messages.", labels=["service"])
    for service, count in sorted(dead.items()):
        letters.add_metric([service], count)
    return [present, letters]


class _Collected(Collector):
    def __init__(self, families: list[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        return self._families


class _Pages:
    """The pages as a WSGI application: requests run in threads, and are answered from the event loop."""

    def __init__(self, bus: Bus, loop: asyncio.AbstractEventLoop) -> None:
        self._bus = bus
        self._loop = loop

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        checks: dict[str, Callable[[], Awaitable[object]]] = {"/healthz": self._bus.last_sequence, "/livez": _loop_runs}
        try:
            if path == "/metrics":
                registry = CollectorRegistry()
                registry.register(_Collected(self._run(collect(self._bus))))
                page: Iterable[bytes] = make_wsgi_app(registry)(environ, start_response)
                return page
            if path in checks:
                self._run(_awaited(checks[path]))
                return _plain_text("200 OK", "ok", start_response)
        except Exception as error:
            log.warning("metrics.unanswered", error=type(error).__name__, where=logs.error_locations(error))
            return _plain_text("503 Service Unavailable", "The NATS server does not answer.", start_response)
        return _plain_text("404 Not Found", "Available: /metrics, /healthz and /livez.", start_response)

    def _run(self, question: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the loop from this thread, and wait for its result."""
        answer = asyncio.run_coroutine_threadsafe(question, self._loop)
        try:
            return answer.result(ANSWER_TIMEOUT_S)
        except TimeoutError:
            answer.cancel()
            raise


async def _loop_runs() -> None:
    """Return once the loop runs this."""


async def _awaited(call: Callable[[], Awaitable[object]]) -> None:
    await call()


def _plain_text(status: str, body: str, start_response: StartResponse) -> list[bytes]:
    start_response(status, [("Content-Type", "text/plain; charset=utf-8")])
    return [f"{body}\n".encode()]


class _MetricsServer(ThreadingMixIn, WSGIServer):
    daemon_threads = True

    def server_bind(self) -> None:
        """Bind as the base class does, without its reverse DNS lookup, which may hang."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), int(self.server_address[1])
        self.setup_environ()


class _MetricsServer6(_MetricsServer):
    address_family = socket.AF_INET6


class _SilentHandler(WSGIRequestHandler):
    """Logs no requests."""

    def log_message(self, *_: object) -> None: ...


def _host_and_port(listen: str) -> tuple[str, int]:
    host, _, port = listen.rpartition(":")
    if not host or not port.isdecimal() or int(port) > MAX_PORT:
        raise BadInput.of("cli.metrics.address", code=BadInput.code, example=DEFAULT_ADDRESS)
    return host.strip("[]"), int(port)


def _bind(host: str, port: int) -> WSGIServer:
    try:
        return (_MetricsServer6 if ":" in host else _MetricsServer)((host, port), _SilentHandler)
    except OSError:
        raise BadInput.of("cli.metrics.unavailable", code=BadInput.code, host=host, port=port) from None
