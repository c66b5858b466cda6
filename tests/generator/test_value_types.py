"""Values get a class and a pattern only where the engine then prints all of them like the form."""

from collections.abc import Sequence

import pytest

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.fields.notation import CHINESE, Notation, notation_of
from bandsmith.shared.fields.value_types import DATE, DECIMAL, INTEGER, LONG, STRING, infer_type
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.model.plan import Band, Data, DataField, Font, Plan, TextField
from tests.each_case import each

TYPED: list[tuple[list[str], str, str | None]] = [
    (["2024-02-02"], DATE, "yyyy-MM-dd"),
    (["19-01-2024"], DATE, "dd-MM-yyyy"),
    (["01/14/2024"], DATE, "MM/dd/yyyy"),
    (["04/12/2024", "25/12/2024"], DATE, "dd/MM/yyyy"),
    (["4/28/24"], DATE, "M/d/yy"),
    (["5:00 PM"], DATE, "h:mm a"),
    (["4/28/24, 5:00 PM", "1/14/24, 12:05 AM"], DATE, "M/d/yy, h:mm a"),
    (["2024年3月5日"], DATE, "yyyy'年'M'月'd'日'"),
    (["2026 年 7 月 18 日"], DATE, "yyyy '年' M '月' d '日'"),
    (["2020 年 8月10日"], DATE, "yyyy '年' M'月'd'日'"),
    (["2020年8   月 20日"], DATE, "yyyy'年'M   '月' d'日'"),
    (["2022年09月07 日"], DATE, "yyyy'年'MM'月'dd '日'"),
    (["28 Feb 2026"], DATE, "d MMM yyyy"),
    (["March 14, 2025"], DATE, "MMMM d, yyyy"),
    (["11/Jan/24"], DATE, "dd/MMM/yy"),
    (["Friday, April 04, 2025"], DATE, "EEEE, MMMM dd, yyyy"),
    (["Jul 9, 2024", "Oct 26, 2024"], DATE, "MMM d, yyyy"),
    (["Fri, Nov 20, 2026  00:00:00"], DATE, "EEE, MMM d, yyyy  HH:mm:ss"),
    (["1,234.50", "7.00"], DECIMAL, "#,##0.00"),
    (["3414.11"], DECIMAL, "0.00"),
    (["$ 4,218.35"], DECIMAL, "$ #,##0.00"),
    (["SAR 1,845.90"], DECIMAL, "'SAR '#,##0.00"),
    (["¥88.00"], DECIMAL, "¥#,##0.00"),
    (["-$52.61", "$1,200.00"], DECIMAL, "$#,##0.00"),
    (["12 %"], DECIMAL, "#,##0 %"),
    (["12.5%", "3.0%"], DECIMAL, "#,##0.0%"),
    (["(1,234.50)", "3.00"], DECIMAL, "#,##0.00;(#,##0.00)"),
    (["1.5", "2.25", "3"], DECIMAL, "#,##0.##"),
    (["38", "-4"], INTEGER, None),
    (["12,000"], INTEGER, "#,##0"),
    (["12,345,678,901"], LONG, "#,##0"),
    (["40 $", "800 $"], DECIMAL, "#,##0 $"),
    (["Rs. 1,200.00"], DECIMAL, "'Rs. '#,##0.00"),
    (["28,721.14 lb"], DECIMAL, "#,##0.00' lb'"),
    (["41.04lb", "7.50lb"], DECIMAL, "#,##0.00'lb'"),
    (["20 hrs.", "160 hrs."], DECIMAL, "#,##0.###' hrs.'"),
    (["5 kg"], DECIMAL, "#,##0.###' kg'"),
    (["5 kg", "2.5 kg"], DECIMAL, "#,##0.#' kg'"),
]
GERMAN = notation_of(["Rechnung", "Menge", "1.234,50 €"])
FRENCH = notation_of(["Facture", "Quantité", "1 234,50"])
SWISS = notation_of(["Rechnung", "Menge", "1'234.50"])
WITH_COMMAS: list[tuple[Notation, list[str], str, str | None]] = [
    (GERMAN, ["1.234,50 €", "7,00 €"], DECIMAL, "#,##0.00 €"),
    (GERMAN, ["€ 1.234.567,50", "€ 0,05"], DECIMAL, "€ #,##0.00"),
    (GERMAN, ["1.234,50 EUR"], DECIMAL, "#,##0.00' EUR'"),
    (GERMAN, ["(1.234,50)", "3,00"], DECIMAL, "#,##0.00;(#,##0.00)"),
    (GERMAN, ["12,50-", "3,00"], DECIMAL, "#,##0.00;#,##0.00-"),
    (GERMAN, ["€ -5,00", "€ 7,00"], DECIMAL, "€ #,##0.00;€ -#,##0.00"),
    (GERMAN, ["19 %"], DECIMAL, "#,##0 %"),
    (GERMAN, ["7,5%"], DECIMAL, "#,##0.0%"),
    (GERMAN, ["1.234"], INTEGER, "#,##0"),
    (GERMAN, ["1,234"], DECIMAL, "#,##0.000"),
    (GERMAN, ["1234,5"], DECIMAL, "0.0"),
    (FRENCH, ["1 234,50 €", "12,00 €"], DECIMAL, "#,##0.00 €"),
    (FRENCH, ["12 000"], INTEGER, "#,##0"),
    (SWISS, ["CHF 1'234.50", "CHF 3.00"], DECIMAL, "'CHF '#,##0.00"),
]
PLAIN = [
    ["007"],
    ["B68189"],
    ["0573-87654321"],
    ["13800138000"],
    ["2024-02-30"],
    ["4/28/24 5pm"],
    ["1,23.50"],
    ["1,234.5", "12,34.5"],
    ["38", "many"],
    ["12 pcs"],
    ["12 M"],
    ["22CBM"],
    ["40 $", "40 €"],
    ["680116513-"],
    ["(680116513)"],
    ["1.2.3"],
    ["--5"],
    ["- 5"],
    ["12345678901234567.25"],
    [" 5"],
    ["２０"],
    ["1.234,50"],
    ["(5-)"],
    ["03/04/2026"],
    ["3-4-26", "05-06-26"],
]


