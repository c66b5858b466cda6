"""Names are ASCII identifiers that Java takes, from the form's own words."""

from bandsmith.shared.fields.column_kinds import meaning
from bandsmith.shared.fields.identifiers import name_for
from bandsmith.shared.fields.vocabulary import COLUMN_TERMS, SIMPLIFIED, WORDS
from tests.each_case import each


@each(
    "label, name",
    [
        ("Customer", "customer"),
        ("客户:", "customer"),
        ("客 户", "customer"),
        ("Invoice #", "invoice_no"),
        ("委托方姓名(Consignor)", "consignor"),
        ("图录号\nLot No.", "batch_no"),
        ("First Term/Year", "year"),
        ("Preferred Colour of Doors", "preferred_colour_of_doors"),
        ("拍品", "pai_pin"),
        ("旅客姓名", "passenger_name"),
        ("燃油附加费", "fuel_surcharge"),
        ("本期结算金额合计(含税)", "current_payment_amount_total"),
        ("請求書番号", "invoice_number"),
        ("支払期限", "payment_due"),
        ("仓管", "warehouse_keeper"),
        ("凤凰山麒麟洞", "value_7"),
        ("Corresponding Previous Year Quarter Ending", "corresponding_previous_year_quarter"),
        ("Größe", "grosse"),
        ("2nd item", "n2nd_item"),
        ("class", "type"),
        ("Switch", "switch_"),
        ("★★★", "value_7"),
        (None, "value_7"),
    ],
)
def test_a_label_gives_the_name(label: str | None, name: str) -> None:
    assert name_for(label, "value_7", set()) == name


def test_wording_that_heads_a_column_may_mean_another_thing() -> None:
    assert name_for("单位", "v", set()) == "company"
    assert name_for("单位 Unit", "v", set(), column=True) == name_for("单 位", "v", set(), column=True) == "unit"


def test_a_name_that_is_taken_gets_a_number() -> None:
    assert name_for("Amount", "v", {"amount", "amount_2"}) == "amount_3"


def test_every_term_is_a_name_that_stays_as_it_is() -> None:
    for wording, name in COLUMN_TERMS.items():
        assert wording == wording.lower()
        assert name.isascii() and name.isidentifier() and name == name.lower()


def test_every_word_of_a_label_is_a_name() -> None:
    for word, name in WORDS.items():
        assert word.translate(SIMPLIFIED) == word
        assert name.isascii() and name.isidentifier() and name == name.lower()


def test_a_long_heading_is_read_by_its_end():
    """A heading of a file may be as long as a cell."""
    assert meaning("a " * 10_000 + "unit price").kind == "money"
    assert meaning("甲" * 10_000 + "单价").kind == "money"
