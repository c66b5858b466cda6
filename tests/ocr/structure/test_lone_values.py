"""A value that few rows have, in a ruled column below a heading of its own, is a column of the rows."""

from __future__ import annotations

import pytest

from bandsmith.services.ocr.structure.lone_values import with_lone_values
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Repeat, Slot, TextStyle

STYLE = TextStyle(family="Liberation Sans", size=8)
TOPS = [100.0, 115.0, 130.0]


def block(name: str, text: str, room: Box) -> Block:
    box = Box(x=room.x + 4, y=room.y + 4, width=20, height=6)
    return Block(id=name, text=text, lines=[name], box=box, style=STYLE, room=room)


def cell(row: int, x: float = 200) -> Box:
    return Box(x=x, y=TOPS[row], width=60, height=15)


def timesheet(*others: Block) -> tuple[Repeat, list[Block]]:
    """Three rows of times; the heading of their total takes two lines of headings."""
    kinds = [block(f"kind{row}", text, cell(row, 20)) for row, text in enumerate(("ST", "OT", "SICK"))]
    heads = [block("head", "Time", Box(x=20, y=85, width=60, height=15))]
    heads.append(block("total", "Total\nhours", Box(x=200, y=70, width=60, height=30)))
    rows = Repeat(
        box=Box(x=20, y=100, width=60, height=45), tops=TOPS, pitch=15, heights=[], header=["head"],
        slots=[Slot(label="Time", blocks=[one.id for one in kinds])],
    )  # fmt: skip
    return rows, [*kinds, *heads, *others]


def test_a_total_in_the_first_row_alone_is_a_column_with_its_heading():
    rows, blocks = timesheet(block("forty", "40", cell(0)))

    found = with_lone_values(rows, blocks)

    assert found.slots[-1] == Slot(label="Total hours", blocks=["forty", None, None], role="value")
    assert found.header == ["head", "total"]


@pytest.mark.parametrize(
    "other",
    [
        block("wording", "see below", cell(0)),
        block("high", "40", Box(x=200, y=100, width=60, height=45)),
        block("beside", "40", cell(0, 300)),
    ],
    ids=["wording", "a cell of all rows", "no heading"],
)
def test_anything_else_beside_the_rows_is_no_column(other: Block):
    rows, blocks = timesheet(other)

    assert with_lone_values(rows, blocks) == rows


def test_two_values_below_one_heading_are_in_one_column():
    rows, blocks = timesheet(block("forty", "40", cell(0)), block("eight", "8", cell(2)))

    assert with_lone_values(rows, blocks).slots[1:] == [
        Slot(label="Total hours", blocks=["forty", None, "eight"], role="value")
    ]
