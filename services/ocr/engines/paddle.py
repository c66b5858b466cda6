"""PaddleOCR's own detector and recogniser, run by ONNX Runtime."""

from __future__ import annotations

import os
import threading
from typing import Any

import numpy as np

from ..settings import OcrSettings
from . import device
from .base import MAX_DETECTION_SIDE_PX, TextArea, bounding_area
from .models import DETECTION, RECOGNITION, paddle_folder

BATCH = 8


class PaddleEngine:
    """Runs PaddleOCR's text detection and recognition modules."""

    def __init__(self, settings: OcrSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._detector: Any = None
        self._recogniser: Any = None

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
        # A batch is padded to its widest crop, so crops of similar proportions go together.
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
        # Otherwise the import asks the network which model host is nearest.
        os.environ.setdefault("PADDLE_PDX_DISABLE_MODEL_SOURCE_CHECK", "True")
        from paddleocr import TextDetection, TextRecognition  # noqa: PLC0415 - takes seconds

        providers = device.choose(self._settings)

        def load(kind: Any, model: str) -> Any:
            return kind(
                model_name=model,
                model_dir=str(paddle_folder(model, self._settings.cache)),
                engine="onnxruntime",
                device="cpu",  # unless `providers` says otherwise
                engine_config={
                    "providers": [name for name, _ in providers],
                    "provider_options": [options for _, options in providers],
                    "intra_op_num_threads": self._settings.threads,
                    "inter_op_num_threads": 1,
                    "enable_cpu_mem_arena": False,
                },
            )

        detector, recogniser = load(TextDetection, DETECTION), load(TextRecognition, RECOGNITION)
        sessions = [part.paddlex_predictor.runner.session for part in (detector, recogniser)]
        device.confirm(self._settings, providers, sessions)
        self._detector, self._recogniser = detector, recogniser
