"""Benchmarks: each one is run by ``make bench-smoke``, and a failing one does not keep the others from running."""

from pathlib import Path

import pytest

from bandsmith.client import Client
from bandsmith.shared.bus.memory import MemoryBus
from bandsmith.shared.events import TurnFailed, TurnFinished
from bandsmith.shared.model.session_parts import Pending
from bandsmith.shared.model.task import ToolCall
from benchmarks import __main__ as bench
from benchmarks import roundtrip, sql_by_hand, strangers, tasks
from benchmarks.results import Result, markdown
from benchmarks.task_users import is_yes

HELPERS = {
    "open_worker",
    "task_users",
    "processes",
    "results",
    "sql_questions",
    "sql_tables",
    "soak_figures",
    "soak_plot",
    "temporal",
    "units",
}
RUN_ELSEWHERE = {"accuracy", "strangers", "scale", "roundtrip", "tasks", "sql_by_hand"}
"""By ``make measure`` (two), by a test of their arithmetic, here, since the scorer is not part of this repository, and
with a language model only (two)."""


def test_every_benchmark_is_run_by_the_smoke_test():
    modules = {file.stem for file in Path(bench.__file__).parent.glob("[a-z]*.py")} - HELPERS - RUN_ELSEWHERE
    assert {benchmark.measure.__module__.rpartition(".")[2] for benchmark in bench.BENCHMARKS.values()} == modules


def test_a_failing_benchmark_is_named_and_the_others_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    async def fails() -> list[Result]:
        raise AttributeError("apply")

    async def works() -> list[Result]:
        return [Result("speed", "3", "", "")]

    monkeypatch.setattr(bench, "BENCHMARKS", {"a": bench.Benchmark(fails), "b": bench.Benchmark(works)})
    results, failed = bench.run(["a", "b"], smoke=True)
    assert failed == ["a"] and [result.what for result in results] == ["speed"]
    assert "| speed | 3 |" in capsys.readouterr().out


def test_the_round_trip_table_has_the_means_beside_the_targets():
    row = dict.fromkeys(roundtrip.COLUMNS, 0.5) | {"note": ""}
    measured = {"PNG": ([row, row | {"note": "not built"}], 1.0), "photo": ([row], 2.0)}
    table = roundtrip.table(measured).splitlines()
    assert table[2] == f"| PNG | 1 of 2 |{' .500 |' * 7} 1.0 |"
    assert table[3].startswith("| *wanted* | *2 of 2* |")


def test_the_table_keeps_rows_that_were_not_measured_again():
    table = markdown([Result("a hop", "1 ms", "", ""), Result("a page", "2 s", "", "")])

    assert markdown([Result("a page", "1 s", "", "")], f"\n{table}\n\nMeasured on 2 cores.") == markdown(
        [Result("a hop", "1 ms", "", ""), Result("a page", "1 s", "", "")]
    )


def test_results_are_equal_in_another_order_unless_the_question_has_one():
    rows, other = [["Ada", 20.0], ["Ben", 30]], [["Ben", 30.0], ["Ada", 20]]
    assert sql_by_hand.is_equal(rows, other, ordered=False)
    assert not sql_by_hand.is_equal(rows, other, ordered=True)
    assert not sql_by_hand.is_equal(rows, [["Ada", 20.0]], ordered=False)


def test_a_judges_verdicts_are_counted_over_what_was_judged():
    asked = sql_by_hand.Asked(database="shop.sqlite", question="how many?")
    cases = [sql_by_hand.Case(number=number, asked=asked, rows=[["n"]]) for number in (1, 2, 3)]
    lines = sql_by_hand.summary(cases, {1: "right", 2: "wrong, because the filter is missing"})
    assert lines[0] == "questions 3, answered 3" and lines[-1] == "right, as judged 1 of 2 (0.50)"


@pytest.mark.parametrize(("said", "reply"), [("做个表", "没有列。"), ("make a list", "No columns.")])
async def test_a_refusal_is_recorded_in_the_language_that_its_user_sees(said: str, reply: str):
    class Refuses(Client):
        async def turn(self, *sentence: object, **more: object):
            yield TurnFailed(code="wish", message="No columns.", message_zh="没有列。")

    case = strangers.Case("a", "zh", "new", "none", (said,), "", True, "a")
    outcome = strangers.Outcome(case)
    await strangers._turn(None, Refuses(MemoryBus()), said, outcome)
    assert outcome.replies == [reply]


CALL = ToolCall(id="c1", name="place_all", arguments={})


@pytest.mark.parametrize(
    ("intent", "asks", "is_consent"),
    [
        ("plan_work", Pending(kind="confirmation", text="Place all?", call=CALL), True),
        ("manage_runs", Pending(kind="confirmation", text="Is this run right?"), True),
        ("manage_runs", Pending(kind="question", text="Which run?"), False),
        ("plan_work", Pending(kind="confirmation", text="Is this plan right?"), False),
        ("plan_work", None, False),
    ],
)
def test_a_yes_is_consent_to_a_call_or_a_run_that_is_shown_and_to_no_plan(intent, asks, is_consent: bool):
    end = TurnFinished(status="done", intent=intent, reply="", asks=asks)
    assert tasks.asks_consent(end) is is_consent


@pytest.mark.parametrize(
    ("answer", "is_consent"), [("yes", True), ("好的", True), ("no, at 9", False), ("不，九点", False)]
)
def test_only_a_yes_counts_as_consent(answer: str, is_consent: bool):
    assert is_yes(answer) is is_consent
