"""The rows of a table are divided by a column: a report for each of its values."""

from __future__ import annotations

import json

import pytest

from bandsmith.services.ocr.tables import read_table
from bandsmith.services.planner.filling import bind_parts
from bandsmith.services.planner.filling.bind_parts import BoundParts
from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.filling import Filling

from .test_bind_data import TEMPLATE

CSV = """customer,item,quantity,unit_price,ship_date
Acme,bolt,2,1.50,03/04/2026
Bolt & Co,nut,1,2.00,25/04/2026
Acme,screw,5,0.10,26/04/2026
"""


def divided(csv: str = CSV, each: str = "customer") -> BoundParts:
    return bind_parts(TEMPLATE, read_table("a.csv", csv.encode()).lines, Filling(each=each))


def divided_for(*only: str) -> BoundParts:
    return bind_parts(TEMPLATE, read_table("a.csv", CSV.encode()).lines, Filling(each="customer", only=list(only)))


def heads(done: BoundParts) -> dict[str, str]:
    return {name: json.loads(part.lines.splitlines()[0])["parameters"]["customer"] for name, part in done.parts.items()}


def test_each_value_gets_a_report_that_prints_it_once():
    done = divided()
    assert heads(done) == {"Acme": "Acme", "Bolt _ Co": "Bolt & Co"}
    assert [part.row_count for part in done.parts.values()] == [2, 1]
    assert (done.left_out, done.notes) == (0, [])


@pytest.mark.parametrize("each", ["customer", "Customer", "客户名称"])
def test_a_column_is_found_by_its_name_or_by_what_the_report_calls_it(each: str):
    assert len(divided(each=each).parts) == 2


def test_a_date_means_the_same_in_every_part():
    [first, _] = [json.loads(line) for line in divided().parts["Acme"].lines.splitlines()[1:]]
    assert first["ship_date"].startswith("2026-04-03"), "25/04 of the other customer shows that the day comes first"


def test_rows_without_the_value_are_counted():
    done = divided(CSV + ",washer,1,1.00,27/04/2026\n")
    assert done.left_out == 1
    assert [note.en for note in done.notes] == ["One row has no customer and is on no report."]


def test_what_only_one_part_lacks_is_said_with_its_name():
    done = divided(CSV.replace("screw,5", "screw,many"))
    assert [note.en.partition(":")[0] for note in done.notes] == ["Acme"]


@pytest.mark.parametrize(
    ("csv", "each", "words"),
    [
        (CSV, "region", "There is no column for “region”"),
        (CSV.splitlines()[0] + "\n", "customer", "No row has a customer"),
        ("customer,item\n" + "".join(f"c{n},x\n" for n in range(201)), "customer", "more than 200 different values"),
    ],
)
def test_what_cannot_be_divided_is_said(csv: str, each: str, words: str):
    with pytest.raises(BadInput, match=words):
        divided(csv, each)


def test_names_that_files_cannot_tell_apart_get_a_number():
    done = divided("customer,item\nA/B,x\na:b,y\n")
    assert list(done.parts) == ["A_B", "a_b (2)"]


def test_only_the_values_that_are_named_get_a_report():
    assert list(divided_for("acme").parts) == ["Acme"]
    with pytest.raises(BadInput, match=r"No row has the customer Miller\. There are: Acme and Bolt & Co"):
        divided_for("Acme", "Miller")
