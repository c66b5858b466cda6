"""RapidOCR: the same models through a package that loads faster."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from ..settings import OcrSettings
from . import device
from .base import MAX_DETECTION_SIDE_PX, TextArea, bounding_area
from .models import DETECTION, RECOGNITION, onnx_file


class RapidEngine:
    """Runs RapidOCR's text detection and recognition."""

    def __init__(self, settings: OcrSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._engine: Any = None

    def start(self) -> None:
        with self._lock:
            self._load()

    def detect(self, pixels: np.ndarray) -> list[TextArea]:
        with self._lock:
            self._load()
            result = self._engine.text_det(np.ascontiguousarray(pixels))
        return sorted((bounding_area(box) for box in result.boxes), key=lambda a: (a[1], a[0])) if len(result) else []

    def read(self, crops: list[np.ndarray]) -> list[tuple[str, float]]:
        if not crops:
            return []
        from rapidocr.ch_ppocr_rec import TextRecInput  # noqa: PLC0415 - loaded with the engine

        with self._lock:
            self._load()
            result = self._engine.text_rec(TextRecInput(img=crops, return_word_box=False))
        pairs = zip(result.txts, result.scores, strict=True)
        return [(text, float(score)) if text else ("", 0.0) for text, score in pairs]

    def _load(self) -> None:
        if self._engine is not None:
            return
        from rapidocr import RapidOCR  # noqa: PLC0415 - takes seconds

        providers = device.choose(self._settings)
        name, options = providers[0]
        engine: Any = RapidOCR(
            params={
                "Global.log_level": "error",
                "Det.model_path": str(onnx_file(DETECTION)),
                "Det.limit_type": "max",
                "Det.limit_side_len": MAX_DETECTION_SIDE_PX,
                "Det.max_candidates": 3000,
                "Rec.model_path": str(onnx_file(RECOGNITION)),
                "EngineConfig.onnxruntime.intra_op_num_threads": self._settings.threads,
                "EngineConfig.onnxruntime.inter_op_num_threads": 1,
                "EngineConfig.onnxruntime.use_cuda": name == device.CUDA,
                **{f"EngineConfig.onnxruntime.cuda_ep_cfg.{key}": value for key, value in options.items()},
            }
        )
        engine._load_det_model()
        engine._load_rec_model()
        sessions = [part.session.session for part in (engine.text_det, engine.text_rec)]
        device.confirm(self._settings, providers, sessions)
        self._engine = engine
