"""Questions that go on with the one before."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bandsmith.services.planner.data.follow_up import is_follow_up, whole_question
from bandsmith.services.planner.data.questions import answer_from_source
from bandsmith.services.planner.data.verified import VerifiedQuestion, remember
from bandsmith.shared.bus.memory import MemoryBus
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import (
    EnhanceQuestion,
    QuestionEnhanced,
    QuestionRemembered,
    RecallSources,
    RecallTables,
    RememberQuestion,
    SourcesRecalled,
    TablesRecalled,
)
from bandsmith.shared.model.allowance import Allowance
from bandsmith.shared.model.source import AskedQuestion
from bandsmith.shared.question_values import MONTHS
from bandsmith.shared.settings import SourceSettings
from bandsmith.shared.sources import source_of, write_sources

MARCH = "Which five customers bought most in March 2026?"
MARCH_ZH = "2026年3月买得最多的五位客户是谁？"
TOWN = "How many customers are there in 'Leeds'?"


@pytest.mark.parametrize(
    ("text", "before", "whole"),
    [
        ("and in April?", MARCH, "Which five customers bought most in April 2026?"),
        ("What about December 2025?", MARCH, "Which five customers bought most in December 2025?"),
        ("那四月呢？", MARCH_ZH, "2026年4月买得最多的五位客户是谁？"),
        ("12月呢", MARCH_ZH, "2026年12月买得最多的五位客户是谁？"),
        ("那2025年11月呢？", MARCH_ZH, "2025年11月买得最多的五位客户是谁？"),
        ("and for 'York'?", TOWN, "How many customers are there in 'York'?"),
    ],
)
def test_another_value_makes_a_whole_question(text: str, before: str, whole: str):
    assert whole_question(text, before) == whole


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("and by region?", MARCH),
        ("and in April, but only in Leeds?", MARCH),
        ("and in 2025?", MARCH),
        ("and in April?", TOWN),
        ("and in April?", "What was sold in March 2026 and in May 2026?"),
        ("which five customers bought most in April 2026?", MARCH),
        ("and the products?", MARCH),
        ("那上海呢？", MARCH_ZH),
        ("", MARCH),
    ],
)
def test_what_says_more_or_fits_nowhere_is_left_to_a_model(text: str, before: str):
    assert whole_question(text, before) is None


@pytest.mark.parametrize("text", ["and in April?", "What about Leeds?", "那四月呢？", "上海呢"])
def test_a_question_that_needs_the_one_before_is_known(text: str):
    assert is_follow_up(text) and not is_follow_up(MARCH) and not is_follow_up(MARCH_ZH)


# --- in a conversation ----------------------------------------------------------------------------------------------

SOLD = AskedQuestion(
    source="shop",
    question="What was sold in March 2026?",
    query="SELECT SUM(amount) FROM orders WHERE ordered_on >= '2026-03-01' AND ordered_on < '2026-04-01'",
)


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of sources, with a small shop and a warehouse of 800 tables."""
    monkeypatch.setenv("BANDSMITH_HOME", str(tmp_path))
    others = [f"CREATE TABLE ledger_{n} (id INTEGER, account TEXT, booked_on DATE)" for n in range(800)]
    for name, statements in (("shop", []), ("warehouse", others)):
        with closing(sqlite3.connect(tmp_path / f"{name}.db")) as database:
            orders = "CREATE TABLE orders (id INTEGER, amount NUMERIC, ordered_on DATE)"
            database.executescript(";".join(["BEGIN", orders, *statements, "COMMIT"]))
    file = SourceSettings().file
    write_sources(file, {name: source_of(name, str(tmp_path / f"{name}.db")) for name in ("shop", "warehouse")})
    return file


NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


async def enhanced(text: str, source: str = "shop", before: AskedQuestion = SOLD) -> QuestionEnhanced:
    asked = EnhanceQuestion(
        owner="", source=source, question=text, conversation=[before], began=NOW, allowance=Allowance()
    )
    found = await answer_from_source(MemoryBus(), asked, None)
    assert isinstance(found, QuestionEnhanced)
    return found


@pytest.mark.parametrize(
    ("text", "month"), [("and in April?", 4), ("what about last month?", 10)], ids=["a month", "a month by today"]
)
async def test_the_query_of_the_question_before_runs_with_the_other_month(sources: Path, text: str, month: int):
    found = await enhanced(text)
    assert found.question == f"What was sold in {MONTHS[month - 1].title()} 2026?" and found.follows == SOLD.question
    assert f"'2026-{month:02}-01'" in found.query and "'2026-03-01'" not in found.query
    assert found.verified == "" and not found.is_rewritten and found.usage.calls == 0


async def test_a_verified_question_runs_for_the_month_that_a_word_means_today(sources: Path):
    remember(sources.with_name("shop.questions.yaml"), VerifiedQuestion(question=SOLD.question, query=SOLD.query))
    found = await enhanced("What was sold last month?", before=SOLD.model_copy(update={"source": "warehouse"}))
    assert (found.question, found.verified) == ("What was sold in October 2026?", SOLD.question)
    assert "'2026-10-01'" in found.query and "'2026-11-01'" in found.query


@pytest.mark.slow
async def test_a_question_before_about_another_source_is_not_gone_on_with(sources: Path):
    other = SOLD.model_copy(update={"source": "warehouse"})
    found = await enhanced("and in April?", before=other)
    assert (found.query, found.follows, found.question) == ("", "", "and in April?")


@pytest.mark.slow
async def test_of_a_large_source_the_tables_of_the_question_are_shown(sources: Path):
    bus = MemoryBus()

    async def shown(question: str) -> list[str]:
        asked = RecallSources(owner="", text=question, source="warehouse")
        recalled = await answer_from_source(bus, asked, None)
        assert isinstance(recalled, SourcesRecalled)
        wanted = RecallTables(question=question, expanded=[], source="warehouse", database=recalled.database)
        found = await answer_from_source(bus, wanted, None)
        assert isinstance(found, TablesRecalled)
        return found.shown_tables

    tables = await shown("How many orders are there?")
    assert tables[0] == "orders" and len(tables) < 800
    with pytest.raises(BadInput, match="None of the 801 tables"):
        await shown("Wie wird das Wetter?")


async def test_a_question_that_is_no_whole_one_is_not_remembered(sources: Path):
    for question, is_kept in (("and in April?", False), (SOLD.question, True)):
        asked = SOLD.model_copy(update={"question": question})
        done = await answer_from_source(MemoryBus(), RememberQuestion(owner="", last_asked=asked, language="en"), None)
        assert isinstance(done, QuestionRemembered)
        assert sources.with_name("shop.questions.yaml").exists() == is_kept, done.answer
