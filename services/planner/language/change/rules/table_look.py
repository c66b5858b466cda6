"""How the table looks: stripes, borders, one part like another.

What users say is in ``templates/*/table_look.toml``.
"""

from __future__ import annotations

from bandsmith.shared.edits.copy_style import CopyStyle
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.edits.set_borders import MAX_LINE_PT, SetBorders
from bandsmith.shared.edits.stripe_rows import StripeRows
from bandsmith.shared.jrxml.cells import total_cells

from ...colours import colour
from ...numbers import number_of
from ...references import Target
from ...sentence_templates import Slots, listed
from ..reading import Clause, ClauseReading, templated
from ..style_phrases import StyleChange
from .style import edits_of

STYLED_PARTS = frozenset({"header", "rows", "totals"})
"""Parts of the table that a style can be copied from and to."""


def stripes(clause: Clause, slots: Slots) -> ClauseReading | None:
    if not clause.view.columns:
        return None
    chosen = colour(slots["colour"]) if slots["colour"] else None
    return ClauseReading([StripeRows(colour=chosen) if chosen else StripeRows()])


def filled(clause: Clause, slots: Slots) -> ClauseReading | None:
    """A background and the colour of the letters on it."""
    view = clause.view
    texts = {
        "header": view.header,
        "rows": [one for one in view.in_sections("detail") if one.is_text],
        "totals": [one for key in _totals(clause) if (one := view.piece(key)) is not None],
    }.get(slots["part"], [])
    background, letters = colour(slots["colour"]), colour(slots["letters"])
    if not texts or background is None or letters is None:
        return None
    target = Target(slots["part"], tuple(texts), role="header" if slots["part"] == "header" else "")
    changes = [StyleChange("backcolor", background), StyleChange("mode", "Opaque"), StyleChange("forecolor", letters)]
    edits = edits_of(view, target, changes)
    return ClauseReading(edits, target=target) if edits else None


def _totals(clause: Clause) -> list[str]:
    """Return the keys of the totals and their labels."""
    draft = clause.view.editor.draft
    return [draft.name_of(node) for node in total_cells(draft)]


def no_stripes(clause: Clause, slots: Slots) -> ClauseReading | None:
    """Stripes are a style of the rows, or rectangles behind every other one as they were found on a picture."""
    drawn = [
        Delete(element=piece.key)
        for piece in clause.view.in_sections("detail")
        if piece.tag == "rectangle" and "REPORT_COUNT} %" in (piece.node.findtext(".//{*}printWhenExpression") or "")
    ]
    if drawn:
        return ClauseReading([*drawn])
    return ClauseReading([StripeRows(off=True)]) if clause.view.columns else None


def grid(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _borders(clause, slots, "all")


def row_lines(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _borders(clause, slots, "rows")


def only_row_lines(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Keep the horizontal lines, no vertical ones”."""
    if not clause.view.columns:
        return None
    return ClauseReading([SetBorders(part="table", lines="none"), SetBorders(part="table", lines="rows")])


def column_lines(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _borders(clause, slots, "columns")


def frame(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _borders(clause, slots, "outside")


def rule_below(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _borders(clause, slots, "below")


def rule_above(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _borders(clause, slots, "above")


def no_borders(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _borders(clause, slots, "none")


def _borders(clause: Clause, slots: Slots, lines: str) -> ClauseReading | None:
    if not clause.view.columns:
        return None
    values: dict[str, object] = {"part": slots["part"] or "table", "lines": lines}
    if slots["weight"]:
        values["width"] = float(slots["weight"])
    if slots["number"]:
        points = number_of(slots["number"]) or 0.0
        if not 0 < points <= MAX_LINE_PT:
            return None
        values["width"] = points
    if slots["dash"]:
        values["style"] = slots["dash"]
    if slots["dash"] == "Double" and not slots["weight"]:
        values["width"] = 2.0  # thinner lines are drawn as one
    if slots["colour"]:
        values["colour"] = colour(slots["colour"])
    looks = (slots["weight"], slots["dash"], slots["colour"])
    return ClauseReading([SetBorders.model_validate(values)], may_be_text=bool(slots["written"]) and not any(looks))


def same_look(clause: Clause, slots: Slots) -> ClauseReading | None:
    """What is not in the report may be an idea (“like a letter”), so it is left to a model.

    So is “the one next to the signature”: a date is meant where a date is to look like it, perhaps with its format.
    """
    if any(listed("table_look", "like_kind", slots[slot]) for slot in ("source", "target")):
        return None
    source, target = (_named(clause, slots[slot]) for slot in ("source", "target"))
    if source is None or target is None or source == target:
        return None
    return ClauseReading([CopyStyle(source=source[0], target=one) for one in target])


def _named(clause: Clause, words: str) -> list[str] | None:
    """Return the part of the table, or the elements, that words name."""
    part = listed("table_look", "part", words)
    if part in STYLED_PARTS:
        return [part]
    found = clause.find(words)
    if not isinstance(found, Target):
        return None
    texts = found.column.cells if found.column is not None else found.texts
    return [element.key for element in texts if element.is_text] or None


RULES = tuple(
    templated("table_look", rule)
    for rule in (
        stripes, no_stripes, filled, grid, row_lines, only_row_lines, column_lines, frame, rule_below, rule_above,
        no_borders, same_look,
    )
)  # fmt: skip
