"""What a turn is to do where that is chosen by a button or a key instead of words."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from .base import Value
from .session_parts import ExportFormat


class Action(Value):
    """Undo or redo the last change, restore a version, or export the report."""

    do: Literal["undo", "redo", "restore", "export"]
    version: int | None = Field(default=None, ge=1)
    """Number of the version that is restored."""
    format: ExportFormat | None = None
    """Format of the export."""
    further: list[ExportFormat] = Field(default=[], max_length=8)
    """Formats that it is exported in too."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.do == "restore") != (self.version is not None) or (self.do == "export") != (self.format is not None):
            raise ValueError("restore needs a version, export a format")
        if self.further and self.format is None:
            raise ValueError("only an export has further formats")
        return self

    @property
    def all_formats(self) -> list[ExportFormat]:
        """The formats of an export, each once."""
        return list(dict.fromkeys([self.format, *self.further])) if self.format else []
