"""A page of 17 windows that rules cannot settle: how long a model's answers to all of them take, against one alone.

python -m benchmarks.windows [ROUNDS]
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from unittest import mock

from PIL import Image

from bandsmith.cli.build import build
from bandsmith.local import local
from bandsmith.shared.bus.base import Bus
from bandsmith.shared.events import DraftRendered, Message, NodeFinished, NodeStarted
from bandsmith.shared.llm import model_from
from bandsmith.shared.llm.base import ChatMessage
from bandsmith.shared.llm.scripted import ScriptedModel, ScriptedReply, ScriptedRequest
from bandsmith.shared.settings import ModelSettings
from bandsmith.shared.telemetry.log import configure
from samples.sheet import DPI, PX, FormCanvas

from .table import Row

WINDOWS = 17
LINES = 28
DELAY = 0.5
"""Seconds that the model takes for a call."""
ROUNDS = 3
WORDS = (
    "Amount", "Bindery", "Branch", "Carrier", "Customer", "Delivery", "Gross", "Harbour", "Ledger", "Meadow", "Number",
    "Office", "Packing", "Parcel", "Quantity", "Region", "Steel", "Table", "Trestle", "Weight",
)  # fmt: skip
MARKS = ("12", "No", "mm", "57")
"""They are too short to have their size measured, and at the paper's edge there is no room for wider ones."""
CONDENSED = 0.45
"""Of their natural width."""


def form() -> Image.Image:
    """Loose words, and at the end of each line, at the paper's edge, a mark in letters that no font here has."""
    sheet, dice = FormCanvas(595, 842), random.Random(WINDOWS)
    tops = [40 + 780 * line / LINES for line in range(LINES)]
    for top in tops:
        x = 24 + 30 * dice.random()
        while x < 480:
            words = " ".join(dice.choices(WORDS, k=dice.choice((1, 1, 2))))
            x += sheet.text(x, top + dice.uniform(-2, 2), words, dice.choice((7, 8, 9))) + dice.uniform(26, 60)
    for line, top in enumerate(tops):
        mark = _condensed(MARKS[line % len(MARKS)])
        sheet.image.paste(mark, (sheet.image.width - round(2 * PX) - mark.width, round((top - 18) * PX)))
    return sheet.picture()


def _condensed(text: str) -> Image.Image:
    sheet = FormCanvas(60, 26)
    width = sheet.text(0, 20, text, 20)
    mark = sheet.image.crop((0, 0, round((width + 1) * PX), sheet.image.height))
    return mark.resize((round(CONDENSED * mark.width), mark.height))


@dataclass
class Visit:
    """The visit of refine_layout in which the model is asked, in seconds; and a call alone."""

    calls: int
    whole: float
    """By the gateway's own count."""
    drawn: float
    """Of it, from the draft's being there."""
    alone: float

    def ratios(self) -> tuple[float, float]:
        return self.whole / self.alone, self.drawn / self.alone


def script(asked: ScriptedRequest) -> ScriptedReply:
    if asked.prompt != "refine_layout":
        return ScriptedReply("{}")
    return ScriptedReply('{"edits": [], "note": ""}', delay=DELAY)


class Elsewhere:
    """A scripted model in a process of its own, as a model is."""

    def __init__(self, url: str, pipe: Connection) -> None:
        self.settings = ModelSettings.model_validate({"url": url, "name": "scripted"})
        self._pipe = pipe

    def asked(self) -> list[ScriptedRequest]:
        """What it was asked for since it was looked at last."""
        self._pipe.send(True)
        return self._pipe.recv()


@contextmanager
def elsewhere() -> Iterator[Elsewhere]:
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_serve, args=(theirs,))
    process.start()
    try:
        yield Elsewhere(ours.recv(), ours)
    finally:
        ours.send(False)
        process.join()


def _serve(pipe: Connection) -> None:
    with ScriptedModel(script) as server:
        pipe.send(server.url)
        while pipe.recv():
            pipe.send(server.requests)
            server.reset()


async def visit(bus: Bus, server: Elsewhere, page: Path) -> Visit:
    visits: list[list[tuple[float, Message]]] = []

    def watch(event: Message) -> None:
        if isinstance(event, NodeStarted) and event.node == "refine_layout":
            visits.append([])
        if visits:
            visits[-1].append((time.perf_counter(), event))

    server.asked()
    await build(bus, page, None, watch)
    asked = [one for one in server.asked() if one.prompt == "refine_layout"]
    drawn = next(at for at, event in visits[-1] if isinstance(event, DraftRendered))
    ended, end = next((at, event) for at, event in visits[-1] if isinstance(event, NodeFinished))
    return Visit(len(asked), end.seconds, ended - drawn, await alone(server.settings, asked[0]))


async def alone(settings: ModelSettings, asked: ScriptedRequest) -> float:
    """Seconds for one of the calls, with nothing else going on."""
    model = model_from(settings)
    assert model is not None
    messages = [ChatMessage(role=one["role"], text=one["content"]) for one in asked.messages]  # type: ignore[arg-type]
    wanted, took = asked.body["response_format"]["json_schema"], []
    for _ in range(3):
        started = time.perf_counter()
        await model.complete(messages, max_tokens=1000, schema=wanted["schema"] | {"title": wanted["name"]})
        took.append(time.perf_counter() - started)
    await model.close()
    return statistics.median(took)


async def rows(rounds: int = ROUNDS) -> list[Row]:
    with elsewhere() as server, tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "form.png"
        form().save(page, dpi=(DPI, DPI))
        model = {
            "BANDSMITH_MODEL_URL": str(server.settings.url),
            "BANDSMITH_MODEL_NAME": str(server.settings.name),
            "BANDSMITH_HOME": folder,
        }
        with mock.patch.dict(os.environ, model):
            async with local() as bus:
                await visit(bus, server, page)  # everything is loaded now
                done = [await visit(bus, server, page) for _ in range(rounds)]
    calls = {one.calls for one in done}
    whole, drawn = (statistics.median(took) for took in zip(*map(Visit.ratios, done), strict=True))
    return [
        Row(
            f"refine_layout of {'/'.join(map(str, calls))} windows that all need a model / one call of it",
            f"{whole:.2f}; {drawn:.2f} from the printed draft on",
            "at most 1.3",
            f"a call takes {done[0].alone:.2f} s",
        )
    ]


if __name__ == "__main__":
    configure()
    for row in asyncio.run(rows(*map(int, sys.argv[1:2]))):
        print(*row.__dict__.values(), sep="  ")
