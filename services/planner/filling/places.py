"""The places of a report that values go to, its fields and parameters, and the columns of a file that name them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from lxml import etree

from bandsmith.shared.jrxml.dom import J
from bandsmith.shared.jrxml.expressions import references, sole_reference
from bandsmith.shared.model.filling import Cell

from ..language.fuzzy_match import normal, term_of
from ..language.template_view import TemplateView
from ..language.view_elements import ViewElement
from .values import Unreadable, ValueStyle, has_long_word, read

Scope = Literal["F", "P"]
_CAMEL_CASE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_UNIT = re.compile(r"(?<!\s)\s*[(（\[].{1,12}?[)）\]]\s*$")
"""What a heading may say of its values at the end: "Amount (EUR)"."""


@dataclass(frozen=True)
class FieldPlace:
    """A field or parameter of the report."""

    name: str
    java_class: str
    labels: tuple[str, ...] = ()
    """What the report calls it: the heading of its column, or the text beside it."""
    pattern: str = ""
    """The pattern that it is printed with."""
    is_printed: bool = True
    """Whether any expression uses it."""
    has_default: bool = False
    is_picture: bool = False
    """Whether it is printed as a picture: its text is then the picture's content."""

    @property
    def shown(self) -> str:
        """How it is named to a user: by its label, and by its name where that differs."""
        label = self.labels[0] if self.labels else ""
        return f"{label} ({self.name})" if label and label != self.name else self.name


@dataclass(frozen=True)
class PlaceMatch:
    """Which column each place takes its values from."""

    columns: dict[str, int]
    """Number of the column by name of the place."""
    ambiguous: tuple[str, ...] = ()
    """Names of columns that several places could take, or that could be the same place."""


def places_in(view: TemplateView, scope: Scope) -> list[FieldPlace]:
    """Return the fields or the parameters that a template declares, in their order."""
    tag = "field" if scope == "F" else "parameter"
    labels = _labels(view)
    patterns = {
        alone: piece.pattern
        for piece in view.texts
        if piece.pattern and (alone := sole_reference(piece.expression, "FP"))
    }
    pictures = pictured(view.root)
    used = {reference for text in _expressions(view) for reference in references(text)}
    return [
        FieldPlace(
            name=name,
            java_class=node.get("class", "java.lang.String"),
            labels=tuple(labels.get((scope, name), ())),
            pattern=patterns.get((scope, name), ""),
            is_printed=(scope, name) in used,
            is_picture=(scope, name) in pictures,
            has_default=node.find(f"{J}defaultValueExpression") is not None,
        )
        for node in view.root.iterchildren(f"{J}{tag}")
        if (name := node.get("name", ""))
    ]


def pictured(root: etree._Element) -> set[tuple[str, str]]:
    """Return the fields and parameters that a template prints as pictures."""
    texts = (node.text or "" for node in root.iter(f"{J}imageExpression"))
    return {reference for text in texts for reference in references(text)}


def read_for(place: FieldPlace, cell: Cell, style: ValueStyle) -> Cell:
    """Return a value as the engine takes it for its place. Raises ``Unreadable``."""
    value = read(cell, place.java_class, style, place.pattern)
    if isinstance(value, str) and not place.is_picture and has_long_word(value):
        raise Unreadable("unbroken")
    return value


def match_columns(places: Sequence[FieldPlace], columns: Sequence[str]) -> PlaceMatch:
    """Find the column of each place: by its name, its label, both in plain words, or the business term of both.

    A better kind of match goes first. Where one kind finds several columns for a place, or one column for several
    places, none of them is taken.
    """
    found: dict[str, int] = {}
    doubtful: set[int] = set()
    for fits in (_same_name, _same_label, _same_words, _same_term):
        open_places = [place for place in places if place.name not in found]
        free = [number for number in range(len(columns)) if number not in found.values() and number not in doubtful]
        wanted = {place.name: [n for n in free if columns[n] and fits(columns[n], place)] for place in open_places}
        for name, numbers in wanted.items():
            rivals = [other for other, theirs in wanted.items() if set(theirs) & set(numbers)]
            if len(numbers) == 1 and len(rivals) == 1:
                found[name] = numbers[0]
            else:
                doubtful |= set(numbers)
    return PlaceMatch(found, tuple(dict.fromkeys(columns[number] for number in sorted(doubtful))))


# --- kinds of matches -------------------------------------------------------------------------------------------------


def _same_name(column: str, place: FieldPlace) -> bool:
    return column == place.name


def _same_label(column: str, place: FieldPlace) -> bool:
    return column in place.labels


def _same_words(column: str, place: FieldPlace) -> bool:
    return _words(column) in {_words(place.name), *map(_words, place.labels)} or _words(_UNIT.sub("", column)) in {
        _words(place.name),
        *(_words(_UNIT.sub("", label)) for label in place.labels),
    }


def _same_term(column: str, place: FieldPlace) -> bool:
    term = term_of(_UNIT.sub("", column))
    return bool(term) and term in {place.name, *(term_of(_UNIT.sub("", label)) for label in place.labels)}


def _words(text: str) -> str:
    return normal(_CAMEL_CASE.sub(" ", text)).replace(" ", "")


# --- labels -----------------------------------------------------------------------------------------------------------


def _labels(view: TemplateView) -> dict[tuple[str, str], list[str]]:
    """Return what the report calls each field and parameter, the heading of a column first."""
    found: dict[tuple[str, str], list[str]] = {}
    for column in view.columns:
        if column.head is not None:
            found.setdefault(("F", column.field), []).append(_clean(column.label))
    for piece in view.texts:
        used = set(piece.references)
        if len(used) == 1 and (label := _clean(_label_of(view, piece))):
            found.setdefault(used.pop(), []).append(label)
    return {key: list(dict.fromkeys(labels)) for key, labels in found.items()}


def _label_of(view: TemplateView, piece: ViewElement) -> str:
    """Return the words of an element that prints one value, or those beside it."""
    if piece.words or piece.section in ("detail", "columnHeader"):
        return piece.words if piece.section != "detail" else ""
    beside = view.label_beside(piece)
    return beside.words if beside is not None else ""


def _clean(label: str) -> str:
    return " ".join(label.split()).strip(" :：")


def _expressions(view: TemplateView) -> Iterator[str]:
    for node in view.root.iter():
        if isinstance(node.tag, str) and node.tag.endswith("Expression") and node.text:
            yield node.text
