"""Properties of the whole table: every row is used, every turn ends, every message is routed."""

from __future__ import annotations

import dataclasses
from collections import defaultdict

import pytest

from bandsmith.services.gateway.facts.learning import Of, On, changes
from bandsmith.services.gateway.local_nodes import LOCAL_NODES
from bandsmith.services.gateway.routes import ROWS, WORKFLOW
from bandsmith.services.gateway.state import RENAMED, SessionState, Turn
from bandsmith.services.gateway.workflow import AtOnce, Cap, Row, Workflow
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.events import (
    COMMANDS,
    EVENTS,
    ClassifyIntent,
    CorrectTemplate,
    Event,
    KnowledgeRecalled,
    NodeFinished,
    NodeStarted,
    PlanWork,
    RunTool,
    StageFailed,
    StartTurn,
    TurnFailed,
    TurnFinished,
    TurnQueued,
    TurnStarted,
    ValidateTemplate,
)
from bandsmith.shared.model.action import Action
from bandsmith.shared.model.document import Document
from bandsmith.shared.model.filling import Filling
from bandsmith.shared.model.run import Delivery
from bandsmith.shared.model.source import Asking
from bandsmith.shared.model.task import Answer, Planning

from .play import PICTURE, ROWS_FILE, TEMPLATE, WORKBOOK, answer, play, played, start, turn_of, with_report
from .service_answers import MODEL, RULES, answers, successes, wants

NODES = {
    *("load_session", "process_input", "manage_context", "save_state_snapshot", "classify_intent", "retrieve"),
    *("generate", "generate_skeleton", "refine_layout", "map_fields", "modify_jrxml", "handle_consult"),
    *("take_answer", "ask_user", "resume_turn", "handle_restore"),
    *("recall_schema", "write_sql", "check_sql", "run_sql"),
    *("handle_undo", "handle_reset", "save_session", "validate", "explain_error", "correct_jrxml", "finalize"),
    *("plan_work", "confirm_plan", "execute", "call_tool", "confirm_call", "ask_question", "store_calendar", "deliver"),
    *("refuse_answer",),
    *("plan_analysis", "check_plan", "await_approval", "next_step", "write_report", "render_report"),
    *("remember_question", "read_data", "fill", "deliver_files"),
    *("read_placeholders", "plan_step", "get_columns", "write_binding", "check_binding", "try_binding"),
    *("store_bindings", "confirm_bindings", "fetch_rows"),
}

Place = tuple[str, str | None]
"""A node, and the kind of the command whose answer it waits for there (None: it waits for nothing)."""


# --- walked ---------------------------------------------------------------------------------------------------------


CONDITIONS = sorted({row.when for row in ROWS if row.when}, key=lambda when: when.__name__)


def standing(session: SessionState) -> tuple:
    """Everything about a session that the table's conditions and caps can see."""
    turn = session.turn
    waiting = sorted((command.kind, command.payload.get("window", 0)) for command in turn.awaiting.values())
    stacks = bool(session.undo), bool(session.redo), tuple(document.kind for document in turn.attachments)
    return (
        turn.budget.calls,
        turn.node,
        tuple(waiting),
        tuple(sorted(turn.spent.items())),
        tuple(turn.unresolved),
        turn.intent,
        turn.asking,
        turn.step_number,
        turn.rejections,
        turn.work_waits,
        turn.work.at if turn.work else None,
        len(turn.objections),
        tuple(
            (work.state, work.action, work.memory.error_class, work.memory.is_checked, work.memory.schema_available)
            for work in turn.works
        ),
        stacks,
        *((turn.suspended or {}).get(fact) for fact in ("intent", "work_waits")),
        tuple(bool(when(turn)) for when in CONDITIONS),
    )


def beginnings() -> list[SessionState]:
    """Sessions at the start of a turn: with and without a report, with files of each kind, after a long talk."""
    report = with_report(2)
    long = [said.model_copy(update={"text": "x" * 3000}) for said in report.history]
    undone = played("undo", {ClassifyIntent: [wants("undo_modification")]}, report, turn="undone")
    asked = [
        played("words", {ClassifyIntent: [wants(intent)]}, report, turn="asked")
        for intent in ("initial_generation", "reset_session")
    ]
    sessions = [None, report, undone, report.model_copy(update={"history": long}), *asked]
    files: list[tuple[Document, ...]] = [
        *((), (PICTURE,), (TEMPLATE,), (PICTURE, TEMPLATE)),
        *((ROWS_FILE,), (WORKBOOK,), (TEMPLATE, WORKBOOK)),
    ]
    filled = [start("", some, report, "walked", filling=Filling()) for some in ((ROWS_FILE,), (TEMPLATE, WORKBOOK))]
    delivery = Delivery(folder="reports")
    filled.append(start("", (TEMPLATE, ROWS_FILE), report, "walked", filling=Filling(), delivery=delivery))
    without_report = start("", (ROWS_FILE,), None, "walked", filling=Filling())
    ways = (Asking(), Asking(only_query=True), Asking(analyse=True), Asking(analyse=True, review=True))
    asked = [start("words", (), None, "walked", budget, asking=way) for way in ways for budget in (RULES, MODEL)]
    *_, shown = play(session=start("words", (), None, "shown", MODEL, asking=ways[-1]))
    *_, answered = play(session=start("words", (), None, "answered", MODEL, asking=ways[0]))
    asked += [start("words", (), before, "walked", MODEL) for before in (shown, answered)]
    asked += of_tasks()
    asked += [start("words", (), None, "walked", MODEL, planning=Planning())]
    of_source = (Filling(source="shop"), Filling(source="shop", review=True))
    filled += [start("", (), report, "walked", budget, way) for way in of_source for budget in (RULES, MODEL)]
    *_, reviewed = play(session=start("", (), report, "shown", MODEL, of_source[1]))
    filled += [start("words", (), reviewed, "walked", MODEL)]
    edited = [start("", (), some, "walked", edits=(Delete(element="line"),)) for some in (report, None)]
    actions = (Action(do="undo"), Action(do="restore", version=1), Action(do="export", format="java"))
    edited += [start("", (), some, "walked", action=action) for some in (report, None) for action in actions]
    return (
        [*filled, *asked, *edited, without_report]
        + [start("words", some, session, "walked") for session in sessions for some in files]
        + [start("", some, report, "walked", budget) for some in files[1:] for budget in (RULES, MODEL)]
    )


