"""Totals: what the rows of the report, or of a group, add up to, beneath the column that it is of."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lxml import etree

from bandsmith.shared.model.edits import AddTotal, Calculation, DeleteTotal

from .copies import aligned, bold, field_like, static_like, steady
from .declarations import NUMBERS, STRING, drop_variables, no_group
from .draft import Draft, Place
from .outcome import Refused, no_field
from .table import SNAP, Column, Table, find, label_of, row_height, rule, shade
from .tree import child, insert, inside, local, make, references, report_element, tag, wording

_WORDS: dict[Calculation, tuple[str, str]] = {
    "Sum": ("Total", "合计"),
    "Average": ("Average", "平均"),
    "Count": ("Count", "计数"),
    "Lowest": ("Lowest", "最小"),
    "Highest": ("Highest", "最大"),
    "Nothing": ("", ""),
}
_OF_GROUP = ("Subtotal", "小计")
_TOTAL_WORDS = re.compile(
    r"total|sum|average|mean|count|lowest|highest|[合总小共累]计|总[和额数]|平均|计数|最[大小高低]", re.IGNORECASE
)
_WHOLE = frozenset({"java.lang.Byte", "java.lang.Short", "java.lang.Integer", "java.lang.Long"})
_AVERAGE_PLACES = 4
"""The engine rounds an average to the decimals of its values: they are given so many."""


def add(draft: Draft, edit: AddTotal) -> bool:
    table, n = find(draft, edit.field)
    cell = table.columns[n].cell
    expression = wording(cell) if local(cell) == "textField" else ""
    java_class = _class_of(draft, edit.field, expression)
    numeric = edit.calculation in ("Sum", "Average")
    if numeric and java_class not in NUMBERS:
        raise Refused(
            "class",
            f"{edit.field} holds text, not numbers, so it has no {edit.calculation.lower()}.",
            f"{edit.field} 是文本而不是数字,无法计算{_WORDS[edit.calculation][1]}。",
        )
    group = None
    if edit.group is not None and (group := draft.group(edit.group)) is None:
        raise no_group(edit.group)
    if draft.declared("field", edit.field) is not None:
        expression = f"$F{{{edit.field}}}"
    variable = _variable(draft, edit, group, expression, java_class)
    band = draft.group_band(group, "groupFooter") if group is not None else draft.ensure_band("summary")
    if any(("V", variable) in references(wording(node)) for node in inside(band)):
        label = label_of(draft, table, edit.field)
        what, zh = _WORDS[edit.calculation]
        raise Refused("already", f"The {what.lower()} of {label} is there already.", f"已经有「{label}」的{zh}。")
    _place(draft, table, n, edit, band, f"$V{{{variable}}}")
    return True


def delete(draft: Draft, edit: DeleteTotal) -> bool:
    found = of(draft, edit)
    if not found:
        raise Refused("already", "There is no such total.", "没有这样的合计。")
    names = {name for node in found for letter, name in references(wording(node)) if letter == "V"}
    for node in found:
        if node.getparent() is not None:
            _take_out(draft, node, found)
    drop_variables(draft, names)
    return True


def of(draft: Draft, edit: DeleteTotal) -> list[etree._Element]:
    """The texts that print the totals that an edit names."""
    if edit.group is not None:
        group = draft.group(edit.group)
        section = child(group, "groupFooter") if group is not None else None
        bands = section.findall(tag("band")) if section is not None else []
    else:
        bands = [band for name, band in draft.bands() if name in ("summary", "columnFooter", "lastPageFooter")]
    kinds = {edit.calculation} if edit.calculation else set(_WORDS) - {"Nothing"}
    mine = _totals_of(draft, edit.field) if edit.field is not None else None
    return [
        node
        for band in bands
        for node in draft.texts(band)
        if _calculations(draft, node) & kinds
        and (mine is None or mine & {name for letter, name in references(wording(node)) if letter == "V"})
    ]


def _totals_of(draft: Draft, field: str) -> set[str]:
    """The variables that total a field, or what is reckoned of each row, itself."""
    wanted = {("F", field), ("V", field)}
    return {
        node.get("name") or ""
        for node in draft.root.findall(tag("variable"))
        if node.get("calculation", "Nothing") != "Nothing"
        and set(references(node.findtext(tag("variableExpression")) or "")) & wanted
    }


def row_of(draft: Draft, total: etree._Element, gone: Sequence[etree._Element]) -> list[etree._Element]:
    """What goes with a total: its label and the empty cells beside it; nothing while another total stands there."""
    band, place = draft.band_of(total), draft.place(total)
    beside = [node for node in draft.texts(band) if node not in gone and draft.place(node).beside(place)]
    if any("$V{" in wording(node) for node in beside):
        return []
    plain = [node for node in beside if local(node) == "staticText"]
    worded = [node for node in plain if wording(node)]
    named = [node for node in worded if _TOTAL_WORDS.search(wording(node))]
    return [node for node in plain if not wording(node)] + (named or (worded if len(worded) == 1 else []))


def _take_out(draft: Draft, total: etree._Element, gone: Sequence[etree._Element]) -> None:
    """A total leaves an empty cell in a row of others; the last of a row takes the row along."""
    band, place = draft.band_of(total), draft.place(total)
    with_it = row_of(draft, total, gone)
    same = [node for node in gone if node.getparent() is not None and draft.place(node).beside(place)]
    stays = any(
        "$V{" in wording(one) and one not in gone and draft.place(one).beside(place) for one in draft.texts(band)
    )
    for node in [*same, *with_it] if not stays else [total]:
        if stays and draft.look(node).is_cell:
            empty, at, key = static_like(node, ""), draft.place(node), report_element(node).get("key") or "cell"
            draft.remove(node)
            draft.put(band, empty, f"{key}_empty")
            draft.set_place(empty, at)
        else:
            draft.remove(node)
    if not stays:
        draft.close(band, place.top, place.bottom)


def _class_of(draft: Draft, field: str, expression: str) -> str:
    """The class of a field, or of what an expression makes of several."""
    declared = draft.declared("field", field)
    if declared is None:
        declared = draft.declared("variable", field)
    if declared is not None:
        return declared.get("class") or STRING
    if not expression:
        raise no_field(field)
    classes = {
        node.get("class")
        for letter, name in references(expression)
        if letter == "F" and (node := draft.declared("field", name)) is not None
    }
    if not classes <= NUMBERS:
        return STRING
    return "java.math.BigDecimal" if "java.math.BigDecimal" in classes else next(iter(classes), STRING) or STRING


def _variable(draft: Draft, edit: AddTotal, group: etree._Element | None, expression: str, java_class: str) -> str:
    """The name of the variable that reckons the total; one that does so already is taken."""
    reckoned, made = _reckoned(edit.calculation, expression, java_class)
    attributes = {"class": made, "calculation": edit.calculation}
    if group is not None:
        attributes |= {"resetType": "Group", "resetGroup": group.get("name") or ""}
    for node in draft.root.findall(tag("variable")):
        same = all(node.get(name) == value for name, value in attributes.items() if name != "class")
        plain = group is not None or node.get("resetType", "Report") == "Report"
        if same and plain and (node.findtext(tag("variableExpression")) or "").strip() in (reckoned, expression):
            return node.get("name") or ""
    stem = f"{edit.field}_{edit.calculation.lower()}" + (f"_{group.get('name')}" if group is not None else "")
    node = make("variable", name=draft.free_name("variable", stem), **attributes)
    node.append(make("variableExpression", reckoned))
    insert(draft.root, node)
    return node.get("name") or ""


def _reckoned(calculation: Calculation, expression: str, java_class: str) -> tuple[str, str]:
    """The expression that the engine adds up, and the class of what it makes of it."""
    if calculation == "Count":
        return expression, "java.lang.Integer"
    if calculation == "Sum" and java_class in _WHOLE:
        return expression, "java.lang.Long"  # many whole numbers soon are more than an Integer holds
    if calculation == "Average":
        value = f"({expression})"
        exact = value if java_class == "java.math.BigDecimal" else f"new BigDecimal({value}.toString())"
        return (
            f"{value} == null ? null : {exact}.setScale({_AVERAGE_PLACES}, RoundingMode.HALF_UP)",
            "java.math.BigDecimal",
        )
    return expression, java_class


def _place(draft: Draft, table: Table, n: int, edit: AddTotal, band: etree._Element, expression: str) -> None:
    """Put a total under its column, in the row of totals that stands there with its label, else in a new one."""
    label = _label(draft, edit)
    slot = table.columns[n]
    pattern = slot.cell.get("pattern") if edit.calculation != "Count" else None
    sibling = _row(draft, table, n, band, edit)
    row = draft.place(sibling) if sibling is not None else _new_row(draft, table, n, band, label)
    filler = next(
        (
            node
            for node in draft.texts(band)
            if draft.place(node).beside(row) and _fills(draft, node, slot.left, slot.right)
        ),
        None,
    )
    is_plain = sibling is not None and not draft.look(sibling).is_cell
    filled = filler is not None and report_element(filler).get("mode") == "Opaque"
    model = filler if filled else sibling if is_plain else slot.cell
    assert model is not None
    total = field_like(model, expression, pattern)
    steady(draft.root, total, shade(table))
    aligned(total, draft.look(slot.cell).align)
    bold(total)
    for name in ("textAdjust", "isStretchWithOverflow"):
        if value := slot.cell.get(name):
            total.set(name, value)
    place = draft.place(slot.cell)
    key = f"{edit.field}_{edit.calculation.lower()}"
    if filler is not None:
        key = report_element(filler).get("key") or key
        draft.remove(filler)
    draft.put(band, total, key)
    draft.set_place(total, Place(place.left, row.top, place.right, row.bottom))


def _label(draft: Draft, edit: AddTotal) -> str:
    if edit.label is not None:
        return edit.label
    words = _OF_GROUP if edit.group and edit.calculation == "Sum" else _WORDS[edit.calculation]
    return words[draft.chinese()]


def _fills(draft: Draft, node: etree._Element, left: int, right: int) -> bool:
    """Whether an element is an empty cell that only keeps a column's place."""
    place = draft.place(node)
    empty = local(node) == "staticText" and not wording(node)
    return empty and abs(place.left - left) <= SNAP and abs(place.right - right) <= SNAP


