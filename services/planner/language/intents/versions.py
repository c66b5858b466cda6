"""Which version is to be restored, and how many changes are to be undone: the numbers in a sentence."""

from __future__ import annotations

import re

from ..numbers import number_of
from .normal_form import normalized

MAX_STEPS = 50
"""A larger number counts something else."""

_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
)  # fmt: skip
_ORDINALS = (
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
)  # fmt: skip
_WORD = "|".join(_WORDS[1:])
_ORDINAL = "|".join(_ORDINALS[1:])
_CHINESE = "[一二两三四五六七八九十]+"
_VERSION = re.compile(
    rf"\b(?:versions?|revision|rev|ver|v)\.? ?(?:number |no\.? ?|# ?)?(?P<number>\d+|{_WORD})\b"
    rf"|\b(?P<ordinal>{_ORDINAL}|\d+(?:st|nd|rd|th)) (?:version|revision)\b"
    rf"|第 ?(?P<counted>\d+|{_CHINESE}) ?个?(?:版本|版)|版本 ?(?P<chinese>\d+|{_CHINESE})|(?P<short>\d+) ?号版本"
)
_STEPS = re.compile(
    rf"\b(?P<times>\d+|{_WORD}) (?:steps?|times?|changes?|edits?|modifications?|versions?|actions?|operations?)\b"
    rf"|\b(?:last|latest|previous|recent|past|undo|redo|revert) (?P<last>\d+|{_WORD})\b"
    r"(?! (?:level|page|column|row|line))"
    r"|\b(?P<twice>twice|both)\b"
    rf"|(?P<chinese>\d+|{_CHINESE}) ?(?:步|次|个(?:修改|改动|操作|版本)|处(?:修改|改动)|遍)"
)


def version_named(text: str) -> int | None:
    """Return the number of the version that a sentence names: ``go back to version 2``, 恢复到第三版."""
    return _number(_VERSION.search(normalized(text).plain))


def steps_named(text: str) -> int:
    """Return how many changes a sentence wants undone or redone: ``undo the last two``, 撤销三步; 1 if it says none."""
    plain = re.sub(r"上一[次步个]|这一?次|那一?次|再一次|一下", " ", normalized(text).plain)
    steps = _number(_STEPS.search(plain))
    return steps if steps and steps <= MAX_STEPS else 1


def _number(found: re.Match[str] | None) -> int | None:
    if found is None:
        return None
    word = next(value for value in found.groups() if value)
    if word in ("twice", "both"):
        return 2
    for words in (_WORDS, _ORDINALS):
        if word in words:
            return words.index(word)
    number = number_of(re.sub(r"(?:st|nd|rd|th)$", "", word))
    return int(number) if number is not None else None
