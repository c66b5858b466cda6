"""Refinement of a page of 17 windows that rules cannot resolve: a model's answers to all of them, against one call."""

from __future__ import annotations

import multiprocessing
import os
import random
import statistics
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
from samples.sheet import DPI, PX, FormCanvas

from .results import Result

WINDOWS = 17
LINES = 28
DELAY_S = 0.5
"""Time that the model takes for a call."""
WORDS = (
    "Amount", "Bindery", "Branch", "Carrier", "Customer", "Delivery", "Gross", "Harbour", "Ledger", "Meadow", "Number",
    "Office", "Packing", "Parcel", "Quantity", "Region", "Steel", "Table", "Trestle", "Weight",
)  # fmt: skip
MARKS = ("12", "No", "mm", "57")
"""Too short for their font size to be measured, and so near the paper's edge that wider text would not fit."""
CONDENSED_WIDTH = 0.45
"""Share of the natural width."""


def form(lines: int = LINES) -> Image.Image:
    """Draw loose words and, at the end of each line, a mark in letters narrower than those of any font here."""
    sheet, dice = FormCanvas(595, 842), random.Random(WINDOWS)
    tops = [40 + 780 * line / LINES for line in range(lines)]
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
    return mark.resize((round(CONDENSED_WIDTH * mark.width), mark.height))


@dataclass
class Visit:
    """The round of refine_layout that calls the model, and one of its calls alone. In seconds."""

    calls: int
    whole: float
    """As the gateway counts."""
    after_draft: float
    """The part after the draft was rendered."""
    alone: float

    def ratios(self) -> tuple[float, float]:
        return self.whole / self.alone, self.after_draft / self.alone


class ModelProcess:
    """A scripted model in a separate process, as a real one is."""

    def __init__(self, url: str, pipe: Connection) -> None:
        self.settings = ModelSettings.model_validate({"url": url, "name": "scripted"})
        self._pipe = pipe

    def requests(self) -> list[ScriptedRequest]:
        """Return the requests since the last call."""
        self._pipe.send(True)
        return self._pipe.recv()


@contextmanager
def model_process(delay: float) -> Iterator[ModelProcess]:
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_serve, args=(theirs, delay))
    process.start()
    try:
        yield ModelProcess(ours.recv(), ours)
    finally:
        ours.send(False)
        process.join()


def _serve(pipe: Connection, delay: float) -> None:
    def script(request: ScriptedRequest) -> ScriptedReply:
        if request.prompt != "refine_layout":
            return ScriptedReply("{}")
        return ScriptedReply('{"edits": [], "note": ""}', delay=delay)

    with ScriptedModel(script) as server:
        pipe.send(server.url)
        while pipe.recv():
            pipe.send(server.requests)
            server.reset()


async def visit(bus: Bus, server: ModelProcess, page: Path) -> Visit:
    visits: list[list[tuple[float, Message]]] = []

    def watch(event: Message) -> None:
        if isinstance(event, NodeStarted) and event.node == "refine_layout":
            visits.append([])
        if visits:
            visits[-1].append((time.perf_counter(), event))

    server.requests()
    await build(bus, page, None, watch)
    requests = [request for request in server.requests() if request.prompt == "refine_layout"]
    rendered = next(at for at, event in visits[-1] if isinstance(event, DraftRendered))
    ended, end = next((at, event) for at, event in visits[-1] if isinstance(event, NodeFinished))
    return Visit(len(requests), end.seconds, ended - rendered, await time_of(server.settings, requests[0]))


async def time_of(settings: ModelSettings, request: ScriptedRequest) -> float:
    """Return the seconds for this call alone."""
    model = model_from(settings)
    assert model is not None
    messages = [ChatMessage(role=one["role"], text=one["content"]) for one in request.messages]  # type: ignore[arg-type]
    schema, seconds = request.body["response_format"]["json_schema"], []
    for _ in range(3):
        began = time.perf_counter()
        await model.complete(messages, max_tokens=1000, schema=schema["schema"] | {"title": schema["name"]})
        seconds.append(time.perf_counter() - began)
    await model.close()
    return statistics.median(seconds)


async def measure(rounds: int = 3, delay: float = DELAY_S, warm_up: bool = True) -> list[Result]:
    with model_process(delay) as server, tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "form.png"
        form().save(page, dpi=(DPI, DPI))
        model = {
            "BANDSMITH_MODEL_URL": str(server.settings.url),
            "BANDSMITH_MODEL_NAME": str(server.settings.name),
            "BANDSMITH_HOME": folder,
        }
        with mock.patch.dict(os.environ, model):
            async with local() as bus:
                if warm_up:
                    await visit(bus, server, page)
                visits = [await visit(bus, server, page) for _ in range(rounds)]
    calls = {visit.calls for visit in visits}
    whole, after_draft = map(statistics.median, zip(*map(Visit.ratios, visits), strict=True))
    return [
        Result(
            f"refine_layout of {'/'.join(map(str, calls))} windows that all need a model / one call of it",
            f"{whole:.2f}; {after_draft:.2f} after the draft was rendered",
            "at most 1.3",
            f"a call takes {visits[0].alone:.2f} s",
        )
    ]
