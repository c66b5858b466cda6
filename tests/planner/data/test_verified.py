"""When a question asks the same as a verified one, and which query it runs then."""

from __future__ import annotations

from pathlib import Path

import pytest

from bandsmith.services.planner.data.verified import VerifiedQuestion, match, read_verified, remember
from bandsmith.shared.errors import BadInput

MONTH = VerifiedQuestion(
    question="Which five customers bought most in March 2026?",
    query="SELECT name FROM sales WHERE day >= '2026-03-01' AND day < '2026-04-01' GROUP BY name LIMIT 5",
)
YEAR = VerifiedQuestion(question="2026年的销售额是多少？", query="SELECT SUM(total) FROM sales WHERE day LIKE '2026%'")
CITY = VerifiedQuestion(question="上海有多少客户？", query="SELECT COUNT(*) FROM customers WHERE city = '上海'")


def query(question: str, *known: VerifiedQuestion) -> str:
    found = match(question, known, "sqlite")
    return found.query if found else ""


@pytest.mark.parametrize(
    ("known", "question", "parts"),
    [
        (MONTH, "which five customers bought most in march 2026", ("'2026-03-01'", "'2026-04-01'", "LIMIT 5")),
        (MONTH, "Which 3 customers bought most in December 2025?", ("'2025-12-01'", "'2026-01-01'", "LIMIT 3")),
        (YEAR, "2025年的销售额是多少", ("'2025%'",)),
        (CITY, "北京有多少客户？", ("'北京'",)),
    ],
)
def test_other_values_take_the_place_of_those_of_the_query(known: VerifiedQuestion, question: str, parts: tuple):
    assert all(part in query(question, known) for part in parts)


@pytest.mark.parametrize(
    ("known", "question"),
    [
        (MONTH, "Which five products sold most in March 2026?"),
        (MONTH, "Which five customers bought least in March 2026?"),
        (MONTH, "Which five customers bought most in 2026?"),
        (CITY, "上海和北京有多少客户？"),
        (CITY, "上海有多少订单？"),
    ],
)
def test_another_question_is_no_match(known: VerifiedQuestion, question: str):
    assert query(question, known) == ""


def test_a_value_that_the_query_does_not_have_is_no_match():
    known = VerifiedQuestion(question="What were the sales in 2026?", query="SELECT SUM(total) FROM sales")
    assert query("What were the sales in 2025?", known) == ""


def test_a_number_that_stands_twice_in_the_query_is_no_match():
    known = VerifiedQuestion(question="Which 5 bought most?", query="SELECT name FROM s WHERE grade = 5 LIMIT 5")
    assert query("Which 3 bought most?", known) == ""


def test_a_name_with_a_quote_stays_a_value():
    written = query("'x'' OR 1=1'有多少客户？", CITY)
    assert written == "" or "OR 1=1" not in written.replace("''", "").split("'")[0::2]


def test_questions_are_kept_and_one_with_the_same_words_is_replaced(tmp_path: Path):
    file = tmp_path / "shop.questions.yaml"
    remember(file, YEAR)
    remember(file, CITY)
    assert remember(file, CITY.model_copy(update={"query": "SELECT 1"})) == 2
    assert [one.query for one in read_verified(file)] == [YEAR.query, "SELECT 1"]


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path):
    (tmp_path / "shop.questions.yaml").write_text("- question: 1\n")
    with pytest.raises(BadInput, match=r"shop\.questions\.yaml"):
        read_verified(tmp_path / "shop.questions.yaml")


RATHER = VerifiedQuestion(
    question="How much more was sold in March 2026 than in the month before?",
    query="SELECT SUM(CASE WHEN day >= '2026-03-01' THEN total ELSE -total END) FROM sales "
    "WHERE day >= '2026-02-01' AND day < '2026-04-01'",
)
LAST = VerifiedQuestion(
    question="What was sold last month?",
    query="SELECT SUM(total) FROM sales WHERE day >= '2026-10-01' AND day < '2026-11-01'",
)
CLOCK = VerifiedQuestion(
    question="What was sold in March 2026?",
    query="SELECT SUM(total) FROM sales WHERE at BETWEEN '2026-03-01' AND '2026-03-31 23:59:59'",
)


@pytest.mark.parametrize(
    ("known", "question"),
    [
        (RATHER, "How much more was sold in April 2026 than in the month before?"),
        (LAST, "What was sold last month?"),
        (CLOCK, "What was sold in April 2026?"),
        (LAST.model_copy(update={"question": "上个月卖了多少？"}), "上个月卖了多少？"),
        (LAST.model_copy(update={"question": "10月卖了多少？"}), "10月卖了多少？"),
    ],
)
def test_a_date_of_the_query_that_the_question_does_not_name_is_not_used_for_another_day(known, question: str):
    assert query(question, known) == ""


def test_such_a_question_is_the_same_as_long_as_its_own_dates_are():
    assert query(RATHER.question, RATHER) == RATHER.query
