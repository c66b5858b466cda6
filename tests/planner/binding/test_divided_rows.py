"""The kept query of a report for each customer is used as it is."""

from __future__ import annotations

from datetime import date

from bandsmith.services.planner.binding.placeholders import TemplatePlaces, inputs_of, works_of
from bandsmith.shared.model.binding import ROWS, Binding, BindingFile
from bandsmith.shared.model.filling import Filling
from bandsmith.shared.model.source import SourceColumn, SourceSchema, SourceTable
from tests.planner.language.change.templates import slip

SCHEMA = SourceSchema(
    source="shop",
    dialect="sqlite",
    tables=[SourceTable(name="lines", columns=[SourceColumn(name="customer", type="TEXT")])],
)


def test_the_column_that_rows_are_divided_by_stays_in_the_query():
    template, data = slip()
    places = TemplatePlaces(template, data.model_dump_json().encode())
    filling = Filling(source="shop", each="customer", parameters={"date": "2026-10-01"})
    [rows] = [one for one in places.placeholders(filling.parameters, "customer") if one.name == ROWS]
    query = "SELECT " + ", ".join(f"x AS {field.name}" for field in reversed(rows.fields)) + " FROM lines"
    known = BindingFile(source="shop", each="customer", bindings=[Binding(placeholders=[ROWS], query=query)])
    [work] = works_of(places, filling, known, SCHEMA, inputs_of(filling, places, None, date(2026, 11, 28)))
    assert work.query == query
