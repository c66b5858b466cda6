"""What can be set for the OCR service, by environment variables that begin with ``BANDSMITH_OCR_``."""

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
    """Which engine finds and reads text."""
    device: Literal["cpu", "cuda"] = "cpu"
    """Where it computes: on the CPU, or on an NVIDIA GPU."""
    fallback: Literal["", "cpu"] = ""
    """What to do where the GPU is missing: nothing but say so, or compute on the CPU and warn."""
    threads: int = Field(default_factory=lambda: min(4, _cores()), ge=1)
    """How many threads one inference may use."""
    cache: Path = Path("~/.cache/bandsmith/ocr")
    """Where models are laid out in the form that PaddleOCR wants; made when missing."""
