"""The page beyond its usual sizes: rolls, sizes in numbers, several columns, the header on every page.

What users say is in ``templates/*/page_setup.toml``.
"""

from __future__ import annotations

from bandsmith.shared.edits.repeat_header import RepeatHeader
from bandsmith.shared.edits.set_columns import SetColumns
from bandsmith.shared.edits.set_page import SetPage
from bandsmith.shared.edits.set_roll import SetRoll

from ...numbers import length, number_of
from ...sentence_templates import Slots
from ..reading import Clause, ClauseReading, refused, templated

MIN_ROLL_MM, MAX_ROLL_MM = 40, 120
"""The widths of the rolls that receipt printers take."""
MIN_SIDE_PT, MAX_SIDE_PT = 72, 3000


def roll(clause: Clause, slots: Slots) -> ClauseReading | None:
    width = number_of(slots["number"])
    if width is None:
        return None
    if not MIN_ROLL_MM <= width <= MAX_ROLL_MM:
        return refused("language.roll_out_of_range", lowest=MIN_ROLL_MM, highest=MAX_ROLL_MM)
    return ClauseReading([SetRoll(width=width)])


def size(clause: Clause, slots: Slots) -> ClauseReading | None:
    if slots["paper"]:
        width, height = (int(side) for side in slots["paper"].split("x"))
        return ClauseReading([SetPage(width=width, height=height)])
    if number_of(slots["width"]) is None or number_of(slots["height"]) is None:
        return None
    if slots["first_unit"] and slots["first_unit"] != slots["unit"]:
        return None
    width, height = (length(slots[side], slots["unit"]) for side in ("width", "height"))
    if not all(MIN_SIDE_PT <= side <= MAX_SIDE_PT for side in (width, height)):
        return refused("language.page_out_of_range")
    return ClauseReading([SetPage(width=width, height=height)])


def columns(clause: Clause, slots: Slots) -> ClauseReading | None:
    return ClauseReading([SetColumns(count=int(slots["count"]))]) if clause.view.columns else None


def first_header(clause: Clause, slots: Slots) -> ClauseReading | None:
    return ClauseReading([RepeatHeader(first_page_only=True)]) if clause.view.columns else None


def each_header(clause: Clause, slots: Slots) -> ClauseReading | None:
    """Where every page has the header anyway, ``page_header_footer`` says so."""
    header = clause.view.header
    if header and next(header[0].node.iterancestors("{*}band")).find("{*}printWhenExpression") is None:
        return None
    return ClauseReading([RepeatHeader()]) if clause.view.columns else None


RULES = tuple(templated("page_setup", rule) for rule in (roll, size, columns, first_header, each_header))
