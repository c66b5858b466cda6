"""A million sessions a day, on paper: from what one session takes (``footprint.json``) and what is assumed here.

python -m benchmarks.scale [--write]    writes the tables of docs/scale.md; a test fails when they are stale
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from typing import Any

from pydantic import ConfigDict

from bandsmith.shared.bus.nats.streams import DUPLICATE_WINDOW_S
from bandsmith.shared.model.base import Value
from bandsmith.shared.settings import BusSettings
from tools import docs

from .footprint import FILE
from .processes import ENGINE, PARTS
from .units import hundredths, percent, rate, size, whole

PAGE = docs.README.parent / "docs" / "scale.md"
DAY, MONTH_HOURS = 86_400.0, 730.0
SERVICES = ("gateway", "planner", "generator", "validator", "ocr")
STORED = ("commands", "events", "states", "objects")
KEPT = STORED[1:]


class Assumed(Value):
    """Assumptions: the load, the capacity of machines, and prices."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    sessions: int = 1_000_000
    """sessions started in a day"""
    pictures: float = 0.4
    """share of sessions that begin with a photo or a scan"""
    sheets: float = 0.1
    """share that begins with a file that needs no OCR; the others begin with a sentence"""
    peak: float = 4.0
    """the busiest minutes relative to the day's mean: the office hours of one continent, with a rush"""
    minutes: float = 20.0
    """minutes that a user stays with a session"""
    busy: float = 0.6
    """share of a core or GPU that may be busy at the peak; the rest is for bursts and for a replica that dies"""
    core: float = 1.0
    """speed of the cluster's cores relative to the measured ones"""
    gpu_page: float = 0.1
    """seconds of a GPU to detect and recognise the text of a page: **not measured**"""
    server_memory: float = 64.0
    """GB of memory of a NATS server, of which half may be index and remembered IDs"""
    server_cores: int = 16
    """cores of a NATS server; each copy of a message is assumed to cost the same"""
    server_disk: float = 8.0
    """TB of disk of a NATS server, of which seven tenths may be full"""
    server_writes: float = 500.0
    """MB a second that a NATS server's disk sustains"""
    server_network: float = 1_250.0
    """MB a second of a NATS server's network (10 Gbit), of which half may be used"""
    stream_messages: float = 10_000.0
    """messages a second that one stream stores in three copies; with one copy, 20 to 30 thousand were measured"""
    consumers: float = 20_000.0
    """ephemeral consumers that a NATS cluster can have at the same time"""
    creations: float = 500.0
    """consumers that it creates in a second"""
    core_price: float = 0.04
    """dollars for a core, with 4 GB, for an hour"""
    gpu_price: float = 0.80
    """dollars for a small inference GPU for an hour"""
    disk_price: float = 80.0
    """dollars for a TB of fast disk for a month"""
    shelf_price: float = 23.0
    """dollars for a TB in an object store for a month, its own copies included"""


class Shape(Value):
    """How the bus is set up."""

    name: str
    servers: int
    copies: int = 3
    event_days: float
    file_days: float
    state_days: float
    window: float
    """seconds in which ids are remembered"""
    objects_on_bus: bool
    shards: int
    """streams that events are spread over by a hash of the session; and as many of states"""
    consumers: bool
    """whether a client that follows has its own consumer, or subscribes and looks up what it missed"""


SETTINGS = BusSettings()
NOW = Shape(
    name="as it is",
    servers=3,
    event_days=SETTINGS.keep_days,
    file_days=SETTINGS.keep_files_days,
    state_days=365.0,  # sessions are kept until they are deleted; a year of them
    window=DUPLICATE_WINDOW_S,
    objects_on_bus=True,
    shards=1,
    consumers=True,
)
THEN = NOW.model_copy(
    update={
        "name": "as it would be",
        "event_days": 3.0,
        "file_days": 30.0,
        "state_days": 30.0,
        "window": 300.0,
        "objects_on_bus": False,
        "shards": 4,
        "consumers": False,
    }
)


