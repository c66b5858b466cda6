"""A turn that answers a question about data: its way through the table, what comes back, and how often."""

from __future__ import annotations

import pytest

from bandsmith.services.gateway.state import SessionState
from bandsmith.shared.events import (
    AnalysePython,
    AnalysisPlanned,
    AssessQuestion,
    CheckQuery,
    Command,
    EnhanceQuestion,
    JudgeQuery,
    PlanAnalysis,
    PythonAnalysed,
    PythonRun,
    PythonWritten,
    QueryChecked,
    QueryJudged,
    QueryRun,
    QueryWritten,
    QuestionAssessed,
    QuestionEnhanced,
    RecallSources,
    RecallTables,
    RelateTables,
    RunPython,
    RunQuery,
    SourcesRecalled,
    TablesRelated,
    TurnFailed,
    WriteAnalysis,
    WritePython,
    WriteQuery,
)
from bandsmith.shared.model.allowance import Allowance, Usage
from bandsmith.shared.model.source import Asking

from .play import Script, end_of, finished, nodes, play, start, turn_of
from .service_events import MODEL, RULES, failed, ref, step

OWN = SourcesRecalled(source="shop", database=ref("database"), question="", query="SELECT 1")
ASK, ONLY_QUERY = Asking(source="shop"), Asking(source="shop", only_query=True)


def written(number: int) -> QueryWritten:
    return QueryWritten(query=f"SELECT {number}", usage=Usage(calls=1))


def checked(number: int) -> QueryChecked:
    return QueryChecked(query=f"SELECT {number}", permitted=f"SELECT {number}", statement=ref(f"statement-{number}"))


def doubting(part: str) -> QueryJudged:
    said = f"The query does not answer “{part}”: it counts orders."
    return QueryJudged(doubt=said, doubted_part=part, reason=said, usage=Usage(calls=1))


QUERIES: Script = {WriteQuery: [written(number) for number in range(1, 20)]}


def asked(script: Script | None = None, asking: Asking = ASK, budget: Allowance = MODEL) -> list[SessionState]:
    script = {**QUERIES, **(script or {})}
    return list(play(script, start("how many customers?", (), None, "asked", budget, asking=asking)))


def way(sessions: list[SessionState]) -> list[str]:
    """The nodes from the first query on."""
    passed = nodes(sessions)
    return passed[min(passed.index(node) for node in ("write_sql", "check_sql") if node in passed) :]


JUDGED = ["write_sql", "check_sql", "judge_sql"]


# --- before the query -------------------------------------------------------------------------------------------------

BEFORE = ["recall_evidence", "enhance_question", "recall_schema", "relate_tables", "assess"]


def test_a_question_passes_each_node_before_its_query_is_written():
    passed = nodes(asked())
    assert passed[passed.index("recall_evidence") : passed.index("write_sql")] == BEFORE


def test_a_query_of_the_users_own_is_checked_at_once():
    assert nodes(asked({RecallSources: [OWN]}))[-4:] == ["recall_evidence", "check_sql", "run_sql", "finalize"]


@pytest.mark.parametrize("asking", [ASK, Asking(source="shop", analyse=True)], ids=["a question", "an analysis"])
def test_a_question_that_cannot_be_understood_is_answered_with_one(asking: Asking):
    sessions = asked({EnhanceQuestion: [QuestionEnhanced(question="And those?", answer="Which ones?")]}, asking)
    assert nodes(sessions)[-2:] == ["enhance_question", "finalize"]
    end = finished(sessions[-1])
    assert end.reply == "Which ones?" and not end.complete
    assert [one.answer for one in sessions[-1].asked] == ["Which ones?"]  # the next question may answer it


def test_a_question_that_the_data_cannot_answer_has_no_query_written():
    sessions = asked({AssessQuestion: [QuestionAssessed(answer="There is no weather here.")]})
    assert nodes(sessions)[-2:] == ["assess", "finalize"]
    end = finished(sessions[-1])
    assert end.reply == "There is no weather here." and not end.complete and end.files == {}


def test_relations_are_looked_for_three_times():
    sessions = asked({RelateTables: [failed("RelateTables")]})
    assert nodes(sessions).count("relate_tables") == 3
    assert isinstance(end_of(sessions[-1]), TurnFailed)


