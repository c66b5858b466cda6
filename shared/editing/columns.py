"""Columns of the rows: added, taken out, put elsewhere, made wider, while the table keeps its width."""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from itertools import pairwise

from lxml import etree

from ..jrxml.bands import elements_in
from ..jrxml.borders import borders_of, reborder
from ..jrxml.clone_style import clone_as_static_text, clone_as_text_field, set_alignment
from ..jrxml.column_layout import (
    ColumnShift,
    background_bands,
    group_header_bands,
    shift_columns,
    table_bands,
    vertical_rules,
)
from ..jrxml.dom import content_of, insert_child, local_name, new_node, report_element, tag
from ..jrxml.draft import Draft, ElementBox
from ..jrxml.expressions import references
from ..jrxml.refusals import EditRefused
from ..jrxml.tables import (
    EDGE_TOLERANCE_PT,
    MAX_RULE_WIDTH_PT,
    DetailTable,
    TableColumn,
    bands_below_rows,
    column_totals,
    find_column,
    main_table,
    text_lines,
    variables_computed_from,
)
from ..model.edits import AddColumn, DeleteColumn, MoveColumn, ResizeColumn
from .declarations import DATES, NUMBERS, STRING, drop_variables
from .geometry import fit

NARROWEST = 8
"""Points that a column keeps in any case."""
_ALONE = re.compile(r"\$[PFV]\{[^{}]+\}")


def delete(draft: Draft, edit: DeleteColumn) -> bool:
    table, n = find_column(draft, edit.field)
    column = table.columns[n]
    others = [node for node in _stacked(draft, table, column) if node not in column.cells]
    if others:  # the column is another field's as well, and stays
        for cell in column.cells:
            if edit.field in _names(cell):
                draft.remove(cell)
        return True
    if len(table.columns) == 1:
        raise EditRefused("column", "It is the only column of the rows.", "这是明细行唯一的一列。")
    borders = borders_of(table)
    names = column.names | {edit.field}
    for node in members(draft, table, n):
        if node.getparent() is not None:
            draft.remove(node)
    drop_variables(draft, names | {one for name in names for one in variables_computed_from(draft, name)})
    kept = [one for one in table.columns if one is not column]
    bounds = _shared([one.width for one in kept], [0] * len(kept), table.bounds)
    edges = [bounds[k if k <= n else k - 1] for k in range(len(table.bounds))]
    slots = [*pairwise(bounds)]
    shift_columns(draft, table, ColumnShift([*slots[:n], None, *slots[n:]], edges, edges))
    reborder(borders, kept)
    return True


def move(draft: Draft, edit: MoveColumn) -> bool:
    table, n = find_column(draft, edit.field)
    column = table.columns[n]
    order = [one for one in table.columns if one is not column]
    at = 0 if not edit.after else _number(draft, order, edit.after) + 1
    order.insert(at, column)
    if order == table.columns:
        return False
    _reorder(draft, table, order, [one.width for one in order])
    return True


def resize(draft: Draft, edit: ResizeColumn) -> bool:
    table, n = find_column(draft, edit.field)
    others = [one for one in table.columns if one is not table.columns[n]]
    total = table.bounds[-1] - table.bounds[0]
    most = total - sum(_need(draft, one) for one in others)
    width = max(NARROWEST, min(edit.width, most if others else total))
    if width == table.columns[n].width:
        if edit.width > width:
            raise EditRefused("room", "The other columns have no room to spare.", "其他列没有多余的宽度。")
        return False
    widths = _widths(_shared([one.width for one in others], [_need(draft, one) for one in others], [0, total - width]))
    _reorder(draft, table, table.columns, [*widths[:n], width, *widths[n:]])
    return True


