"""Files of data as people have them: CSV of every program, workbooks with titles, JSON of every shape."""

from __future__ import annotations

import base64
import io
import json
from datetime import date

import openpyxl
import pytest
from PIL import Image

from bandsmith.services.ocr.tables import read_table
from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.filling import MAX_CELL_CHARS, MAX_TABLE_ROWS, Cell
from bandsmith.shared.model.filling import read_table as parsed


def rows_of(name: str, content: bytes) -> tuple[list[str], list[list[Cell]]]:
    head, rows = parsed(read_table(name, content).lines)
    return head.columns, list(rows)


def notes_of(name: str, content: bytes) -> str:
    return " ".join(note.en for note in read_table(name, content).notes)


def workbook(*rows: list[object], sheets: int = 1) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for number in range(1, sheets):
        book.create_sheet(f"Sheet {number}")
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


# --- CSV --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_the_one_that_the_rows_have(delimiter: str):
    lines = [["item", "price"], ["Saw, small", "7"], ["Axe", "3"]]
    text = "\n".join(delimiter.join(f'"{cell}"' if delimiter in cell else cell for cell in line) for line in lines)
    assert rows_of("a.csv", text.encode()) == (["item", "price"], [["Saw, small", "7"], ["Axe", "3"]])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_chinese_is_read_in_the_encodings_that_programs_write(encoding: str):
    assert rows_of("a.csv", "品名,数量\n角磨机,2\n".encode(encoding)) == (["品名", "数量"], [["角磨机", "2"]])


def test_western_text_is_not_taken_for_chinese():
    content = "Name,City\nMüller,Köln\n".encode("cp1252")
    assert rows_of("a.csv", content)[1] == [["Müller", "Köln"]]
    assert "Western European" in notes_of("a.csv", content)


def test_empty_lines_are_no_rows_and_short_rows_are_filled_up():
    assert rows_of("a.csv", b"a,b\n1\n,\n\n2,3\n")[1] == [["1", None], ["2", "3"]]


def test_values_beyond_the_last_column_are_left_out_and_said():
    assert "2 rows have more values than there are columns (1, 2)" in notes_of("a.csv", b"a,b\n1,2,3\n4,5,6\n7,8\n")


@pytest.mark.parametrize("content", [b"\x00\x01\x02", b'a,b\n"1,2\n', b"\n\n", b"a,b\n1," + b"x" * 40_000])
def test_a_file_that_is_no_table_is_refused_in_a_sentence(content: bytes):
    with pytest.raises(BadInput):
        read_table("a.csv", content)


def test_more_rows_than_a_report_takes_are_refused():
    with pytest.raises(BadInput) as refused:
        read_table("a.csv", b"a\n" + b"1\n" * (MAX_TABLE_ROWS + 1))
    assert refused.value.code == "table"


# --- XLSX -------------------------------------------------------------------------------------------------------------


def test_a_workbook_keeps_numbers_and_dates():
    content = workbook(["item", "price", "day"], ["Saw", 7.25, date(2026, 3, 1)], ["Axe", 3, None])
    assert rows_of("a.xlsx", content)[1] == [["Saw", 7.25, "2026-03-01"], ["Axe", 3, None]]


def test_titles_above_the_names_of_the_columns_are_left_out_and_said():
    content = workbook(["March"], [], ["item", "price"], ["Saw", 7])
    assert rows_of("a.xlsx", content) == (["item", "price"], [["Saw", 7]])
    assert "One line above" in notes_of("a.xlsx", content)


def test_other_sheets_and_formulas_without_values_are_said():
    content = workbook(["item", "price"], ["Saw", "=1+1"], sheets=2)
    assert rows_of("a.xlsx", content)[1] == [["Saw", None]]
    said = notes_of("a.xlsx", content)
    assert "the workbook has more" in said and "One formula has no calculated value" in said


# --- JSON -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "document",
    [
        [{"item": "Saw", "price": 7.5}],
        {"rows": [{"item": "Saw", "price": 7.5}], "parameters": {}},
        {"items": [{"item": "Saw", "price": 7.5}]},
    ],
)
def test_rows_are_found_in_every_shape_of_json(document: object):
    assert rows_of("a.json", json.dumps(document).encode()) == (["item", "price"], [["Saw", 7.5]])


def test_values_beside_the_rows_are_kept_for_the_parameters():
    head, _ = parsed(read_table("a.json", b'{"customer": {"name": "Eastgate"}, "items": [{"a": 1}]}').lines)
    assert head.parameters == {"customer.name": "Eastgate"}


def test_lists_beside_the_rows_are_kept_for_further_tables():
    data = {"rows": [{"a": 1}], "materials": [{"item": "Paint"}], "lists": {"staff": [{"name": "Ann"}]}}
    head, _ = parsed(read_table("a.json", json.dumps(data).encode()).lines)
    assert head.lists == {"materials": [{"item": "Paint"}], "staff": [{"name": "Ann"}]}
    assert head.columns == ["a"]


def test_a_picture_in_json_is_a_value_of_any_length():
    """The data of a build hold its logo and its seal."""
    content = io.BytesIO()
    Image.effect_noise((200, 200), 90).save(content, "PNG")
    logo = base64.b64encode(content.getvalue()).decode()
    head, _ = parsed(
        read_table("data.json", json.dumps({"parameters": {"logo": logo}, "rows": [{"a": 1}]}).encode()).lines
    )
    assert len(logo) > MAX_CELL_CHARS
    assert head.parameters == {"logo": logo}


def test_json_numbers_lose_no_digit():
    content = b'[{"a": 12345678901234567.89, "b": 12345678901234567890, "c": 0.10}]'
    assert rows_of("a.json", content)[1] == [["12345678901234567.89", "12345678901234567890", 0.1]]


def test_no_rows_are_a_table_without_rows():
    assert rows_of("a.json", b"[]") == ([], [])


@pytest.mark.parametrize(
    "content", [b"{", b"7", b'{"a": [{}], "b": [{}]}', b"[[1, 2]]", b'[{"a": NaN}]', b"[" * 99_999]
)
def test_json_without_one_list_of_rows_is_refused(content: bytes):
    with pytest.raises(BadInput):
        read_table("a.json", content)


def test_a_number_of_any_size_stays_short():
    content = b'[{"a": 1e999999999, "b": 1e-999999999, "c": 1e400}]'
    assert rows_of("a.json", content)[1] == [["1E+999999999", "1E-999999999", "1" + "0" * 400]]
    with pytest.raises(BadInput, match="not JSON"):
        read_table("a.json", b'[{"a": 1e' + b"1" * 1_000 + b"}]")


def test_a_value_that_is_too_long_is_named_as_such():
    for length in (40_000, 400_000):
        with pytest.raises(BadInput, match="longer than"):
            read_table("a.csv", b"a,b\n" + b"1" * length + b",2\n")