DECISIONS = ({"decision": "accept"}, {"decision": "reject"}, {"arguments": {"day": 2}})
MAX_WALKED = 3
"""A cap of the walk: what happens before and after it is spent is seen with few rounds as well as with many."""


def of_tasks() -> list[SessionState]:
    """Turns that answer what a task asked: its plan, a call, a question, in words, by a decision, edited, too late."""
    begun = start("words", (), None, "planned", MODEL, planning=Planning())
    *_, planned = play(session=begun)
    *_, asked = play({PlanWork: [successes(PlanWork, {})[2]]}, begun)
    *_, shown = play({RunTool: successes(RunTool, {})[2:]}, start("yes", (), planned, "shown", MODEL))
    assert [turn_of(one).work_waits for one in (planned, asked, shown)] == ["plan", "question", "call"]
    assert shown.pending is not None
    assert shown.suspended is not None
    tired = shown.model_copy(update={"suspended": shown.suspended | {"spent": {"rounds": 30}}})
    replies = [Answer(question="another"), *(Answer(question=shown.pending.id, **how) for how in DECISIONS)]
    return [
        *(start("words", (), before, "walked", MODEL) for before in (planned, asked, shown)),
        *(start("", (), shown, "walked", MODEL, reply=reply) for reply in replies),
        start("", (), tired, "walked", MODEL, reply=replies[1]),
    ]


def shortened(row: Row) -> Row:
    if row.cap is None or row.cap.limit <= MAX_WALKED * row.cap.cost:
        return row
    return dataclasses.replace(row, cap=dataclasses.replace(row.cap, limit=MAX_WALKED * row.cap.cost))


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


def test_every_row_can_be_taken(walked: tuple[set[Row], int]):
    taken, _ = walked
    assert [f"{row.at} on {row.on.kind()} to {row.go} {row.when}" for row in ROWS if row not in taken] == []


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


def test_the_last_row_catches_everything_else():
    assert (
        ROWS[-1] is WORKFLOW.unrouted
        and WORKFLOW.unrouted.when is None
        and WORKFLOW.unrouted.cap is None
        and WORKFLOW.unrouted.go is TurnFailed
    )


@pytest.mark.parametrize("row", [row for row in ROWS if row.send], ids=lambda row: f"{row.at}-{row.send.kind()}")
def test_each_answer_to_a_command_has_a_row_at_the_node_that_sends_it(row: Row):
    routed = {other.on.kind() for other in ROWS if other.at == row.go}
    missing = {*row.send.answers, StageFailed.kind()} - routed
    assert not missing, f"{row.go} sends {row.send.kind()}, but no row there is for {', '.join(sorted(missing))}"


OF_TURNS = {kind: command for kind, command in COMMANDS.items() if command.of_turns}
OUTSIDE = {answer for command in COMMANDS.values() if not command.of_turns for answer in command.answers}
"""Events that answer what no turn asked."""


@pytest.mark.parametrize("kind", OF_TURNS.keys() - {StartTurn.kind()})
def test_each_command_of_a_turn_is_sent_by_a_row_and_can_be_filled_from_the_turn(kind: str):
    command = COMMANDS[kind]
    assert any(row.send is command for row in ROWS), f"no row of services/gateway/routes sends {kind}"
    facts = {RENAMED.get((kind, name), name) for name in command.model_fields} - {"part"}
    missing = [name for name in facts if not hasattr(Turn, name) and name not in Turn.model_fields]
    assert not missing, f"{kind} asks with {missing}, which services/gateway/state.py's Turn does not keep"


@pytest.mark.parametrize("kind", EVENTS)
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


@pytest.mark.parametrize("kind", EVENTS)
def test_what_an_answer_says_is_kept(kind: str):
    handled = {
        "FixesRemembered": {"count"},
        "TemplateModified": {"edits"},
        "WindowRefined": {"window"},
        "QueryChecked": {"reason"},
        "QueryRun": {"reason"},
        "BindingWritten": {"name", "written"},
        "BindingChecked": {"name", "checked"},
        "BindingTried": {"name", "trial"},
        "ColumnsRead": {"columns"},
    }
    if kind == StageFailed.kind() or not any(kind in command.answers for command in OF_TURNS.values()):
        return
    if kind in {TurnQueued.kind(), TurnFinished.kind(), TurnFailed.kind()}:
        return
    lost = set(EVENTS[kind].model_fields) - fields_learned(EVENTS[kind]) - handled.get(kind, set())
    assert not lost, f"{kind} says {sorted(lost)}, which no fact in services/gateway/facts keeps"


def test_the_gateways_own_nodes_are_in_the_table():
    assert LOCAL_NODES.keys() <= {row.at for row in ROWS}
