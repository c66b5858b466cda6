"""What stands in brackets behind a name: a value, choices to tick, or an instruction."""

from __future__ import annotations

import re

from ..sentence_templates import matches
from .labels import cleaned, holds_instruction, is_label, split
from .sections import SUBJECT, Section
from .statements import boxes

LIST_IN_BRACKETS = re.compile(r"(?<!\s)\s*\(([^()]*[,、][^()]*)\)$")
VALUE_IN_BRACKETS = re.compile(r"(?<!\s)\s*\(([^()]{1,120})\)$")


def with_value(label: str, section: Section | None, may_tick: bool) -> tuple[str, str | None]:
    """Return a label and its value: above and below the table, what stands in brackets behind a label is its value.

    `may_tick` says that several values are choices, each with a box to tick.
    """
    brackets = VALUE_IN_BRACKETS.search(label)
    choices = [cleaned(choice) for choice in split(brackets[1])] if brackets else []
    if brackets and may_tick and len(choices) > 1 and not any(map(holds_instruction, choices)):
        choices = [min((s["label"] for s in matches(SUBJECT, "to_tick", each)), key=len) for each in choices]
        return label[: brackets.start()], boxes(choices)
    has_value = brackets is not None and re.search(r"[A-Z&\ue000-\ue0ff]", brackets[1])
    if brackets and has_value and section in ("header", "below"):
        return label[: brackets.start()], brackets[1]
    return label, None


def without_computed(label: str) -> tuple[str, bool]:
    """Return a label without a note in brackets that it is computed, and whether it has one: 金额（自动算）."""
    brackets = VALUE_IN_BRACKETS.search(label)
    plain = label[: brackets.start()] if brackets else label
    is_computed = brackets is not None and any(matches(SUBJECT, "calculates", f"{plain} {brackets[1]}"))
    return (plain, True) if is_computed else (label, False)


def is_instruction(label: str) -> bool:
    """Whether words say what to do, and name nothing themselves, as `difference (leave empty)` does."""
    brackets = VALUE_IN_BRACKETS.search(label)
    return holds_instruction(label) and not (brackets and is_label(label[: brackets.start()]))