class Plan:
    """The arithmetic. Rates are of a second, at the day's mean unless they are asked for at the peak."""

    def __init__(self, measured: dict[str, Any], assumed: Assumed | None = None) -> None:
        self.measured = measured
        self.a = assumed or Assumed()

    def mean(self, pick: Callable[[dict[str, Any]], float]) -> float:
        """Of a session as they come: of each kind its share."""
        kinds, a = self.measured["sessions"], self.a
        shares = {"picture": a.pictures, "sheet": a.sheets, "words": 1 - a.pictures - a.sheets}
        return sum(share * pick(kinds[kind]) for kind, share in shares.items())

    def arrivals(self, peak: bool = False) -> float:
        return self.a.sessions / DAY * (self.a.peak if peak else 1.0)

    @property
    def turns(self) -> float:
        return self.mean(lambda one: one["turns"])

    @property
    def live(self) -> float:
        """Sessions in use at the peak."""
        return self.arrivals(peak=True) * self.a.minutes * 60

    def stored(self, what: str) -> float:
        return self.mean(lambda one: one["stored"][what])

    def published(self, what: str) -> float:
        return self.mean(lambda one: one["published"][what])

    def kept(self, what: str) -> float:
        return self.mean(lambda one: one["kept"][what])

    def subjects(self, what: str) -> float:
        return self.mean(lambda one: one["subjects"][what])

    def cpu(self, service: str, gpu: bool = False) -> float:
        """Seconds of a core for a session."""
        parts = ("validator", ENGINE) if service == "validator" else (service,)
        seconds = self.mean(lambda one: sum(one["seconds"][part] for part in parts)) / self.a.core
        if service == "ocr" and gpu:
            page = self.measured["page"]
            seconds -= self.a.pictures * page["engine"] / self.a.core
        return seconds

    def cores(self, service: str, peak: bool = True, gpu: bool = False) -> float:
        return self.arrivals(peak) * self.cpu(service, gpu) / self.a.busy

    def replicas(self, service: str, gpu: bool = False) -> int:
        """A replica is one process; Python keeps one core busy, and the validator's JVM another."""
        return math.ceil(self.cores(service, gpu=gpu) / (2 if service == "validator" else 1))

    def gpus(self, peak: bool = True) -> float:
        return self.arrivals(peak) * self.a.pictures * self.a.gpu_page / self.a.busy

    def days(self, what: str, shape: Shape) -> float:
        return {"events": shape.event_days, "objects": shape.file_days, "states": shape.state_days}[what]

    def terabytes(self, what: str, shape: Shape) -> float:
        """Kept at any time, one copy."""
        return self.a.sessions * self.kept(what) * self.days(what, shape) / 1e12

    def index(self, what: str, shape: Shape) -> float:
        """GB of memory for the index of what is kept, in each server that has a copy."""
        each = 1 if what == "states" else self.subjects(what)
        return self.a.sessions * each * self.days(what, shape) * self.measured["server"]["subject"] / 1e9

    def on_bus(self, shape: Shape) -> list[str]:
        return ["commands", "events", "states", *(["objects"] if shape.objects_on_bus else [])]

    def ids(self, shape: Shape) -> float:
        """GB of memory for the ids of messages that are remembered at the peak."""
        messages = sum(self.stored(what) for what in self.on_bus(shape) if what != "states")
        return self.arrivals(peak=True) * messages * shape.window * self.measured["server"]["id"] / 1e9

    def limits(self, shape: Shape) -> dict[str, float]:
        """For each limit, how much of it a day of these sessions takes: above 1 it does not fit."""
        a, peak, spread = self.a, self.arrivals(peak=True), shape.servers / shape.copies
        kept = ["events", "states", *(["objects"] if shape.objects_on_bus else [])]
        published = sum(self.published(what) for what in self.on_bus(shape)) / 1e6
        carried = self.mean(lambda one: one["carried"]["bytes"]) / 1e6
        if not shape.objects_on_bus:
            carried -= self.published("objects") / 1e6
        memory, disk = spread * a.server_memory / 2, spread * a.server_disk * 0.7
        server = self.mean(lambda one: one["seconds"]["nats-server"]) / a.core
        network = carried + (shape.copies - 1) * published
        found = {f"memory for the index of {what}": self.index(what, shape) / memory for what in kept}
        found |= {f"disk for {what}": self.terabytes(what, shape) / disk for what in kept}
        return found | {
            "memory for remembered ids": self.ids(shape) / memory,
            "messages of the stream of events": peak * self.stored("events") / shape.shards / a.stream_messages,
            "writing to disk": peak * published / spread / a.server_writes,
            "the servers' network": peak * network / shape.servers / (a.server_network / 2),
            "the servers' cores": peak * server * shape.copies / shape.servers / (a.server_cores * a.busy),
            "clients that follow at the same time": self.live / a.consumers if shape.consumers else 0.0,
            "clients that begin to follow": peak * self.turns / a.creations if shape.consumers else 0.0,
        }

    def dollars(self, shape: Shape, gpu: bool, follow_load: bool) -> dict[str, float]:
        """For a month. `follow_load`: whether replicas come and go with the load, or stay as the peak needs them."""
        a = self.a
        cores = sum(self.cores(service, peak=not follow_load, gpu=gpu) for service in SERVICES)
        gpus = self.gpus(peak=not follow_load) if gpu else 0.0
        bus = ["events", "states", *(["objects"] if shape.objects_on_bus else [])]
        disk = sum(self.terabytes(what, shape) for what in bus) * shape.copies / 0.7
        shelf = 0.0 if shape.objects_on_bus else self.terabytes("objects", shape)
        return {
            "cores": cores * a.core_price * MONTH_HOURS,
            "GPUs": math.ceil(gpus) * a.gpu_price * MONTH_HOURS,
            "NATS servers": shape.servers * a.server_cores * a.core_price * MONTH_HOURS,
            "disk": disk * a.disk_price,
            "object store": shelf * a.shelf_price,
        }


