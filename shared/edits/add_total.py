"""Add a total of a column."""

from __future__ import annotations

from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.bands import elements_in
from ..jrxml.clone_style import (
    clone_as_static_text,
    clone_as_text_field,
    drop_alternating_style,
    make_bold,
    set_alignment,
)
from ..jrxml.declarations import NUMBER_CLASSES, STRING_CLASS
from ..jrxml.dom import child_text, content_of, insert_child, local_name, new_node, report_element, tag
from ..jrxml.draft import Draft, ElementBox
from ..jrxml.expressions import references
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused, no_field, no_group
from ..jrxml.tables import (
    EDGE_TOLERANCE_PT,
    DetailTable,
    TableColumn,
    column_label,
    draw_row_rules,
    find_column,
    header_tint,
    row_height,
)
from ..jrxml.totals import printed_calculations, prints_variable
from ..replies import Text, text
from .base import Calculation, Clause, Edit, KnownNames

_INTEGER_CLASSES = frozenset({"java.lang.Byte", "java.lang.Short", "java.lang.Integer", "java.lang.Long"})
_AVERAGE_DECIMALS = 4
"""The engine rounds an average to the decimals of its values, so they are given this many."""


class AddTotal(Edit):
    """Add a total of a column below the rows, or with `group` below each group."""

    do: Literal["total"] = "total"
    field: str
    calculation: Calculation = "Sum"
    group: str | None = None
    label: str | None = None
    """Its label; None keeps an existing label, an empty text adds none."""

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        table, n = find_column(draft, self.field)
        cell = table.columns[n].cell
        expression = content_of(cell) if local_name(cell) == "textField" else ""
        java_class = _class_of(draft, self.field, expression)
        numeric = self.calculation in ("Sum", "Average")
        if numeric and java_class not in NUMBER_CLASSES:
            raise EditRefused("class", self._message("edits.add_total.not_numeric", self.field))
        group = None
        if self.group is not None and (group := draft.group(self.group)) is None:
            raise no_group(self.group)
        if draft.declared("field", self.field) is not None:
            expression = f"$F{{{self.field}}}"
        variable = _variable(draft, self, group, expression, java_class)
        band = draft.group_band(group, "groupFooter") if group is not None else draft.ensure_band("summary")
        if any(("V", variable) in references(content_of(node)) for node in elements_in(band)):
            label = column_label(draft, table, self.field)
            raise EditRefused("already", self._message("edits.add_total.already", label))
        _add_total(draft, table, n, self, band, f"$V{{{variable}}}")
        return True

    def _message(self, code: str, field: str) -> Text:
        return Text.of(code, field=field, calculation=Text.of(f"edits.calculation.{self.calculation}"))

    def describe(self, labels: TemplateLabels) -> Clause:
        subject, values = labels.field(self.field), {"calculation": labels.calculation(self.calculation)}
        if self.group is None:
            return Clause("edits.add_total.done", subject, values)
        return Clause("edits.add_total.done_for_group", subject, {**values, "group": labels.field(self.group)})

    def is_known(self, names: KnownNames) -> bool:
        return self.field in names.columns or self.field in names.fields


def _class_of(draft: Draft, field: str, expression: str) -> str:
    """Return the class of a field, or of the value of an expression."""
    declared = draft.declared("field", field)
    if declared is None:
        declared = draft.declared("variable", field)
    if declared is not None:
        return declared.get("class") or STRING_CLASS
    if not expression:
        raise no_field(field)
    classes = {
        node.get("class")
        for letter, name in references(expression)
        if letter == "F" and (node := draft.declared("field", name)) is not None
    }
    if not classes <= NUMBER_CLASSES:
        return STRING_CLASS
    if "java.math.BigDecimal" in classes:
        return "java.math.BigDecimal"
    return next(iter(classes), STRING_CLASS) or STRING_CLASS


def _variable(draft: Draft, edit: AddTotal, group: etree._Element | None, expression: str, java_class: str) -> str:
    """Return the name of the variable that computes the total; it is declared if there is none."""
    computed, result_class = _computed(edit.calculation, expression, java_class)
    attributes = {"class": result_class, "calculation": edit.calculation}
    if group is not None:
        attributes |= {"resetType": "Group", "resetGroup": group.get("name") or ""}
    for node in draft.root.findall(tag("variable")):
        same = all(node.get(name) == value for name, value in attributes.items() if name != "class")
        of_report = group is not None or node.get("resetType", "Report") == "Report"
        if same and of_report and child_text(node, "variableExpression") in (computed, expression):
            return node.get("name") or ""
    stem = f"{edit.field}_{edit.calculation.lower()}" + (f"_{group.get('name')}" if group is not None else "")
    node = new_node("variable", name=draft.free_name("variable", stem), **attributes)
    node.append(new_node("variableExpression", computed))
    insert_child(draft.root, node)
    return node.get("name") or ""


