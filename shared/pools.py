"""How many replicas each service has and what each of them needs: one file, ``serve.yaml``, typed."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import yaml
from pydantic import ConfigDict, Field, ValidationError, model_validator

from .errors import BadInput
from .events import Service
from .model.base import Value


class Pool(Value):
    """The replicas of one service."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    min: int = Field(default=1, ge=0)
    """Replicas when nothing waits."""
    max: int = Field(default=1, ge=1)
    """Replicas at most."""
    target_lag: int = Field(default=4, ge=1)
    """Messages, waiting or in hand, that one replica is there for."""
    concurrency: int = Field(default=1, ge=1)
    """Messages that one replica works on at a time."""
    cpus: float = Field(default=1.0, ge=0)
    """Cores that one replica reserves."""
    gpus: float = Field(default=0.0, ge=0)
    """GPUs that one replica reserves; less than 1 shares one."""
    resources: dict[str, float] = {}
    """Resources of your own naming that the machine must offer, for placement."""
    engine: str = ""
    """The OCR engine; by default the one that BANDSMITH_OCR_ENGINE names."""
    device: Literal["cpu", "cuda"] = "cpu"
    """Where the OCR engine computes."""
    fallback: Literal["", "cpu"] = ""
    """What to do where the device is missing: nothing but say so, or compute there instead."""

    @model_validator(mode="after")
    def _in_order(self) -> Pool:
        if self.min > self.max:
            raise ValueError("min is greater than max")
        return self


DEFAULTS: dict[Service, Pool] = {
    "ocr": Pool(concurrency=2, target_lag=2),
    "planner": Pool(concurrency=16, target_lag=32, cpus=0.5),
    "generator": Pool(concurrency=32, target_lag=32, cpus=0.5),
    "validator": Pool(concurrency=2, target_lag=4),
    "gateway": Pool(concurrency=16, target_lag=200, cpus=0.5),
}
"""A replica each; where a file says nothing, these hold."""


def read_pools(path: Path | None) -> dict[Service, Pool]:
    """The pools that a file describes, completed by the defaults. Raises ``BadInput`` naming the field that is wrong."""
    raise NotImplementedError((path, yaml, ValidationError, BadInput))
