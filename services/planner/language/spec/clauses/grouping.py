"""What the rows are grouped by. What users say is in ``templates/*/spec_grouping.toml``."""

from __future__ import annotations

from bandsmith.shared.fields.column_kinds import meaning

from ...sentence_templates import Slots, listed
from ..labels import cleaned, is_label, split
from .base import Builder, SpecClauses

_UNITS = frozenset({
    "liter", "litre", "kg", "km", "hour", "unit", "piece", "day", "item", "person", "head", "night", "pack", "box",
    "ton", "gallon", "mile", "minute", "week", "pound", "meter", "metre", "square meter", "m2", "kwh",
})  # fmt: skip
"""What stands behind "per" in the name of a column: the price per litre."""
_NO_GROUP = frozenset({
    "组", "个组", "有", "自有", "自", "分组", "列", "页", "行",
    "group", "groups", "column", "columns", "page", "row", "line", "report",
})  # fmt: skip
"""What stands for every group, or for no group at all."""


def group_pages(clauses: SpecClauses, slots: Slots) -> str | None:
    """`every region starts on a new page`."""
    labels = _labels(slots)
    if not labels:
        return None
    clauses.group_pages += [clauses.note(label) for label in labels]
    return ", "


def group(clauses: SpecClauses, slots: Slots) -> str | None:
    labels, rest = _labels(slots), ", "
    if not labels and _follows_comma(clauses, slots):
        labels, rest = _labels(Slots({"columns": slots["columns"]})), f", {slots['then']}"
    if not labels or (slots["again"] and not any(same_group(slots["again"], label) for label in labels)):
        return None
    for label in labels:
        if not any(same_group(label, known) for known in clauses.groups):
            clauses.groups.append(clauses.note(label))
    return rest


def _follows_comma(clauses: SpecClauses, slots: Slots) -> bool:
    """Whether what was taken for another group only stands behind a comma: `by department, hours over 10 in red`."""
    return bool(slots["then"]) and clauses.phrase.removesuffix(slots["then"]).rstrip().endswith(",")


def group_with_totals(clauses: SpecClauses, slots: Slots) -> str | None:
    """`subtotal per region`: amounts are added up in groups, and never are the groups."""
    if any(meaning(label).kind not in ("text", "date", "datetime") for label in _labels(slots)):
        clauses.changes.append(clauses.description.as_written(clauses.phrase))
        return ", "
    rest, summed = group(clauses, slots), slots["summed"]
    return f"。合计{summed}。" if rest and summed else rest


def group_then_totals(clauses: SpecClauses, slots: Slots) -> str | None:
    """按部门分组，小计加班小时: read before a group alone, which would leave the subtotal without one."""
    return group_with_totals(clauses, slots)


def totals_in_group(clauses: SpecClauses, slots: Slots) -> str | None:
    """`每辆车公里数和油费小计`, where the rows are grouped by 车牌 already: the columns that are added up."""
    words, of = slots["columns"], slots["again"]
    if of:
        is_known = any(same_group(of, known) for known in clauses.groups)
        return f". total of {words}. " if is_known else None
    ends = (end for end in range(len(words) - 1, 0, -1) if any(words[:end] in group for group in clauses.groups))
    end = next(ends, None)
    return f"。合计{words[end:].removeprefix('的')}。" if end else None


def count_in_group(clauses: SpecClauses, slots: Slots) -> str | None:
    """`with a headcount per department`, where the rows are grouped by department already: rows are counted."""
    if not any(same_group(slots["again"], known) for known in clauses.groups):
        return None
    return f". count of {slots['columns'] or 'rows'}. " if slots["again"].isascii() else "。统计人数。"


def subtotals_of_known(clauses: SpecClauses, slots: Slots) -> str | None:
    """`region subtotals` group where the words are a known kind of text or date."""
    return group(clauses, slots) if _is_dimension(slots["columns"]) else None


def subtotals_each(clauses: SpecClauses, slots: Slots) -> str | None:
    """`..., grouped by region with a subtotal each`: groups have subtotals."""
    return ", " if clauses.groups and _says_each(clauses.phrase) else None


def _says_each(phrase: str) -> bool:
    return any(word in phrase.casefold() for word in ("each", "own", "per group", "每", "各"))


def dimension(clauses: SpecClauses, slots: Slots) -> str | None:
    """`by department` groups where that is a known kind of text or date.

    `Budget per department:` has a row for each, so it is a column. Of several, as in `by region and product`, each is a
    column, and the rows are grouped by all but the last.
    """
    labels = _labels(slots)
    if clauses.before.split() and listed("spec_grouping", "done", clauses.before.split()[-1]):
        return None
    is_rate = clauses.phrase.casefold().startswith("per ") and labels and labels[0].casefold().rstrip("s") in _UNITS
    if not labels or is_rate or _is_inside_item(clauses, labels) or not all(map(_is_dimension, labels)):
        return None
    is_row = clauses.phrase.casefold().startswith("per ") and clauses.after.lstrip().startswith(":")
    if is_row and len(labels) == 1 and not clauses.dimensions:
        clauses.dimensions = [clauses.note(labels[0])]  # a row for each of them
        return ", "
    if len(labels) == 1 or clauses.dimensions:
        clauses.loose_groups += [] if any(same_group(labels[0], known) for known in clauses.groups) else labels[:1]
        return group(clauses, slots)
    clauses.dimensions = [clauses.note(label) for label in labels]
    clauses.groups += [label for label in labels[:-1] if not any(same_group(label, known) for known in clauses.groups)]
    return ", "


def _is_inside_item(clauses: SpecClauses, labels: list[str]) -> bool:
    """Whether "per" stands inside an item of a list: `item, pieces per carton, weight`, or says what is counted.

    What is an item of the list itself is what the rows are grouped by: `product, category, price per category, stock`.
    """
    _, comma, item = clauses.before.rpartition(",")
    if not (clauses.phrase.casefold().startswith("per ") and comma and item.strip()):
        return False
    items = {cleaned(part).casefold() for part in split(clauses.before + clauses.after)}
    is_item = clauses.after.lstrip().startswith(",") and not any(label.casefold() in items for label in labels)
    return is_item or listed("spec_grouping", "counting", item) is not None


def same_group(one: str, other: str) -> bool:
    """Whether two wordings name the same group: 类别 is short for 产品类别, `rep` for `sales rep`."""
    a, b = one.casefold().rstrip("s"), other.casefold().rstrip("s")
    return a == b or a.endswith(b) or b.endswith(a) or a.startswith(b) or b.startswith(a)


def _labels(slots: Slots) -> list[str]:
    """Return the names of the groups; none where one of the words is no name."""
    named = [*split(slots["list"]), *split(slots["columns"]), *split(slots["then"])]
    labels = [label for part in named if (label := cleaned(part))]
    usable = all(is_label(label) and label.casefold() not in _NO_GROUP for label in labels)
    return labels if usable else []


def _is_dimension(label: str) -> bool:
    """Whether rows are likely to be grouped by a label: a term for text or dates."""
    meant = meaning(label)
    return meant.kind in ("text", "date") and meant.known


BUILDERS: tuple[Builder, ...] = (
    group_pages,
    group_then_totals,
    group,
    totals_in_group,
    count_in_group,
    group_with_totals,
    subtotals_of_known,
    subtotals_each,
    dimension,
)
