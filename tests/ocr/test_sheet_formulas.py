"""A workbook's formulas reach the layout where a template can compute them; anything else stays a value."""

from __future__ import annotations

import io
import time

import openpyxl
import pytest
from openpyxl.worksheet.table import Table

from bandsmith.services.ocr.documents import decode_document
from bandsmith.services.ocr.documents.sheet_formulas import read_formula, written_formulas
from bandsmith.services.ocr.documents.sheet_references import UnseenCells
from bandsmith.services.ocr.marks import find_marks
from bandsmith.services.ocr.page import Page
from bandsmith.services.ocr.structure import understand
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.sheet import CellArea, CellFormula, Rounding

from .office_files import NoEngine, saved_office


def page_of(book) -> Page:
    page = decode_document("form.xlsx", saved_office(book), None)
    assert isinstance(page, Page)
    return page


def words_of(book) -> list[str]:
    return [word.text for word in page_of(book).words or []]


def invoice(*below: tuple[str, str | float]):
    """Two rows whose amounts are computed, and (label, value or formula) below them in columns C and D."""
    book = openpyxl.Workbook()
    book.active.append(["Item", "Quantity", "Price", "Amount"])
    book.active.append(["Lamp", 4, 12.5, "=B2*C2"])
    book.active.append(["Board", 3, 20, "=B3*C3"])
    for label, value in below:
        book.active.append([None, None, label, value])
    return book


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("=B3*C3", "{1} * {2}"),
        ("=+D3-$E$3", "{1} - {2}"),
        ("=SUM(D5:D9)", "(( {1} ))"),
        ("=SUM(D5:D9,E2)*13%", "(( {1} ) + ( {2} )) * ( 13 / 100 )"),
        ("=B3/C3%", "{1} / ( {2} / 100 )"),
        ("=B3/(C3+5)%", "{1} / ( ( {2} + 5 ) / 100 )"),
        ("=SUBTOTAL(109,D5:D9)", "((   {1} ))"),
        ("=PRODUCT(B3,C3)", "(( {1} ) * ( {2} ))"),
        ("=(B3+C3)*0.06", "( {1} + {2} ) * 0.06"),
        ("=Sheet!B3*2", "{1} * 2"),
    ],
)
def test_sums_and_products_of_cells_are_read(written: str, read: str):
    formula = read_formula(written, 10, 4, openpyxl.Workbook().active)

    assert formula is not None
    assert formula.text == read


@pytest.mark.parametrize(
    "written",
    [
        '=IF(B3="","",B3*C3)',
        "=VLOOKUP(A3,Sheet2!A:B,2)",
        "=Other!B3*2",
        "=TODAY()",
        '=A3&" pieces"',
        "=B3^2",
        "=D5:D9*2",
        "=SUM(D:D)",
        "=rate*B3",
        "=AVERAGE(D5:D9)",
        "=1+1",
        "=B3*1E+60000000",
        "=B3+D0",
        "=SUM(" + "D5," * 200 + "D6)",
        "=((((",
        "=",
    ],
)
def test_other_formulas_are_left_as_values(written: str):
    assert read_formula(written, 10, 4, openpyxl.Workbook().active) is None


@pytest.mark.parametrize(
    ("written", "rounding"),
    [
        ("=ROUND(D5*0.13,2)", Rounding(decimals=2)),
        ("=INT(D5*0.1)", Rounding(decimals=0, mode="FLOOR")),
        ("=ROUNDDOWN(D5*0.1,0)", Rounding(decimals=0, mode="DOWN")),
        ("=ROUNDUP(D5*0.1,1)", Rounding(decimals=1, mode="UP")),
        ("=D5*0.1", None),
    ],
)
def test_what_a_formula_rounds_as_a_whole_is_rounded_in_its_way(written: str, rounding: Rounding | None):
    formula = read_formula(written, 10, 4, openpyxl.Workbook().active)

    assert formula is not None
    assert formula.rounding == rounding


def test_a_formula_that_rounds_a_part_is_left_as_a_value():
    assert read_formula("=D5+ROUND(D5*0.13,2)", 10, 4, openpyxl.Workbook().active) is None


def test_the_columns_of_a_table_are_those_of_its_rows():
    sheet = openpyxl.Workbook().active
    sheet.append(["Quantity", "Unit price", "Amount"])
    sheet.append([1, 2, 2])
    sheet.append([3, 4, 12])
    table = Table(displayName="Items", ref="A1:C3")
    table._initialise_columns()
    for column, cell in zip(table.tableColumns, sheet[1], strict=True):
        column.name = cell.value
    sheet.add_table(table)
    whole = read_formula("=SUM(Items[Amount])", 5, 3, sheet)
    row = read_formula("=Items[[#This Row],[Unit price]]*2", 3, 3, sheet)

    assert whole is not None and whole.operands == [CellArea(top=2, left=3, bottom=3, right=3, is_summed=True)]
    assert row is not None and row.operands == [CellArea(top=3, left=2, bottom=3, right=2)]


