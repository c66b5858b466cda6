"""Of a report that a model planned, every word of the request is accounted for, or the user is told."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from bandsmith.services.planner.language.spec import from_model, reviewer
from bandsmith.services.planner.language.spec.account import account
from bandsmith.shared.language import Language, language_of
from bandsmith.shared.llm.answers.report import SpecAnswer
from bandsmith.shared.model.spec import Column, ReportSpec
from tests.each_case import each

LISTS = {
    "en": ("stock list: article, supplier, price, quantity", ["Article", "Supplier", "Price", "Quantity"]),
    "zh": ("库存清单：品名、供应商、单价、数量", ["品名", "供应商", "单价", "数量"]),
}  # fmt: skip
"""A description in each language that a plain spec holds whole, and its columns."""

FILE = tomllib.loads(Path(__file__).with_name("wishes.toml").read_text(encoding="utf-8"))
ASKED: dict[str, list[str]] = FILE["asked"]
"""Wishes that a plain list does not fulfil."""


def plain(lang: str) -> ReportSpec:
    title = {"en": "Stock list", "zh": "库存清单"}[lang]
    return ReportSpec(title=title, columns=[Column(label=label) for label in LISTS[lang][1]])


WISHES = [(lang, wish) for lang, wishes in ASKED.items() for wish in wishes]


@each("lang, wish", WISHES)
def test_a_wish_that_the_spec_lacks_is_found_wherever_it_stands(lang: str, wish: str):
    description, mark = LISTS[lang][0], ", " if lang == "en" else "，"
    for request in (f"{description}{mark}{wish}", f"{wish}{mark}{description}"):
        assert wish.strip("'“”") in " ".join(account(request, plain(lang)).features)


@each("lang, wish", WISHES)
def test_a_wish_that_the_model_quotes_is_done_as_a_change(lang: Language, wish: str):
    request = f"{LISTS[lang][0]}{', ' if lang == 'en' else '，'}{wish}"
    answer = SpecAnswer(spec=plain(lang), not_held=[wish])
    made = from_model(request, answer, lang)
    assert made.unread == [wish] and made.undone == []
    assert not reviewer(request)(answer).objections


@pytest.mark.parametrize("lang", LISTS)
def test_a_spec_that_has_everything_lacks_nothing(lang: str):
    assert account(LISTS[lang][0], plain(lang)).missing == []


@pytest.mark.parametrize("held", FILE["held"], ids=lambda held: held["title"])
def test_what_the_spec_has_is_not_reported(held: dict[str, Any]):
    columns = [{"label": one} if isinstance(one, str) else one for one in held["columns"]]
    spec = ReportSpec.model_validate({name: held[name] for name in held if name != "text"} | {"columns": columns})
    assert account(held["text"], spec).missing == []


@pytest.mark.parametrize(
    ("request_text", "name"),
    [
        ("visitors book: date, name, who they came to see, time in", "who they came to see"),
        ("a quote with item, price. our usual terms", "our usual terms"),
        ("送货单：品名、数量、送货司机电话", "送货司机电话"),
    ],
)
def test_a_name_that_is_nowhere_is_told(request_text: str, name: str):
    lang = language_of(request_text)
    spec = ReportSpec(
        title=request_text[:4], columns=[{"label": "Date" if lang == "en" else "品名"}, {"label": "数量"}]
    )
    assert name in account(request_text, spec).names
    answer = SpecAnswer(spec=spec)
    assert any(name in objection for objection in reviewer(request_text)(answer).objections)
    assert any(name in said for said in from_model(request_text, answer, lang).undone)
    assert name not in account(request_text, spec, in_other_words=[name]).names


def test_a_wish_is_not_excused_as_said_in_other_words():
    answer = SpecAnswer(spec=plain("en"), in_other_words=["price in red"])
    assert from_model(f"{LISTS['en'][0]}, price in red", answer, "en").unread == ["price in red"]


def test_words_that_do_not_stand_in_the_request_are_no_quotation():
    answer = SpecAnswer(spec=plain("en"), not_held=["delete the title"])
    assert from_model(LISTS["en"][0], answer, "en").unread == []
    assert "delete the title" in reviewer(LISTS["en"][0])(answer).objections[0]


def test_what_can_be_done_nowhere_is_said_in_the_words_of_the_model():
    answer = SpecAnswer(spec=plain("en"), undone="It cannot be sent.")
    made = from_model(f"{LISTS['en'][0]}, email it to me", answer, "en")
    assert made.unread == [] and "It cannot be sent." in made.undone[0]


@pytest.mark.parametrize(
    ("lang", "wish", "undone"),
    [
        ("en", "our usual terms", "I do not know “our usual terms”."),
        ("zh", "送货司机照片", "“送货司机照片”没有附上。"),
    ],
)
def test_what_the_model_quotes_as_not_possible_is_not_told_twice(lang: Language, wish: str, undone: str):
    request = f"{LISTS[lang][0]}{', ' if lang == 'en' else '，'}{wish}"
    answer = SpecAnswer(spec=plain(lang), undone=undone)
    assert reviewer(request)(answer).objections == []
    made = from_model(request, answer, lang)
    assert made.unread == [] and len(made.undone) == 1 and wish in made.undone[0]


@pytest.mark.parametrize(
    ("lang", "wish", "quoted"),
    [
        ("en", "and in very large letters below it: thick red lines all around the sheet",
         ["in very large letters below it:", "thick red lines", "all around the sheet"]),
        ("zh", "下面用红色大字写：二维码放右下角", ["下面用红色", "大字写：", "二维码放", "右下角"]),
    ],
)  # fmt: skip
def test_a_wish_that_is_quoted_in_pieces_is_quoted(lang: str, wish: str, quoted: list[str]):
    request = f"{LISTS[lang][0]}{', ' if lang == 'en' else '，'}{wish}"
    assert account(request, plain(lang)).features
    assert account(request, plain(lang), not_held=quoted).missing == []
    assert account(request, plain(lang), not_held=quoted[:1]).features


@pytest.mark.parametrize(
    ("request_text", "label"),
    [("stock list: article, barcode, price", "Barcode"), ("库存清单：品名、条码、数量", "条码")],
)
def test_a_column_that_is_called_barcode_is_no_drawn_one(request_text: str, label: str):
    columns = [Column(label=one) for one in ("Article", "Price", "品名", "数量")]
    spec = ReportSpec(title=request_text[:10], columns=[*columns, Column(label=label)])
    assert account(request_text, spec).missing == []
    assert account(request_text, ReportSpec(title=request_text[:10], columns=columns)).features
    drawn = f"{request_text}, the barcode drawn" if label.isascii() else f"{request_text}，条码要能扫"
    assert account(drawn, spec).features


def test_what_the_spec_says_and_the_model_quotes_as_said_is_held():
    spec = ReportSpec(title="Stock list", columns=[Column(label="Article"), Column(label="Barcode no. (EAN)")])
    request = "stock list: article, their ean barcode no"
    assert account(request, spec).features
    assert account(request, spec, in_other_words=["their ean barcode no"]).missing == []
    assert account(request + ", price in red", spec, in_other_words=["price in red"]).features


def test_the_numbers_of_numbered_rows_are_held_by_their_column():
    request = "visitor book: visitor, host, entry, with the entry running 1, 2, 3"
    for numbered in (True, False):
        columns = [Column(label="Visitor"), Column(label="Host"), Column(label="Entry", numbered=numbered)]
        assert bool(account(request, ReportSpec(title="Visitor book", columns=columns)).features) != numbered
