"""Phrases of style: "bigger", "加粗", "in red at 12 points".

What users say is in ``templates/*/style_phrases.toml``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from bandsmith.shared.fonts import FAMILIES

from ..colours import colour
from ..numbers import number_of
from ..sentence_templates import SentenceTemplate, Slots, load
from ..view_elements import ViewElement

MIN_SIZE_PT, MAX_SIZE_PT = 4, 200
MAX_STYLE_CHARS = 400
"""Each phrase is tried at each place, and reads on from there."""


@dataclass(frozen=True)
class StyleChange:
    """One property of a text and its new value, or how to find the value for each text."""

    name: str
    value: str | Callable[[ViewElement], str]


def _scaled(factor: float) -> Callable[[ViewElement], str]:
    """Return how to scale a text's size, by at least one point."""

    def size(piece: ViewElement) -> str:
        scaled = round(piece.size * factor)
        wanted = max(scaled, piece.size + 1) if factor > 1 else min(scaled, piece.size - 1)
        return f"{min(MAX_SIZE_PT, max(MIN_SIZE_PT, wanted)):g}"

    return size


MAX_STEP_PT = 20
"""Points by which letters may be made larger or smaller."""
MAX_BIT_PT = 2
"""Points by which letters that are to be a bit larger or smaller change at most, and at least by one."""


def _a_bit(sign: int) -> Callable[[ViewElement], str]:
    """Return how to make a text a bit larger or smaller: by a tenth, within one and two points."""

    def size(piece: ViewElement) -> str:
        wanted = piece.size + sign * min(MAX_BIT_PT, max(1, round(piece.size / 10)))
        return f"{min(MAX_SIZE_PT, max(MIN_SIZE_PT, wanted)):g}"

    return size


_FIXED: dict[str, StyleChange] = {
    "bold": StyleChange("isBold", "true"),
    "not_bold": StyleChange("isBold", "false"),
    "italic": StyleChange("isItalic", "true"),
    "not_italic": StyleChange("isItalic", "false"),
    "underlined": StyleChange("isUnderline", "true"),
    "not_underlined": StyleChange("isUnderline", "false"),
    "bit_larger": StyleChange("fontSize", _a_bit(1)),
    "bit_smaller": StyleChange("fontSize", _a_bit(-1)),
    "larger": StyleChange("fontSize", _scaled(1.2)),
    "much_larger": StyleChange("fontSize", _scaled(1.5)),
    "smaller": StyleChange("fontSize", _scaled(0.85)),
    "much_smaller": StyleChange("fontSize", _scaled(0.65)),
    "twice_as_large": StyleChange("fontSize", _scaled(2.0)),
    "half_as_large": StyleChange("fontSize", _scaled(0.5)),
    "centred": StyleChange("textAlignment", "Center"),
    "left": StyleChange("textAlignment", "Left"),
    "right": StyleChange("textAlignment", "Right"),
    "upper_case": StyleChange("case", "upper"),
    "lower_case": StyleChange("case", "lower"),
}
"""Phrases that always mean the same."""


def _size(slots: Slots) -> list[StyleChange]:
    size = number_of(slots["number"])
    return [StyleChange("fontSize", f"{size:g}")] if size and MIN_SIZE_PT <= size <= MAX_SIZE_PT else []


def _larger_by(slots: Slots) -> list[StyleChange]:
    return _by(number_of(slots["number"]) or 0.0)


def _smaller_by(slots: Slots) -> list[StyleChange]:
    return _by(-(number_of(slots["number"]) or 0.0))


def _by(points: float) -> list[StyleChange]:
    """Return the change of a text's size by a number of points; a size is a point."""

    def size(piece: ViewElement) -> str:
        return f"{min(MAX_SIZE_PT, max(MIN_SIZE_PT, piece.size + points)):g}"

    return [StyleChange("fontSize", size)] if 0 < abs(points) <= MAX_STEP_PT else []


def _face(slots: Slots) -> list[StyleChange]:
    return [StyleChange("fontName", slots["face"])] if slots["face"] in FAMILIES else []


def _colour(slots: Slots) -> list[StyleChange]:
    return [StyleChange("forecolor", colour(slots["colour"]) or "")]


def _background(slots: Slots) -> list[StyleChange]:
    return [StyleChange("backcolor", colour(slots["colour"]) or ""), StyleChange("mode", "Opaque")]


_BUILDERS: dict[str, Callable[[Slots], list[StyleChange]]] = {
    "size": _size,
    "larger_by": _larger_by,
    "smaller_by": _smaller_by,
    "face": _face,
    "colour": _colour,
    "background": _background,
    "filler": lambda slots: [],
}
"""Phrases with a slot, and words that only join phrases."""
RULES = frozenset({*_FIXED, *_BUILDERS})


def style_changes(text: str) -> list[StyleChange] | None:
    """Return what a text says about style; None where any of it says something else."""
    if len(text) > MAX_STYLE_CHARS:
        return None
    changes: list[StyleChange] = []
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        end, made = max(_phrases_at(text, at), key=lambda phrase: phrase[0], default=(at, []))
        if end == at:
            return None
        changes += made
        at = end
    return changes or None


def _phrases_at(text: str, at: int) -> Iterator[tuple[int, list[StyleChange]]]:
    """Where each phrase ends that stands at this place, and what it means; words that join phrases come last."""
    for rule, template in _templates_of(text):
        found = template.match(text, at)
        if found is None or found[0] == at or not is_whole_words(text, at, found[0]):
            continue
        made = [_FIXED[rule]] if rule in _FIXED else _BUILDERS[rule](found[1])
        if made or rule == "filler":
            yield found[0], made


@lru_cache(maxsize=1)
def _templates_of(text: str) -> list[tuple[str, SentenceTemplate]]:
    """Return the templates whose required words a text has: they are tried at each of its positions."""
    return [(rule, template) for rule, template in _templates() if template.may_read(text)]


@cache
def _templates() -> list[tuple[str, SentenceTemplate]]:
    rules = [*(rule for rule in (*_FIXED, *_BUILDERS) if rule != "filler"), "filler"]
    return [
        (rule, template)
        for rule in rules
        for language in load("style_phrases")
        for template in language.sentences.get(rule, ())
    ]


def is_whole_words(text: str, start: int, end: int) -> bool:
    """Whether a phrase begins and ends where words do: no “bold” in “boldly”."""
    ends = end == len(text) or not (latin(text[end - 1]) and latin(text[end]))
    return ends and (start == 0 or not (latin(text[start - 1]) and latin(text[start])))


def latin(char: str) -> bool:
    return char.isascii() and char.isalnum()
