"""What a template's data model says against it: rows that hold several items, labels that became values, shared names.

Each layout here prints a page that looks like its form; only the meaning of its fields is wrong.
"""

from __future__ import annotations

import pytest

from bandsmith.services.validator.checks.grading import judge
from bandsmith.services.validator.field_meaning import label_values, row_headings, several_items, shared_headings
from bandsmith.services.validator.fixed_rows import fixed_rows
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import Block, Cell, Grid, Layout, Repeat, Slot, TextStyle

from .test_grading import SPOTLESS

STYLE = TextStyle(family="Liberation Sans", size=10)
PAGE = Size(width=600, height=800)
COLUMN, LINE = 100, 20


def text(at: tuple[int, int], words: str, *, label: str | None = None, role: str = "value") -> Block:
    column, line = at
    box = Box(x=20 + COLUMN * column, y=20 + LINE * line, width=60, height=8)
    name = f"{column}-{line}"
    return Block(id=name, text=words, lines=[], box=box, style=STYLE, role=role, label=label)  # type: ignore[arg-type]


def page(*blocks: Block, rows: Repeat | None = None, grids: tuple[Grid, ...] = ()) -> Layout:
    return Layout(page=PAGE, blocks=[*blocks], repeat=rows, grids=[*grids])


def rows_of(headings: list[str], records: list[list[list[str]]]) -> Layout:
    """Rows of `records`, each of several lines of texts: one slot for each column and line."""
    height = len(records[0])
    blocks, slots = [], []
    for line in range(height):
        for column, heading in enumerate(headings):
            found = [
                text((column, row * height + line + 1), words) if (words := record[line][column]) else None
                for row, record in enumerate(records)
            ]
            blocks += [block for block in found if block]
            if any(found):
                slots.append(Slot(label=heading, blocks=[block.id if block else None for block in found]))
    tops = [20.0 + LINE * (row * height + 1) for row in range(len(records))]
    box = Box.between(20, tops[0], 20 + COLUMN * len(headings), tops[-1] + LINE * height)
    return page(*blocks, rows=Repeat(box=box, tops=tops, pitch=LINE * height, slots=slots))


def ruled(rows: list[list[Block | None]]) -> tuple[Grid, ...]:
    columns, lines = len(rows[0]), len(rows)
    edges = [10.0 + COLUMN * n for n in range(columns + 1)], [14.0 + LINE * n for n in range(lines + 1)]
    cells = [
        Cell(row=y, column=x, box=Box.between(edges[0][x], edges[1][y], edges[0][x + 1], edges[1][y + 1]))
        for y in range(lines)
        for x in range(columns)
    ]
    return (Grid(id="g", box=Box.around(cell.box for cell in cells), columns=edges[0], rows=edges[1], cells=cells),)


def table(rows: list[list[str]], role: str = "value") -> Layout:
    """A ruled table below headings, none of whose rows repeats."""
    blocks = [
        [
            text((x, y), words, role=role if y else "fixed", label=rows[0][x] if y else None) if words else None
            for x, words in enumerate(row)
        ]
        for y, row in enumerate(rows)
    ]
    return page(*(block for row in blocks for block in row if block), grids=ruled(blocks))


TWO_NUTS = [["Nut", "5/8", "40"], ["Nut", "7/8", "35"]]
FOUR_NUTS = [["Nut", "1/2", "20"], ["Nut", "3/4", "15"]]


def test_a_row_with_two_items_below_each_other_is_several_items():
    found = several_items(rows_of(["Product", "Size", "Quantity"], [TWO_NUTS, FOUR_NUTS]))
    assert found.share == 1 and found.at == ("Product", "Size", "Quantity")


def test_an_item_with_a_second_line_of_description_is_one_item():
    described = [["Nut", "5/8", "40"], ["zinc plated", "", ""]]
    assert several_items(rows_of(["Product", "Size", "Quantity"], [described, described])).share == 0


def test_a_second_line_of_another_kind_is_no_second_item():
    described = [["Nut", "5/8", "40"], ["4711", "inch", "pieces"]]
    assert several_items(rows_of(["Product", "Size", "Quantity"], [described, described])).share == 0


def test_two_columns_with_one_heading_cannot_be_told_apart():
    found = shared_headings(rows_of(["Code", "Code", "Unit price", "Amount"], [[["A-1", "Bolt", "2.00", "8.00"]]] * 2))
    assert found.share == pytest.approx(1 / 4) and found.at == ("Code",)


