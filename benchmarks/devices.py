"""OCR's engine on each device of the machine: seconds a page, the same text or not, and replicas that share a GPU.

A page is read as the service reads it: detect areas, then recognise the crops. Flattening, lines and structure are left
out; they stay on the CPU. A GPU is measured where one is present and ONNX Runtime can use it
(``services/ocr/README.md``); elsewhere there is the row of the CPU alone.
"""

from __future__ import annotations

import multiprocessing
import statistics
import time
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from pathlib import Path

import cv2
import numpy as np

from bandsmith.services.ocr.engines import device, open_engine
from bandsmith.services.ocr.engines.base import OcrEngine
from bandsmith.services.ocr.settings import OcrSettings
from bandsmith.shared.errors import MissingPart

from .results import Result

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
PAGES = ("sales-slip.jpg", "invoice.png", "delivery-note.jpg")
"""Pictures of printed forms, of about 60 lines of text each."""


def recognise(engine: OcrEngine, pixels: np.ndarray) -> list[str]:
    """Find and recognise the text, as OCR alone would; return the lines."""
    areas = engine.detect(pixels)
    crops = [pixels[int(y) : int(y + height) + 1, int(x) : int(x + width) + 1] for x, y, width, height in areas]
    return [text for text, _ in engine.read(crops)]


async def measure(rounds: int = 5, replicas: tuple[int, ...] = (1, 2, 4, 8)) -> list[Result]:
    on_cpu = OcrSettings(device="cpu")
    cpu, lines = _seconds_a_page(on_cpu, rounds)
    found = f"{len(lines)} lines on {len(PAGES)} pages"
    results = [Result("OCR's engine on the CPU, a page", f"{cpu:.2f} s", "", f"{on_cpu.threads} threads; {found}")]
    on_gpu = OcrSettings(device="cuda")
    try:
        name = device.gpu_name()
    except MissingPart:
        return results
    gpu, same = _seconds_a_page(on_gpu, rounds)
    equal = sum(one == other for one, other in zip(lines, same, strict=False)) / max(len(lines), len(same), 1)
    what = f"{gpu * 1000:.0f} ms a page on {name}; {equal:.1%} of the lines are the same text"
    results.append(Result("OCR's engine on the CPU / on a GPU", f"{cpu / gpu:.1f}", "", what))
    for number in replicas:
        rate = _pages_a_second(on_gpu, number, rounds)
        results.append(Result(f"pages a second of {number} replicas on one GPU", f"{rate:.1f}", "", name))
    return results


def _pages() -> list[np.ndarray]:
    pages = [cv2.imread(str(SAMPLES / name), cv2.IMREAD_COLOR) for name in PAGES]
    return [page for page in pages if page is not None]


def _seconds_a_page(settings: OcrSettings, rounds: int) -> tuple[float, list[str]]:
    """Return the median over rounds of the mean seconds of a page, and what was read. One round warms up."""
    engine, pages = open_engine(settings), _pages()
    lines = [line for page in pages for line in recognise(engine, page)]
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        for page in pages:
            recognise(engine, page)
        times.append((time.perf_counter() - began) / len(pages))
    return statistics.median(times), lines


def _pages_a_second(settings: OcrSettings, replicas: int, rounds: int) -> float:
    """Return how many pages processes with an engine each read in a second, all at the same time."""
    context = multiprocessing.get_context("spawn")
    ready, spans = context.Barrier(replicas), context.Queue()
    processes = [context.Process(target=_replica, args=(settings, rounds, ready, spans)) for _ in range(replicas)]
    for process in processes:
        process.start()
    times = [spans.get(timeout=300) for _ in processes]
    for process in processes:
        process.join()
    seconds = max(ended for _, ended in times) - min(began for began, _ in times)
    return replicas * rounds * len(PAGES) / seconds


def _replica(settings: OcrSettings, rounds: int, ready: Barrier, spans: Queue[tuple[float, float]]) -> None:
    """Read all pages once, wait for the other replicas, and say when the measured rounds began and ended."""
    engine, pages = open_engine(settings), _pages()
    for page in pages:
        recognise(engine, page)
    ready.wait(300)
    began = time.time()
    for _ in range(rounds):
        for page in pages:
            recognise(engine, page)
    spans.put((began, time.time()))
