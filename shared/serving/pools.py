"""The schema of ``serve.yaml``: how many replicas each service has, and the resources of each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args

import yaml
from pydantic import ConfigDict, Field, ValidationError, model_validator
from pydantic.fields import FieldInfo

from ..errors import BadInput
from ..events import Service
from ..language import Language
from ..model.base import Value
from ..replies import text


class Pool(Value):
    """The replicas of one service."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    min: int = Field(default=1, ge=0)
    """Minimum number of replicas."""
    max: int = Field(default=1, ge=1)
    """Maximum number of replicas."""
    target_lag: int = Field(default=4, ge=1)
    """Messages, waiting or in flight, per replica; more messages start more replicas."""
    concurrency: int = Field(default=1, ge=1)
    """Maximum number of messages that one replica handles at the same time."""
    cpus: float = Field(default=1.0, ge=0)
    """CPU cores that one replica reserves."""
    gpus: float = Field(default=0.0, ge=0)
    """GPUs that one replica reserves; a fraction shares a GPU."""
    resources: dict[str, Annotated[float, Field(gt=0)]] = {}
    """Custom Ray resources that the machine must provide, for placement."""
    on_demand: bool = False
    """Whether the cluster adds machines on demand; resources that no machine has yet are then waited for."""

    @model_validator(mode="after")
    def _in_order(self) -> Pool:
        if self.min > self.max:
            raise ValueError("order")
        return self

    def environment(self) -> dict[str, str]:
        """Return the environment variables that the pool sets for its replicas."""
        return {}


class OcrPool(Pool):
    """The replicas of the OCR service, which can use GPUs."""

    engine: Literal["", "paddle", "rapid"] = ""
    """OCR engine; BANDSMITH_OCR_ENGINE by default."""
    device: Literal["", "cpu", "cuda"] = ""
    """Device to compute on; BANDSMITH_OCR_DEVICE by default."""
    fallback: Literal["", "cpu"] = ""
    """What to do if the GPU or a resource is missing: report an error, or use the CPU and log a warning."""

    def environment(self) -> dict[str, str]:
        chosen = {"ENGINE": self.engine, "DEVICE": self.device, "FALLBACK": self.fallback}
        return {f"BANDSMITH_OCR_{name}": value for name, value in chosen.items() if value}


P = TypeVar("P", bound=Pool)


class Pools(Value):
    """The pools of all services. Omitted fields of a service default to the values here, not to those of ``Pool``."""

    model_config = ConfigDict(extra="forbid")

    ocr: OcrPool = OcrPool(concurrency=2, target_lag=2)
    planner: Pool = Pool(concurrency=16, target_lag=32, cpus=0.5)
    generator: Pool = Pool(concurrency=32, target_lag=32, cpus=0.5)
    validator: Pool = Pool(concurrency=4, target_lag=4)
    gateway: Pool = Pool(concurrency=64, target_lag=200, cpus=0.5)

    def of(self, service: Service) -> Pool:
        pool: Pool = getattr(self, service)
        return pool


DEFAULTS = Pools()


def completed(service: Service, given: P) -> P:
    """Fill the fields that were not set with the service's defaults."""
    explicit = {name: getattr(given, name) for name in given.model_fields_set}
    return type(given).model_validate(DEFAULTS.of(service).model_dump() | explicit)


def read_pools(path: Path | None) -> Pools:
    """Read a configuration file, or return the defaults without one. Raises ``BadInput`` naming the invalid field."""
    if path is None:
        return DEFAULTS
    try:
        given = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    except (OSError, UnicodeDecodeError):
        raise BadInput.of("settings.config.unreadable", code="input") from None
    except yaml.YAMLError as error:
        raise _yaml_error(error) from None
    try:
        return Pools.model_validate(_over_defaults(given))
    except ValidationError as error:
        raise _invalid(error) from None


def _over_defaults(given: Any) -> Any:
    """Merge each service's section with its defaults; malformed sections are left for validation to report."""
    if not isinstance(given, dict):
        return given
    defaults = DEFAULTS.model_dump()
    return {
        name: defaults[name] | (part or {}) if name in defaults and isinstance(part, dict | None) else part
        for name, part in given.items()
    }


def _yaml_error(error: yaml.YAMLError) -> BadInput:
    mark = getattr(error, "problem_mark", None)
    line = mark.line + 1 if mark else 1
    return BadInput.of("settings.config.not_yaml", code="input", line=line)


def _invalid(error: ValidationError) -> BadInput:
    """Build the error for the first invalid field: where it is, and what is allowed there."""
    first = error.errors(include_url=False)[0]
    location = first["loc"]
    field = ".".join(map(str, location)) or "--config"
    if first["type"] == "extra_forbidden":
        known = Pools.model_fields if len(location) == 1 else _pool_type(location).model_fields
        return BadInput.of("settings.config.unknown_field", code="input", field=field, known=", ".join(known))
    if first["type"] == "value_error":
        return BadInput.of("settings.config.min_above_max", code="input", field=field)
    if len(location) < 2:
        return BadInput.of("settings.config.not_a_mapping", code="input", field=field)

    def message(language: Language) -> str:
        expected = _expected(_pool_type(location).model_fields[str(location[1])], language)
        return text("settings.config.invalid", language, field=field, expected=expected)

    return BadInput(message("en"), message_zh=message("zh"))


def _pool_type(location: tuple[int | str, ...]) -> type[Pool]:
    return type(DEFAULTS.of(str(location[0])))  # type: ignore[arg-type]


def _expected(field: FieldInfo, language: Language) -> str:
    """Describe the values that a field accepts."""
    if choices := [choice for choice in get_args(field.annotation) if isinstance(choice, str) and choice]:
        return text("settings.expected.choice", language, choices=("、" if language == "zh" else ", ").join(choices))
    if field.annotation is bool:
        return text("settings.expected.boolean", language)
    if field.annotation in (int, float):
        minimum = next(bound.ge for bound in field.metadata if hasattr(bound, "ge"))
        kind = "integer" if field.annotation is int else "number"
        return text(f"settings.expected.{kind}.minimum", language, ge=minimum)
    return text("settings.expected.resources", language)
