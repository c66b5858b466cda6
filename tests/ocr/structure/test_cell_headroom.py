"""Cells that leave room above a signature or a date for what their label asks for."""

import pytest

from bandsmith.services.ocr.structure.cell_headroom import find_headroom
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Cell, Grid, TextStyle

STYLE = TextStyle(family="Liberation Sans", size=10)
COLUMNS, ROWS = [100.0, 170.0, 500.0], [400.0, 480.0]
GRID = Grid(
    id="g",
    box=Box.between(100, 400, 500, 480),
    columns=COLUMNS,
    rows=ROWS,
    cells=[Cell(row=0, column=n, box=Box.between(COLUMNS[n], 400, COLUMNS[n + 1], 480)) for n in (0, 1)],
    rules=[],
)


def block(text: str, x: float, y: float) -> Block:
    return Block(id=f"{text}{x}", text=text, lines=[], box=Box(x=x, y=y, width=10 * len(text), height=9), style=STYLE)


def test_an_opinion_has_its_place_above_the_signature_and_the_date():
    texts = [block("主管意见", 110, 435), block("签名：", 300, 450), block("年", 400, 465), block("月", 430, 465)]
    (blank,) = find_headroom(texts, [GRID], [])
    assert blank.label == "主管意见"
    assert (blank.box.x, blank.box.right) == (172, 498)
    assert blank.box.height > 30 and blank.box.bottom < 450


def test_a_cell_with_wording_of_its_own_or_without_room_has_no_place_above_it():
    assert not find_headroom([block("主管意见", 110, 435), block("同意", 300, 450)], [GRID], [])
    assert not find_headroom([block("主管意见", 110, 435), block("签名：", 300, 410)], [GRID], [])


def test_a_large_table_of_labels_is_read_with_few_looks_at_each_text(monkeypatch: pytest.MonkeyPatch):
    count = 20
    edges = [20.0 * number for number in range(count + 1)]
    places = [(row, column) for row in range(count) for column in range(count)]
    boxes = [Box.between(edges[column], edges[row], edges[column + 1], edges[row + 1]) for row, column in places]
    cells = [Cell(row=row, column=column, box=box) for (row, column), box in zip(places, boxes, strict=True)]
    grid = GRID.model_copy(update={"box": Box.around(boxes), "columns": edges, "rows": edges, "cells": cells})
    texts = [block("年", box.x + 2, box.y + 5) for box in boxes]
    looks = 0
    holds = Box.holds

    def counted(self: Box, x: float, y: float) -> bool:
        nonlocal looks
        looks += 1
        return holds(self, x, y)

    monkeypatch.setattr(Box, "holds", counted)
    assert not find_headroom(texts, [grid], [])
    assert looks <= len(texts) * count
