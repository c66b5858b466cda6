"""Properties of the whole table: every row is used, every turn ends, every message is routed."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable
from functools import cache

import pytest

from bandsmith.services.gateway.facts.learning import Of, On, changes
from bandsmith.services.gateway.local_nodes import LOCAL_NODES
from bandsmith.services.gateway.routes import ROWS, WORKFLOW, task
from bandsmith.services.gateway.state import RENAMED, SessionState, Turn
from bandsmith.services.gateway.workflow import AtOnce, Cap, Row, Workflow
from bandsmith.shared.events import (
    COMMANDS,
    EVENTS,
    CorrectTemplate,
    Event,
    KnowledgeRecalled,
    NodeFinished,
    NodeStarted,
    StageFailed,
    StartTurn,
    TurnFailed,
    TurnFinished,
    TurnQueued,
    TurnStarted,
    ValidateTemplate,
)
from bandsmith.shared.language import LANGUAGES, Language
from bandsmith.shared.replies import catalogue
from bandsmith.turn_result import STEP_TEXTS
from tests.each_case import each

from .beginnings import beginnings
from .play import answer, start
from .service_answers import answers

NODES = {
    *("load_session", "process_input", "manage_context", "save_state_snapshot", "classify_intent", "retrieve"),
    *("read_form", "generate", "generate_skeleton", "refine_layout", "map_fields", "modify_jrxml", "handle_consult"),
    *("take_answer", "ask_user", "resume_turn", "handle_restore"),
    *("recall_evidence", "enhance_question", "relate_tables", "assess"),
    *("recall_schema", "write_sql", "check_sql", "judge_sql", "run_sql"),
    *("handle_undo", "handle_reset", "save_session", "validate", "explain_error", "correct_jrxml", "finalize"),
    *("review_outcome", "export"),
    *("plan_work", "confirm_plan", "execute", "call_tool", "confirm_call", "ask_question", "store_calendar", "deliver"),
    *("refuse_answer", "look_up_calendar", "ask_server", "carry_out", "prepare_errand", "run_errand", "adopt_report"),
    *("take_part", "make_part"),
    *("list_runs", "read_run", "ask_about_run", "forget_run", "change_runs", "fill_for_run"),
    *("plan_analysis", "check_plan", "await_approval", "next_step", "write_report", "render_report"),
    *("write_python", "run_python", "analyse_python"),
    *("remember_question", "read_data", "fill", "deliver_files"),
    *("read_placeholders", "plan_step", "get_columns", "write_binding", "check_binding", "try_binding"),
    *("store_bindings", "confirm_bindings", "fetch_rows"),
}
WITHOUT_STEP_TEXT = {
    *("load_session", "manage_context", "save_state_snapshot", "resume_turn", "finalize"),
    *("ask_user", "ask_question", "confirm_plan", "confirm_call", "confirm_bindings"),
    *("await_approval", "refuse_answer", "ask_about_run", "forget_run", "adopt_report"),
    *("take_part", "make_part"),
}
"""Nodes that the page does not show as steps: nearly every turn passes the first at once, the others ask a question."""

Place = tuple[str, str | None]
"""A node, and the kind of the command whose answer it waits for there (None: it waits for nothing)."""


# --- walked ---------------------------------------------------------------------------------------------------------


@cache
def rows_ahead(node: str) -> frozenset[Row]:
    """The rows that a turn at a node can still come to."""
    nodes, found = [node], set[Row]()
    while nodes:
        at = nodes.pop()
        new = {row for row in ROWS if row.at == at} - found
        found |= new
        nodes += [row.go for row in new if isinstance(row.go, str)]
    return frozenset(found)


@cache
def conditions_ahead(node: str) -> tuple[Callable[[Turn], object], ...]:
    conditions = {row.when for row in rows_ahead(node) if row.when}
    return tuple(sorted(conditions, key=lambda when: when.__name__))


@cache
def caps_ahead(node: str) -> frozenset[str]:
    return frozenset(row.cap.name for row in rows_ahead(node) if row.cap)


@cache
def resumes_ahead(node: str) -> bool:
    return any(row.go == "resume_turn" for row in rows_ahead(node))


def standing(session: SessionState) -> tuple:
    """Everything about a session that the conditions and caps of the rows ahead can see."""
    turn = session.turn
    suspended = turn.suspended if turn.suspended and resumes_ahead(turn.node) else {}
    waiting = sorted((command.kind, command.payload.get("window", 0)) for command in turn.awaiting.values())
    stacks = bool(session.undo), bool(session.redo), tuple(document.kind for document in turn.attachments)
    return (
        turn.budget.calls,
        turn.node,
        tuple(waiting),
        tuple(sorted((name, spent) for name, spent in turn.spent.items() if name in caps_ahead(turn.node))),
        tuple(turn.unresolved),
        turn.intent,
        turn.has_template,
        tuple(turn.export_formats),
        (turn.is_by_a_model, turn.usage.tokens_out > 0, bool(turn.text.strip())),
        turn.asking,
        turn.step_number,
        turn.rejections,
        turn.work_waits,
        turn.work.at if turn.work else None,
        (turn.work_stage, len(turn.work_left), len(turn.work_parts)),
        len(turn.objections),
        tuple(
            (work.state, work.action, work.memory.error_class, work.memory.is_checked, work.memory.schema_available)
            for work in turn.works
        ),
        stacks,
        *(suspended.get(fact) for fact in ("intent", "work_waits", "run_step")),
        tuple(bool(when(turn)) for when in conditions_ahead(turn.node)),
    )


MAX_WALKED, MAX_WALKED_ROUNDS = 3, 2
"""A cap of the walk: what happens before and after it is spent is seen with few rounds as well as with many."""


def shortened(row: Row) -> Row:
    if row.cap is None:
        return row
    most = MAX_WALKED_ROUNDS if row.cap == task.ROUNDS else MAX_WALKED
    limit = min(row.cap.limit, most * row.cap.cost)
    return dataclasses.replace(row, cap=dataclasses.replace(row.cap, limit=limit))


@pytest.fixture(scope="module")
def walked() -> tuple[set[Row], int]:
    """The rows that are taken when every command is answered in every way, and in how many ways turns ended."""
    taken: set[Row] = set()
    real = {shortened(row): row for row in ROWS}
    short = Workflow(tuple(real))

    def watched(turn, on):
        row = real[short.route(turn, on)]
        taken.add(row)
        return row

    WORKFLOW.route = watched
    try:
        seen, ways, ends = set(), beginnings(), 0
        while ways:
            session = ways.pop()
            if (stands := standing(session)) in seen:
                continue
            seen.add(stands)
            if not session.turn.awaiting:
                assert session.turn.over, f"a turn stands still at {session.turn.node}"
                ends += 1
            for command in session.turn.awaiting.values():
                ways += [answer(session, command, event) for event in answers(command)]
        session = start()
        answer(session, next(iter(session.turn.awaiting.values())), KnowledgeRecalled())
    finally:
        del WORKFLOW.route
    return taken, ends


@pytest.mark.slow
@pytest.mark.timeout(600)  # some 12,000 ways are walked
def test_every_row_can_be_taken(walked: tuple[set[Row], int]):
    taken, _ = walked
    assert [f"{row.at} on {row.on.kind()} to {row.go} {row.when}" for row in ROWS if row not in taken] == []


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_every_way_ends(walked: tuple[set[Row], int]):
    _, ends = walked
    assert ends > 10


# --- no cycle without a cap -----------------------------------------------------------------------------------------


def edges(rows: tuple[Row, ...]) -> dict[Place, set[Place]]:
    """The ways of `rows` between the places that the whole table knows.

    A row that only waits for other answers is no edge: it sends nothing, and each time fewer answers are missing.
    """
    known = {*rows, *ROWS}
    places: set[Place] = {(row.go, row.send.kind() if row.send else None) for row in known if isinstance(row.go, str)}
    graph: dict[Place, set[Place]] = defaultdict(set)
    for row in rows:
        if isinstance(row.go, str) and not row.stays:
            for node, asked in places | {(WORKFLOW.first, None)}:
                answers = (
                    (AtOnce.kind(), StartTurn.kind()) if asked is None else (*COMMANDS[asked].answers, "StageFailed")
                )
                if node == row.at and row.on.kind() in answers:
                    graph[node, asked].add((row.go, row.send.kind() if row.send else None))
    return graph


def cycle(graph: dict[Place, set[Place]]) -> list[Place]:
    """Some way that comes back to where it began, or nothing."""
    done: set[Place] = set()

    def search(place: Place, way: list[Place]) -> list[Place]:
        if place in way:
            return [*way[way.index(place) :], place]
        if place in done:
            return []
        for further in graph.get(place, ()):
            if found := search(further, [*way, place]):
                return found
        done.add(place)
        return []

    return next((found for place in list(graph) if (found := search(place, []))), [])


def uncapped(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    return tuple(row for row in rows if row.cap is None)


def test_without_its_capped_rows_the_table_has_no_cycle():
    assert cycle(edges(uncapped(ROWS))) == []


def test_with_them_it_has_one_so_the_proof_is_about_something():
    assert cycle(edges(ROWS)) != []


@pytest.mark.parametrize(
    "row",
    [
        Row("correct_jrxml", StageFailed, "correct_jrxml", CorrectTemplate),
        Row("validate", StageFailed, "validate", ValidateTemplate),
        Row("map_fields", StageFailed, "map_fields", COMMANDS["MapFields"]),
        Row("refine_layout", StageFailed, "refine_layout", COMMANDS["RenderDraft"]),
    ],
)
def test_a_row_that_goes_back_without_a_cap_is_found(row: Row):
    assert cycle(edges(uncapped((row, *ROWS)))) != []


def test_every_cap_costs_something():
    assert all(row.cap.cost > 0 for row in ROWS if row.cap)


def renewals(rows: tuple[Row, ...]) -> dict[Place, set[Place]]:
    """By the cap that a row is charged to, the caps that it renews; a row without a cap must renew none."""
    graph: dict[Place, set[Place]] = defaultdict(set)
    for row in rows:
        if row.renews:
            graph[row.cap.name if row.cap else "free", None] |= {(name, None) for name in row.renews}
            graph["free", None] |= {("free", None)} if row.cap is None else set()
    return graph


def test_no_cap_is_renewed_at_its_own_price():
    assert cycle(renewals(ROWS)) == []


@pytest.mark.parametrize(
    "rows",
    [
        (Row("a", StageFailed, "a", renews=("tries",)),),
        (Row("a", StageFailed, "a", cap=Cap("tries", 2), renews=("tries",)),),
        (
            Row("a", StageFailed, "b", cap=Cap("steps", 2), renews=("tries",)),
            Row("b", StageFailed, "a", cap=Cap("tries", 2), renews=("steps",)),
        ),
    ],
)
def test_rows_that_could_renew_each_other_for_ever_are_found(rows: tuple[Row, ...]):
    assert cycle(renewals(rows)) != []


# --- every message has its place ------------------------------------------------------------------------------------


def test_nodes_have_the_names_of_the_design():
    named = {row.at for row in ROWS[:-1]} | {row.go for row in ROWS if isinstance(row.go, str)}
    assert named <= NODES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_other_node_is_shown_as_a_step_on_the_page(language: Language):
    shown = {code.removeprefix(STEP_TEXTS) for code in catalogue(language) if code.startswith(STEP_TEXTS)}
    assert shown == NODES - WITHOUT_STEP_TEXT


def test_the_last_row_catches_everything_else():
    assert (
        ROWS[-1] is WORKFLOW.unrouted
        and WORKFLOW.unrouted.when is None
        and WORKFLOW.unrouted.cap is None
        and WORKFLOW.unrouted.go is TurnFailed
    )


@each("row", [row for row in ROWS if row.send])
def test_each_answer_to_a_command_has_a_row_at_the_node_that_sends_it(row: Row):
    routed = {other.on.kind() for other in ROWS if other.at == row.go}
    missing = {*row.send.answers, StageFailed.kind()} - routed
    assert not missing, f"{row.go} sends {row.send.kind()}, but no row there is for {', '.join(sorted(missing))}"


OF_TURNS = {kind: command for kind, command in COMMANDS.items() if command.of_turns}
OUTSIDE = {answer for command in COMMANDS.values() if not command.of_turns for answer in command.answers}
"""Events that answer what no turn asked."""


@each("kind", sorted(OF_TURNS.keys() - {StartTurn.kind()}))
def test_each_command_of_a_turn_is_sent_by_a_row_and_can_be_filled_from_the_turn(kind: str):
    command = COMMANDS[kind]
    assert any(row.send is command for row in ROWS), f"no row of services/gateway/routes sends {kind}"
    facts = {RENAMED.get((kind, name), name) for name in command.model_fields}
    of_turn = [name for name in facts if name != "part" and not name.startswith("part.")]
    missing = [name for name in of_turn if not hasattr(Turn, name) and name not in Turn.model_fields]
    assert not missing, f"{kind} asks with {missing}, which services/gateway/state.py's Turn does not keep"


@each("kind", EVENTS)
def test_each_event_is_an_answer_with_a_row_or_the_gateways_own(kind: str):
    own = {event.kind() for event in (TurnStarted, TurnQueued, NodeStarted, NodeFinished, TurnFinished, TurnFailed)}
    if kind in own | OUTSIDE:
        return
    assert any(kind in command.answers for command in COMMANDS.values()) or kind == StageFailed.kind(), (
        f"no command in shared/events has {kind} among its answers"
    )
    assert any(row.on.kind() == kind for row in ROWS), f"no row of services/gateway/routes is for {kind}"


def fields_learned(event: type[Event]) -> set[str]:
    """The fields of an event that some fact is changed by."""
    declared = [mark for fact in Turn.model_fields.values() for mark in fact.metadata]
    if any(isinstance(mark, On) and mark.event is event and mark.change.__name__ == "_latest" for mark in declared):
        return set(event.model_fields)  # the whole event is kept
    taken = {mark.field for mark in declared if isinstance(mark, Of) and mark.event is event}
    return taken | {name for name in changes(Turn, event) if name in event.model_fields}


@each("kind", EVENTS)
def test_what_an_answer_says_is_kept(kind: str):
    handled = {
        "FixesRemembered": {"count"},
        "ReadingApplied": {"outdated"},
        "TemplateModified": {"edits"},
        "WindowRefined": {"window"},
        "QueryChecked": {"reason"},
        "QueryJudged": {"reason", "doubted_part"},
        "QueryRun": {"reason"},
        "PythonRun": {"reason"},
        "PythonAnalysed": {"reason"},
        "BindingWritten": {"name", "written"},
        "BindingChecked": {"name", "checked"},
        "BindingTried": {"name", "trial"},
        "ColumnsRead": {"columns"},
        "ReportFilled": {"format", "name", "files", "pages", "missing_texts", "missing_shapes"},
    }
    if kind == StageFailed.kind() or not any(kind in command.answers for command in OF_TURNS.values()):
        return
    if kind in {TurnQueued.kind(), TurnFinished.kind(), TurnFailed.kind()}:
        return
    lost = set(EVENTS[kind].model_fields) - fields_learned(EVENTS[kind]) - handled.get(kind, set())
    assert not lost, f"{kind} says {sorted(lost)}, which no fact in services/gateway/facts keeps"


def test_the_gateways_own_nodes_are_in_the_table():
    assert LOCAL_NODES.keys() <= {row.at for row in ROWS}
