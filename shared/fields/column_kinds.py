"""Column kinds: infer from a heading which kind of values the column holds, and whether they can be summed."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from ..language import normalized_characters
from ..model.spec import Kind
from .identifiers import MAX_LABEL_CHARS, name_for
from .vocabulary import COLUMN_TERMS

_FILE: dict[Any, Any] = tomllib.loads(Path(__file__).with_name("column_kinds.toml").read_text(encoding="utf-8"))
_NOT_ADDITIVE = frozenset(_FILE.pop("alone")["names"])
CLOCK = frozenset(_FILE.pop("clock")["names"])
"""Field names of times of day, which are printed without a date."""
_QUESTION = re.compile(r"是否|(?:is|has|was) ", re.IGNORECASE)
"""How a heading begins whose values are yes or no."""


class _Ending(NamedTuple):
    kind: Kind
    not_additive: bool


_ENDINGS: dict[str, _Ending] = {
    wording: _Ending(rule["kind"], rule.get("alone", False))
    for rule in reversed(_FILE.pop("ending"))
    for wording in (*rule["zh"], *rule["en"])
}
_BY_NAME: dict[str, Kind] = {name: kind for kind, names in _FILE.items() for name in names}
_NAMES = frozenset(COLUMN_TERMS.values())
_ADDITIVE: frozenset[Kind] = frozenset({"money", "number", "integer"})


class Meaning(NamedTuple):
    """What a heading says about the values below it."""

    name: str
    """The field's name, which may not be unique yet."""
    kind: Kind
    adds_up: bool
    """Whether a sum of the values is meaningful."""
    known: bool
    """Whether the wording is in the vocabulary, or ends like a known one."""


def meaning(label: str) -> Meaning:
    """Return what a column's heading says about its values. In doubt they are text."""
    name = name_for(label, "field", (), column=True)
    ending = _ending(label[-MAX_LABEL_CHARS:], anywhere=name not in _NAMES)
    kind = _BY_NAME.get(name) or (ending.kind if ending else "text")
    if kind == "date" and ending and ending.kind == "datetime":
        kind = "datetime"
    not_additive = name in _NOT_ADDITIVE or (name not in _BY_NAME and ending is not None and ending.not_additive)
    known = name in _NAMES or ending is not None
    return Meaning(name, kind, kind in _ADDITIVE and not not_additive, known)


def _ending(label: str, anywhere: bool) -> _Ending | None:
    """Return the rule with the longest wording at the end of a heading, else `anywhere` among its English words."""
    if _QUESTION.match(label):
        return _Ending("flag", False)
    wording = re.sub(r"[(（\[].{,200}?[)）\]]", " ", normalized_characters(label).casefold())
    chinese = re.sub(r"[^\u3400-\u9fff]", "", wording)
    for start in range(len(chinese)):
        if found := _ENDINGS.get(chinese[start:]):
            return found
    words = re.findall(r"[a-z%/]+", wording)
    if words and words[-1] in _CURRENCIES:  # `price in euros` is a price
        before = _ending(" ".join(words[:-1]).removesuffix(" in"), anywhere)
        return before if before and before.kind == "money" else _Ending("money", False)
    for start in range(len(words)):
        if found := _ENDINGS.get(" ".join(words[start:])):
            return _ENDINGS["date"] if words[0] == "date" and found.kind in _ADDITIVE else found
    if not anywhere:
        return None
    if not _CURRENCIES.isdisjoint(words):
        return _Ending("money", False)
    if len(words) == 2 and words[0] in _SUMS:  # the sum of things that are no amounts: `total eggs`
        return _Ending("number", False)
    return next((_ENDINGS[word] for word in reversed(words[:-1]) if word in _ENDINGS and word not in _WEAK), None)


_CURRENCIES = frozenset({"eur", "euro", "euros", "usd", "dollars", "gbp", "chf", "cny", "rmb", "yuan"})
_SUMS = frozenset({"total", "subtotal"})
_WEAK = frozenset({"on", "by", "no", "id", "name", "type", "unit", "paid", "due", "value", "level", "done", "time"})
"""Words that have a meaning only at the end of a heading."""