# --- the tables -----------------------------------------------------------------------------------------------------


def session(plan: Plan) -> str:
    kinds = plan.measured["sessions"]

    def of(group: str, name: str) -> Callable[[dict[str, Any]], float]:
        return lambda one: one[group][name]

    figures: dict[str, tuple[Callable[[float], str], Callable[[dict[str, Any]], float]]] = {
        "turns": (whole, lambda one: one["turns"]),
        **{f"{what} stored": (whole, of("stored", what)) for what in STORED},
        "messages that the server carries": (whole, lambda one: one["carried"]["messages"]),
        "bytes that the server carries": (size, lambda one: one["carried"]["bytes"]),
        **{f"bytes published: {what}": (size, of("published", what)) for what in STORED},
        **{f"bytes kept: {what}": (size, of("kept", what)) for what in KEPT},
        **{f"seconds of a core: {part}": (hundredths, of("seconds", part)) for part in PARTS},
    }
    lines = ["| of one session | a picture | a sheet | words | as they come |", "|---|---|---|---|---|"]
    for name, (written, pick) in figures.items():
        each = " | ".join(written(pick(kinds[kind])) for kind in ("picture", "sheet", "words"))
        lines.append(f"| {name} | {each} | {written(plan.mean(pick))} |")
    page, server = plan.measured["page"], plan.measured["server"]
    lines += [
        "",
        f"Of a photo's {page['whole']:.1f} s in OCR, {page['engine']:.1f} s are finding and reading text, which",
    ]
    lines += [f"a GPU would do. nats-server takes {server['id']} bytes of memory for an id that it remembers, and"]
    lines += [f"{server['subject']} for a subject that it has an index of. Measured on {plan.measured['machine']}."]
    return "\n".join(lines)


def assumed(plan: Plan) -> str:
    lines = ["| assumed | | what it is |", "|---|---|---|"]
    for name, field in Assumed.model_fields.items():
        lines.append(f"| `{name}` | {getattr(plan.a, name):,} | {field.description} |")
    return "\n".join(lines)


def traffic(plan: Plan) -> str:
    def row(what: str, each: float, written: Callable[[float], str]) -> str:
        mean, peak = plan.arrivals() * each, plan.arrivals(peak=True) * each
        return f"| {what} | {written(mean)} | {written(peak)} | {written(each * plan.a.sessions)} |"

    lines = ["| | a second, mean | a second, peak | a day |", "|---|---|---|---|"]
    lines += [row("sessions", 1, rate), row("turns", plan.turns, rate)]
    lines += [row(f"{what} stored", plan.stored(what), rate) for what in STORED]
    lines += [row(f"bytes published: {what}", plan.published(what), size) for what in STORED]
    lines += [row("messages carried", plan.mean(lambda one: one["carried"]["messages"]), rate)]
    lines += [row("bytes carried", plan.mean(lambda one: one["carried"]["bytes"]), size)]
    return "\n".join([*lines, "", f"At the peak {rate(plan.live)} sessions are in use at the same time."])


