"""Which tables of a large source a model is shown for a question."""

from __future__ import annotations

from bandsmith.services.planner.data.recall import MAX_SHOWN_CHARS, recalled_tables
from bandsmith.shared.model.source import ForeignKey, SourceColumn, SourceSchema, SourceTable
from bandsmith.shared.model.source_text import schema_text, shown_schema


def table(name: str, *columns: str, comment: str = "", samples: tuple[str, ...] = (), **keys: str) -> SourceTable:
    made = [SourceColumn(name=column, type="TEXT", samples=list(samples)) for column in columns]
    foreign = [ForeignKey(columns=[own], table=other, references=["id"]) for own, other in keys.items()]
    return SourceTable(name=name, columns=made, comment=comment, foreign_keys=foreign)


SHOP = [
    table("customers", "id", "full_name", "city_id", comment="buyers, 客户"),
    table("cities", "id", "label", samples=("Leeds", "嘉兴")),
    table("purchaseHeaders", "id", "customer_id", "placed_on", customer_id="customers"),
    table("purchase_lines", "id", "header_id", "item_id", "quantity", header_id="purchaseHeaders", item_id="items"),
    table("items", "id", "title", comment="products, 产品"),
]
OTHERS = [table(f"ledger_{n}", "id", "account", "booked_on", "debit", "credit", "remark") for n in range(1000)]
LARGE = SourceSchema(source="shop", dialect="sqlite", tables=[*OTHERS[:500], *SHOP, *OTHERS[500:]])


def test_a_small_source_is_shown_whole():
    assert recalled_tables(SourceSchema(source="shop", dialect="sqlite", tables=SHOP), ["Who bought most?"]) == []


def test_tables_are_found_by_name_synonym_and_value_and_the_prompt_stays_small():
    for question, wanted in (
        ("How many customers are there?", "customers"),
        ("哪个客户买得最多？", "customers"),
        ("How many buyers live in Leeds?", "cities"),
        ("Which purchase header is the oldest?", "purchaseHeaders"),
    ):
        shown = recalled_tables(LARGE, [question])
        assert wanted in shown[:4], question
        assert len(schema_text(shown_schema(LARGE, shown))) <= MAX_SHOWN_CHARS + 1000


def test_the_tables_between_two_are_shown_too():
    shown = recalled_tables(LARGE, ["Which products did each customer buy?"])
    assert {"customers", "purchaseHeaders", "purchase_lines", "items"} <= set(shown)


def test_the_tables_of_the_question_before_are_shown():
    assert recalled_tables(LARGE, ["and last year?"], ["purchaseHeaders"])[0] == "purchaseHeaders"


def test_a_question_that_shares_no_word_finds_nothing():
    assert recalled_tables(LARGE, ["Wie wird das Wetter?"]) == []


def test_a_question_finds_names_in_the_other_language():
    english = [table("loan_accounts", "id", "holder", "opening_balance"), table("branches", "id", "street")]
    chinese = [table("供应商", "编号", "联系人"), table("发票", "编号", "税额")]
    large = SourceSchema(source="bank", dialect="sqlite", tables=[*OTHERS, *english, *chinese])
    for question, wanted in (
        ("每家分行有多少贷款账户？", {"loan_accounts", "branches"}),
        ("How many invoices did each supplier send?", {"发票", "供应商"}),
        ("贷款账户最多的分行在哪条街道？", {"loan_accounts", "branches"}),
    ):
        assert set(recalled_tables(large, [question])[:2]) == wanted, question


def test_a_word_with_many_translations_counts_as_one():
    several = table("visitors_guests", "customer_client", "buyer")
    large = SourceSchema(
        source="shop", dialect="sqlite", tables=[*OTHERS, several, table("orders", "id", "customer_id")]
    )
    assert recalled_tables(large, ["客户的订单有多少？"])[0] == "orders"