def add(draft: Draft, edit: AddColumn) -> bool:
    """The new column looks like its neighbour; as wide as its header and values need, at most as the rest can spare."""
    try:
        table, n = find_column(draft, edit.field)
    except EditRefused:
        table = main_table(draft)
    else:
        if edit.expression is None or edit.expression in _reckoned(draft, table.columns[n].cell):
            raise EditRefused("already", f"The rows show {edit.field} already.", f"明细行已经显示 {edit.field}。")
    columns = table.columns
    at = len(columns) if edit.after is None else 0 if not edit.after else _number(draft, columns, edit.after) + 1
    field = draft.declared("field", edit.field)
    java_class = edit.java_class if field is None or edit.expression else field.get("class") or STRING
    if edit.expression is None and field is None:
        insert_child(draft.root, new_node("field", name=edit.field, **{"class": edit.java_class}))
    shown = f"$F{{{edit.field}}}"
    if edit.expression:  # what is printed as it is needs no variable to reckon it
        shown = edit.expression if _ALONE.fullmatch(edit.expression) else _variable(draft, edit)
    model = _model(draft, columns, at, java_class)
    borders, empty = borders_of(table), _cells_beneath(draft, model)
    rules = _rules_at(draft, table, table.bounds[at])

    total = table.bounds[-1] - table.bounds[0]
    needs = [_need(draft, one) for one in columns]
    most = max(total - sum(needs), total // (len(columns) + 1))
    width = max(NARROWEST, min(_wanted(draft, model, edit, java_class), most))
    widths = _widths(_shared([one.width for one in columns], needs, [0, total - width]))
    bounds = _bounds(table.bounds[0], [*widths[:at], width, *widths[at:]])
    slots = [*pairwise(bounds)]
    ends = len(bounds) - 1
    left = [bounds[0], *(bounds[k if k < at else k + 1] for k in range(1, ends))]
    right = [*(bounds[k if k <= at else k + 1] for k in range(ends - 1)), bounds[ends]]
    change = ColumnShift([*slots[:at], *slots[at + 1 :]], left, right)
    was = change.slots[columns.index(model)] or slots[at]
    shift_columns(draft, table, change)
    for rule in rules:
        _twin_rule(draft, rule, slots[at])
    for cell in empty:
        place = draft.box_of(cell)._replace(left=slots[at][0], right=slots[at][1])
        there = (draft.box_of(one) for one in draft.texts(draft.band_of(cell)) if one is not cell)
        if any(one.on_same_line(place) and one.overlap_x(place) > EDGE_TOLERANCE_PT for one in there):
            continue  # a label's cell reaches over the new column
        twin = clone_as_static_text(cell, "")
        draft.add_element(cell.getparent(), twin, f"{edit.field}_empty")
        draft.set_box(twin, place)
    _close_gaps(
        draft, [*bands_below_rows(draft), *group_header_bands(draft, table)], slots[at], (bounds[0], bounds[-1])
    )
    added = _new_column(draft, model, edit, shown, java_class, slots[at], was)
    reborder(borders, [*columns[:at], added, *columns[at:]])
    return True


def members(draft: Draft, table: DetailTable, n: int) -> list[etree._Element]:
    """Everything that belongs to a column alone: its cells, its header, its totals, the rule beside it."""
    column = table.columns[n]
    found = [*column.cells, *column_totals(draft, table, column)]
    found += [column.header] if column.header is not None else []
    for band, top, bottom in table_bands(table):
        for node in elements_in(band):
            place = draft.box_of(node)
            within = (
                place.left >= column.left - 1 and place.right <= column.right + 1 and place.width > MAX_RULE_WIDTH_PT
            )
            in_row = place.top >= top - EDGE_TOLERANCE_PT and place.bottom <= bottom + EDGE_TOLERANCE_PT
            own = local_name(node) != "textField" or _names(node) <= column.names
            if within and in_row and own and node not in found:
                found.append(node)
    edge = column.right if n < len(table.columns) - 1 else column.left
    other = column.left if edge == column.right else column.right
    for band in dict.fromkeys(
        (*(row[0] for row in table_bands(table)), *bands_below_rows(draft), *background_bands(draft))
    ):
        rules = vertical_rules(draft, band)
        for node, place in rules:
            twin = any(abs(one.left - other) <= EDGE_TOLERANCE_PT and one.overlap_y(place) > 0 for _, one in rules)
            if abs(place.left - edge) <= EDGE_TOLERANCE_PT and twin:
                found.append(node)
    return found


def _number(draft: Draft, columns: Sequence[TableColumn], name: str) -> int:
    """The number of the column that prints a field."""
    for n, column in enumerate(columns):
        if name in column.names or any(report_element(cell).get("key") == name for cell in column.cells):
            return n
    raise EditRefused("column", f"No column of the rows shows {name}.", f"明细行中没有显示 {name} 的列。")


def _names(cell: etree._Element) -> set[str]:
    """The fields and variables that a cell prints."""
    return {name for letter, name in references(content_of(cell)) if letter in "FV"}


def _classes(draft: Draft, cell: etree._Element) -> set[str]:
    """The classes of the fields and variables that a cell prints."""
    scopes = {"F": "field", "V": "variable"}
    nodes = (draft.declared(scopes[letter], name) for letter, name in references(content_of(cell)) if letter in scopes)
    return {node.get("class") or STRING for node in nodes if node is not None}


def _stacked(draft: Draft, table: DetailTable, column: TableColumn) -> list[etree._Element]:
    """Texts of the rows in a column's slot that print fields, in whichever line."""
    return [
        node
        for node in elements_in(table.detail)
        if _names(node)
        and column.left <= draft.box_of(node).center_x < column.right
        and draft.box_of(node).width <= column.width + EDGE_TOLERANCE_PT
    ]


# --- widths ----------------------------------------------------------------------------------------------------------


def _shared(widths: Sequence[int], needs: Sequence[int], ends: Sequence[int]) -> list[int]:
    """The edges of columns that fill a span, each as wide as its share, but as wide as it needs where that can be."""
    total = ends[-1] - ends[0]
    if sum(needs) > total:
        needs = [0] * len(widths)
    shares = [float(width) for width in widths]
    held: set[int] = set()
    while True:
        left = total - sum(needs[n] for n in held)
        free = sum(widths[n] for n in range(len(widths)) if n not in held) or 1
        shares = [needs[n] if n in held else widths[n] * left / free for n in range(len(widths))]
        short = {n for n in range(len(widths)) if n not in held and shares[n] < needs[n]}
        if not short:
            return _bounds(ends[0], shares)
        held |= short


def _bounds(start: int, widths: Sequence[float]) -> list[int]:
    """Whole edges of columns of these widths."""
    return [start + round(sum(widths[:n])) for n in range(len(widths) + 1)]


def _widths(bounds: Sequence[int]) -> list[int]:
    return [b - a for a, b in pairwise(bounds)]


def _need(draft: Draft, column: TableColumn) -> int:
    """How narrow a column may become: its header stays unbroken, and its values, as far as one can tell."""
    need = NARROWEST
    if column.header is not None and local_name(column.header) == "staticText":
        need = draft.style_of(column.header).width_of(content_of(column.header))
    cell = column.cell
    if local_name(cell) == "textField":
        classes = _classes(draft, cell)
        if classes and classes <= NUMBERS | DATES:
            need = max(need, draft.style_of(cell).width_of(_typical(classes.pop(), cell.get("pattern"))))
    return min(need, column.width)


def _typical(java_class: str, pattern: str | None) -> str:
    """A value as it may be printed."""
    if java_class in DATES:
        return (pattern or "yyyy-MM-dd").replace("'", "").replace("yyyy", "8888")
    if java_class in NUMBERS:
        sign = re.sub(r"[#0,.;'%].*", "", pattern or "")
        return sign + ("88,888.88" if pattern and "." in pattern else "8,888")
    return "8888888888"


def _wanted(draft: Draft, model: TableColumn, edit: AddColumn, java_class: str) -> int:
    header = draft.style_of(model.header if model.header is not None else model.cell)
    slack = 2 * NARROWEST
    values = draft.style_of(model.cell).width_of(_typical(java_class, edit.pattern))
    return max(header.width_of(edit.label), values) + slack


# --- places ----------------------------------------------------------------------------------------------------------


def _reorder(draft: Draft, table: DetailTable, order: Sequence[TableColumn], widths: Sequence[int]) -> None:
    borders = borders_of(table)
    bounds = _bounds(table.bounds[0], widths)
    by_column = {id(column): (bounds[n], bounds[n + 1]) for n, column in enumerate(order)}
    shift_columns(draft, table, ColumnShift([by_column[id(column)] for column in table.columns], bounds, bounds))
    reborder(borders, order)


def stretch(draft: Draft, table: DetailTable, bounds: Sequence[int]) -> set[etree._Element]:
    """Give the columns other edges; what followed them."""
    return shift_columns(draft, table, ColumnShift([*pairwise(bounds)], bounds, bounds))


# --- rules between columns -------------------------------------------------------------------------------------------


def _rules_at(draft: Draft, table: DetailTable, edge: int) -> list[etree._Element]:
    """The rules of the table that stand at one of its edges."""
    return [
        node
        for band in dict.fromkeys(row[0] for row in table_bands(table))
        for node, place in vertical_rules(draft, band)
        if abs(place.left - edge) <= EDGE_TOLERANCE_PT
    ]


def _twin_rule(draft: Draft, rule: etree._Element, slot: tuple[int, int]) -> None:
    """Put a second rule at the other side of a new column."""
    place = draft.box_of(rule)
    by = slot[1] - slot[0]
    if abs(place.left - slot[1]) < abs(place.left - slot[0]):
        by = -by
    twin = copy.deepcopy(rule)
    report = report_element(twin)
    for made_from in report.findall(tag("property")):
        report.remove(made_from)
    draft.add_element(rule.getparent(), twin, report.get("key") or "rule")
    draft.set_box(twin, place._replace(left=place.left + by, right=place.right + by))


# --- a new column ----------------------------------------------------------------------------------------------------


def _model(draft: Draft, columns: Sequence[TableColumn], at: int, java_class: str) -> TableColumn:
    """The column that a new one looks like: the nearest with values of its kind, else the nearest."""
    nearest = sorted(range(len(columns)), key=lambda n: abs(n + 0.5 - at))
    alike = [n for n in nearest if _is_number(draft, columns[n]) == (java_class in NUMBERS)]
    near = [n for n in alike if n in (at - 1, at)] or (alike or nearest)
    return columns[near[0]]


def _is_number(draft: Draft, column: TableColumn) -> bool:
    return bool(_classes(draft, column.cell) & NUMBERS)


def _close_gaps(draft: Draft, bands: Sequence[etree._Element], slot: tuple[int, int], ends: tuple[int, int]) -> None:
    """Let each row of cells that spans the table span a new column as well: words go on, values leave an empty cell."""
    low, high = slot[1] if slot[0] == ends[0] else ends[0], slot[0] if slot[1] == ends[1] else ends[1]
    for band in bands:
        for line in text_lines(draft, band):
            cells = [(node, place) for node, place in line if draft.style_of(node).is_cell]
            first = min((place.left for _, place in cells), default=ends[1])
            last = max((place.right for _, place in cells), default=ends[0])
            over = any(
                place.left < slot[1] - EDGE_TOLERANCE_PT and place.right > slot[0] + EDGE_TOLERANCE_PT
                for _, place in line
            )
            if over or abs(first - low) > EDGE_TOLERANCE_PT or abs(last - high) > EDGE_TOLERANCE_PT:
                continue
            beside = [(node, place) for node, place in cells if abs(place.right - slot[0]) <= EDGE_TOLERANCE_PT]
            beside += [(node, place) for node, place in cells if abs(place.left - slot[1]) <= EDGE_TOLERANCE_PT]
            node, place = beside[0]
            if local_name(node) == "staticText" or local_name(band.getparent()) == "groupHeader":
                wide = place._replace(left=min(place.left, slot[0]), right=max(place.right, slot[1]))
                draft.set_box(node, wide)
                continue
            empty = clone_as_static_text(node, "")
            draft.add_element(band, empty, f"{report_element(node).get('key') or 'cell'}_empty")
            draft.set_box(empty, place._replace(left=slot[0], right=slot[1]))


def _reckoned(draft: Draft, cell: etree._Element) -> set[str]:
    """The expression of a cell, and those of the variables in it."""
    found = {content_of(cell)}
    for letter, name in references(content_of(cell)):
        if letter == "V" and (node := draft.declared("variable", name)) is not None:
            found.add((node.findtext(tag("variableExpression")) or "").strip())
    return found


def _variable(draft: Draft, edit: AddColumn) -> str:
    """A variable that reckons the new column: rows can be sorted by it, and it can be added up and compared."""
    node = new_node("variable", name=draft.free_name("variable", edit.field), **{"class": edit.java_class})
    node.append(new_node("variableExpression", edit.expression or ""))
    insert_child(draft.root, node)
    return f"$V{{{node.get('name')}}}"


def _new_column(
    draft: Draft,
    model: TableColumn,
    edit: AddColumn,
    shown: str,
    java_class: str,
    slot: tuple[int, int],
    was: tuple[int, int],
) -> TableColumn:
    """The new cell and its header, at the same distance from their slot's sides as the model's."""
    cell = clone_as_text_field(model.cell, shown, edit.pattern)
    if _is_number(draft, model) != (java_class in NUMBERS) and draft.style_of(model.cell).align != "Center":
        set_alignment(cell, "Right" if java_class in NUMBERS else "Left")
    places = {node: draft.box_of(node) for node in (model.cell, model.header) if node is not None}
    draft.add_element(model.cell.getparent(), cell, edit.field)
    draft.set_box(cell, _moved(places[model.cell], was, slot))
    header = None
    if model.header is not None:
        header = clone_as_static_text(model.header, edit.label)
        if draft.style_of(model.header).align != "Center":
            set_alignment(header, draft.style_of(cell).align)
        draft.add_element(model.header.getparent(), header, f"{edit.field}_header")
        draft.set_box(header, _moved(places[model.header], was, slot))
        fit(draft, header)
    return TableColumn([cell], draft.box_of(cell), header, *slot)


def _moved(place: ElementBox, was: tuple[int, int], slot: tuple[int, int]) -> ElementBox:
    """A place in one slot as a place in another: over all of it but for what the model leaves at its sides."""
    before, after = min(place.left - was[0], NARROWEST), min(was[1] - place.right, NARROWEST)
    return place._replace(left=slot[0] + before, right=slot[1] - after)


def _cells_beneath(draft: Draft, column: TableColumn) -> list[etree._Element]:
    """Bordered cells under the rows that are just as wide as a column."""
    return [
        node
        for band in bands_below_rows(draft)
        for node in draft.texts(band)
        if abs(draft.box_of(node).left - column.left) <= 1
        and abs(draft.box_of(node).right - column.right) <= 1
        and draft.style_of(node).is_cell
    ]