@pytest.mark.parametrize("written", ["=ROW()-4", "=A9+1"])
def test_formulas_that_number_the_rows_are_known(written: str):
    formula = read_formula(written, 10, 1, openpyxl.Workbook().active)

    assert formula is not None
    assert formula.counts_rows


def test_the_layout_has_the_formulas_and_the_cells_that_they_name():
    cells = {(cell.row, cell.column): cell for cell in page_of(invoice(("Total", "=SUM(D2:D3)"))).sheet_cells}

    assert sorted(cells) == [(2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (3, 4), (4, 4)]
    assert cells[2, 2].formula is None
    assert cells[4, 4].formula is not None
    assert cells[4, 4].box.y > cells[3, 4].box.y


def test_formulas_without_saved_values_are_computed():
    book = invoice(("Total", "=SUM(D2:D3)"), ("VAT", "=ROUND(D4*0.15,2)"), ("Due", "=D4+D5"))

    assert words_of(book)[-6:] == ["Total", "110", "VAT", "16.5", "Due", "126.5"]
    [note] = page_of(book).notes
    assert note.en.startswith("The workbook has no saved values for 5 formulas; they were computed here.")
    assert note.zh.startswith("工作簿没有保存 5 个公式的结果")


def test_a_last_row_of_computed_values_alone_is_printed():
    book = invoice()
    book.active["D5"] = "=SUM(D2:D3)"

    assert words_of(book)[-1] == "110"


def test_what_cannot_be_computed_stays_empty_and_is_said():
    book = invoice(("Total", "=IF(D2>1,5,6)"), ("Due", "=D4+1"), ("Share", "=D2/E9"))

    assert words_of(book)[-3:] == ["Total", "Due", "Share"]
    assert [note.en.partition(" have")[0] for note in page_of(book).notes][:1] == ["3 formulas"]


def test_formulas_that_name_each_other_stay_empty():
    assert words_of(invoice(("One", "=D5+1"), ("Other", "=D4+1")))[-2:] == ["One", "Other"]


def test_a_rate_in_a_hidden_column_becomes_a_constant():
    book = invoice(("VAT", "=SUM(D2:D3)*F1"))
    book.active["F1"] = 0.15
    book.active.column_dimensions["F"].hidden = True
    [formula] = [cell.formula for cell in page_of(book).sheet_cells if (cell.row, cell.column) == (4, 4)]

    assert formula is not None
    assert formula.text == "(( {1} )) * 0.15"


def test_a_step_of_a_computation_beside_the_printed_area_is_written_out():
    book = invoice(("Net", "=F4-5"))
    book.active["F4"] = "=SUM(D2:D3)"
    book.active.print_area = "A1:D4"
    [formula] = [cell.formula for cell in page_of(book).sheet_cells if (cell.row, cell.column) == (4, 4)]

    assert formula is not None
    assert formula.text == "( (( {1} )) ) - 5"


def formula_at(book, row: int, column: int) -> CellFormula:
    [formula] = [cell.formula for cell in page_of(book).sheet_cells if (cell.row, cell.column) == (row, column)]
    assert formula is not None
    return formula


@pytest.mark.parametrize("hidden", ["=IF(D2>1,0.15,0.2)", "=VLOOKUP(A2,H1:I9,2)", None, "a text"])
def test_a_formula_with_a_hidden_cell_that_is_no_typed_number_is_not_computable(hidden: str | None):
    book = invoice(("VAT", "=SUM(D2:D3)*F1"))
    book.active["F1"] = hidden
    book.active.column_dimensions["F"].hidden = True
    book.active["G2"] = "Note"

    assert not formula_at(book, 4, 4).is_computable


def test_a_lookup_that_was_saved_in_a_hidden_cell_is_no_constant():
    book = invoice(("VAT", "=SUM(D2:D3)*F1"))
    book.active["F1"] = "=VLOOKUP(A2,H1:I9,2)"
    book.active.column_dimensions["F"].hidden = True
    content = saved_office(book)
    saved = openpyxl.load_workbook(io.BytesIO(content))
    sheet = saved.active
    formulas = written_formulas(sheet)
    sheet["F1"] = 0.15
    unseen = UnseenCells(sheet, formulas, lambda at: at[1] < 6)

    assert not unseen.written_out()[4, 4].is_computable


@pytest.mark.parametrize(("hidden", "is_computable"), [(70, False), (None, True)])
def test_a_sum_over_a_hidden_row_is_computable_only_if_that_row_is_empty(hidden: float | None, is_computable: bool):
    book = invoice((None, hidden), ("Total", "=SUM(D2:D4)"))  # type: ignore[arg-type]
    book.active.row_dimensions[4].hidden = True

    assert formula_at(book, 5, 4).is_computable == is_computable


def subtotals(*formulas: str):
    """Two groups of amounts in column B, 100 and 50 twice, with three formulas: below each group, and at the end."""
    book = openpyxl.Workbook()
    for row in [["Item", "Amount"], ["Lamp", 100], ["Group 1", formulas[0]], ["Board", 50], ["Chair", 100]]:
        book.active.append(row)
    book.active.append(["Group 2", formulas[1]])
    book.active.append(["All", formulas[2]])
    return book


def test_a_subtotal_leaves_out_the_subtotals_among_its_cells():
    book = subtotals("=SUBTOTAL(9,B2:B2)", "=SUBTOTAL(9,B4:B5)", "=SUBTOTAL(9,B2:B6)")

    assert words_of(book)[-1] == "250"
    assert formula_at(book, 7, 2).operands == [
        CellArea(top=2, left=2, bottom=2, right=2, is_summed=True),
        CellArea(top=4, left=2, bottom=5, right=2, is_summed=True),
    ]


def test_a_sum_adds_up_the_subtotals_among_its_cells():
    assert words_of(subtotals("=SUBTOTAL(9,B2:B2)", "=SUBTOTAL(9,B4:B5)", "=SUM(B2:B6)"))[-1] == "500"


@pytest.mark.parametrize("inner", ["=SUBTOTAL(9,B2:B2)+1", "=AGGREGATE(9,5,B2:B2)"])
def test_a_subtotal_of_cells_that_are_subtotals_in_part_is_not_computed(inner: str):
    book = subtotals(inner, "=B4+B5", "=SUBTOTAL(9,B2:B6)")

    assert words_of(book)[-1] == "All"


@pytest.mark.parametrize("kind", [9, 109])
def test_a_subtotal_over_hidden_rows_is_not_computed(kind: int):
    book = subtotals("=B2", "=B4+B5", f"=SUBTOTAL({kind},B2:B6)")
    book.active.row_dimensions[4].hidden = True

    assert words_of(book)[-1] == "All"
    assert not formula_at(book, 7, 2).is_computable


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("=B2/C2%", "800"),
        ("=-B2%", "-0.04"),
        ("=PRODUCT(B2,C2)", "2"),
        ("=PRODUCT(B2,E9)", ""),
        ("=PRODUCT(A2,B2)", ""),
        ("=SUM(A2,B2)", "4"),
    ],
)
def test_a_formula_gives_what_a_spreadsheet_program_gives(written: str, text: str):
    book = openpyxl.Workbook()
    book.active.append(["Item", "Quantity", "Price", "Amount"])
    book.active.append(["Lamp", 4, 0.5, written])

    assert words_of(book)[5:] == ["4", "0.5", *([text] if text else [])]