def test_relations_that_are_found_at_last_are_shown_to_the_one_that_writes():
    joined = TablesRelated(relations=["a and b are joined through c"])
    sessions = asked({RelateTables: [failed("RelateTables"), joined]})
    assert nodes(sessions).count("relate_tables") == 2
    assert commands(sessions, WriteQuery)[0]["evidence"] == joined.relations


@pytest.mark.parametrize("command", [RecallSources, EnhanceQuestion, RecallTables, AssessQuestion])
def test_a_node_that_fails_ends_the_turn_with_its_reason(command: type[Command]):
    end = end_of(asked({command: [failed(command.kind())]})[-1])
    assert isinstance(end, TurnFailed) and f"{command.kind()} cannot be done" in end.message


def test_a_rewritten_question_is_said_with_its_rows():
    rewritten = QuestionEnhanced(question="How many customers were there in October 2026?", is_rewritten=True)
    end = finished(asked({EnhanceQuestion: [rewritten]})[-1])
    assert "The question was read as “How many customers were there in October 2026?”." in end.reply


# --- what a query means -----------------------------------------------------------------------------------------------


def test_a_query_is_judged_before_it_runs():
    sessions = asked()
    assert way(sessions) == [*JUDGED, "run_sql", "finalize"]
    assert finished(sessions[-1]).complete


def test_a_query_of_the_users_own_is_not_judged():
    assert "judge_sql" not in nodes(asked({RecallSources: [OWN]}))


def test_the_query_of_a_verified_question_is_not_judged():
    known = QuestionEnhanced(question="How many?", query="SELECT 1", verified="How many?")
    passed = nodes(asked({EnhanceQuestion: [known]}))
    assert passed[-4:] == ["enhance_question", "check_sql", "run_sql", "finalize"]


def test_where_nothing_may_be_spent_the_query_is_not_judged():
    assert way(asked(budget=RULES)) == ["write_sql", "check_sql", "run_sql", "finalize"]


def test_a_doubted_query_is_written_again_with_the_reason():
    sessions = asked({JudgeQuery: [doubting("customers"), QueryJudged()]})
    assert way(sessions) == [*JUDGED, *JUDGED, "run_sql", "finalize"]
    second = commands(sessions, WriteQuery)[1]
    assert "it counts orders" in second["queries_tried"][0]["reason"]
    end = finished(sessions[-1])
    assert end.complete and "counts orders" not in end.reply


def test_the_judge_sees_nothing_that_the_writer_said_of_its_query():
    reworded = QueryWritten(query="SELECT 1", whole_question="What I took it for", usage=Usage(calls=1))
    (judged,) = commands(asked({WriteQuery: [reworded]}), JudgeQuery)
    assert judged["question"] == "How many?" and "What I took it for" not in str(judged)


@pytest.mark.parametrize("again", ["customers", "How many customers"])
def test_a_part_that_is_doubted_twice_is_said_with_the_rows(again: str):
    doubts = [doubting("customers"), doubting(again)]
    sessions = play_checked([checked(1), checked(2)], doubts)
    assert way(sessions) == [*JUDGED, *JUDGED, "run_sql", "finalize"]
    end = finished(sessions[-1])
    assert not end.complete and "Check this answer before you use it" in end.reply and "counts orders" in end.reply
    assert "result.csv" in end.files


def test_the_same_query_again_is_not_sent_back_again():
    sessions = play_checked([checked(1)], [doubting("customers"), doubting("how many")])
    assert way(sessions).count("write_sql") == 2 and "Check this answer" in finished(sessions[-1]).reply


def test_doubts_about_ever_other_parts_end_with_the_last_query_said_to_be_doubted():
    parts = [checked(number) for number in range(1, 12)]
    sessions = play_checked(parts, [doubting(part) for part in "abcdefghijkl"])
    assert way(sessions).count("write_sql") == 10
    assert way(sessions)[-2:] == ["run_sql", "finalize"] and "Check this answer" in finished(sessions[-1]).reply


def test_a_doubted_query_that_is_only_shown_is_shown_with_the_doubt():
    sessions = play_checked([checked(1)], [doubting("customers")], ONLY_QUERY)
    assert way(sessions) == [*JUDGED, *JUDGED, "finalize"]
    end = finished(sessions[-1])
    assert end.reply.startswith("```sql\nSELECT 1\n```") and "counts orders" in end.reply


