"""Settings of the OCR service: environment variables that begin with ``BANDSMITH_OCR_``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from bandsmith.shared.settings import Settings


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class OcrSettings(Settings):
    model_config = SettingsConfigDict(env_prefix="BANDSMITH_OCR_")

    engine: Literal["paddle", "rapid"] = "paddle"
    """Engine that detects and recognises text."""
    device: Literal["cpu", "cuda"] = "cpu"
    """Where the engine computes: on the CPU, or on an NVIDIA GPU."""
    fallback: Literal["", "cpu"] = ""
    """What to do when the GPU is not available: refuse to start (empty), or warn and use the CPU."""
    threads: int = Field(default_factory=lambda: min(4, _cores()), ge=1)
    """Number of threads that the detection of text may use, and of texts that are read at the same time."""
    limit: float = Field(default=20.0, gt=0)
    """Seconds that decoding one file may take, before its text is recognised."""
    cache: Path = Path("~/.cache/bandsmith/ocr")
    """Folder for models in the form that PaddleOCR expects; created when missing."""
