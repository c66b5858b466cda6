"""The style of a report by its language: colours, rules and wording."""

from __future__ import annotations

from dataclasses import dataclass

from bandsmith.shared.language import Language
from bandsmith.shared.model.plan import Borders, Pen
from bandsmith.shared.model.spec import Totalling


@dataclass(frozen=True)
class ReportStyle:
    """The style of a report. Chinese reports have a full grid, English ones bars and hairlines."""

    ink: str
    """Colour of the title and of emphasised text."""
    quiet: str
    """Colour of labels and of the page footer."""
    head_fill: str
    head_ink: str
    row: Borders
    head: Borders
    total: Borders
    stripe: str | None
    """Background of every other row."""
    group_fill: str
    total_fill: str
    centred: bool
    """Whether the title and short values are centred."""
    colon: str
    totals: dict[Totalling, tuple[str, str]]
    """The labels of a group's total and of the whole table's."""
    yes: str
    no: str


def _around(pen: Pen) -> Borders:
    return Borders(top=pen, left=pen, bottom=pen, right=pen)


_LINE = Pen(width=0.5, colour="#D3DCE2")
_STRONG = Pen(width=1.0, colour="#24506B")
_GRID = Pen(width=0.5, colour="#6B7780")

_STYLES: dict[Language, ReportStyle] = {
    "en": ReportStyle(
        ink="#24506B",
        quiet="#5F6E78",
        head_fill="#24506B",
        head_ink="#FFFFFF",
        row=Borders(bottom=_LINE),
        head=_around(Pen(width=0.5, colour="#24506B")),  # so that no gaps show between the cells of a bar
        total=Borders(top=_STRONG),
        stripe="#F4F7F9",
        group_fill="#E4ECF1",
        total_fill="#E4ECF1",
        centred=False,
        colon=":",
        totals={"sum": ("Subtotal", "Total"), "average": ("Average", "Average"), "count": ("Count", "Count")},
        yes="Yes",
        no="No",
    ),
    "zh": ReportStyle(
        ink="#1F2D3A",
        quiet="#55626C",
        head_fill="#DFE7ED",
        head_ink="#1F2D3A",
        row=_around(_GRID),
        head=_around(_GRID),
        total=_around(_GRID),
        stripe=None,
        group_fill="#F1F5F8",
        total_fill="#EAF0F4",
        centred=True,
        colon="：",
        totals={"sum": ("小计", "合计"), "average": ("平均", "平均"), "count": ("计数", "总数")},
        yes="是",
        no="否",
    ),
}


def style_of(language: Language) -> ReportStyle:
    """Return the style of reports in a language."""
    return _STYLES[language]
