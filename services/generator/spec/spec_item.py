"""A column, a group or a header field of a spec, and how its values are printed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Literal

from bandsmith.shared.fields.date_patterns import write_date
from bandsmith.shared.fields.value_types import DATE
from bandsmith.shared.model.plan import DataField
from bandsmith.shared.model.spec import Computed, Kind, Totalling

from .samples import SampleValue


@dataclass(frozen=True)
class SpecItem:
    """A column, a group or a header field."""

    label: str
    name: str
    kind: Kind
    java_class: str
    pattern: str | None
    stem: str
    """The name that the label means; samples are looked up by it."""
    total: Totalling = "none"
    width: int | None = None
    computed: Computed | None = None
    running: bool = False
    """Whether it adds up from row to row."""
    share_of: str | None = None
    """The name of the column of whose total it is the share."""
    expression: str | None = None
    """How a line is worked out from the lines before it."""
    counter: bool = False
    """Whether it prints the number of its row. A counter has no field."""
    values: tuple[SampleValue, ...] = ()
    side: Literal["auto", "left", "right"] = "auto"
    """The half of the page that a line stands in."""
    size: float | None = None
    """Type size of a line's value in points; None is that of the other lines."""
    given_pattern: str | None = None
    """The pattern that the spec asks for; None leaves it to the type and to how the values are written."""

    @property
    def is_number(self) -> bool:
        return self.kind in ("number", "integer", "money", "percent")

    @property
    def field(self) -> DataField | None:
        """The declaration of the field; a computed value and a counter have none."""
        if self.computed or self.counter or self.share_of or self.expression:
            return None
        return DataField(name=self.name, java_class=self.java_class, label=self.label)

    @property
    def reference(self) -> str:
        """The Java expression of the value in the current row."""
        if self.counter:
            return "$V{REPORT_COUNT}"
        return f"$V{{{self.name}}}" if self.computed else f"$F{{{self.name}}}"

    def shown(self, value: SampleValue) -> str:
        """Return a value as it is printed."""
        if value is None:
            return ""
        if self.java_class == DATE and self.pattern:
            return write_date(datetime.fromisoformat(str(value)), self.pattern)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return str(value)
        return format_number(value, self.pattern)


def format_number(value: float | Decimal, pattern: str | None) -> str:
    """Format a number as DecimalFormat does, for the patterns that are used here."""
    found = re.fullmatch(r"(?P<before>[^#0]*)(?P<whole>[#,0]+)(?:\.(?P<places>[0#]+))?(?P<after>.*)", pattern or "0")
    if found is None:
        return str(value)
    number = Decimal(str(value)) * (100 if "%" in found["after"] else 1)
    places = found["places"] or ""
    rounded = number.quantize(Decimal(1).scaleb(-len(places)), ROUND_HALF_EVEN)
    text = f"{rounded:{',' if ',' in found['whole'] else ''}.{len(places)}f}"
    for _ in range(places.count("#")):
        text = text.removesuffix("0")
    return (found["before"] + text.removesuffix(".") + found["after"]).replace("'", "")