@each("texts, java_class, pattern", TYPED)
def test_the_type_follows_from_how_a_value_is_printed(
    texts: Sequence[str], java_class: str, pattern: str | None
) -> None:
    found = infer_type(texts, None)
    assert (found.java_class, found.pattern) == (java_class, pattern)


@each("texts", PLAIN)
def test_an_ambiguous_value_stays_a_string(texts: list[str]) -> None:
    found = infer_type(texts, None)
    assert (found.java_class, found.pattern, found.values) == (STRING, None, tuple(texts))


def test_a_number_that_identifies_something_stays_a_string() -> None:
    assert infer_type(["120"], "Invoice No").java_class == STRING
    assert infer_type(["12572103"], "Bestellnummer").java_class == STRING
    assert infer_type(["11764336"], "N.ºCarga").java_class == STRING
    assert infer_type(["55512"], "联系电话").java_class == STRING
    assert infer_type(["120"], "Quantity").java_class == INTEGER


def test_years_of_two_digits_are_in_the_century_that_posix_says():
    assert infer_type(["12/03/97", "25/04/68"], None).values == ("1997-03-12T00:00:00", "2068-04-25T00:00:00")


def test_a_missing_value_among_typed_ones_is_none() -> None:
    assert infer_type(["794", None, "1171"], None).values == (794, None, 1171)


def test_dates_with_english_words_stay_strings_on_chinese_forms() -> None:
    assert infer_type(["Jul 9, 2024"], None, CHINESE).java_class == STRING
    assert infer_type(["2024年3月5日"], None, CHINESE).java_class == DATE


IN_WORDS = [
    ("de_DE", "14. März 2025", "d. MMMM yyyy"),
    ("es_ES", "5 de mayo de 2025", "d 'de' MMMM 'de' yyyy"),
    ("fr_CA", "12 janvier 2025", "d MMMM yyyy"),
    ("it_IT", "01 agosto 2025", "dd MMMM yyyy"),
    ("pt_BR", "5 de março de 2025", "d 'de' MMMM 'de' yyyy"),
]
"""Dates with the name of their month, by the locale that a page with decimal commas has."""


@pytest.mark.parametrize(("locale", "text", "pattern"), IN_WORDS)
def test_a_date_in_words_is_printed_in_the_language_of_its_page(
    locale: str, text: str, pattern: str, engine: ReportEngine
) -> None:
    notation = Notation(locale, ".", ",")
    found = infer_type([text], None, notation)
    assert (found.java_class, found.pattern, found.locale) == (DATE, pattern, locale)
    assert _printed(engine, [(notation, [text])]) == [text]


@pytest.mark.parametrize("text", ["28 Feb 2026", "5 Mayo 2025", "31. April 2025", "5. Mai 25", "Mai 2025"])
def test_words_that_a_page_in_german_would_not_print_stay_strings(text: str) -> None:
    assert infer_type([text], None, Notation("de_DE", ".", ",")).java_class == STRING


@pytest.mark.parametrize(("notation", "texts", "java_class", "pattern"), WITH_COMMAS, ids=lambda value: str(value)[:24])
def test_numbers_are_read_in_the_notation_of_their_page(
    notation: Notation, texts: Sequence[str], java_class: str, pattern: str | None
) -> None:
    found = infer_type(texts, None, notation)
    assert (found.java_class, found.pattern) == (java_class, pattern)


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (["1.234,50 €", "7,00 €"], (1234.5, 7)),
        (["(1.234,50)", "3,00"], (-1234.5, 3)),
        (["12,50-"], (-12.5,)),
        (["19 %"], (0.19,)),
        (["1.234"], (1234,)),
        (["1,234"], (1.234,)),
    ],
)
def test_decimal_commas_give_the_values_that_they_mean(texts: list[str], values: tuple[float, ...]) -> None:
    assert infer_type(texts, None, GERMAN).values == values