def _computed(calculation: Calculation, expression: str, java_class: str) -> tuple[str, str]:
    """Return the expression that the engine adds up, and the class of the result."""
    if calculation == "Count":
        return expression, "java.lang.Integer"
    if calculation == "Sum" and java_class in _INTEGER_CLASSES:
        return expression, "java.lang.Long"  # a sum soon exceeds an Integer
    if calculation == "Average":
        value = f"({expression})"
        exact = value if java_class == "java.math.BigDecimal" else f"new BigDecimal({value}.toString())"
        return (
            f"{value} == null ? null : {exact}.setScale({_AVERAGE_DECIMALS}, RoundingMode.HALF_UP)",
            "java.math.BigDecimal",
        )
    return expression, java_class


def _add_total(draft: Draft, table: DetailTable, n: int, edit: AddTotal, band: etree._Element, expression: str) -> None:
    """Put a total below its column, into the existing row of such totals, else into a new one."""
    label = _label(draft, edit)
    slot = table.columns[n]
    pattern = slot.cell.get("pattern") if edit.calculation != "Count" else None
    sibling = _row_with_space(draft, table, n, band, edit)
    row = draft.box_of(sibling) if sibling is not None else _new_row(draft, table, n, band, label)
    filler = next(
        (
            node
            for node in draft.texts(band)
            if draft.box_of(node).on_same_line(row) and _is_filler(draft, node, slot.left, slot.right)
        ),
        None,
    )
    is_plain = sibling is not None and not draft.style_of(sibling).is_cell
    filled = filler is not None and report_element(filler).get("mode") == "Opaque"
    model = filler if filled else sibling if is_plain else slot.cell
    assert model is not None
    total = clone_as_text_field(model, expression, pattern)
    drop_alternating_style(draft.root, total, header_tint(table))
    set_alignment(total, draft.style_of(slot.cell).align)
    make_bold(total)
    for name in ("textAdjust", "isStretchWithOverflow"):
        if value := slot.cell.get(name):
            total.set(name, value)
    box = draft.box_of(slot.cell)
    key = f"{edit.field}_{edit.calculation.lower()}"
    if filler is not None:
        key = report_element(filler).get("key") or key
        draft.remove(filler)
    draft.add_element(band, total, key)
    draft.set_box(total, ElementBox(box.left, row.top, box.right, row.bottom))


def _label(draft: Draft, edit: AddTotal) -> str:
    """Return the label of the row, in the language of the report."""
    if edit.label is not None:
        return edit.label
    if edit.calculation == "Nothing":
        return ""
    kind = "group" if edit.group and edit.calculation == "Sum" else edit.calculation
    return text(f"edits.add_total.label.{kind}", "zh" if draft.is_chinese() else "en")


def _is_filler(draft: Draft, node: etree._Element, left: int, right: int) -> bool:
    """Return whether an element is an empty cell that fills a column."""
    box = draft.box_of(node)
    empty = local_name(node) == "staticText" and not content_of(node)
    return empty and abs(box.left - left) <= EDGE_TOLERANCE_PT and abs(box.right - right) <= EDGE_TOLERANCE_PT


def _row_with_space(
    draft: Draft, table: DetailTable, n: int, band: etree._Element, edit: AddTotal
) -> etree._Element | None:
    """Return a total of the same kind in whose row the space below the column is free; a label there gives way."""
    column = table.columns[n]
    for node in draft.texts(band):
        if printed_calculations(draft, node) != {edit.calculation}:
            continue
        box = draft.box_of(node)
        beside = [one for one in draft.texts(band) if draft.box_of(one).on_same_line(box)]
        words = [content_of(one) for one in beside if local_name(one) == "staticText" and content_of(one)]
        if edit.label and words and words != [edit.label]:
            continue
        in_the_way = [
            one
            for one in beside
            if draft.box_of(one).left < column.right - EDGE_TOLERANCE_PT
            and draft.box_of(one).right > column.left + EDGE_TOLERANCE_PT
            and not _is_filler(draft, one, column.left, column.right)
        ]
        if not in_the_way:
            return node
        if len(in_the_way) == 1 and local_name(in_the_way[0]) == "staticText":
            label = draft.box_of(in_the_way[0])
            if label.left + draft.style_of(in_the_way[0]).width_of(content_of(in_the_way[0])) <= column.left:
                if draft.style_of(in_the_way[0]).is_cell:
                    _split_label(draft, table, in_the_way[0], column)
                draft.set_box(in_the_way[0], label._replace(right=column.left))
                return node
    return None