def test_a_judge_that_cannot_be_reached_lets_the_query_run_and_it_is_noted():
    sessions = asked({JudgeQuery: [failed("JudgeQuery")]})
    assert way(sessions) == [*JUDGED, "run_sql", "finalize"]
    assert any("JudgeQuery cannot be done" in note for note in finished(sessions[-1]).notes)


def test_a_query_that_the_database_refuses_after_it_was_judged_is_judged_again():
    refused = QueryRun(problem="No such function.", reason="No such function.")
    ran = QueryRun(result=ref("result"), rows_as_csv=ref("rows"), preview="| 1 |", row_count=1)
    sessions = asked({RunQuery: [refused, ran]})
    assert way(sessions) == [*JUDGED, "run_sql", *JUDGED, "run_sql", "finalize"]
    assert finished(sessions[-1]).complete


def test_a_query_that_needs_too_many_rows_of_several_sources_is_not_made_smaller():
    """Another query would read fewer rows only by answering another question."""
    too_large = QueryRun(problem="More than 200000 rows of a.b.", reason="Too many.", is_too_large=True)
    sessions = asked({RunQuery: [too_large]})
    assert way(sessions) == [*JUDGED, "run_sql", "finalize"]
    end = finished(sessions[-1])
    assert not end.complete and "200000 rows of a.b." in end.reply


# --- what Python computed ---------------------------------------------------------------------------------------------

PLAN = AnalysisPlanned(question="How many?", plan=[step("first"), step("forecast", uses=["first"], kind="python")])
CODE: Script = {WritePython: [PythonWritten(step_code=f"result = {n}", usage=Usage(calls=1)) for n in range(1, 9)]}
NO_FORECAST = PythonAnalysed(doubt="It is no forecast.", reason="It is no forecast.", usage=Usage(calls=1))
READ = ["write_python", "run_python", "analyse_python"]


def computed(script: Script, budget: Allowance = MODEL) -> list[SessionState]:
    return asked({PlanAnalysis: [PLAN], **CODE, **script}, Asking(source="shop", analyse=True), budget)


def python_way(sessions: list[SessionState]) -> list[str]:
    return [node for node in nodes(sessions) if node in READ]


def test_the_result_of_python_is_read_before_the_next_step():
    sessions = computed({AnalysePython: [PythonAnalysed(step_explanation="It is {{forecast.rows}}.")]})
    assert python_way(sessions) == READ
    (reported,) = commands(sessions, WriteAnalysis)
    assert reported["results"][-1]["explanation"] == "It is {{forecast.rows}}."
    assert finished(sessions[-1]).complete


def test_code_that_computes_something_else_is_written_again_with_the_reason():
    sessions = computed({AnalysePython: [NO_FORECAST, PythonAnalysed()]})
    assert python_way(sessions) == READ * 2
    assert commands(sessions, WritePython)[1]["code_tried"][0]["reason"] == "It is no forecast."
    assert finished(sessions[-1]).complete


def test_a_result_that_stays_doubted_after_three_tries_is_reported_with_the_doubt():
    sessions = computed({AnalysePython: [NO_FORECAST]})
    assert python_way(sessions) == READ * 3
    end = finished(sessions[-1])
    assert not end.complete and "forecast: It is no forecast." in end.reply


def test_a_result_that_cannot_be_read_is_kept():
    sessions = computed({AnalysePython: [failed("AnalysePython")]})
    assert python_way(sessions) == READ and finished(sessions[-1]).complete


def test_python_that_failed_is_not_read():
    problem = PythonRun(problem="It took too long.", reason="It took too long.")
    assert python_way(computed({RunPython: [problem]})) == ["write_python", "run_python"] * 3


def play_checked(checks: list[QueryChecked], doubts: list[QueryJudged], asking: Asking = ASK) -> list[SessionState]:
    return asked({CheckQuery: list(checks), JudgeQuery: list(doubts)}, asking)


def commands(sessions: list[SessionState], kind: type[Command]) -> list[dict]:
    """Return what each command of a kind asked."""
    sent = {
        command.id: command.payload
        for session in sessions
        for command in turn_of(session).awaiting.values()
        if command.kind == kind.kind()
    }
    return list(sent.values())
