"""How many replicas each service has and what each of them needs: one file, ``serve.yaml``, typed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args

import yaml
from pydantic import ConfigDict, Field, ValidationError, model_validator
from pydantic.fields import FieldInfo

from ..errors import BadInput
from ..events import Service
from ..model.base import Value


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
    resources: dict[str, Annotated[float, Field(gt=0)]] = {}
    """Resources of your own naming that the machine must offer, for placement."""
    on_demand: bool = False
    """Whether the cluster starts machines for the replicas when they are needed: what none has yet is waited for."""

    @model_validator(mode="after")
    def _in_order(self) -> Pool:
        if self.min > self.max:
            raise ValueError("order")
        return self

    def environment(self) -> dict[str, str]:
        """Settings of a replica that this pool decides."""
        return {}


class OcrPool(Pool):
    """The replicas of the OCR service, which may compute on GPUs."""

    engine: Literal["", "paddle", "rapid"] = ""
    """Which engine finds and reads text; by default the one that BANDSMITH_OCR_ENGINE names."""
    device: Literal["", "cpu", "cuda"] = ""
    """Where it computes; by default where BANDSMITH_OCR_DEVICE says."""
    fallback: Literal["", "cpu"] = ""
    """What to do where the GPU, or a resource, is missing: nothing but say so, or compute on the CPU and warn."""

    def environment(self) -> dict[str, str]:
        chosen = {"ENGINE": self.engine, "DEVICE": self.device, "FALLBACK": self.fallback}
        return {f"BANDSMITH_OCR_{name}": value for name, value in chosen.items() if value}


P = TypeVar("P", bound=Pool)


class Pools(Value):
    """All of them. What a service's part of a file leaves out is as here, not as in ``Pool``."""

    model_config = ConfigDict(extra="forbid")

    ocr: OcrPool = OcrPool(concurrency=2, target_lag=2)
    planner: Pool = Pool(concurrency=16, target_lag=32, cpus=0.5)
    generator: Pool = Pool(concurrency=32, target_lag=32, cpus=0.5)
    validator: Pool = Pool(concurrency=2, target_lag=4)
    gateway: Pool = Pool(concurrency=64, target_lag=200, cpus=0.5)

    def of(self, service: Service) -> Pool:
        pool: Pool = getattr(self, service)
        return pool


DEFAULTS = Pools()
"""A replica each."""


def completed(service: Service, given: P) -> P:
    """What was said of a service's replicas; for what was not said, what holds by default."""
    said = {name: getattr(given, name) for name in given.model_fields_set}
    return type(given).model_validate(DEFAULTS.of(service).model_dump() | said)


def read_pools(path: Path | None) -> Pools:
    """What a file says; without one, the defaults. Raises ``BadInput`` naming the field that is wrong."""
    if path is None:
        return DEFAULTS
    try:
        given = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    except (OSError, UnicodeDecodeError):
        raise BadInput(
            "The file that --config names cannot be read.", message_zh="无法读取 --config 指定的文件。"
        ) from None
    except yaml.YAMLError as error:
        raise _no_yaml(error) from None
    try:
        return Pools.model_validate(_over_defaults(given))
    except ValidationError as error:
        raise _wrong(error) from None


def _over_defaults(given: Any) -> Any:
    """Each service's part completed by its defaults, as far as it is of the right shape."""
    if not isinstance(given, dict):
        return given
    defaults = DEFAULTS.model_dump()
    return {
        name: defaults[name] | (part or {}) if name in defaults and isinstance(part, dict | None) else part
        for name, part in given.items()
    }


def _no_yaml(error: yaml.YAMLError) -> BadInput:
    mark = getattr(error, "problem_mark", None)
    line = mark.line + 1 if mark else 1
    return BadInput(
        f"The file that --config names is no YAML from line {line} on.",
        message_zh=f"--config 指定的文件从第 {line} 行起不是有效的 YAML。",
    )


def _wrong(error: ValidationError) -> BadInput:
    """The first thing that is wrong: where it stands, and what may stand there."""
    first = error.errors(include_url=False)[0]
    where = ".".join(map(str, first["loc"])) or "--config"
    if first["type"] == "extra_forbidden":
        known = ", ".join(Pools.model_fields if len(first["loc"]) == 1 else _kind(first["loc"]).model_fields)
        return BadInput(
            f"{where}: there is no such field; there are {known}.", message_zh=f"{where}：没有这个字段；可用：{known}。"
        )
    if first["type"] == "value_error":
        return BadInput(f"{where}: min may not exceed max.", message_zh=f"{where}：min 不能大于 max。")
    if len(first["loc"]) < 2:
        return BadInput(f"{where}: it must have fields, each with a value.", message_zh=f"{where}：应由字段和值组成。")
    english, chinese = _may_be(_kind(first["loc"]).model_fields[str(first["loc"][1])])
    return BadInput(f"{where}: it must be {english}.", message_zh=f"{where}：必须是{chinese}。")


def _kind(where: tuple[int | str, ...]) -> type[Pool]:
    return type(DEFAULTS.of(str(where[0])))  # type: ignore[arg-type]


def _may_be(field: FieldInfo) -> tuple[str, str]:
    """In words, what a field takes."""
    if choices := [choice for choice in get_args(field.annotation) if isinstance(choice, str) and choice]:
        return f"one of {', '.join(choices)}", f"以下之一：{'、'.join(choices)}"
    if field.annotation is bool:
        return "true or false", " true 或 false"
    if field.annotation in (int, float):
        least = next(bound.ge for bound in field.metadata if hasattr(bound, "ge"))
        whole, integer = ("whole ", "整数") if field.annotation is int else ("", "数字")
        return f"a {whole}number, {least} or more", f"不小于 {least} 的{integer}"
    return "names, each with a number greater than 0", "名称，各配一个大于 0 的数字"