def _split_label(draft: Draft, table: DetailTable, label: etree._Element, column: TableColumn) -> None:
    """Replace what a label's cell covers of a column, and of those to its right, by empty cells."""
    box = draft.box_of(label)
    for one in table.columns[table.columns.index(column) :]:
        if one.left < box.right - EDGE_TOLERANCE_PT:
            empty = clone_as_static_text(label, "")
            draft.add_element(label.getparent(), empty, f"{report_element(one.cell).get('key') or 'cell'}_empty")
            draft.set_box(empty, box._replace(left=one.left, right=min(one.right, box.right)))


def _new_row(draft: Draft, table: DetailTable, n: int, band: etree._Element, label: str) -> ElementBox:
    """Insert a row of totals below the existing ones, with its label and empty cells. Return its box."""
    columns = table.columns
    height = max(row_height(table), *(_line_height(draft, cell) for cell in (columns[0].cell, columns[n].cell)))
    top = _end_of_totals(draft, table, band)
    draft.grow_band(band, top, height)
    row = ElementBox(table.bounds[0], top, table.bounds[-1], top + height)
    cells = draft.style_of(columns[n].cell).is_cell
    first = 0
    if label and n > 0:
        span = _label_span(draft, table, n, label)
        model = columns[0].cell
        node = clone_as_static_text(model, label)
        drop_alternating_style(draft.root, node, header_tint(table))
        make_bold(node)
        if draft.style_of(model).align != "Left":
            set_alignment(node, "Left" if span > 1 and not cells else "Center")
        left = columns[0].left if cells else draft.box_of(model).left
        right = columns[span - 1].right if cells else draft.box_of(columns[span - 1].cell).right
        draft.add_element(band, node, f"{report_element(columns[n].cell).get('key') or 'total'}_label")
        draft.set_box(node, row._replace(left=left, right=right))
        first = span
    for column in columns[first:] if cells else ():
        if column is not columns[n]:
            empty = clone_as_static_text(column.cell, "")
            drop_alternating_style(draft.root, empty, header_tint(table))
            draft.add_element(band, empty, f"{report_element(column.cell).get('key') or 'cell'}_empty")
            box = draft.box_of(column.cell)
            draft.set_box(empty, row._replace(left=box.left, right=box.right))
    draw_row_rules(draft, table, band, row, inner=True)
    return row


def _end_of_totals(draft: Draft, table: DetailTable, band: etree._Element) -> int:
    """Return where the last row of totals ends: at its closing rule, else below its texts; 0 if there is none."""
    texts = {node: draft.box_of(node) for node in draft.texts(band)}
    totals = [box for node, box in texts.items() if prints_variable(node)]
    if not totals:
        return 0
    last = max(totals, key=lambda box: box.bottom)
    end = max(box.bottom for box in texts.values() if box.on_same_line(last))
    closing = [
        box.top
        for node in elements_in(band)
        if local_name(node) == "line"
        and (box := draft.box_of(node)).height <= EDGE_TOLERANCE_PT
        and 2 * box.overlap_x(ElementBox(table.bounds[0], 0, table.bounds[-1], 0)) > table.bounds[-1] - table.bounds[0]
        and end - EDGE_TOLERANCE_PT <= box.top < end + row_height(table)
    ]
    return min(closing, default=end)


def _line_height(draft: Draft, cell: etree._Element) -> int:
    """Return the height that one line of text needs in a cell like this."""
    return draft.style_of(cell).height_of("合Tg", draft.page_width)


def _label_span(draft: Draft, table: DetailTable, n: int, label: str) -> int:
    """Return how many columns, from the first, a label has to span to stay on one line."""
    wide = draft.style_of(table.columns[0].cell).width_of(label) + 2
    return next((k for k in range(1, n) if table.columns[k - 1].right - table.bounds[0] >= wide), n)
