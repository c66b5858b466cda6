"""A warm build of a page against reading its text alone."""

from __future__ import annotations

import asyncio
import statistics
import time
from pathlib import Path

import cv2
import numpy as np

from bandsmith.cli.build import build
from bandsmith.local import local
from bandsmith.services.ocr.engines import OcrEngine, open_engine
from bandsmith.shared.events import LayoutExtracted, Message

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

        reading, building = [], []
        for _ in range(ROUNDS):  # by turns, so that both meet the same machine
            started = time.perf_counter()
            await asyncio.to_thread(read, engine, pixels)
            reading.append(time.perf_counter() - started)
            started = time.perf_counter()
            await build(bus, FORM, None, lambda event: None)
            building.append(time.perf_counter() - started)
    alone, whole = statistics.median(reading), statistics.median(building)
    ratio = Row(
        "a warm build of a page / its OCR alone",
        f"{whole / alone:.2f}",
        "at most 1.5",
        f"{whole:.2f} s / {alone:.2f} s",
    )
    return [ratio]


def read(engine: OcrEngine, pixels: np.ndarray) -> int:
    """What OCR alone does: find the text, read it. Gives how many pieces there were."""
    areas = engine.detect(pixels)
    crops = [pixels[int(y) : int(y + height) + 1, int(x) : int(x + width) + 1] for x, y, width, height in areas]
    return len(engine.read(crops))
