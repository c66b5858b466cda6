"""The facts that a printed report is judged by, and which objections of a model count."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.outcome.condition_words import condition_words
from bandsmith.services.planner.outcome.facts import MAX_FACTS_CHARS, ShownReport, outcome_facts
from bandsmith.services.planner.outcome.review import accepted
from bandsmith.shared.edits.fill_rows import FillRows
from bandsmith.shared.jrxml.conditions import Comparison, row_condition
from bandsmith.shared.jrxml.draft import Draft
from bandsmith.shared.jrxml.labels import TemplateLabels
from bandsmith.shared.llm.answers.report import Objection
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.turns.verdict import Printed

COLUMNS = ("item", "quantity")


def template(title: str = "Stock", x: int = 0, look: str = "", sorting: str = "", styles: str = "") -> bytes:
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
{styles}{fields}{sorting}
<title><band height="40"><staticText><reportElement key="t" x="{x}" y="0" width="200" height="30"/>
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


def test_what_a_text_looked_like_by_its_style_is_told_as_what_was_before():
    style = '<style name="Title" fontSize="14" isBold="true"/>'
    report = shown(look='<textElement><font size="10"/></textElement>', styles=style)
    before = report.template.replace(b'key="t"', b'key="t" style="Title"')
    larger = before.replace(b'<font size="10"/>', b'<font size="18" isBold="true"/>')
    without = before.replace(b'<textElement><font size="10"/></textElement>', b"")
    facts = outcome_facts(report._replace(template=larger), report._replace(template=without))
    assert told(facts, "look of", "size 14 -> 18")
    assert not told(facts, "isBold")


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
    assert told(facts, "row 1:", "backcolor #FFFF00", 'in the rows where "Quantity" is missing')


@pytest.mark.parametrize(
    ("java_class", "sign", "value", "other", "words"),
    [
        ("java.math.BigDecimal", ">", "1000.5", None, '"Quantity" > 1000.5'),
        ("java.lang.Integer", "<=", "3", None, '"Quantity" <= 3'),
        ("java.math.BigDecimal", "<", "", "item", '"Quantity" < "Item"'),
        ("java.util.Date", "<", "2026-05-31", None, '"Quantity" < 2026-05-31'),
        ("java.util.Date", ">=", "2026-05-31 08:30", None, '"Quantity" >= 2026-05-31 08:30:00'),
        ("java.util.Date", ">", "08:30", None, 'time of "Quantity" > "08:30:00"'),
        ("java.lang.String", "!=", "a pair", None, '"Quantity" is not "a pair"'),
        ("java.lang.Boolean", "==", "true", None, '"Quantity" is true'),
    ],
)
def test_a_condition_is_told_in_words(java_class: str, sign: Comparison, value: str, other: str | None, words: str):
    content = template().replace(b'class="java.lang.String"', f'class="{java_class}"'.encode())
    draft = Draft(content)
    condition = row_condition(draft, "quantity", sign, value, other)
    assert condition_words(condition, TemplateLabels(draft, "en")) == f"the rows where {words}"


def test_a_text_that_moved_is_told_with_both_places():
    assert told(outcome_facts(shown(x=300), shown()), 'moved: "Stock"', "top left", "top centre")


def test_a_deleted_picture_is_told_with_its_place_and_a_shape_with_its_colour():
    def drawn(report: ShownReport) -> ShownReport:
        shapes = (
            '<image><reportElement key="logo" x="300" y="0" width="60" height="30"/></image>'
            '<rectangle><reportElement key="area" x="400" y="0" width="50" height="10" backcolor="#0000FF"/>'
            "</rectangle>"
        )
        printed = [Printed(key="logo", box=Box(x=320, y=20, width=60, height=30)), *report.printed]
        content = report.template.replace(b'<title><band height="40">', f'<title><band height="40">{shapes}'.encode())
        return report._replace(template=content, printed=printed)

    facts = outcome_facts(shown(), drawn(shown()))
    assert told(facts, "deleted: a picture at x 320-380 y 20 top centre, 60 x 30 points")
    assert told(facts, "deleted: a rectangle in #0000FF at x 400 y 0 of the title, 50 x 10 points")
    assert told(outcome_facts(drawn(shown()), shown()), "added: a picture at x 320-380")


def test_things_are_named_by_what_is_printed_and_never_by_their_keys():
    def with_note(x: int, printed: bool) -> ShownReport:
        report = shown()
        note = (
            f'<textField><reportElement key="footer_note" x="{x}" y="0" width="90" height="20"/>'
            "<textFieldExpression>$P{footer_note}</textFieldExpression></textField>"
        )
        content = report.template.replace(b'<title><band height="40">', f'<title><band height="40">{note}'.encode())
        one = Printed(key="footer_note", box=Box(x=20 + x, y=20, width=90, height=20), text="Thank you")
        return report._replace(template=content, printed=[*report.printed, one] if printed else report.printed)

    facts = outcome_facts(with_note(300, True), with_note(0, True))
    assert told(facts, 'moved: "Thank you" from x 20-', "y 20 top left to x 320-") and not told(facts, "footer_note")
    facts = outcome_facts(with_note(300, False), with_note(0, False))
    assert told(facts, "moved: ", "from x 0 y 0 of the title to x 300") and not told(facts, "footer_note")


def test_widths_of_columns_are_told_before_and_after():
    report = shown()
    narrow = report.template.replace(b'y="0" width="200" height="20"', b'y="0" width="150" height="20"')
    facts = outcome_facts(report._replace(template=narrow), report)
    assert told(facts, "widths of columns in points:", '"Quantity" 200 -> 150')


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
