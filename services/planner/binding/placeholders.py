"""The placeholders of a template: its rows, and each parameter that it prints, with what is around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from pydantic import ValidationError

from bandsmith.shared.editing import Editor
from bandsmith.shared.errors import BadInput
from bandsmith.shared.jrxml.sensitive import sensitive_references
from bandsmith.shared.model.binding import (
    MAX_PLACEHOLDERS,
    ROWS,
    Binding,
    BindingFile,
    BindingWork,
    LightMemory,
    Placeholder,
    PlaceholderField,
)
from bandsmith.shared.model.date_columns import date_columns
from bandsmith.shared.model.filling import Filling
from bandsmith.shared.model.plan import Data
from bandsmith.shared.model.source import SourceSchema

from ..filling.bind_parts import place_of
from ..filling.places import FieldPlace, places_in
from ..filling.report import names_of
from ..filling.values import kind_of
from ..language.template_view import TemplateView
from .answer_query import with_field_names
from .inputs import PERIOD, Inputs, read_inputs

MAX_SAMPLE_CHARS, MAX_NEIGHBOURS = 60, 30


class TemplatePlaces:
    """The fields and parameters of a template that data can fill, with samples of their values."""

    def __init__(self, template: bytes, sample: bytes | None) -> None:
        view = TemplateView(Editor(template))
        pictures = {name for picture in view.pictures for scope, name in picture.references if scope == "P"}
        self.fields = [place for place in places_in(view, "F") if kind_of(place.java_class)]
        self.parameters = [
            place for place in places_in(view, "P") if kind_of(place.java_class) and place.name not in pictures
        ]
        rows, values = _sample(sample)
        hidden = sensitive_references(view.root)  # a model that writes a query does not see these
        self._sample = (
            {name: value for name, value in rows.items() if ("F", name) not in hidden},
            {name: value for name, value in values.items() if ("P", name) not in hidden},
        )

    def divided_by(self, each: str) -> str:
        """Return the name of the place that is called so. Raises ``BadInput`` where it is none, or several."""
        place = place_of([*self.parameters, *self.fields], each)
        if place is None or not any(field.is_printed for field in self.fields):
            shown = [one.shown for one in (*self.parameters, *self.fields) if one.is_printed]
            raise BadInput.of("planner.filling.no_each", code="each", each=each, columns=names_of(shown))
        return place.name

    def placeholders(self, given: Mapping[str, str], each: str = "") -> list[Placeholder]:
        """Return the rows and the printed parameters that the user did not give. Raises ``BadInput`` for too many.

        Where the rows are divided by `each`, what a report prints once comes with them: it is the same in all of its
        rows.
        """
        open_ones = [
            place for place in self.parameters if place.is_printed and not place.has_default and place.name not in given
        ]
        if len(open_ones) >= MAX_PLACEHOLDERS:
            raise BadInput.of("data.binding.too_many", code="template", limit=MAX_PLACEHOLDERS)
        printed = [place for place in self.fields if place.is_printed]
        if each:
            rows = self._of(ROWS, [*open_ones, *printed], [])
            return [rows.model_copy(update={"each": each})]
        found = [self._of(ROWS, printed, open_ones)] if printed else []
        return found + [self._of(place.name, [place], [*printed, *open_ones]) for place in open_ones]

    def of(self, placeholder: Placeholder) -> list[FieldPlace]:
        """Return the places that a placeholder gives values to, those that are printed once with divided rows too."""
        known = {place.name: place for place in (*self.parameters, *self.fields)}
        return [known[field.name] for field in placeholder.fields]

    def bound(self, binding: Binding) -> Placeholder:
        """Return the placeholder that a query of a binding file answers."""
        if binding.placeholders == [ROWS]:
            return self._of(ROWS, [place for place in self.fields if place.is_printed], self.parameters)
        known = {place.name: place for place in self.parameters}
        places = [known.get(name, FieldPlace(name, "java.lang.String")) for name in binding.placeholders]
        return self._of(places[0].name, places, [])

    def _of(self, name: str, places: Sequence[FieldPlace], others: Sequence[FieldPlace]) -> Placeholder:
        labels = [place.labels[0] for place in others if place.labels and place not in places]
        rows, values = self._sample
        samples = rows if name == ROWS else values
        return Placeholder(
            name=name,
            fields=[
                PlaceholderField(
                    name=place.name,
                    java_class=place.java_class,
                    label=place.labels[0] if place.labels else "",
                    sample=samples.get(place.name, "")[:MAX_SAMPLE_CHARS],
                )
                for place in places
            ],
            neighbours=list(dict.fromkeys(labels))[:MAX_NEIGHBOURS],
        )


def _sample(content: bytes | None) -> tuple[dict[str, str], dict[str, str]]:
    """Return the sample values of the fields and of the parameters."""
    try:
        data = Data.model_validate_json(content) if content else Data()
    except ValidationError:
        data = Data()
    shown = [{name: str(value) for name, value in values.items() if value is not None}
             for values in (data.rows[0] if data.rows else {}, data.parameters)]  # fmt: skip
    return shown[0], shown[1]


def inputs_of(filling: Filling, places: TemplatePlaces, known: BindingFile | None, today: date) -> Inputs:
    """Return the user's values as bound parameters.

    Raises ``BadInput`` for a value that neither the report nor a query uses, and for one that a query needs and that is
    missing.
    """
    values = dict(filling.parameters)
    if filling.period:
        values[known.periods[0] if known and len(known.periods) == 1 else PERIOD] = filling.period
    if filling.period and known is not None and not known.periods:
        raise BadInput.of("data.binding.no_period", code="parameter", period=filling.period)
    printed = {place.name for place in places.parameters}
    found = read_inputs(values, printed, today)
    if known is None:
        return found
    given = {one.name for one in found.bound}
    for name in known.parameters:
        if name not in given and name not in known.periods:
            window = next((one for one in known.periods if name in (f"{one}_start", f"{one}_end")), name)
            raise BadInput.of("data.binding.input_missing", code="parameter", name=window)
    spare = [one for one in found.bound if one.name not in known.parameters and one.is_needed]
    if spare:
        name = spare[0].window or spare[0].name
        raise BadInput.of("data.binding.input_spare", code="parameter", name=name)
    return found


def works_of(places: TemplatePlaces, filling: Filling, known: BindingFile | None, schema: SourceSchema,
             inputs: Inputs) -> list[BindingWork]:  # fmt: skip
    """Return the placeholders, those of the binding file with their queries."""
    has_period = any(one.window for one in inputs.bound)
    dates = ", ".join(date_columns(schema)) if has_period else ""
    each = places.divided_by(filling.each) if filling.each else ""
    of_rows = known is not None and known.each == each
    bindings = {
        name: binding
        for binding in (known.bindings if known else [])
        for name in binding.placeholders
        if name != ROWS or of_rows
    }
    works: dict[str, BindingWork] = {}
    for placeholder in places.placeholders({**filling.parameters, **inputs.printed}, each):
        memory = LightMemory(needs_period=has_period and placeholder.is_rows, time_column=dates)
        binding = bindings.get(placeholder.name)
        if binding is None:
            works[placeholder.name] = BindingWork(placeholder=placeholder, memory=memory.bounded())
            continue
        query = binding.query
        if placeholder.is_rows:
            query = with_field_names(query, places.of(placeholder), schema.dialect)
        memory = memory.model_copy(update={"has_sql": True, "database_validated": binding.checked is not None})
        one = BindingWork(
            placeholder=placeholder if each else places.bound(binding),
            memory=memory.bounded(),
            query=query,
            time=binding.checked,
        )
        works[one.name] = one
    return list(works.values())