def replicas(plan: Plan) -> str:
    lines = [
        "| service | seconds of a core, a session | cores busy, mean | cores to have, peak | replicas | memory of all |"
    ]
    lines += ["|---|---|---|---|---|---|"]
    memory = plan.measured["memory"]
    for service, gpu in [*((service, False) for service in SERVICES), ("ocr", True)]:
        count = plan.replicas(service, gpu)
        each = memory[service] + (memory[ENGINE] if service == "validator" else 0)
        name = f"{service}, its engine on GPUs" if gpu else service
        busy = plan.arrivals() * plan.cpu(service, gpu)
        lines.append(
            f"| {name} | {plan.cpu(service, gpu):.2f} | {busy:.1f} | {plan.cores(service, gpu=gpu):.0f} | {count} "
            f"| {count * each / 1000:.1f} GB |"
        )
    with_gpu, without = (sum(plan.cores(one, gpu=gpu) for one in SERVICES) for gpu in (True, False))
    stands_for = (without - with_gpu) / plan.gpus()
    least = plan.a.gpu_page * stands_for * plan.a.core_price / plan.a.gpu_price
    lines += ["", f"In all {without:.0f} cores at the peak; with {math.ceil(plan.gpus())} GPUs, {with_gpu:.0f}. At"]
    lines += [f"{plan.a.gpu_page} s a page one GPU would stand for {stands_for:.0f} cores. By the prices below it pays"]
    lines += [f"where it takes less than {least:.2f} s."]
    return "\n".join(lines)


def storage(plan: Plan) -> str:
    lines = ["| kept | days | one copy | three copies | memory for its index |", "|---|---|---|---|---|"]
    for what, days in (
        ("events", 3),
        ("events", 30),
        ("objects", 30),
        ("objects", 365),
        ("states", 30),
        ("states", 365),
    ):
        shape = NOW.model_copy(update={"event_days": days, "file_days": days, "state_days": days})
        one = plan.terabytes(what, shape)
        lines.append(f"| {what} | {days} | {one:,.1f} TB | {3 * one:,.1f} TB | {plan.index(what, shape):,.1f} GB |")
    return "\n".join(lines)


def limits(plan: Plan) -> str:
    """In the order in which a growing number of sessions meets them."""
    now, then = plan.limits(NOW), plan.limits(THEN)
    lines = [f"| limit | met at, {NOW.name} | taken by this day | met at, {THEN.name} |", "|---|---|---|---|"]
    for name, taken in sorted(now.items(), key=lambda one: -one[1]):
        after = then.get(name)
        later = "not on the bus" if after is None else (rate(plan.a.sessions / after) if after else "gone")
        lines.append(f"| {name} | {rate(plan.a.sessions / taken)} a day | {percent(taken)} | {later} |")
    return "\n".join([*lines, "", *(told(shape) for shape in (NOW, THEN))])


def told(shape: Shape) -> str:
    streams = "one stream" if shape.shards == 1 else f"{shape.shards} streams"
    return (
        f"- *{shape.name.capitalize()}*: {shape.servers} NATS servers, {shape.copies} copies; events kept "
        f"{shape.event_days:.0f} days, files {shape.file_days:.0f}, sessions {shape.state_days:.0f}; ids known for "
        f"{shape.window / 60:.0f} minutes; objects {'on the bus' if shape.objects_on_bus else 'in an object store'}; "
        f"events in {streams}; "
        f"{'each client that follows has a consumer' if shape.consumers else 'clients follow without consumers'}."
    )


def costs(plan: Plan) -> str:
    cheaper = THEN.model_copy(update={"file_days": 7.0})
    ways = {
        "as it is: replicas for the peak, OCR on cores, files a year on the bus": (NOW, False, False),
        "the bus as it would be": (THEN, False, False),
        "and replicas that come and go with the load": (THEN, False, True),
        "and OCR's engine on GPUs": (THEN, True, True),
        "and files kept a week": (cheaper, True, True),
    }
    parts = list(plan.dollars(NOW, False, False))
    lines = [
        f"| thousand dollars a month | {' | '.join(parts)} | all | a session |",
        "|---|" + "---|" * (len(parts) + 2),
    ]
    for name, (shape, gpu, follow_load) in ways.items():
        each = plan.dollars(shape, gpu, follow_load)
        one = sum(each.values()) / (plan.a.sessions * MONTH_HOURS / 24)
        figures = " | ".join(f"{value / 1000:,.1f}" for value in each.values())
        lines.append(f"| {name} | {figures} | {sum(each.values()) / 1000:,.1f} | {100 * one:.2f} cents |")
    return "\n".join(lines)


TABLES: dict[str, Callable[[Plan], str]] = {
    table.__name__: table for table in (session, assumed, traffic, replicas, storage, limits, costs)
}


def fresh(text: str) -> str:
    """The page as it should be."""
    plan = Plan(json.loads(FILE.read_text()))
    for name, table in TABLES.items():
        text = docs.put(text, name, table(plan))
    return text


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        PAGE.write_text(fresh(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        print("\n\n".join(table(Plan(json.loads(FILE.read_text()))) for table in TABLES.values()))
