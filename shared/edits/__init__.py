"""Edits: the typed changes to a template, one module each. Everything after the skeleton is a list of them.

A module is called like its edit: ``move_column`` holds ``MoveColumn``. The registry is built from this folder, so a new
module is a new edit; CONTRIBUTING tells what it needs.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING, Annotated, Union

from pydantic import Field

from .base import Edit


def _edits() -> dict[str, type[Edit]]:
    """Return the edits of this folder's modules by their name on the wire."""
    found = {}
    for info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{info.name}")
        for value in vars(module).values():
            defined = isinstance(value, type) and value.__module__ == module.__name__
            if defined and issubclass(value, Edit) and value is not Edit:
                found[value.model_fields["do"].default] = value
    return found


EDITS: dict[str, type[Edit]] = _edits()

if TYPE_CHECKING:
    AnyEdit = Edit
else:
    AnyEdit = Annotated[Union[tuple(EDITS.values())], Field(discriminator="do")]  # noqa: UP007 - made at run time
    """Any edit, validated by its ``do``."""

__all__ = ["EDITS", "AnyEdit", "Edit"]
