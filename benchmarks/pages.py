"""A warm build of a page against reading its text alone; and how many refine windows run at the same time."""

from __future__ import annotations

import asyncio
import statistics
import time
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import cv2
import numpy as np

from bandsmith.cli.build import build
from bandsmith.local import local
from bandsmith.services.generator.actor import GeneratorActor
from bandsmith.services.ocr.engines import OcrEngine, open_engine
from bandsmith.shared.events import LayoutExtracted, Message, RefineWindow

from .table import Row

FORM = Path(__file__).resolve().parent.parent / "samples" / "invoice.png"
ROUNDS = 5


async def rows() -> list[Row]:
    engine = open_engine()
    async with local() as bus:
        seen: list[Message] = []
        await build(bus, FORM, None, seen.append)  # everything is loaded now
        form = next(event.form for event in seen if isinstance(event, LayoutExtracted))
        pixels = cv2.imdecode(np.frombuffer(await bus.get(form), np.uint8), cv2.IMREAD_COLOR)
        await asyncio.to_thread(read, engine, pixels)

        reading, building, windows = [], [], []
        for _ in range(ROUNDS):  # by turns, so that both meet the same machine
            started = time.perf_counter()
            await asyncio.to_thread(read, engine, pixels)
            reading.append(time.perf_counter() - started)
            with watched_windows() as at_once:
                started = time.perf_counter()
                await build(bus, FORM, None, lambda event: None)
                building.append(time.perf_counter() - started)
            windows.append(at_once)
    alone, whole = statistics.median(reading), statistics.median(building)
    most, of = max((at_once.most, len(at_once.windows)) for at_once in windows)
    ratio = Row(
        "a warm build of a page / its OCR alone",
        f"{whole / alone:.2f}",
        "at most 1.5",
        f"{whole:.2f} s / {alone:.2f} s",
    )
    return [ratio, Row("refine windows of a page in hand at the same time", f"{most} of {of}", "more than one", "")]


def read(engine: OcrEngine, pixels: np.ndarray) -> int:
    """What OCR alone does: find the text, read it. Gives how many pieces there were."""
    areas = engine.detect(pixels)
    crops = [pixels[int(y) : int(y + height) + 1, int(x) : int(x + width) + 1] for x, y, width, height in areas]
    return len(engine.read(crops))


class AtOnce:
    """Which windows there were, and the most that were in hand at the same time."""

    def __init__(self) -> None:
        self.windows: set[int] = set()
        self.now = self.most = 0


@contextmanager
def watched_windows():
    seen, handle = AtOnce(), GeneratorActor.handle

    async def watching(self, command):
        if not isinstance(command, RefineWindow):
            return await handle(self, command)
        seen.windows.add(command.window)
        seen.now += 1
        seen.most = max(seen.most, seen.now)
        try:
            return await handle(self, command)
        finally:
            seen.now -= 1

    with mock.patch.object(GeneratorActor, "handle", watching):
        yield seen
