"""The rules between the rows of a table look alike, however a single one was read."""

import pytest

from bandsmith.services.generator.planning.ruling import Ruling, even_between_rows
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Dash, Layout, RulingLine

from .forms import invoice


def ruled(*dashes: Dash) -> Layout:
    """An invoice with a rule on every edge of its three rows."""
    layout = invoice().layout()
    assert layout.repeat is not None and layout.repeat.rows == 3
    box, tops = layout.repeat.box, layout.repeat.tops
    edges = [*tops, tops[-1] + layout.repeat.pitch]
    rules = [
        RulingLine(id=f"rule{n}", x1=box.x, x2=box.right, y1=y, y2=y, thickness=0.5, dash=dash)
        for n, (y, dash) in enumerate(zip(edges, dashes, strict=True))
    ]
    return layout.model_copy(update={"rules": rules})


@pytest.mark.parametrize(
    ("read", "drawn"),
    [
        (("Dashed", "Dashed", "Solid", "Dashed"), ("Dashed", "Dashed", "Dashed", "Dashed")),
        (("Solid", "Dashed", "Dashed", "Dashed"), ("Solid", "Dashed", "Dashed", "Dashed")),
        (("Solid", "Dashed", "Dashed", "Solid"), ("Solid", "Dashed", "Dashed", "Solid")),
    ],
)
def test_a_rule_between_rows_is_dashed_as_most_rules_of_the_table(read: tuple[Dash, ...], drawn: tuple[Dash, ...]):
    assert tuple(rule.dash for rule in even_between_rows(ruled(*read))) == drawn


def test_the_rest_of_a_rule_reaches_to_the_cells_whose_borders_draw_it():
    ruling = Ruling([RulingLine(id="rule1", x1=20, x2=320, y1=100, y2=100, thickness=1)])
    for left in (20, 220):
        ruling.borders(Box(x=left, y=100, width=100, height=30))

    assert [(rest.x1, rest.x2) for rest in ruling.undrawn()] == [(120, 220)]


def test_no_rest_is_drawn_beside_a_cell_that_is_a_little_shorter_than_its_rule():
    ruling = Ruling([RulingLine(id="rule1", x1=19, x2=121.5, y1=100, y2=100, thickness=1)])
    ruling.borders(Box(x=20, y=100, width=100, height=30))

    assert ruling.undrawn() == []
