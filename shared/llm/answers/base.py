"""What all answers have in common."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    PrivateAttr,
    StringConstraints,
    ValidationInfo,
    model_validator,
)

from ..coerce import coerced
from ..stream_guard import printable

Identifier = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=60)]
PrintableText = Annotated[str, AfterValidator(printable)]
"""Text for the user, without control characters."""
MAX_QUOTES, MAX_QUOTE_CHARS = 20, 300
"""Limits on the parts of a request that a reply quotes."""


class ModelAnswer(BaseModel):
    """Base class of all answers; fields that the model adds are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    _truncated: bool = PrivateAttr(default=False)
    _left_out: tuple[str, ...] = PrivateAttr(default=())

    @property
    def truncated(self) -> bool:
        """Whether the reply was cut short: the last entries of lists may be missing."""
        return self._truncated

    @property
    def left_out(self) -> tuple[str, ...]:
        """Why parts of the reply could not be used, in words for the model."""
        return self._left_out

    @model_validator(mode="before")
    @classmethod
    def _coerce(cls, data: Any, info: ValidationInfo) -> Any:
        lenient = isinstance(data, dict) and (info.context or {}).get("left_out") is not None
        return coerced(cls, data) if lenient else data


def or_none(value: Any) -> Any:
    """Read an empty text or object as None, which is how models write "none"."""
    return None if value in ("", {}, "none", "null") else value
