"""A name that a description gives to a column or a line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bandsmith.shared.model.spec import Kind

Side = Literal["auto", "left", "right"]


@dataclass(frozen=True)
class Item:
    """A name in a section."""

    label: str
    value: str | None
    clause: str
    """The clause that names it, as it was written."""
    side: Side = "auto"
    """The half of the page that it is wanted in."""
    kind: Kind | None = None
    """The kind of its values, where that was said."""