def _row(draft: Draft, table: Table, n: int, band: etree._Element, edit: AddTotal) -> etree._Element | None:
    """A total of the same kind in whose row the place under the column is free; its label gives way."""
    column = table.columns[n]
    for node in draft.texts(band):
        if _calculations(draft, node) != {edit.calculation}:
            continue
        place = draft.place(node)
        beside = [one for one in draft.texts(band) if draft.place(one).beside(place)]
        words = [wording(one) for one in beside if local(one) == "staticText" and wording(one)]
        if edit.label and words and words != [edit.label]:
            continue
        taken = [
            one
            for one in beside
            if draft.place(one).left < column.right - SNAP
            and draft.place(one).right > column.left + SNAP
            and not _fills(draft, one, column.left, column.right)
        ]
        if not taken:
            return node
        if len(taken) == 1 and local(taken[0]) == "staticText":
            label = draft.place(taken[0])
            if label.left + draft.look(taken[0]).width_of(wording(taken[0])) <= column.left:
                if draft.look(taken[0]).is_cell:
                    _parted(draft, table, taken[0], column)
                draft.set_place(taken[0], label._replace(right=column.left))
                return node
    return None


def _parted(draft: Draft, table: Table, label: etree._Element, column: Column) -> None:
    """Put empty cells in the place of what a label's cell takes of a column and of those right of it."""
    place = draft.place(label)
    for one in table.columns[table.columns.index(column) :]:
        if one.left < place.right - SNAP:
            empty = static_like(label, "")
            draft.put(label.getparent(), empty, f"{report_element(one.cell).get('key') or 'cell'}_empty")
            draft.set_place(empty, place._replace(left=one.left, right=min(one.right, place.right)))


