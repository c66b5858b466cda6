"""What the rows are grouped by."""

from __future__ import annotations

import re

from bandsmith.shared.fields.column_kinds import meaning

from ..labels import cleaned, split
from .base import EN, END, LINE, ZH, SpecClauses

_MORE = r"(?:(?:\s*,)?\s*(?:and )?(?:then|within that)(?: by)?|\s+and(?: by)?|\s*,)\s+"
_GROUPS = (
    rf"{LINE}(?:group(?:ed|ing)?(?: by)?|groups?|分组(?:字段)?)\s*:\s*([^\n;。]{{1,60}})",
    r"(?:and |rows |it )?(?:group|categori[sz]|sub-?divid|break|broken|split|section|organi[sz])(?:ed|e|ing|s)?"
    r"(?: it| them| rows| the rows| up| down| data)*\s*(?:by|per|into)\s+(?:the )?"
    rf"({EN})(?:{_MORE}(?:the )?({EN}))?"
    r"(?=\s*(?:[,;.:\n。()]|$|\bwith\b|\bshow|\band (?:show|sort|add|include|a |the |sub|grand|total)|\band$))",
)
_BY_ZH = rf"(?:按照?|根据|依照?)\s*({ZH})(?:[、,]?\s*(?:再|然后|并|其次)\s*(?:按照?|根据)?\s*({ZH}))?\s*(?:进行|来|做)?"
_GROUPS_ZH = rf"{_BY_ZH}(?:分组|归类|分类|分页|分段)(?:显示|展示|排列|列出)?(?:的|并|,?(?=小计|合计))?"
_LEAD = r"(?:with |and |show |include |have |add ){0,4}(?:a |the )?"
_SUBTOTALS = (
    rf"{_LEAD}(?:sub-?totals?|subtotal(?:ed|led)|totals?|sums?|summary)(?: row)?"
    rf" (?:per|by|for each|for every|of each|under each) ({EN})(?=\s*(?:[,;.\n()]|$|\band\b|\bwith\b))",
    rf"{_BY_ZH}(?:汇总|小计|合计|统计)(?:的|并)?",
    rf"(?:每个?|各)({ZH})(?:都)?(?:要|需要|要有|有|加|做|一个)*(?:小计|合计)",
)
_SECTIONS = rf"{_LEAD}(?:section|group|page)s? (?:for|per) (?:each|every) ({EN}){END}"
_ITS_OWN = rf"(?:include |with |and |show |have |add )+({EN}) sub-?totals{END}"
_DIMENSIONS = (rf"\bper ({EN})(?=\s*(?:[,;.:\n]|$))", rf"(?<=[,\s])by ({EN})(?=\s*(?:[,;.:\n]|$|\bwith\b))")
_ANY_GROUP = frozenset({"组", "个组", "分组", "group", "groups"})


def read(said: SpecClauses) -> None:
    def group(found: re.Match[str]) -> str | None:
        labels = [label for part in found.groups() if part for one in split(part) if (label := cleaned(one))]
        if not labels:
            return None
        there = {one.casefold() for one in said.groups} | _ANY_GROUP
        said.groups += [label for label in labels if label.casefold() not in there]
        return ", "

    def with_totals(found: re.Match[str]) -> str | None:
        said.wants_totals = True
        return group(found)

    def known(found: re.Match[str]) -> str | None:
        return with_totals(found) if _is_dimension(found[1]) else None

    def dimension(found: re.Match[str]) -> str | None:
        """`by department` groups where that is a known kind of word or date, and nothing else was said of groups."""
        if said.groups or not all(_is_dimension(cleaned(label)) for label in split(found[1])):
            return None
        return group(found)

    for pattern in (*_GROUPS, _GROUPS_ZH, _SECTIONS):
        said.take(pattern, group)
    for pattern in _SUBTOTALS:
        said.take(pattern, with_totals)
    said.take(_ITS_OWN, known)
    for pattern in _DIMENSIONS:
        said.take(pattern, dimension)


def _is_dimension(label: str) -> bool:
    """Whether rows may well be grouped by it: a term for words or dates."""
    meant = meaning(label)
    return meant.kind in ("text", "date") and meant.known
