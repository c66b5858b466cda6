"""Places to fill in and boxes to tick that a model names otherwise, or that it says are none."""

from __future__ import annotations

from bandsmith.shared.llm.answers.report import FormAnswer
from bandsmith.shared.model.form_reading import PlaceReading
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import TickBox

from .shown_form import ShownPage


def given_places(answer: FormAnswer, page: ShownPage) -> list[PlaceReading]:
    """Return the places that get another label, each with its box on the page; without a label, it is no place."""
    named = {number: one.label for one in answer.values for number in one.texts.replace(",", " ").split() if one.label}
    none = {str(number) for number in answer.no_part}
    found = [
        PlaceReading(box=blank.box, label="" if number in none else named[number])
        for number, blank in page.blanks.items()
        if number in none or number in named
    ]
    ticks = ((number, box) for number, box in _ticks(page).items() if number in named)
    return found + [PlaceReading(box=box, label=named[number]) for number, box in ticks]


def _ticks(page: ShownPage) -> dict[str, Box]:
    return {number: mark.box for number, mark in page.marks.items() if isinstance(mark, TickBox)}
