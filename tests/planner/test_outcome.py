"""The facts that a printed report is judged by, and which objections of a model count."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.outcome.facts import MAX_FACTS_CHARS, ShownReport, outcome_facts
from bandsmith.services.planner.outcome.review import accepted
from bandsmith.shared.edits.fill_rows import FillRows
from bandsmith.shared.jrxml.draft import Draft
from bandsmith.shared.llm.answers.report import Objection
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.verdict import Printed

COLUMNS = ("item", "quantity")


def template(title: str = "Stock", x: int = 0, look: str = "", sorting: str = "") -> bytes:
    heads = "".join(
        f'<staticText><reportElement key="h{n}" x="{n * 200}" y="0" width="200" height="20"/>'
        f"<text>{name.title()}</text></staticText>"
        for n, name in enumerate(COLUMNS)
    )
    cells = "".join(
        f'<textField><reportElement key="d{n}" x="{n * 200}" y="0" width="200" height="20"/>'
        f"<textFieldExpression>$F{{{name}}}</textFieldExpression></textField>"
        for n, name in enumerate(COLUMNS)
    )
    fields = "".join(f'<field name="{name}" class="java.lang.String"/>' for name in COLUMNS)
    return f"""<jasperReport xmlns="http://jasperreports.sourceforge.net/jasperreports" name="stock" pageWidth="595"
 pageHeight="842" columnWidth="555" leftMargin="20" rightMargin="20" topMargin="20" bottomMargin="20">
{fields}{sorting}<title><band height="40"><staticText><reportElement key="t" x="{x}" y="0" width="200" height="30"/>
{look}<text>{title}</text></staticText></band></title><columnHeader><band height="20">{heads}</band></columnHeader>
<detail><band height="20">{cells}</band></detail></jasperReport>""".encode()


def shown(rows: int = 5, pages: int = 1, title: str = "Stock", x: int = 0, **more: str) -> ShownReport:
    def text(key: str, words: str, left: int, top: int, row: int = 0) -> Printed:
        return Printed(key=key, box=Box(x=20 + left, y=top, width=200, height=20), text=words, row=row)

    printed = [text("t", title, x, 20), *(text(f"h{n}", name.title(), n * 200, 60) for n, name in enumerate(COLUMNS))]
    for row in range(rows):
        printed += [text("d0", f"Bolt {row}", 0, 80 + 20 * row, row), text("d1", str(row), 200, 80 + 20 * row, row)]
    return ShownReport(template(title, x, **more), printed, pages, 12)


def told(facts: list[str], *parts: str) -> bool:
    """Whether one fact holds all the parts."""
    return any(all(part in fact for part in parts) for fact in facts)


def test_page_rows_headings_and_places_are_facts():
    facts = outcome_facts(shown())
    assert told(facts, "A4 portrait, 595 x 842 points; 1 page")
    assert told(facts, "rows on page 1: 5 of 12")
    assert told(facts, 'from left to right: "Item" | "Quantity"')
    assert told(facts, '"Stock"', "top left", "10 pt")
    assert told(facts, "row 1:", '"Bolt 0"') and told(facts, "row 5:", '"Bolt 4"') and not told(facts, "row 4:")


def test_what_a_change_made_different_is_told_with_what_was_before():
    look = '<textElement textAlignment="Center"><font size="18" isBold="true"/></textElement>'
    sorting = '<sortField name="quantity" order="Descending"/>'
    facts = outcome_facts(shown(rows=3, pages=2, title="Stores", x=300, look=look, sorting=sorting), shown())
    assert told(facts, "2 pages", "(before:", "1 page)") and told(facts, "3 of 12", "(before: rows on page 1: 5 of 12)")
    assert told(facts, "order of the rows: quantity, descending")
    assert told(facts, "look of", "isBold unset -> true", "size unset -> 18")
    assert told(facts, 'not now: "Stock"') and told(facts, 'not before: "Stores"')


def test_colours_of_a_text_and_of_what_is_behind_it_are_facts():
    look = 'mode="Opaque" forecolor="#0000FF" backcolor="#FFFF00"'
    report = shown()
    coloured = report.template.replace(b'key="t"', f'key="t" {look}'.encode())
    assert told(outcome_facts(report._replace(template=coloured)), '"Stock"', "text #0000FF", "behind it #FFFF00")


def test_a_look_that_has_a_condition_is_told_with_it():
    style = (
        '<style name="Low"><conditionalStyle><conditionExpression>$F{quantity} == null</conditionExpression>'
        '<style backcolor="#FFFF00" mode="Opaque"/></conditionalStyle></style>'
    )
    report = shown()
    template = report.template.replace(b"<field ", f"{style}<field ".encode(), 1)
    template = template.replace(b'key="d1"', b'key="d1" style="Low"')
    facts = outcome_facts(report._replace(template=template))
    assert told(facts, "row 1:", "backcolor #FFFF00", "where $F{quantity} == null")


def test_a_text_that_moved_is_told_with_both_places():
    assert told(outcome_facts(shown(x=300), shown()), 'moved: "Stock"', "top left", "top centre")


def test_blank_rows_count_as_rows():
    report = shown(rows=4)
    blank = [one.model_copy(update={"text": ""}) if one.key in ("d0", "d1") else one for one in report.printed]
    assert told(outcome_facts(report._replace(printed=blank)), "rows on page 1: 4")


def test_facts_of_a_full_page_stay_within_their_limit():
    facts = outcome_facts(shown(rows=60, title="Stock " * 400), shown())
    assert sum(map(len, facts)) < MAX_FACTS_CHARS + 200


def objection(quote: str, *facts: int) -> Objection:
    return Objection(quote=quote, facts=list(facts), shown="It is at the left.")


@pytest.mark.parametrize("quote", ["bottom right", "Bottom  Right", "“bottom right”"])
def test_an_objection_that_quotes_the_request_and_names_a_fact_counts(quote: str):
    assert accepted([objection(quote, 2)], "Put it at the bottom right.", 3) == [objection(quote, 2)]


@pytest.mark.parametrize(
    "said", [objection("top right", 2), objection("bottom right"), objection("bottom right", 4), objection("“”", 2)]
)
def test_any_other_objection_is_dropped(said: Objection):
    assert accepted([said], "Put it at the bottom right.", 3) == []


def test_the_same_part_of_a_request_is_objected_to_once():
    assert len(accepted([objection("右下角", 1), objection("右下角", 2)], "签名放在右下角", 3)) == 1


def test_rows_that_fill_the_page_are_counted_apart():
    draft = Draft(template())
    FillRows(count=8).apply(draft, exact=False)
    keys = [name for name in draft.names() if name.startswith("blank_")]
    report = shown()
    blank = [
        Printed(key=key, box=Box(x=20, y=200 + 20 * number, width=200, height=20), text="")
        for number, key in enumerate(sorted(keys)[:3])
    ]
    facts = outcome_facts(ShownReport(draft.bytes(), [*report.printed, *blank], 1, 12))
    assert told(facts, "rows on page 1: 5 of 12, and 3 blank rows below them") and not told(facts, "groups by")


@pytest.mark.parametrize(
    ("undone", "kept"),
    [("Not done; the language model says: “A photo at the bottom right is not attached.”", 0), ("No photo.", 1)],
)
def test_what_the_user_is_told_was_not_done_is_no_objection(undone: str, kept: int):
    said = objection("bottom right", 2)
    assert len(accepted([said], "Put a photo at the bottom right.", 3, [undone])) == kept