def test_a_formula_over_too_many_cells_does_not_stop_the_others():
    book = invoice(("Due", "=D2+D3"))
    for column in range(6, 12):
        book.active.cell(1, column, "=SUM(" + ",".join(["A1:CV400"] * 6) + ")")

    assert "110" in words_of(book)


@pytest.mark.slow
def test_many_formulas_over_all_cells_take_no_long_time():
    book = openpyxl.Workbook()
    book.active["A90"], book.active["AX81"] = "Item", "Total"
    for row in range(1, 81):
        for column in range(1, 51):
            book.active.cell(row, column, f"=SUM($A$1:$AX$400)+{row * column}")
    content = saved_office(book)
    started = time.process_time()
    decode_document("form.xlsx", content, None)

    assert time.process_time() - started < 8


def layout_of(book) -> Layout:
    page = page_of(book)
    return understand(page.size, find_marks(page, NoEngine()), [])


def test_a_row_that_the_sheet_adds_up_is_no_record_whatever_it_is_called():
    book = openpyxl.Workbook()
    book.active.append(["Item", "Quantity", "Price", "Amount"])
    for row in range(2, 6):
        book.active.append([f"Lamp {row}", row, 12.5, f"=B{row}*C{row}"])
    book.active.append(["課税対象額(10%)", None, None, "=SUM(D2:D5)"])
    repeat = layout_of(book).repeat

    assert repeat is not None
    assert repeat.rows == 4


def test_a_running_sum_of_another_column_does_not_end_the_rows():
    book = openpyxl.Workbook()
    book.active.append(["Item", "Quantity", "Price", "Balance"])
    for row in range(2, 6):
        book.active.append([f"Lamp {row}", row, 12.5, f"=SUM(C$2:C{row})"])
    repeat = layout_of(book).repeat

    assert repeat is not None
    assert repeat.rows == 4


def test_unseen_cells_that_name_each_other_many_times_take_no_long_time():
    book = invoice(("Net", "=F4+G4+H4+I4"))
    for row in range(4, 40):
        for column in "FGHI":
            book.active[f"{column}{row}"] = "=" + "+".join(f"{other}{row + 1}" for other in "FGHI" * 6)
    book.active.print_area = "A1:D4"
    [formula] = [cell.formula for cell in page_of(book).sheet_cells if (cell.row, cell.column) == (4, 4)]

    assert formula is not None
    assert len(formula.text) < 400