def test_columns_that_the_form_heads_with_the_same_words_have_a_heading_each():
    layout = rows_of(["Earning", "Amount", "Deduction", "Amount"], [[["Wage", "90", "Tax", "8"]]] * 2)
    heads = [text((column, 0), "Amount", role="fixed") for column in (1, 3)]
    assert layout.repeat is not None
    rows = layout.repeat.model_copy(update={"header": [head.id for head in heads]})
    headed = layout.model_copy(update={"blocks": [*layout.blocks, *heads], "repeat": rows})

    assert shared_headings(layout).share == pytest.approx(1 / 4)
    assert shared_headings(headed).share == 0


def test_a_currency_beside_its_amount_is_no_column_of_the_same_name():
    assert shared_headings(rows_of(["Item", "Amount", "Amount"], [[["Bolt", "€", "8.00"]]] * 2)).share == 0


def test_placeholders_side_by_side_in_one_text_are_fields_that_share_a_heading():
    found = shared_headings(rows_of(["Item", "Unit"], [[["{{ i.name }}", "{{ i.unit }} {{ i.quantity }}"]]]))
    assert found.share == pytest.approx(1 / 3) and found.at == ("Unit",)


@pytest.mark.parametrize("words", ["Unit price", "Total:", "出勤天数", "Salesperson"])
def test_wording_of_forms_is_no_value(words):
    values = [text((0, 1), "Nora Lind", label="Salesperson"), text((1, 1), words, label="Seller")]
    found = label_values(page(*values))
    assert found.at == (words,)


@pytest.mark.parametrize("words", ["Nora Lind", "4711", "Bolts and nuts", "2026-03-01", "李明"])
def test_what_people_fill_in_is_a_value(words):
    assert label_values(page(text((0, 1), words, label="Seller"))).share == 0


def test_a_price_or_a_row_of_words_is_no_heading():
    headings = ["3.39", "organic heavy cream and two pints of fresh milk with a loaf of bread", "Amount"]
    found = row_headings(rows_of(headings, [[["Bread", "2", "4.00"]]] * 2))
    assert found.share == pytest.approx(2 / 3)


def test_a_heading_over_several_columns_is_no_row_however_long_it_is():
    over = "Flexible tinned copper conductor with an extruded insulation and sheath that conform to the standard"
    layout = rows_of([f"{over} Size", f"{over} Price", "Amount"], [[["4", "2.00", "4.00"]]] * 2)
    assert row_headings(layout).share == 0


def test_headings_that_count_days_or_years_are_headings():
    assert row_headings(rows_of(["1", "2", "2026"], [[["8", "8", "4"]]] * 2)).share == 0


def test_ruled_rows_of_which_only_the_first_is_filled_in_should_repeat():
    empty = ["", "", ""]
    found = fixed_rows(table([["Order", "Contents", "Subtotal"], ["written later", "", ""], empty, empty]))
    assert found.share == 1 and found.at == ("Order", "Contents", "Subtotal")


def test_ruled_rows_that_ask_for_different_things_are_a_form():
    asked = [["Particulars", "Answer", "Checked"], ["Name", "", ""], ["Born on", "", ""], ["Town", "", ""]]
    assert fixed_rows(table(asked, role="fixed")).share == 0


def test_labels_beside_their_values_in_a_ruled_table_are_a_form():
    pairs = [["Name", "Ada Low", "Town", "Bonn"], ["Born", "1990", "Size", "172"], ["Shoe", "39", "Eyes", "grey"]]
    blocks = [
        [
            text((x, y), words, role="value" if x % 2 else "fixed", label=row[x - 1] if x % 2 else None)
            for x, words in enumerate(row)
        ]
        for y, row in enumerate(pairs)
    ]
    assert fixed_rows(page(*(block for row in blocks for block in row), grids=ruled(blocks))).share == 0


def test_a_line_of_figures_that_nothing_names_is_a_record_that_should_repeat():
    record = [text((column, 3), words) for column, words in enumerate(["0100", "2", "Notebook", "302,51"])]
    assert fixed_rows(page(*record)).share == 1
    labelled = [block.model_copy(update={"label": "Label"}) for block in record]
    assert fixed_rows(page(*labelled)).share == 0


def test_a_wrong_data_model_is_told_first_and_says_where():
    grade, reasons = judge(
        SPOTLESS._replace(texts=0.4, items=0.9, places={"items": ("Product", "Size", "Weight", "Net")})
    )
    assert grade == "start_over"
    assert reasons[0].message == (
        "One row holds several items: 90% of the headings (“Product”, “Size”, “Weight”, …) name several of its fields, "
        "one below the other."
    )
    assert reasons[0].message_zh.startswith("一行里有好几个项目：90% 的表头（“Product”、“Size”、“Weight”、…）")


def test_texts_that_are_only_higher_or_lower_are_no_reason_to_start_over():
    grade, reasons = judge(SPOTLESS._replace(shifted=0.8))
    assert (grade, [one.code for one in reasons]) == ("small_edits", ["grade.shifted"])
