"""Values get a class and a pattern only where the engine then prints all of them like the form."""

from collections.abc import Sequence

import pytest

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.fields.value_types import DATE, DECIMAL, INTEGER, LONG, STRING, infer_type
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.model.plan import Band, Data, DataField, Font, Plan, TextField

TYPED: list[tuple[list[str], str, str | None]] = [
    (["2024-02-02"], DATE, "yyyy-MM-dd"),
    (["19-01-2024"], DATE, "dd-MM-yyyy"),
    (["01/14/2024"], DATE, "MM/dd/yyyy"),
    (["04/12/2024", "25/12/2024"], DATE, "dd/MM/yyyy"),
    (["4/28/24"], DATE, "M/d/yy"),
    (["5:00 PM"], DATE, "h:mm a"),
    (["4/28/24, 5:00 PM", "1/14/24, 12:05 AM"], DATE, "M/d/yy, h:mm a"),
    (["2024年3月5日"], DATE, "yyyy'年'M'月'd'日'"),
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
    ["1.2.3"],
    ["--5"],
    ["- 5"],
    ["12345678901234567.25"],
    [" 5"],
    ["２０"],
]


@pytest.mark.parametrize(("texts", "java_class", "pattern"), TYPED, ids=lambda value: str(value)[:24])
def test_the_type_follows_from_how_a_value_is_printed(
    texts: Sequence[str], java_class: str, pattern: str | None
) -> None:
    found = infer_type(texts, None)
    assert (found.java_class, found.pattern) == (java_class, pattern)


@pytest.mark.parametrize("texts", PLAIN, ids=lambda value: str(value)[:24])
def test_an_ambiguous_value_stays_a_string(texts: list[str]) -> None:
    found = infer_type(texts, None)
    assert (found.java_class, found.pattern, found.values) == (STRING, None, tuple(texts))


def test_a_number_that_identifies_something_stays_a_string() -> None:
    assert infer_type(["120"], "Invoice No").java_class == STRING
    assert infer_type(["12572103"], "Bestellnummer").java_class == STRING
    assert infer_type(["55512"], "联系电话").java_class == STRING
    assert infer_type(["120"], "Quantity").java_class == INTEGER


def test_years_of_two_digits_are_in_the_century_that_posix_says():
    assert infer_type(["12/03/97", "25/04/68"], None).values == ("1997-03-12T00:00:00", "2068-04-25T00:00:00")


def test_a_missing_value_among_typed_ones_is_none() -> None:
    assert infer_type(["794", None, "1171"], None).values == (794, None, 1171)


def test_dates_with_english_words_stay_strings_on_chinese_forms() -> None:
    assert infer_type(["Jul 9, 2024"], None, "zh_CN").java_class == STRING
    assert infer_type(["2024年3月5日"], None, "zh_CN").java_class == DATE


def test_the_engine_prints_typed_values_like_the_form(engine: ReportEngine) -> None:
    elements: list = []
    fields, parameters, wanted = [], {}, []
    for n, (texts, _, _) in enumerate(TYPED):
        found = infer_type(texts, None)
        for m, (text, value) in enumerate(zip(texts, found.values, strict=True)):
            name = f"v{n}_{m}"
            fields.append(DataField(name=name, java_class=found.java_class))
            parameters[name] = value
            wanted.append(text)
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
    report = Plan(
        name="types", page_width=400, page_height=800, parameters=fields, locale="en_US",
        bands=[Band(name="title", height=12 * len(elements), elements=list(elements))],
    )  # fmt: skip
    data = Data.model_validate({"parameters": {**parameters, "REPORT_LOCALE": "en_US"}})
    printout = engine.print(build_jrxml(report), data)
    assert [element.text for element in printout.elements] == wanted
