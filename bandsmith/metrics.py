"""`bandsmith metrics`, and BANDSMITH_METRICS of `bandsmith serve`: what is counted anywhere, over HTTP for Prometheus.

``/metrics`` asks the bus whenever it is asked itself, so it keeps nothing and any number of them may run. ``/healthz``
is 200 while the bus answers, ``/livez`` while this process does.
"""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
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
from bandsmith.shared.settings import HomeSettings, MonitoringSettings
from bandsmith.shared.telemetry import log as logs

from .local import running

log = structlog.get_logger(__name__)
T = TypeVar("T")

LISTEN = "127.0.0.1:9464"
PATIENCE = 5.0
"""Seconds in which the bus has to answer; Prometheus itself waits for ten."""


def metrics(listen: str) -> None:
    """Serve until told to stop. Raises ``BadInput`` for an address that is none, ``MissingPart`` where nothing runs."""
    logs.configure()
    asyncio.run(_serve(listen or MonitoringSettings().metrics or LISTEN))


async def _serve(listen: str) -> None:
    async with running(HomeSettings().bus, PATIENCE) as bus, exposing(bus, listen) as address:
        told = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, told.set)
        print(f"Metrics at {address}/metrics; Ctrl-C stops.", file=sys.stderr, flush=True)
        await told.wait()


@asynccontextmanager
async def exposing(bus: Bus, listen: str) -> AsyncIterator[str]:
    """Within it, what the bus and all who work on it count is shown at `listen`, ``HOST:PORT``.

    Port 0 is any that is free; what comes is the address. An empty `listen` shows nothing. Raises ``BadInput``.
    """
    if not listen:
        yield ""
        return
    server = _server(*_parts(listen))
    server.set_app(_Pages(bus, asyncio.get_running_loop()))
    threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    try:
        yield f"http://{listen.rpartition(':')[0]}:{server.server_port}"
    finally:
        await asyncio.to_thread(server.shutdown)
        server.server_close()


async def look(bus: Bus) -> list[Metric]:
    """Everything there is to show: what waits in queues, dead letters, and what each process counts."""
    queues, replicas, dead = await asyncio.gather(bus.queues(), bus.replicas(), bus.dead_letter_counts())
    return [*_queues(queues), *_counts(replicas, dead), *merged(replicas)]


def merged(replicas: Iterable[Replica]) -> list[Metric]:
    """The metrics of every process by family, each with the label ``process``."""
    families: dict[str, Metric] = {}
    for process, text in {replica.process: replica.metrics for replica in replicas}.items():
        try:
            told = list(text_string_to_metric_families(text))
        except ValueError:
            log.warning("metrics.unreadable", process=process)
            continue
        for family in told:
            known = families.setdefault(family.name, Metric(family.name, family.documentation, family.type))
            for sample in family.samples if known.type == family.type else ():
                known.add_sample(sample.name, {**sample.labels, "process": process}, sample.value)
    return list(families.values())


def _queues(queues: list[Queue]) -> list[Metric]:
    labels = ["service", "holds"]
    waiting = GaugeMetricFamily("bandsmith_queue_waiting", "Messages not handed out yet: the lag.", labels=labels)
    in_hand = GaugeMetricFamily("bandsmith_queue_in_hand", "Messages handed out and not settled.", labels=labels)
    again = GaugeMetricFamily("bandsmith_queue_redelivered", "Of those in hand, handed out before.", labels=labels)
    for queue in queues:
        for family, value in ((waiting, queue.waiting), (in_hand, queue.in_flight), (again, queue.redelivered)):
            family.add_metric([queue.service, queue.holds], value)
    return [waiting, in_hand, again]


def _counts(replicas: list[Replica], dead: dict[str, int]) -> list[Metric]:
    present = GaugeMetricFamily("bandsmith_replicas", "Replicas that answer the roll.", labels=["service"])
    for service in sorted({replica.service for replica in replicas}):
        present.add_metric([service], sum(replica.service == service for replica in replicas))
    letters = GaugeMetricFamily("bandsmith_dead_letters", "Messages that were given up.", labels=["service"])
    for service, count in sorted(dead.items()):
        letters.add_metric([service], count)
    return [present, letters]


class _Shown(Collector):
    def __init__(self, families: list[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        return self._families


class _Pages:
    """The pages, as a WSGI application; it runs in threads, and what it asks is answered in the loop."""

    def __init__(self, bus: Bus, loop: asyncio.AbstractEventLoop) -> None:
        self._bus = bus
        self._loop = loop

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        asked: dict[str, Callable[[], Awaitable[object]]] = {"/healthz": self._bus.last_sequence, "/livez": _alive}
        try:
            if path == "/metrics":
                registry = CollectorRegistry()
                registry.register(_Shown(self._ask(look(self._bus))))
                answer: Iterable[bytes] = make_wsgi_app(registry)(environ, start_response)
                return answer
            if path in asked:
                self._ask(_awaited(asked[path]))
                return _say("200 OK", "ok", start_response)
        except Exception as error:
            log.warning("metrics.unanswered", error=type(error).__name__, where=logs.error_locations(error))
            return _say("503 Service Unavailable", "The message server does not answer.", start_response)
        return _say("404 Not Found", "There are /metrics, /healthz and /livez.", start_response)

    def _ask(self, question: Coroutine[Any, Any, T]) -> T:
        answer = asyncio.run_coroutine_threadsafe(question, self._loop)
        try:
            return answer.result(PATIENCE)
        except TimeoutError:
            answer.cancel()
            raise


async def _alive() -> None:
    """The loop runs."""


async def _awaited(call: Callable[[], Awaitable[object]]) -> None:
    await call()


def _say(status: str, words: str, start_response: StartResponse) -> list[bytes]:
    start_response(status, [("Content-Type", "text/plain; charset=utf-8")])
    return [f"{words}\n".encode()]


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True

    def server_bind(self) -> None:
        """As the library's, without asking the name service for a name that nobody needs."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), int(self.server_address[1])
        self.setup_environ()


class _Server6(_Server):
    address_family = socket.AF_INET6


class _Quiet(WSGIRequestHandler):
    """Who asks is not logged."""

    def log_message(self, *_: object) -> None: ...


def _parts(listen: str) -> tuple[str, int]:
    host, _, port = listen.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise BadInput(
            f"Give the address of the metrics as HOST:PORT, like {LISTEN}.",
            message_zh=f"请以 HOST:PORT 的形式给出指标地址，例如 {LISTEN}。",
        )
    return host.strip("[]"), int(port)


def _server(host: str, port: int) -> WSGIServer:
    try:
        return (_Server6 if ":" in host else _Server)((host, port), _Quiet)
    except OSError:
        raise BadInput(
            f"Nothing can be served at port {port} of {host}: it is taken, or not an address of this machine; "
            "choose another in BANDSMITH_METRICS.",
            message_zh=f"无法在 {host} 的端口 {port} 提供服务：端口已被占用，或不是本机地址；"
            "请在 BANDSMITH_METRICS 中改用其他地址。",
        ) from None
