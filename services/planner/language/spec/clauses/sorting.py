"""The order of the rows."""

from __future__ import annotations

import re

from bandsmith.shared.model.spec import Sort

from ..labels import cleaned, listed
from .base import EN, END, LINE, ZH, SpecClauses

_DOWN = (
    r"(?:desc\w*|降序|倒序|从高到低|从大到小|从新到旧|从晚到早|由高到低|由大到小"
    r"|(?:highest|largest|newest|latest|biggest) first)"
)
_UP = (
    r"(?:asc\w*|升序|正序|从低到高|从小到大|从旧到新|从早到晚|由低到高|由小到大"
    r"|(?:lowest|smallest|oldest|earliest) first)"
)
_DATES = frozenset({"newest", "latest", "most recent", "oldest", "earliest"})
_FROM_BELOW = frozenset({"lowest", "smallest", "oldest", "earliest"})
_DIRECTION = rf"(?:\s*[,(]?\s*(?:in )?(?:{_DOWN}|{_UP})(?: order)?\)?)?"
_BY = (
    rf"(?:and |then )?(?:sort(?:ed)?|order(?:ed)?|arranged?)(?: it| them| rows| the rows)? by:? (?:the )?({EN})"
    rf"{_DIRECTION}{END}",
    rf"{LINE}(?:sort(?:ed)?(?: by)?|order(?: by)?|排序)\s*:\s*([^\n;,。]{{1,40}}?){_DIRECTION}(?=[\n;,。]|$)",
    rf"(?:并|且)?(?:(?:每组|各组|组|分组)(?:之?内|里面?|中)|内部)?(?:再)?(?:按照?|依|根据)({ZH})(?:的)?(?:{_DOWN}|{_UP})?(?:进行)?(?:{_DOWN}|{_UP}|排序|排列)(?:排序|排列)?"
    r"(?:显示)?",
)
_FIRST = (
    r"(highest|largest|biggest|newest|latest|most recent|lowest|smallest|oldest|earliest)"
    rf"(?: ({EN}))? first{END}"
)  # fmt: skip


def read(said: SpecClauses) -> None:
    def by(found: re.Match[str]) -> str:
        direction = found[0][found.end(1) - found.start() :]
        descending = re.search(_DOWN, direction, re.IGNORECASE) is not None
        said.sort += [Sort(column=label, descending=descending) for label in listed(found[1])]
        return ", "

    def first(found: re.Match[str]) -> str:
        which = found[1].lower()
        label = cleaned(found[2] or "") or ("date" if which in _DATES else "")
        said.sort.append(Sort(column=label, descending=which not in _FROM_BELOW))
        return ", "

    for pattern in _BY:
        said.take(pattern, by)
    said.take(_FIRST, first)
