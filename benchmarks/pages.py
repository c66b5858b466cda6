"""A warm build of a page, against its OCR alone."""

from __future__ import annotations

import asyncio
import statistics
import time
from pathlib import Path

import cv2
import numpy as np

from bandsmith.cli.build import build
from bandsmith.local import local
from bandsmith.services.ocr.engines import open_engine
from bandsmith.shared.events import LayoutExtracted, Message

from .devices import recognise
from .results import Result

FORM = Path(__file__).resolve().parent.parent / "samples" / "invoice.png"


async def measure(rounds: int = 5, warm_up: bool = True) -> list[Result]:
    engine = open_engine()
    async with local() as bus:
        events: list[Message] = []
        await build(bus, FORM, None, events.append)  # everything is loaded now
        form = next(event.form for event in events if isinstance(event, LayoutExtracted))
        pixels = cv2.imdecode(np.frombuffer(await bus.get(form), np.uint8), cv2.IMREAD_COLOR)
        if warm_up:
            await asyncio.to_thread(recognise, engine, pixels)

        ocr_times, build_times = [], []
        for _ in range(rounds):  # in turn, so that a change of the machine's speed meets both
            began = time.perf_counter()
            await asyncio.to_thread(recognise, engine, pixels)
            ocr_times.append(time.perf_counter() - began)
            began = time.perf_counter()
            await build(bus, FORM, None, lambda event: None)
            build_times.append(time.perf_counter() - began)
    ocr, whole = statistics.median(ocr_times), statistics.median(build_times)
    return [
        Result(
            "a warm build of a page / its OCR alone",
            f"{whole / ocr:.2f}",
            "at most 1.5",
            f"{whole:.2f} s / {ocr:.2f} s",
        ),
    ]
