"""PaddleOCR's own detector and recogniser, run by ONNX Runtime.

The recogniser takes most of a page's time. On a CPU, several threads within one inference wait for each other at every
small layer, and a batch is padded to its widest crop; so each thread has a recogniser of its own, which takes one crop
at a time. A GPU takes batches.
"""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Any

import numpy as np

from ..settings import OcrSettings
from . import device
from .base import MAX_DETECTION_SIDE_PX, TextArea, bounding_area
from .models import DETECTION, RECOGNITION, paddle_folder

GPU_BATCH = 8
MIN_WIDTH_PX = 160
"""Width to which shorter crops are padded, at a height of 48. PaddleOCR's own 320 doubles the time of a page of short
texts; from 120 on downwards single characters are misread more often."""


class PaddleEngine:
    """Runs PaddleOCR's text detection and recognition modules."""

    def __init__(self, settings: OcrSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._detector: Any = None
        self._recognisers: list[Any] = []
        self._batch = 1
        self._threads = ThreadPoolExecutor(settings.threads, thread_name_prefix="recognise")

    def start(self) -> None:
        with self._lock:
            self._load()

    def detect(self, pixels: np.ndarray) -> list[TextArea]:
        with self._lock:
            self._load()
            (result,) = self._detector.predict(pixels, limit_side_len=MAX_DETECTION_SIDE_PX, limit_type="max")
        return sorted(
            (bounding_area(np.asarray(polygon)) for polygon in result["dt_polys"]), key=lambda a: (a[1], a[0])
        )

    def read(self, crops: list[np.ndarray]) -> list[tuple[str, float]]:
        # Dealt by width, so that all recognisers have about as much to do, and a batch is not padded by much.
        order = sorted(range(len(crops)), key=lambda i: crops[i].shape[1] / crops[i].shape[0])
        with self._lock:
            self._load()
            shares = [order[n :: len(self._recognisers)] for n in range(len(self._recognisers))]

            def recognise(recogniser: Any, share: list[int]) -> list[Any]:
                return list(recogniser.predict([crops[i] for i in share], batch_size=self._batch)) if share else []

            results = list(self._threads.map(recognise, self._recognisers, shares))
        read = [("", 0.0)] * len(crops)
        for i, result in zip(chain(*shares), chain(*results), strict=True):
            if result["rec_text"]:
                read[i] = (result["rec_text"], float(result["rec_score"]))
        return read

    def _load(self) -> None:
        if self._detector is not None:
            return
        # Otherwise the import asks the network which model host is nearest.
        os.environ.setdefault("PADDLE_PDX_DISABLE_MODEL_SOURCE_CHECK", "True")
        from paddleocr import TextDetection, TextRecognition  # noqa: PLC0415 - takes seconds

        providers = device.choose(self._settings)

        def load(kind: Any, model: str, threads: int) -> Any:
            return kind(
                model_name=model,
                model_dir=str(paddle_folder(model, self._settings.cache)),
                engine="onnxruntime",
                device="cpu",  # unless `providers` says otherwise
                engine_config={
                    "providers": [name for name, _ in providers],
                    "provider_options": [options for _, options in providers],
                    "intra_op_num_threads": threads,
                    "inter_op_num_threads": 1,
                    "enable_cpu_mem_arena": False,
                },
            )

        detector = load(TextDetection, DETECTION, self._settings.threads)
        on_gpu = providers[0][0] == device.CUDA  # it may have been asked for, and not be there
        number, self._batch = (1, GPU_BATCH) if on_gpu else (self._settings.threads, 1)
        recognisers = [load(TextRecognition, RECOGNITION, 1) for _ in range(number)]
        for recogniser in recognisers:
            resize = recogniser.paddlex_predictor.pre_tfs["ReisizeNorm"]  # PaddleX's spelling
            resize.rec_image_shape = [*resize.rec_image_shape[:2], MIN_WIDTH_PX]
        sessions = [part.paddlex_predictor.runner.session for part in (detector, *recognisers)]
        device.confirm(self._settings, providers, sessions)
        self._detector, self._recognisers = detector, recognisers