def _calculations(draft: Draft, node: etree._Element) -> set[str]:
    """How the variables that an element prints are reckoned."""
    names = [name for letter, name in references(wording(node)) if letter == "V"]
    declared = [draft.declared("variable", name) for name in names]
    return {one.get("calculation", "Nothing") for one in declared if one is not None}


def _new_row(draft: Draft, table: Table, n: int, band: etree._Element, label: str) -> Place:
    """Open a row right under the rows, below the totals that stand there, with its label and empty cells."""
    columns = table.columns
    height = max(row_height(table), *(_height(draft, cell) for cell in (columns[0].cell, columns[n].cell)))
    top = _end_of_totals(draft, table, band)
    draft.make_room(band, top, height)
    row = Place(table.bounds[0], top, table.bounds[-1], top + height)
    cells = draft.look(columns[n].cell).is_cell
    first = 0
    if label and n > 0:
        span = _label_span(draft, table, n, label)
        model = columns[0].cell
        node = static_like(model, label)
        steady(draft.root, node, shade(table))
        bold(node)
        if draft.look(model).align != "Left":
            aligned(node, "Left" if span > 1 and not cells else "Center")
        left = columns[0].left if cells else draft.place(model).left
        right = columns[span - 1].right if cells else draft.place(columns[span - 1].cell).right
        draft.put(band, node, f"{report_element(columns[n].cell).get('key') or 'total'}_label")
        draft.set_place(node, row._replace(left=left, right=right))
        first = span
    for column in columns[first:] if cells else ():
        if column is not columns[n]:
            empty = static_like(column.cell, "")
            steady(draft.root, empty, shade(table))
            draft.put(band, empty, f"{report_element(column.cell).get('key') or 'cell'}_empty")
            place = draft.place(column.cell)
            draft.set_place(empty, row._replace(left=place.left, right=place.right))
    rule(draft, table, band, row, inner=True)
    return row


def _end_of_totals(draft: Draft, table: Table, band: etree._Element) -> int:
    """Where the last row with a total ends: under all of its words, at the rule that closes it; 0 where none is."""
    texts = {node: draft.place(node) for node in draft.texts(band)}
    totals = [place for node, place in texts.items() if "$V{" in wording(node)]
    if not totals:
        return 0
    last = max(totals, key=lambda place: place.bottom)
    end = max(place.bottom for place in texts.values() if place.beside(last))
    closing = [
        place.top
        for node in inside(band)
        if local(node) == "line"
        and (place := draft.place(node)).height <= SNAP
        and 2 * place.across(Place(table.bounds[0], 0, table.bounds[-1], 0)) > table.bounds[-1] - table.bounds[0]
        and end - SNAP <= place.top < end + row_height(table)
    ]
    return min(closing, default=end)


def _height(draft: Draft, cell: etree._Element) -> int:
    """Points that one line of any words needs in a cell like this."""
    return draft.look(cell).height_of("合Tg", draft.page_width)


def _label_span(draft: Draft, table: Table, n: int, label: str) -> int:
    """Over how many columns, from the first, a label reaches so that it stays in one line."""
    wide = draft.look(table.columns[0].cell).width_of(label) + 2
    return next((k for k in range(1, n) if table.columns[k - 1].right - table.bounds[0] >= wide), n)
