"""Questions about data, from the words to the rows, over real parts; the database is real, the model is scripted."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pypdfium2 as pdfium
import pytest

from bandsmith.shared.errors import TerminalError
from bandsmith.shared.events import TurnFinished
from bandsmith.shared.model.source import Asking
from bandsmith.shared.settings import SourceSettings
from bandsmith.shared.sources import source_of, write_sources

from .conftest import Talk

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="package")]
BEST = "SELECT name FROM customers ORDER BY bought DESC LIMIT 1"


@pytest.fixture(autouse=True)
def shop(talk: Talk, tmp_path: Path) -> Path:
    """The only source that there is."""
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE customers (name TEXT, bought INTEGER)")
        database.execute("INSERT INTO customers VALUES ('North', 3), ('South', 5), ('West; DROP TABLE customers', 1)")
        database.execute("CREATE TABLE orders (customer TEXT, amount REAL, ordered_on DATE)")
        rows = [("Acme", 10.5, "2026-03-03"), ("Bolt", 7, "2026-03-20"), ("Crane", 30, "2026-10-05")]
        database.executemany("INSERT INTO orders VALUES (?, ?, ?)", rows)
        database.commit()
    write_sources(SourceSettings().file, {"shop": source_of("shop", str(path))})
    return path


async def ask(talk: Talk, text: str, asking: Asking | None = None) -> TurnFinished:
    return await talk.say(text, asking=asking or Asking())


async def content(talk: Talk, end: TurnFinished, name: str) -> str:
    return (await talk.client.fetch(end.files[name])).decode()


async def test_a_select_is_checked_run_and_answered_with_its_rows(talk: Talk):
    end = await ask(talk, "select name, bought from customers where bought > 1 order by 2 desc")
    assert end.intent == "ask_data" and end.complete and end.usage.calls == 0
    assert "| South | 5 |\n| North | 3 |" in end.reply and "2 rows." in end.reply
    assert await content(talk, end, "result.csv") == '"name","bought"\n"South",5\n"North",3\n'
    assert (await content(talk, end, "query.sql")).startswith("SELECT name, bought FROM customers")


async def test_a_reply_that_shows_fewer_rows_than_there_are_says_so(talk: Talk):
    end = await ask(talk, "SELECT a.name FROM customers AS a CROSS JOIN customers AS b CROSS JOIN customers AS c")
    assert "27 rows." in end.reply and "The first 20 of them are shown here" in end.reply
    assert (await content(talk, end, "result.csv")).count("\n") == 1 + 27


async def test_a_query_that_is_refused_says_why_and_leaves_no_file(talk: Talk, shop: Path):
    for sql, words in (
        ("DROP TABLE customers", "Only a SELECT is allowed"),
        ("SELECT * FROM clients", "There is no table clients. The tables are: customers, orders."),
        ("SELECT 1; DELETE FROM customers", "Exactly one query is allowed."),
    ):
        end = await ask(talk, sql)
        assert not end.complete and words in end.reply and end.files == {}
    with closing(sqlite3.connect(shop)) as database:
        assert database.execute("SELECT COUNT(*) FROM customers").fetchone() == (3,)


async def test_only_the_query_is_shown_where_only_it_is_wanted(talk: Talk):
    end = await ask(talk, "select name from customers", Asking(only_query=True))
    assert end.reply == "```sql\nSELECT name FROM customers\n```" and list(end.files) == ["query.sql"]


async def test_a_source_that_is_not_known_is_named_with_those_that_are(talk: Talk):
    with pytest.raises(TerminalError, match=r"There is no source store\. The sources are: shop\."):
        await ask(talk, "SELECT 1", Asking(source="store"))


async def test_the_report_stays_as_it_was(talk: Talk):
    await talk.say("generate a sales report with customer and amount")
    before = await talk.session()
    await ask(talk, "SELECT COUNT(*) FROM customers")
    after = await talk.session()
    assert after.versions == before.versions and after.report == before.report and after.undo == before.undo


@pytest.mark.parametrize("host", ["rules"], indirect=True)
async def test_without_a_model_a_question_in_words_says_what_is_needed(talk: Talk):
    with pytest.raises(TerminalError, match="needs a language model"):
        await ask(talk, "who bought most?")


@pytest.mark.parametrize("host", ["model"], indirect=True)
async def test_a_question_is_answered_by_the_query_that_a_model_writes(talk: Talk):
    talk.mind.says["write_query"] = {"query": BEST}
    end = await ask(talk, "谁买得最多？")
    assert end.complete and "| South |" in end.reply and "共 1 行" in end.reply
    written, judged = talk.mind.asked
    assert "customers" in written.text and "bought INTEGER" in written.text
    assert judged.fenced[-2:] == [BEST, "谁买得最多？"]


@pytest.mark.parametrize("host", ["model"], indirect=True)
async def test_a_question_about_two_sources_is_answered_from_both(talk: Talk, shop: Path):
    """Given a shop in SQLite and a file that says where its customers are
    When a question names both sources, and the next one names none
    Then one query joins their tables, both replies say where the rows come from, and the rows become a report
    """
    (shop.parent / "places.csv").write_text("customer,city\nNorth,Leeds\nSouth,嘉兴\n", encoding="utf-8")
    both = {"shop": source_of("shop", str(shop)), "geo": source_of("geo", str(shop.parent / "places.csv"))}
    write_sources(SourceSettings().file, both)
    joined = "SELECT p.city, c.bought FROM shop.customers AS c JOIN geo.places AS p ON p.customer = c.name"
    talk.mind.says["write_query"] = {"query": joined}
    end = await ask(talk, "geo+shop: how much was bought in each city?")
    assert end.complete and "| 嘉兴 | 5 |" in end.reply and "From the sources geo and shop." in end.reply
    shown = next(asked.text for asked in talk.mind.asked if asked.prompt == "write_query")
    assert "geo.places" in shown and "shop.customers" in shown and "duckdb" in shown
    talk.mind.says["write_query"] = {"query": f"{joined} WHERE c.bought > 3"}
    end = await ask(talk, "how much where more than 3 were bought?")
    assert end.complete and "Leeds" not in end.reply and "From the sources geo and shop." in end.reply
    end = await talk.say("make that a report")
    assert end.complete and "report.jrxml" in end.files


@pytest.mark.parametrize("host", ["model"], indirect=True)
async def test_a_refused_query_goes_back_with_the_reason_until_one_passes(talk: Talk):
    tries = iter(["SELECT nme FROM customers", "DELETE FROM customers", BEST])
    talk.mind.says["write_query"] = lambda asked: {"query": next(tries)}
    talk.mind.asked = []
    end = await ask(talk, "who bought most?")
    assert end.complete and "| South |" in end.reply
    reasons = [asked.fenced[-2] for asked in talk.mind.asked if asked.prompt == "write_query"]
    assert "nme" in reasons[1] and "Only a SELECT is allowed" in reasons[2]


@pytest.mark.parametrize("host", ["model"], indirect=True)
async def test_after_ten_queries_the_question_is_given_up_and_nothing_is_invented(talk: Talk):
    talk.mind.says["write_query"] = {"query": "SELECT password FROM users"}
    talk.mind.asked = []
    end = await ask(talk, "who bought most?")
    assert not end.complete and "There is no table users" in end.reply and end.files == {}
    assert len(talk.mind.asked) == 10


@pytest.mark.parametrize("host", ["model"], indirect=True)
async def test_a_query_that_means_something_else_is_written_again(talk: Talk):
    """Given a model that writes a query which every check passes, and which answers another question
    When a model that judges it names the part that differs
    Then the query goes back with the reason, and the rows are those of the next one
    """
    tries = iter(["SELECT name FROM customers ORDER BY bought LIMIT 1", BEST])
    doubt = {"verdict": "differs", "part": "bought most", "reason": "It sorts from the least"}
    talk.mind.says["write_query"] = lambda asked: {"query": next(tries)}
    talk.mind.says["judge_query"] = lambda asked: doubt if "DESC" not in asked.fenced[-2] else {"verdict": "answers"}
    end = await ask(talk, "who bought most?")
    assert end.complete and "| South |" in end.reply and end.usage.calls == 4
    assert talk.mind.calls == ["write_query", "judge_query"] * 2
    assert "It sorts from the least" in talk.mind.asked[2].text


@pytest.mark.parametrize("host", ["model"], indirect=True)
async def test_a_doubt_that_stays_is_said_with_the_rows(talk: Talk):
    talk.mind.says["write_query"] = {"query": BEST}
    talk.mind.says["judge_query"] = {"verdict": "differs", "part": "谁", "reason": "查询只给出一位客户"}
    end = await ask(talk, "谁买得最多？")
    assert not end.complete and "| South |" in end.reply and "查询没有回答“谁”：查询只给出一位客户。" in end.reply
    assert talk.mind.calls == ["write_query", "judge_query"] * 2


@pytest.mark.parametrize("host", ["model"], indirect=True)
async def test_the_database_may_be_asked_in_the_words_of_a_conversation(talk: Talk):
    talk.mind.says["write_query"] = {"query": BEST}
    end = await talk.say("query the database: who bought most?")
    assert end.intent == "ask_data" and "| South |" in end.reply


# --- verified questions, and those that follow ----------------------------------------------------------------------


@pytest.mark.parametrize("host", ["model"], indirect=True)
async def test_a_question_that_was_right_runs_without_a_model_with_other_values(talk: Talk):
    talk.mind.says["write_query"] = {"query": "SELECT name FROM customers WHERE bought > 4"}
    await ask(talk, "Which customers bought more than 4?")
    assert "needs no language model" in (await talk.say("that was right")).reply
    talk.mind.asked = []
    end = await ask(talk, "which customers bought more than 2?")
    assert "| North |" in end.reply and "| South |" in end.reply and end.usage.calls == 0 and talk.mind.asked == []
    assert "As in the verified question “Which customers bought more than 4?”" in end.reply


@pytest.mark.parametrize("said", ["that was right", "没错"])
@pytest.mark.parametrize("host", ["model"], indirect=True)
async def test_an_answer_is_called_right_also_where_every_message_is_for_the_source(talk: Talk, said: str):
    """Given the page, which sends all that is said after "Ask shop" as a question about that source
    When an answer is called right, and the next message is a question again
    Then the first becomes a verified question without a model being asked, and the other is answered
    """
    talk.mind.says["write_query"] = {"query": "SELECT name FROM customers WHERE bought > 4"}
    await ask(talk, "Which customers bought more than 4?", Asking(source="shop"))
    talk.mind.asked = []
    end = await ask(talk, said, Asking(source="shop"))
    assert end.complete and end.files == {} and talk.mind.asked == []
    assert "needs no language model" in end.reply or "不需要语言模型" in end.reply
    end = await ask(talk, "which customers bought more than 2?", Asking(source="shop"))
    assert "| North |" in end.reply and talk.mind.asked == []


@pytest.mark.parametrize("host", ["model"], indirect=True)
async def test_a_question_that_asks_something_else_goes_to_the_model(talk: Talk):
    talk.mind.says["write_query"] = {"query": "SELECT name FROM customers WHERE bought > 4"}
    await ask(talk, "Who bought more than 4?")
    await talk.say("没错")
    talk.mind.asked = []
    await ask(talk, "Who bought less than 4?")
    assert talk.mind.calls == ["write_query", "judge_query"]


@pytest.mark.parametrize("host", ["model"], indirect=True)
async def test_a_question_that_refers_to_the_one_before_is_asked_as_a_whole(talk: Talk):
    """Given a question that was answered
    When the next one can only be understood with it
    Then a model writes it as a whole, the query is written and judged for that, and the reply says how it was read
    """
    least = "Who bought least?"
    talk.mind.says["write_query"] = {"query": BEST}
    await ask(talk, "Who bought most?")
    talk.mind.asked = []
    talk.mind.says["enhance_question"] = {"question": least, "words": [], "clarify": ""}
    end = await ask(talk, "and least?")
    assert talk.mind.calls == ["enhance_question", "write_query", "judge_query"] and end.usage.calls == 3
    assert [asked.fenced[-1] for asked in talk.mind.asked] == ["and least?", least, least]
    assert f"The question was read as “{least}”." in end.reply


@pytest.mark.parametrize("host", ["model"], indirect=True)
async def test_a_question_that_is_asked_back_is_understood_with_its_answer(talk: Talk):
    talk.mind.says["write_query"] = {"query": BEST}
    await ask(talk, "Who bought most?")
    asked_back = await ask(talk, "and those before?")
    assert asked_back.reply == "What do you mean?" and not asked_back.complete and asked_back.files == {}
    talk.mind.asked = []
    talk.mind.says["enhance_question"] = {"question": "Who bought least?", "words": [], "clarify": ""}
    end = await ask(talk, "the one at the end")
    seen = talk.mind.asked[0].text
    assert end.complete and "and those before?" in seen and "What do you mean?" in seen


@pytest.mark.parametrize("host", ["model"], indirect=True)
async def test_a_question_about_something_else_has_no_query_written(talk: Talk):
    reply = "There is no weather here; ask about customers and orders."
    talk.mind.says["assess_question"] = {"assessment": "chat", "reply": reply}
    end = await ask(talk, "will it rain tomorrow?")
    assert end.reply == reply and not end.complete and talk.mind.calls == ["assess_question"]


@pytest.mark.parametrize("host", ["model"], indirect=True)
async def test_a_plain_question_takes_two_calls(talk: Talk):
    talk.mind.says["write_query"] = {"query": BEST}
    end = await ask(talk, "which customers bought most?")
    assert end.usage.calls == 2 and talk.mind.calls == ["write_query", "judge_query"]


@pytest.mark.parametrize("host", ["model"], indirect=True)
async def test_a_question_that_no_model_makes_whole_comes_with_the_one_before(talk: Talk):
    talk.mind.says["write_query"] = {"query": BEST}
    talk.mind.says["enhance_question"] = "I do not know."
    await ask(talk, "Who bought most?")
    await ask(talk, "and least?")
    written = [asked for asked in talk.mind.asked if asked.prompt == "write_query"][-1]
    assert "Who bought most?" in written.text and BEST in written.text


async def test_an_answer_becomes_a_report_with_its_rows(talk: Talk):
    await ask(talk, "select name, bought from customers order by 2 desc")
    end = await talk.say("make that a report")
    assert end.intent == "initial_generation" and end.complete
    rows = await content(talk, await talk.say("export it as CSV"), "report.csv")
    assert "South" in rows and "West; DROP TABLE customers" in rows and "5" in rows


@pytest.mark.parametrize("host", ["model"], indirect=True)
async def test_a_report_of_an_answer_shows_no_model_the_column_that_its_source_hides(talk: Talk, shop: Path):
    """Given a source whose owner marks a column that is not called like a sensitive one
    When its rows become a report, which is changed, filled again, and changed in words that only a model reads
    Then the user sees the values, and no request to the model has one of them
    """
    with closing(sqlite3.connect(shop)) as database:
        database.execute("CREATE TABLE staff (name TEXT, born TEXT, hired_on DATE)")
        rows = [("Ann", "1981-07-09", "2026-03-02"), ("Ben", "1979-11-23", "2026-03-09")]
        database.executemany("INSERT INTO staff VALUES (?, ?, ?)", rows)
        database.commit()
    source = source_of("shop", str(shop)).model_copy(update={"sensitive": ["staff.born"]})
    write_sources(SourceSettings().file, {"shop": source})
    await ask(
        talk,
        "SELECT name, born AS since FROM staff WHERE hired_on >= '2026-03-01' AND hired_on < '2026-04-01' ORDER BY 1",
    )
    await talk.say("make that a report")
    await talk.say("rename the column since to birth")
    shown = await talk.say("fill it for March 2026")
    assert "1981-07-09" in shown.reply
    await talk.say("give the people some more weight, in whatever way seems right to you")
    assert {"modification", "review_outcome"} <= {*talk.mind.calls}
    texts = [asked.text for asked in talk.mind.asked]
    assert not [text for text in texts if "1981" in text or "1979" in text]
    assert any("(hidden)" in text for text in texts)


async def test_sums_of_an_answer_are_numbers_in_its_report(talk: Talk, shop: Path):
    with closing(sqlite3.connect(shop)) as database:
        database.execute("INSERT INTO orders VALUES ('Acme', 0.1, '2026-05-01'), ('Acme', 0.2, '2026-05-02')")
        database.commit()
    await ask(
        talk, "select customer, sum(amount) as total from orders where ordered_on > '2026-05-00' group by customer"
    )
    made = await talk.say("make that a report")
    assert made.complete and "10.5" not in await talk.page()
    assert 'name="total" class="java.math.BigDecimal"' in await talk.template()


async def test_an_answer_takes_the_place_of_a_report_only_after_a_question(talk: Talk):
    await talk.say("generate a sales report with customer and amount")
    await ask(talk, "select name, bought from customers")
    asked = await talk.say("把这个结果做成报表")
    assert asked.asks is not None and not asked.complete
    end = await talk.say("好的")
    assert end.intent == "initial_generation" and end.complete
    assert "North" in await content(talk, await talk.say("export it as CSV"), "report.csv")


# --- a report of an answer, filled again --------------------------------------------------------------------------

OF_MARCH = (
    "SELECT customer AS buyer, SUM(amount) AS total FROM orders "
    "WHERE ordered_on >= '2026-03-01' AND ordered_on < '2026-04-01' GROUP BY customer ORDER BY total DESC"
)


async def printed(talk: Talk, end: TurnFinished) -> str:
    """Return the text of the filled report."""
    page = pdfium.PdfDocument(await talk.client.fetch(end.files["filled.pdf"]))[0]
    return str(page.get_textpage().get_text_bounded())


@pytest.mark.parametrize(
    ("question", "make", "fill", "kept", "agree"),
    [
        ("Which customers bought most in March 2026?", "make that a report", "fill it for October 2026",
         "Which customers bought most", "yes"),
        ("2026年3月哪些客户买得最多？", "把这个结果做成报表", "按2026年10月填充", "哪些客户买得最多", "好的"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("host", ["model"], indirect=True)
async def test_a_report_of_an_answer_is_filled_for_another_month_by_its_query(
    talk: Talk, question: str, make: str, fill: str, kept: str, agree: str
):
    """Given a report of an answer about March
    When it is filled for October
    Then its own query gives October's rows after a yes, no model is asked, and nothing on it says March
    """
    talk.mind.says["write_query"] = {"query": OF_MARCH}
    await ask(talk, question)
    made = await talk.say(make)
    assert made.complete and "2026-03" in made.notes[-1]
    talk.mind.asked = []
    shown = await talk.say(fill)
    assert shown.asks is not None and ":period_start" in shown.reply and "Crane" in shown.reply
    end = await talk.say(agree)
    page = await printed(talk, end)
    assert end.complete and talk.mind.asked == []
    assert "Crane" in page and "30" in page and "Acme" not in page
    assert kept in page and "2026-10" in page and "March" not in page and "3月" not in page


async def test_a_report_of_an_answer_without_a_period_is_not_filled_for_one(talk: Talk):
    await ask(talk, "select customer, amount from orders")
    await talk.say("make that a report")
    with pytest.raises(TerminalError, match="is not about one period"):
        await talk.say("fill it for October 2026")
    shown = await talk.say("fill it from the database")
    assert shown.asks is not None
    assert {"Acme", "Bolt", "Crane"} <= set((await printed(talk, await talk.say("yes"))).split())


async def test_another_report_is_not_filled_by_the_query_of_the_one_before(talk: Talk):
    await ask(talk, OF_MARCH)
    await talk.say("make that a report")
    assert (await talk.session()).bindings is not None
    await talk.say("make a new report with customer and amount")
    await talk.say("yes")
    assert (await talk.session()).bindings is None
