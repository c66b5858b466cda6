"""What a language model says of places to fill in and of boxes to tick: names, and places that are none."""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.model.form_reading import FormReading
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Blank, TickBox

MIN_SHARED = 0.5
"""Share of what two places cover that both do if they are one."""


def with_given_blanks(blanks: Sequence[Blank], reading: FormReading | None) -> list[Blank]:
    """Return the places to fill in with the labels that a reading gives them; some are none."""
    given = places_given([blank.box for blank in blanks], reading)
    return [
        blank.model_copy(update={"label": given[index]}) if index in given else blank
        for index, blank in enumerate(blanks)
        if given.get(index) != ""
    ]


def with_given_ticks(boxes: Sequence[TickBox], reading: FormReading | None) -> list[TickBox]:
    """Return the boxes to tick with the labels that a reading gives them."""
    given = places_given([one.box for one in boxes], reading)
    return [one.model_copy(update={"label": given.get(index) or one.label}) for index, one in enumerate(boxes)]


def places_given(boxes: Sequence[Box], reading: FormReading | None) -> dict[int, str]:
    """Return what a reading says of places, by their index: each label is that of the place that it fits best."""
    found: dict[int, str] = {}
    for place in reading.places if reading else []:
        shared = [_shared(place.box, box) for box in boxes]
        best = max(range(len(boxes)), key=shared.__getitem__, default=None)
        if best is not None and shared[best] >= MIN_SHARED:
            found[best] = place.label
    return found


def _shared(one: Box, other: Box) -> float:
    both = one.overlap(other)
    return both / max(one.area + other.area - both, 1e-6)
