"""Which version is to be restored, how many changes are to be undone, and whether the last request is dropped.

``templates/*/versions.toml`` says how users word them.
"""

from __future__ import annotations

from ..numbers import number_of
from ..sentence_templates import Slots, matches, phrase_at, phrases
from .normal_form import normalized

SUBJECT = "versions"
RULES = frozenset({"version", "steps", "drops", "points_back"})
MAX_STEPS = 50
"""A larger number counts something else."""


def version_named(text: str) -> int | None:
    """Return the number of the version that a sentence names: ``go back to version 2``, 恢复到第三版."""
    return _first_number("version", text)


def steps_named(text: str) -> int:
    """Return how many changes a sentence wants undone or redone: ``undo the last two``, 撤销三步; 1 if it says none."""
    steps = _first_number("steps", text)
    return steps if steps and steps <= MAX_STEPS else 1


def drops_request(text: str) -> bool:
    """Return whether a sentence begins by dropping what was asked last: ``never mind, leave it as it was``."""
    return phrase_at(SUBJECT, "drops", normalized(text).plain) is not None


def points_back(text: str) -> bool:
    """Return whether a sentence takes back what was asked last: ``undo that last one``, 刚才那步不算.

    It says nothing more: neither a version nor how many changes.
    """
    plain = normalized(text).plain.strip(" \t\n,，;；.。!！~～")
    is_counted = version_named(text) is not None or steps_named(text) > 1
    return not is_counted and any(matches(SUBJECT, "points_back", plain))


def _first_number(rule: str, text: str) -> int | None:
    numbers = (_number(phrase.slots) for phrase in phrases(SUBJECT, rule, normalized(text).plain))
    return next((number for number in numbers if number is not None), None)


def _number(slots: Slots) -> int | None:
    number = number_of(slots["number"] or slots["word"] or slots["both"])
    return int(number) if number is not None else None
