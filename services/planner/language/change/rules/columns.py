"""Columns: new ones, computed ones, their order and their widths. What users say is in ``templates/*/columns.toml``."""

from __future__ import annotations

import re

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_column import AddColumn
from bandsmith.shared.edits.add_total import AddTotal
from bandsmith.shared.edits.delete_column import DeleteColumn
from bandsmith.shared.edits.fit_table import FitTable
from bandsmith.shared.edits.move_column import MoveColumn
from bandsmith.shared.edits.resize_column import ResizeColumn
from bandsmith.shared.edits.set_expression import SetExpression
from bandsmith.shared.fields import value_types
from bandsmith.shared.fields.column_kinds import meaning
from bandsmith.shared.fields.identifiers import name_for
from bandsmith.shared.fields.value_types import DECIMAL, INTEGER, STRING, infer_type
from bandsmith.shared.jrxml.java_literals import java_string

from ...numbers import number_of, points_of
from ...references import Missing, Target
from ...sentence_templates import Slots, listed
from ...template_view import TemplateView
from ...view_elements import TableColumn
from ..arithmetic import java_expression
from ..reading import Clause, ClauseReading, refused, templated
from ..unquoted import runs_on
from .swapped_texts import texts_swapped

MAX_HEADING_CHARS = 40
MAX_HEADING_WORDS = 4
MIN_WIDTH_PT = 8
WIDER, NARROWER = 1.25, 0.8
"""Factors of a column that becomes "wider" or "narrower"."""
_FORMULA_MARK = re.compile(r"[:：=＝+×÷]")
"""Marks that a heading has in quotation marks only."""
_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,4})?")
_OF_NEW_COLUMN = ("end", "side", "after", "before", "right")
"""Slots of the place of a new column."""
ROW_COUNT = "REPORT_COUNT"
_MONEY = "#,##0.00"


def add(clause: Clause, slots: Slots) -> ClauseReading | None:
    view = clause.view
    heading = clause.words(slots["heading"])
    if not view.columns or not _is_heading(heading, is_computed=bool(slots["computation"])):
        return None
    if _FORMULA_MARK.search(heading) and not clause.is_quotation(slots["heading"]):
        return None  # “Net: Amount minus 10%” is a heading with its formula
    after: str | None = "" if "first" in (slots["end"], slots["side"]) else None
    if slots["after"] or slots["before"]:
        neighbour = clause.known(clause.column(slots["after"] or slots["before"]))
        if not isinstance(neighbour, TableColumn):
            return neighbour
        after = neighbour.field if slots["after"] else _left_of(view, neighbour)
        if slots["right"] and not _are_side_by_side(view, neighbour, clause.column(slots["right"])):
            return None
    java_class, pattern = _class_and_pattern(heading)
    expression: str | None = None
    if slots["computation"]:
        computed = java_expression(clause, slots["computation"])
        if not isinstance(computed, str):
            return computed
        expression, java_class, pattern = computed, DECIMAL, _MONEY
    elif listed("columns", "row_number", heading):
        if any(column.field == ROW_COUNT for column in view.columns):
            return refused("language.rows_numbered_already")
        expression, java_class, pattern = f"$V{{{ROW_COUNT}}}", INTEGER, None
    names = set(view.classes) | {node.get("name", "") for node in view.root if isinstance(node.tag, str)}
    field = name_for(heading, "column", names, column=True)
    edits: list[AnyEdit] = [
        AddColumn(
            field=field, label=heading, java_class=java_class, pattern=pattern, expression=expression, after=after
        )
    ]
    if slots["again"] and clause.words(slots["again"]) != heading:
        return None
    if slots["summed"] or slots["again"]:
        edits.append(AddTotal(field=field))
    return ClauseReading(edits)


