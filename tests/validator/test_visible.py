"""What a reader sees of the printed pages: whether they look the same, and which texts stand out."""

from __future__ import annotations

import orjson
import pytest

from bandsmith.services.validator.engine import ReportEngine, SeenPages
from bandsmith.services.validator.vanished_texts import vanished_texts
from bandsmith.shared.edits.base import Row
from bandsmith.shared.model.plan import Data

from .reports import field, report, static

TOTAL = static("Total", key="total", y=100)


def element(attributes: str = "", inside: str = "", text: str = "Total") -> str:
    """The element of the total, changed."""
    box = 'key="total" x="10" y="100" width="150" height="20"'
    return f"<staticText><reportElement {box} {attributes}>{inside}</reportElement><text>{text}</text></staticText>"


HIDDEN = {
    "white on white": element('forecolor="#FFFFFF"'),
    "nearly white": element('forecolor="#F4F4F4"'),
    "never printed": element(inside="<printWhenExpression>false</printWhenExpression>"),
    "blank": element(text=" "),
    "covered": TOTAL + static(" ", key="lid", y=90, height=60).replace("/>", ' mode="Opaque"/>', 1),
    "without height": element().replace('height="20"', 'height="0"'),
}
VISIBLE = {
    "as it was": TOTAL,
    "white on blue": element('forecolor="#FFFFFF" backcolor="#000080" mode="Opaque"'),
    "elsewhere": element().replace('y="100"', 'y="150"'),
    "with other words": element(text="Sum"),
}


def seen(engine: ReportEngine, *elements: str, rows: list[Row] | None = None) -> SeenPages:
    return engine.look(report(*elements), Data(rows=rows or []))


@pytest.mark.parametrize("change", HIDDEN)
def test_a_text_that_a_change_hides_is_named(engine: ReportEngine, change: str):
    before = orjson.dumps(seen(engine, TOTAL).texts)
    changed = report(static("Title"), HIDDEN[change])
    assert vanished_texts(before, engine.look(changed, Data()), changed) == ["Total"]


@pytest.mark.parametrize("change", VISIBLE)
def test_a_text_that_is_still_seen_is_not_named(engine: ReportEngine, change: str):
    before = orjson.dumps(seen(engine, TOTAL).texts)
    changed = report(static("Title"), VISIBLE[change])
    assert vanished_texts(before, engine.look(changed, Data()), changed) == []


def test_an_element_that_was_deleted_is_left_to_the_edits_that_name_it(engine: ReportEngine):
    before = orjson.dumps(seen(engine, TOTAL).texts)
    changed = report(static("Title"))
    assert vanished_texts(before, engine.look(changed, Data()), changed) == []


def test_pages_have_the_same_digest_if_and_only_if_they_look_the_same(engine: ReportEngine):
    pattern = field("new java.math.BigDecimal(5)", more='pattern="#,##0"')
    assert seen(engine, pattern).digest == seen(engine, pattern.replace("#,##0", "0")).digest
    assert seen(engine, pattern).digest != seen(engine, pattern.replace("#,##0", "0.00")).digest
