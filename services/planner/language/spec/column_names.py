"""Which columns the words of a request mean."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bandsmith.shared.fields.column_kinds import meaning
from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.model.spec import Column, Totalling

from ..fuzzy_match import similarity
from .column_totals import adds_up

_SEVERAL = re.compile(r"(?P<noun>[a-z]{3,})s", re.IGNORECASE)
TYPING_ERROR_THRESHOLD = 88
MIN_COUNTED_CHARS = 2
"""A longer Chinese word may end in 数 where the label does not."""


def means(wording: str, label: str) -> bool:
    """Whether a wording means a label: the same words, singular or plural, or the same known field."""
    a, b = wording.casefold().strip(), label.casefold().strip()
    return a == b or a.rstrip("s") == b.rstrip("s") or (meaning(a).known and meaning(a).name == meaning(b).name)


def columns_named(wording: str, columns: Sequence[Column]) -> list[Column]:
    """Return the columns that a wording means: by name, by their last word, or but for a typing error."""
    if exact := [column for column in columns if means(wording, column.label)]:
        return exact
    ending = [column for column in columns if _is_end_word(wording, column.label) and adds_up(column)]
    if computed := [column for column in ending if column.computed]:
        return computed
    return ending or [column for column in columns if similarity(wording, column.label) >= TYPING_ERROR_THRESHOLD]


def labels_in_one(wording: str, labels: Sequence[str]) -> list[str]:
    """Return the labels of which words name several at once: the “weights”, 应收已收."""
    if several := _SEVERAL.fullmatch(wording):
        found = [one for one in labels if several["noun"].casefold() in one.casefold().split()]
        return found if len(found) > 1 else []
    rest, named = wording, list[str]()
    while rest:
        fits = [one for one in labels if len(one) > 1 and is_cjk(one[0]) and rest.startswith(one)]
        if not fits:
            return []
        named.append(max(fits, key=len))
        rest = rest[len(named[-1]) :].lstrip("和、及与")
    return named if len(named) > 1 else []


def _is_end_word(wording: str, label: str) -> bool:
    """Whether a wording is the first or the last word of a label: `weight` means `Weight in kg`."""
    return _is_last_word(wording, label) or label.casefold().startswith(f"{wording.casefold()} ")


def named_by(wording: str, labels: Sequence[str]) -> str:
    """Return the label that a wording means, or the only one that ends with it: `price` is the `unit price`.

    A label with the word itself is meant rather than another with the same meaning: `end` is `km end`, and not `to`.
    """
    same = next((label for label in labels if label.casefold() == wording.casefold()), None)
    exact = next((label for label in labels if means(wording, label)), None)
    ending = [label for label in labels if _is_last_word(wording, label) and not _is_counted(wording, label)]
    first = wording if any(map(is_cjk, wording)) else f"{wording.casefold()} "
    beginning = [label for label in labels if label.casefold().startswith(first)]
    likely = [*ending, *(label for label in beginning if label not in ending)]
    return same or (likely[0] if len(likely) == 1 else exact or wording)


def _is_last_word(wording: str, label: str) -> bool:
    """Whether a wording is the last word of a label: `charges` means the column `Service charge`, 公里数 行驶公里."""
    words = wording.casefold().rstrip("s")
    ends = (words, words.removesuffix("数")) if len(words) > MIN_COUNTED_CHARS else (words,)
    return any(label.casefold().endswith(end) for end in ends) and len(wording) > 1


def _is_counted(wording: str, label: str) -> bool:
    """Whether a label is the rate for one of a word: the bottle of `cost per bottle`."""
    return label.casefold().endswith(f" per {wording.casefold().rstrip('s')}")


def countable(columns: Sequence[Column], named: dict[str, Totalling]) -> Column | None:
    people = ("name", "employee", "customer", "student")
    texts = [column for column in columns if column.label not in named and column.type == "text"]
    return next((c for c in texts if meaning(c.label).name in people), texts[0] if texts else None)
