"""The part of the table that answers questions about data.

The source is found, then the question as it stands alone, the tables that it is about, and how they are joined. Then a
query is written, checked, judged and run. A question whose query is known goes to the check at once.

A query that was refused or failed is written again with the reason, where a model wrote it; one of the user's own is
answered with the reason. One that is doubted for the same part of the question again runs, and the reply says so: a
model that judges may be wrong, too.
"""

from __future__ import annotations

from bandsmith.shared.events import (
    AssessQuestion,
    CheckQuery,
    EnhanceQuestion,
    IntentClassified,
    JudgeQuery,
    QueryChecked,
    QueryJudged,
    QueryRun,
    QueryWritten,
    QuestionAssessed,
    QuestionEnhanced,
    QuestionRemembered,
    RecallSources,
    RecallTables,
    RelateTables,
    RunQuery,
    SourcesRecalled,
    StageFailed,
    TablesRecalled,
    TablesRelated,
    TurnFailed,
    WriteQuery,
)

from ..state import Turn
from ..workflow import Cap, Row
from .head import the_data_are_asked

# --- conditions ------------------------------------------------------------------------------------------------------


def a_query_was_given(turn: Turn) -> bool:
    return bool(turn.query)


def a_known_query_answers(turn: Turn) -> bool:
    """Whether a verified question or the one before has the query; an analysis has steps of its own."""
    return bool(turn.query) and not (turn.asking is not None and turn.asking.analyse)


def the_user_is_asked(turn: Turn) -> bool:
    """Whether the question cannot be answered as it is: the reply says why, or asks what is meant."""
    return bool(turn.answer)


def only_the_query_is_wanted(turn: Turn) -> bool:
    return turn.asking is not None and turn.asking.only_query and turn.statement is not None


def it_may_run(turn: Turn) -> bool:
    return turn.statement is not None


def its_meaning_is_to_be_judged(turn: Turn) -> bool:
    """Whether a model is to say if the query answers the question: only what a model wrote is judged."""
    return turn.statement is not None and turn.allowance.calls > 0 and "write_sql" in turn.attempts


def another_query_may_mean_it(turn: Turn) -> bool:
    return bool(turn.doubt) and not turn.is_doubted_again and turn.allowance.calls > 0


def a_model_may_correct_it(turn: Turn) -> bool:
    """Whether another query may answer; one that reads fewer rows only to be small enough would be wrong."""
    return bool(turn.problem) and not (turn.is_own_query or turn.is_too_large) and turn.allowance.calls > 0


def it_is_a_step(turn: Turn) -> bool:
    """Whether the query belongs to a step of an analysis."""
    return turn.step is not None


# --- rows ------------------------------------------------------------------------------------------------------------

QUERY = Cap("queries", 10)
RELATE = Cap("relations", 3)

ROWS: tuple[Row, ...] = (
    Row("classify_intent", IntentClassified, "recall_evidence", RecallSources, the_data_are_asked),
    Row("recall_evidence", SourcesRecalled, "check_sql", CheckQuery, a_query_was_given),
    Row("recall_evidence", SourcesRecalled, "enhance_question", EnhanceQuestion),
    Row("recall_evidence", StageFailed, TurnFailed),
    Row("enhance_question", QuestionEnhanced, "finalize", when=the_user_is_asked),
    Row("enhance_question", QuestionEnhanced, "check_sql", CheckQuery, a_known_query_answers),
    Row("enhance_question", QuestionEnhanced, "recall_schema", RecallTables),
    Row("enhance_question", StageFailed, TurnFailed),
    Row("recall_schema", TablesRecalled, "relate_tables", RelateTables, cap=RELATE),
    Row("recall_schema", StageFailed, TurnFailed),
    Row("relate_tables", TablesRelated, "assess", AssessQuestion),
    Row("relate_tables", StageFailed, "relate_tables", RelateTables, cap=RELATE),
    Row("relate_tables", StageFailed, TurnFailed),
    Row("assess", QuestionAssessed, "finalize", when=the_user_is_asked),
    Row("assess", QuestionAssessed, "write_sql", WriteQuery, cap=QUERY),
    Row("assess", StageFailed, TurnFailed),
    Row("write_sql", QueryWritten, "check_sql", CheckQuery),
    Row("write_sql", StageFailed, "next_step", when=it_is_a_step),
    Row("write_sql", StageFailed, TurnFailed),
    Row("check_sql", QueryChecked, "judge_sql", JudgeQuery, its_meaning_is_to_be_judged),
    Row("check_sql", QueryChecked, "finalize", when=only_the_query_is_wanted),
    Row("check_sql", QueryChecked, "run_sql", RunQuery, it_may_run),
    Row("check_sql", QueryChecked, "write_sql", WriteQuery, a_model_may_correct_it, QUERY),
    Row("check_sql", QueryChecked, "next_step", when=it_is_a_step),
    Row("check_sql", QueryChecked, "finalize"),
    Row("check_sql", StageFailed, TurnFailed),
    Row("judge_sql", QueryJudged, "write_sql", WriteQuery, another_query_may_mean_it, QUERY),
    Row("judge_sql", QueryJudged, "finalize", when=only_the_query_is_wanted),
    Row("judge_sql", QueryJudged, "run_sql", RunQuery),
    Row("judge_sql", StageFailed, "finalize", when=only_the_query_is_wanted),
    Row("judge_sql", StageFailed, "run_sql", RunQuery),
    Row("run_sql", QueryRun, "write_sql", WriteQuery, a_model_may_correct_it, QUERY),
    Row("run_sql", QueryRun, "next_step", when=it_is_a_step),
    Row("run_sql", QueryRun, "finalize"),
    Row("run_sql", StageFailed, TurnFailed),
    Row("remember_question", QuestionRemembered, "finalize"),
    Row("remember_question", StageFailed, TurnFailed),
)