def add_constant(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Add a column Break after To, half an hour on every day”: the same number or quoted words in each row."""
    reading = add(clause, Slots({name: slots[name] for name in (*_OF_NEW_COLUMN, "heading")}))
    said = slots["constant"].strip()
    number = listed("columns", "half_hour", said) or (said if _NUMBER.fullmatch(said) else "")
    if reading is None or not reading.edits or not (number or clause.is_quotation(said)):
        return reading if reading is not None and not reading.edits else None
    new = reading.edits[0]
    assert isinstance(new, AddColumn)
    return ClauseReading([new.model_copy(update=constant(number or clause.words(said), new.label, bool(number)))])


def constant(value: str, heading: str, is_number: bool) -> dict[str, str | None]:
    """Return the class, the expression and the pattern of a column that prints a value as it was written.

    A number of a telephone or one with leading zeros is a text.
    """
    typed = infer_type([value], heading) if is_number else None
    match typed.java_class if typed else STRING:
        case value_types.DECIMAL:
            expression, pattern = f'new java.math.BigDecimal("{value}")', typed.pattern if typed else None
            return {"java_class": DECIMAL, "expression": expression, "pattern": pattern}
        case value_types.INTEGER:
            return {"java_class": INTEGER, "expression": f"Integer.valueOf({value})", "pattern": None}
    return {"java_class": STRING, "expression": java_string(value), "pattern": None}


def number_rows(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“最前面加个序号”, “number the rows”: a first column that counts them."""
    if slots["end"] == "last":
        return None  # a number behind the row may be another number than that of the row
    if not clause.view.columns or slots["row_number"] not in ("", "row_number"):
        return None
    label = "序号" if clause.view.chinese else "No."
    place = {"before": slots["before"]} if slots["before"] else {"end": "first"}
    return add(clause, Slots({"heading": label, **place}))


def _are_side_by_side(view: TemplateView, left: TableColumn, right: object) -> bool:
    """Whether a column stands next to another, on its right."""
    return isinstance(right, TableColumn) and _left_of(view, right) == left.field


def _is_heading(words: str, is_computed: bool) -> bool:
    """Whether words may be the heading of a new column rather than a description of it.

    One that comes with its formula is described by that: “差额=应收-已收”.
    """
    allowed = (None, "description") if is_computed else (None,)
    return (
        0 < len(words) <= MAX_HEADING_CHARS
        and len(words.split()) <= MAX_HEADING_WORDS
        and listed("columns", "no_heading", words) in allowed
        and not runs_on(words)
    )


def _left_of(view: TemplateView, column: TableColumn, moved: TableColumn | None = None) -> str:
    """Return the field of the column to the left of a column, as if `moved` were gone; empty for the first."""
    fields = [other.field for other in view.columns if moved is None or other.field != moved.field]
    place = fields.index(column.field)
    return fields[place - 1] if place else ""


def _class_and_pattern(heading: str) -> tuple[str, str | None]:
    """Return the Java class that a new column most likely has, by its heading, and the pattern of its values."""
    match meaning(heading).kind:
        case "date" | "datetime":
            return "java.util.Date", "yyyy-MM-dd"
        case "integer":
            return INTEGER, None
        case "money":
            return DECIMAL, _MONEY
        case "number":
            return DECIMAL, "#,##0.##"
        case "percent":
            return DECIMAL, "0.0%"
    return STRING, None


def compute(clause: Clause, slots: Slots) -> ClauseReading | None:
    """Another formula for a column that is computed: “实发工资 = 基本工资 + 奖金 - 扣款”."""
    column = clause.column(slots["name"])
    if not isinstance(column, TableColumn) or len(column.cells) != 1:
        return None
    cell = column.cells[0]
    if [scope for scope, _ in cell.references] != ["V"]:
        return None
    expression = java_expression(clause, slots["computation"])
    if not isinstance(expression, str):
        return expression
    return ClauseReading([SetExpression(element=cell.key, expression=expression)])


def move(clause: Clause, slots: Slots) -> ClauseReading | None:
    moved = clause.column(slots["name"])
    if isinstance(moved, Missing):
        return clause.absent(moved) if listed("columns", "column_word", clause.text) else None
    if not isinstance(moved, TableColumn):
        return None
    others = [column for column in clause.view.columns if column.field != moved.field]
    if slots["ordinal"] or slots["number"]:
        return _moved_to_number(slots, moved, others)
    if slots["end"] and not slots["after"]:
        if not others:
            return ClauseReading()
        return _moved(slots, moved, "" if slots["end"] == "first" else others[-1].field)
    neighbour = clause.known(clause.column(slots["after"] or slots["before"]))
    if not isinstance(neighbour, TableColumn):
        return neighbour
    if neighbour.field == moved.field:
        return None
    after = neighbour.field if slots["after"] else _left_of(clause.view, neighbour, moved)
    return _moved(slots, moved, after)


def _moved(slots: Slots, moved: TableColumn, after: str) -> ClauseReading:
    """Return the reading that moves a column, which a following clause may be about."""
    target = Target(slots["name"], tuple(moved.pieces), moved)
    return ClauseReading([MoveColumn(field=moved.field, after=after)], target=target)


def _moved_to_number(slots: Slots, moved: TableColumn, others: list[TableColumn]) -> ClauseReading | None:
    """Return the edit that makes a column the third, say, of all columns."""
    count = len(others) + 1
    place = count if slots["ordinal"] == "last" else int(number_of(slots["ordinal"] or slots["number"]) or 0)
    if not others:
        return None
    if not 0 < place <= count:
        return refused("language.no_such_column_position", count=count)
    return _moved(slots, moved, others[place - 2].field if place > 1 else "")


def swap(clause: Clause, slots: Slots) -> ClauseReading | None:
    pair = [clause.column(slots["name"]), clause.column(slots["other"])]
    if any(isinstance(column, Missing) for column in pair) and (texts := texts_swapped(clause, slots)):
        return texts
    for column in pair:
        if isinstance(column, Missing):
            return clause.absent(column)
    columns = clause.view.columns
    places = [place for named in pair for place, column in enumerate(columns) if column is named]
    if len(places) != 2 or places[0] == places[1]:
        return None
    left, right = sorted(places)
    first = clause.column(slots["first"] or slots["name"])
    if slots["first"] and first is not columns[right]:
        return None  # then the other one would come first
    edits: list[AnyEdit] = [MoveColumn(field=columns[left].field, after=columns[right].field)]
    if right - left > 1:
        edits.append(MoveColumn(field=columns[right].field, after=columns[left - 1].field if left else ""))
    return ClauseReading(edits)


def width(clause: Clause, slots: Slots) -> ClauseReading | None:
    column = clause.known(clause.column(slots["name"]))
    if not isinstance(column, TableColumn):
        return column
    if slots["length"]:
        points = points_of(slots["length"])
    else:
        change = slots["width_change"] or slots["width_verb"] or slots["more_room"]
        points = round(column.width * (WIDER if change == "wider" else NARROWER))
    if not MIN_WIDTH_PT <= points <= clause.view.width:
        return None
    target = Target(slots["name"], tuple(column.pieces), column)
    return ClauseReading([ResizeColumn(field=column.field, width=points)], target=target)


def width_to(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Give some of its width to the price column”: one column becomes narrower, and only the other one wider."""
    pair = [clause.known(clause.column(slots[name])) for name in ("name", "other")]
    giving, taking = pair
    if not isinstance(giving, TableColumn) or not isinstance(taking, TableColumn):
        return giving if not isinstance(giving, TableColumn) else None if isinstance(taking, TableColumn) else taking
    if giving is taking:
        return None
    points = round(giving.width * NARROWER)
    target = Target(slots["other"], tuple(taking.pieces), taking)
    return ClauseReading([ResizeColumn(field=giving.field, width=points, other=taking.field)], target=target)


def give_room(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“… and give the room to the names”: what the clause before takes from a column, or with it, goes to one other."""
    last = clause.before.edits[-1] if clause.before and len(clause.before.edits) == 1 else None
    taking = clause.known(clause.column(slots["other"]))
    giving = clause.view.column(last.field) if isinstance(last, ResizeColumn | DeleteColumn) else None
    if giving is None or not isinstance(taking, TableColumn):
        return taking if giving is not None and isinstance(taking, ClauseReading) else None
    if taking.field == giving.field:
        return None
    target = Target(slots["other"], tuple(taking.pieces), taking)
    if isinstance(last, DeleteColumn):
        return ClauseReading([ResizeColumn(field=giving.field, width=1, other=taking.field)], target=target)
    freed = giving.width - (last.width if isinstance(last, ResizeColumn) else 0)
    if freed <= 0:
        return None
    return ClauseReading([ResizeColumn(field=taking.field, width=taking.width + freed)], target=target)


def equalize(clause: Clause, slots: Slots) -> ClauseReading | None:
    """All columns of the same width."""
    columns = clause.view.columns
    if not columns:
        return None
    width = sum(column.width for column in columns) // len(columns)
    # Each edit takes its width from all other columns, so the widths that were set first are set again.
    return ClauseReading([ResizeColumn(field=column.field, width=width) for column in (*columns, *columns)])


def fit(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Stretch the table to the right margin”."""
    return ClauseReading([FitTable()]) if clause.view.columns else None


RULES = tuple(
    templated("columns", rule)
    for rule in (fit, add, add_constant, number_rows, equalize, compute, swap, move, width_to, give_room, width)
)
