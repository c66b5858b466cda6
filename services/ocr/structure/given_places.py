"""What a language model says of places to fill in and of boxes to tick: names, and places that are none."""

from __future__ import annotations

from collections.abc import Iterable

from bandsmith.shared.model.form_reading import FormReading, PlaceReading
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Blank, TickBox

MIN_SHARED = 0.5
"""Share of the smaller of two places that the other one covers if they are one."""


def with_given_blanks(blanks: Iterable[Blank], reading: FormReading | None) -> list[Blank]:
    """Return the places to fill in with the labels that a reading gives them, without those that are none."""
    found = [(blank, _given(blank.box, reading)) for blank in blanks]
    return [
        blank.model_copy(update={"label": given.label}) if given else blank
        for blank, given in found
        if given is None or given.label
    ]


def with_given_ticks(boxes: Iterable[TickBox], reading: FormReading | None) -> list[TickBox]:
    """Return the boxes to tick with the labels that a reading gives them."""
    found = [(box, _given(box.box, reading)) for box in boxes]
    return [box.model_copy(update={"label": given.label}) if given and given.label else box for box, given in found]


def _given(box: Box, reading: FormReading | None) -> PlaceReading | None:
    """Return what a reading says of a place."""
    places = reading.places if reading else []
    return next((place for place in places if is_place(place, box)), None)


def is_place(place: PlaceReading, box: Box) -> bool:
    """Whether a reading is about this place."""
    return place.box.overlap(box) >= MIN_SHARED * min(place.box.area, box.area)
