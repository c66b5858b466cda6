"""PaddleOCR's own detector and recogniser, run by ONNX Runtime."""

from __future__ import annotations

import os
import threading
from typing import Any

import numpy as np

from ..settings import OcrSettings
from . import device
from .base import SIDE, Area, area
from .models import DETECTION, RECOGNITION, paddle_folder

BATCH = 8


class PaddleEngine:
    def __init__(self, settings: OcrSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._detector: Any = None
        self._recogniser: Any = None

    def start(self) -> None:
        with self._lock:
            self._load()

    def detect(self, pixels: np.ndarray) -> list[Area]:
        with self._lock:
            self._load()
            (result,) = self._detector.predict(pixels, limit_side_len=SIDE, limit_type="max")
        return sorted((area(np.asarray(polygon)) for polygon in result["dt_polys"]), key=lambda a: (a[1], a[0]))

    def read(self, crops: list[np.ndarray]) -> list[tuple[str, float]]:
        # A batch is padded to its widest crop, so crops of like shape go together.
        order = sorted(range(len(crops)), key=lambda i: crops[i].shape[1] / crops[i].shape[0])
        with self._lock:
            self._load()
            results = self._recogniser.predict([crops[i] for i in order], batch_size=BATCH) if crops else []
        read = [("", 0.0)] * len(crops)
        for i, result in zip(order, results, strict=True):
            if result["rec_text"]:
                read[i] = (result["rec_text"], float(result["rec_score"]))
        return read

    def _load(self) -> None:
        if self._recogniser is not None:
            return
        # Its import would otherwise ask the network which model host is near.
        os.environ.setdefault("PADDLE_PDX_DISABLE_MODEL_SOURCE_CHECK", "True")
        from paddleocr import TextDetection, TextRecognition  # noqa: PLC0415 - takes seconds

        providers = device.choose(self._settings)

        def load(kind: Any, model: str) -> Any:
            return kind(
                model_name=model,
                model_dir=str(paddle_folder(model, self._settings.cache)),
                engine="onnxruntime",
                device="cpu",  # where `providers` does not say otherwise
                engine_config={
                    "providers": [name for name, _ in providers],
                    "provider_options": [options for _, options in providers],
                    "intra_op_num_threads": self._settings.threads,
                    "inter_op_num_threads": 1,
                    "enable_cpu_mem_arena": False,
                },
            )

        detector, recogniser = load(TextDetection, DETECTION), load(TextRecognition, RECOGNITION)
        sessions = [one.paddlex_predictor.runner.session for one in (detector, recogniser)]
        device.confirm(self._settings, providers, sessions)
        self._detector, self._recogniser = detector, recogniser