@pytest.mark.parametrize(
    ("page", "locale", "separators"),
    [
        (["Invoice", "1,234", "12.50"], "en_US", ",."),
        (["Invoice", "1,234", "12,50"], "de_DE", ".,"),
        (["1,234"], "en_US", ",."),
        (["Rechnung", "Menge", "1.234"], "de_DE", ".,"),
        (["Rechnung", "Menge", "12.50", "7.25"], "en_US", ",."),
        (["Facture", "Montant", "1 234,50"], "fr_CA", " ,"),
        (["Devis", "1 234.50 €", "2 900.00 €"], "xh_ZA", " ."),
        (["Devis", "900.00 €", "334.50 €", "1 234.50 €"], "xh_ZA", " ."),
        (["Devis", "1 234.50 €", "900.00 €"], "en_US", ",."),
        (["Desks", "3 450.00 each", "2 120.00 each"], "en_US", ",."),
        (["Desk 12 234.50", "Total 1,234.50"], "en_US", ",."),
        (["Fattura", "Importo", "1.234,50"], "it_IT", ".,"),
        (["金额", "1,234.50"], "zh_CN", ",."),
        (["Seite 1,2", "Total 1,234.50", "3.20"], "en_US", ",."),
    ],
)
def test_the_page_decides_what_a_comma_is(page: list[str], locale: str, separators: str) -> None:
    found = notation_of(page)
    assert (found.locale, found.group + found.decimal) == (locale, separators)


@pytest.mark.parametrize(
    ("page", "pattern"),
    [
        (["25/12/2026"], "dd/MM/yyyy"),
        (["12/25/2026"], "MM/dd/yyyy"),
        (["Rechnung", "Datum"], "dd/MM/yyyy"),
        (["Total £12.00"], "dd/MM/yyyy"),
        (["Springfield, IL 62701"], "MM/dd/yyyy"),
        (["Invoice"], None),
        (["25/12/2026", "12/25/2026"], None),
    ],
)
def test_a_date_is_read_only_if_the_page_tells_day_from_month(page: list[str], pattern: str | None) -> None:
    assert infer_type(["03/04/2026"], None, notation_of(page)).pattern == pattern


def test_the_engine_prints_typed_values_like_the_form(engine: ReportEngine) -> None:
    cases = [(Notation(), texts) for texts, *_ in TYPED]
    assert _printed(engine, cases) == [text for texts, *_ in TYPED for text in texts]


@pytest.mark.parametrize("notation", [GERMAN, FRENCH, SWISS], ids=lambda notation: notation.locale)
def test_the_engine_prints_numbers_in_the_notation_of_the_page(engine: ReportEngine, notation: Notation) -> None:
    cases = [(one, texts) for one, texts, *_ in WITH_COMMAS if one == notation]
    printed = [text.replace("\u00a0", " ").replace("’", "'") for text in _printed(engine, cases)]
    assert printed == [text for _, texts in cases for text in texts]


def _printed(engine: ReportEngine, cases: Sequence[tuple[Notation, Sequence[str]]]) -> list[str]:
    """Return what the engine prints of the typed values; the cases share their locale."""
    elements: list[TextField] = []
    fields, parameters = [], {}
    for notation, texts in cases:
        found = infer_type(texts, None, notation)
        for value in found.values:
            name = f"v{len(elements)}"
            fields.append(DataField(name=name, java_class=found.java_class))
            parameters[name] = value
            elements.append(
                TextField(
                    key=name,
                    x=0,
                    y=12 * len(elements),
                    width=300,
                    height=12,
                    font=Font(family="Liberation Sans", size=9),
                    expression=f"$P{{{name}}}",
                    pattern=found.pattern,
                )
            )
    locale = cases[0][0].locale
    report = Plan(
        name="types", page_width=400, page_height=800, parameters=fields, locale=locale,
        bands=[Band(name="title", height=12 * len(elements), elements=list(elements))],
    )  # fmt: skip
    data = Data.model_validate({"parameters": {**parameters, "REPORT_LOCALE": locale}})
    return [element.text for element in engine.print(build_jrxml(report), data, pages=0).elements]


@pytest.mark.parametrize("label", ["Amount", "金额", "Total salary", "单价"])
def test_an_empty_column_of_money_has_its_type(label: str):
    found = infer_type([None, None], label)
    assert (found.java_class, found.pattern, found.values) == ("java.math.BigDecimal", "#,##0.00", (None, None))


@pytest.mark.parametrize("label", ["Remarks", "备注", None])
def test_an_empty_column_of_anything_else_is_text(label: str | None):
    assert infer_type([None, None], label).java_class == "java.lang.String"
