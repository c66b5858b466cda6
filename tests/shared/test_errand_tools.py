"""Tools of reports, data and runs: what a call would do is worked out and said before anything is done."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from pydantic import ValidationError

from bandsmith.shared.errors import BadInput
from bandsmith.shared.language import LANGUAGES, Language
from bandsmith.shared.model.binding import BindingFile
from bandsmith.shared.model.session_parts import Version
from bandsmith.shared.replies import message_in
from bandsmith.shared.tools import DOMAINS, ERRANDS
from bandsmith.shared.tools.errand import ErrandContext, OpenReport
from tests.each_case import each

from .runs.made import START, ref

CALLS: dict[str, dict[str, Any]] = {
    "build_report": {"description": "an invoice with item, quantity and price"},
    "change_report": {"request": "make the title blue"},
    "preview_report": {},
    "export_report": {"formats": ["xlsx", "pdf"]},
    "describe_report": {},
    "list_sessions": {},
    "fill_report": {"period": "2026-10", "folder": "reports"},
    "schedule_run": {"rule": "0 8 * * 1", "period": "last month", "folder": "reports"},
    "list_runs": {},
    "pause_run": {"run_name": "sales"},
    "resume_run": {"run_name": "sales"},
    "cancel_run": {"run_name": "sales"},
    "change_run": {"run_name": "sales", "rule": "0 9 * * 1"},
    "ask_data": {"question": "who bought most?"},
    "run_query": {"query": "SELECT 1"},
    "describe_source": {},
}
NEED_A_REPORT = ("change_report", "preview_report", "export_report", "describe_report", "fill_report", "schedule_run")
READ = ("preview_report", "export_report", "describe_report", "list_sessions", "list_runs", "ask_data", "run_query")
LOOKED_UP = ("pause_run", "resume_run", "cancel_run", "change_run")
VERSION = Version(number=3, template=ref("t"), data=ref("d"), author="generate", time=START)
QUERIES = BindingFile(source="shop")


def source(name: str) -> str:
    if name not in ("", "shop"):
        raise BadInput.of("data.unknown_source", code="source", name=name, names="shop")
    return "shop"


def context(language: Language = "en", *, report: bool = True, queries: BindingFile | None = QUERIES) -> ErrandContext:
    own = OpenReport("Sales", VERSION, "- Title: Sales", ref("q") if queries else None, queries)
    return ErrandContext(language, own if report else None, source, source, lambda folder: f"~/{folder}", "UTC", START)


def prepared(name: str, known: ErrandContext, **arguments: Any):
    return ERRANDS[name].model_validate(CALLS[name] | arguments).prepare(known)


def test_every_tool_is_tried_here():
    assert set(CALLS) == set(ERRANDS)
    assert {tool.domain for tool in ERRANDS.values()} <= set(DOMAINS)


@pytest.mark.parametrize("name", ERRANDS)
def test_the_schema_of_the_arguments_accepts_them_and_nothing_unknown(name: str):
    schema = ERRANDS[name].parameters()
    jsonschema.validate(CALLS[name], schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(CALLS[name] | {"force": True}, schema)
    with pytest.raises(ValidationError):
        ERRANDS[name].model_validate(CALLS[name] | {"force": True})


@each("language", LANGUAGES)
@each("name", ERRANDS)
def test_a_tool_that_writes_says_first_what_it_would_do(name: str, language: Language):
    tool, call = ERRANDS[name], prepared(name, context(language))
    assert tool.writes == (name not in (*READ, "describe_source"))
    assert bool(call.shown) == (tool.writes and name not in LOOKED_UP)
    assert call.errand.looks_up == (name in LOOKED_UP)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NEED_A_REPORT)
def test_without_a_report_there_is_nothing_to_work_on(name: str, language: Language):
    with pytest.raises(BadInput) as refused:
        prepared(name, context(language, report=False))
    expected = {"en": "There is no report in this conversation yet.", "zh": "此对话中还没有报表"}
    assert expected[language] in message_in(refused.value, language)


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("fill_report", {"source": "warehouse"}, ("no source", "没有")),
        ("ask_data", {"source": "warehouse"}, ("no source", "没有")),
        ("describe_source", {"source": "warehouse"}, ("no source", "没有")),
        ("run_query", {"query": "DELETE FROM orders"}, ("SELECT or WITH", "SELECT 或 WITH")),
        ("schedule_run", {"rule": "every Monday"}, ("every Monday", "every Monday")),
        ("schedule_run", {"run_name": "a b"}, ("a b", "a b")),
        ("schedule_run", {"folder": ""}, ("folder", "文件夹")),
        ("schedule_run", {"each": "customer"}, ("customer", "customer")),
        ("change_run", {"rule": ""}, ("what is to be different", "要改什么")),
        ("fill_report", {"only": ["Miller"]}, ("“each” names the column", "each")),
    ],
)
def test_what_cannot_be_done_is_refused_before_the_user_is_asked(name: str, arguments: dict, words: tuple[str, str]):
    with pytest.raises(BadInput) as refused:
        prepared(name, context(), **arguments)
    for language, part in zip(LANGUAGES, words, strict=True):
        assert part in message_in(refused.value, language)


def test_a_run_needs_queries_that_were_reviewed_and_a_filling_has_them_shown():
    with pytest.raises(BadInput):
        prepared("schedule_run", context(queries=None))
    filling = prepared("fill_report", context(queries=None))
    assert filling.errand.turn is not None and filling.errand.turn.filling is not None
    assert filling.errand.turn.filling.review and filling.errand.looks_up and filling.shown == ""
    assert "Fill the report" in filling.errand.shown, "it is shown with the queries, once these are written"


def test_what_was_shown_is_what_is_carried_out():
    """Nothing is left to decide after the consent: the errand holds the words that were shown."""
    for name in ("build_report", "change_report"):
        call = prepared(name, context())
        [words] = CALLS[name].values()
        assert call.errand.turn is not None and call.errand.turn.text == words and f"“{words}”" in call.shown
        assert call.errand.turn.makes_report


def test_a_new_report_knows_nothing_of_the_present_one_and_a_change_works_on_it():
    built, changed = (prepared(name, context()) for name in ("build_report", "change_report"))
    assert built.errand.turn is not None and built.errand.turn.workpiece.template is None
    assert "version 3" in built.shown
    assert changed.errand.turn is not None and changed.errand.turn.workpiece.template == VERSION.template


def test_several_formats_are_one_export():
    turn = prepared("export_report", context()).errand.turn
    assert turn is not None and turn.action is not None and turn.action.all_formats == ["xlsx", "pdf"]
    before = ERRANDS["export_report"].model_validate({"format": "pdf"}).prepare(context()).errand.turn
    assert before is not None and before.action is not None and before.action.all_formats == ["pdf"]


def test_a_filling_for_some_customers_says_which():
    own = QUERIES.model_copy(update={"each": "customer"})
    call = prepared("fill_report", context(queries=own), each="customer", only=["Miller Ltd", "Acme"])
    assert "- only for these values of “customer”: Miller Ltd and Acme" in call.shown
    assert call.errand.turn is not None and call.errand.turn.filling is not None
    assert call.errand.turn.filling.only == ["Miller Ltd", "Acme"]
