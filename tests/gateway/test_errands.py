"""Errands of tasks: each is carried out once, whatever is delivered again, and no other program can answer for one."""

from __future__ import annotations

import pytest

from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.services.gateway.errands import Errands, session_beside
from bandsmith.services.gateway.run_commands import RunCommands
from bandsmith.services.gateway.state import SessionState
from bandsmith.session_deletion import delete_session
from bandsmith.shared.bus.memory import MemoryBus
from bandsmith.shared.events import Envelope, RunErrand, StartTurn, StepTaken, TakeStep
from bandsmith.shared.language import Language
from bandsmith.shared.model.errand import Errand, ErrandTurn, Workpiece
from bandsmith.shared.model.run_request import RunChange
from bandsmith.shared.model.source import Asking
from bandsmith.shared.model.task import Answer, Planning
from bandsmith.shared.replies import text
from bandsmith.shared.runs.store import Runs

from ..shared.runs.made import START, scheduled
from ..workflow.play import play, start, turn_of
from ..workflow.service_answers import successes
from ..workflow.service_events import MODEL
from .scripted import Script, scripted, until_the_end

ASKED = Errand(turn=ErrandTurn(text="SELECT 1", asking=Asking()))


def waiting() -> tuple[SessionState, Envelope]:
    """A task that waits for the end of its errand, and the command of it."""
    *_, planned = play(session=start("words", (), None, "planned", MODEL, planning=Planning()))
    errand: Script = {TakeStep: [successes(TakeStep, {})[2]]}
    *_, shown = play(errand, start("yes", (), planned, "shown", MODEL))
    assert shown.pending is not None
    accepted = start("", (), shown, "accepted", MODEL, reply=Answer(question=shown.pending.id, decision="accept"))
    [command] = turn_of(accepted).awaiting.values()
    command = command.model_copy(
        update={"payload": RunErrand(work_errand=ASKED, language="en").model_dump(mode="json")}
    )
    turn = turn_of(accepted).model_copy(update={"awaiting": {command.id: command}})
    return accepted.model_copy(update={"turn": turn}), command


async def stored(bus: MemoryBus, session: SessionState) -> None:
    await bus.write_state(f"session-{session.id}", session.model_dump_json().encode(), None)


async def begun() -> tuple[MemoryBus, Envelope]:
    """A bus with a gateway, the other services, and a task that waits for the end of its errand."""
    bus = MemoryBus()
    session, command = waiting()
    await stored(bus, session)
    await GatewayActor(bus).start()
    await scripted(bus, {TakeStep: [StepTaken(work_action="done", work_reply="{}")]})
    return bus, command


async def log_of(bus: MemoryBus, command: Envelope) -> list[str]:
    """What the task learned of its errand."""
    kept = await bus.read_state(f"session-{command.session}")
    assert kept is not None
    turn = turn_of(SessionState.model_validate_json(kept[0]))
    return [entry.result for entry in turn.work_log if entry.call]


async def test_an_errand_is_a_turn_beside_whose_end_is_the_result():
    bus, command = await begun()
    await bus.send(command)
    await bus.send(command)
    await until_the_end(bus, command.turn, command.session)
    assert len(await log_of(bus, command)) == 1
    beside = await until_the_end(bus, command.id, session_beside(command.session))
    assert [one.kind for one in beside].count("TurnStarted") == 1


async def test_an_errand_that_no_task_awaits_is_not_begun():
    bus, command = await begun()
    await bus.send(command.model_copy(update={"id": "forged"}))
    await bus.send(command)
    await until_the_end(bus, command.turn, command.session)
    kept = await bus.read_state(f"session-{session_beside(command.session)}")
    assert kept is not None
    assert turn_of(SessionState.model_validate_json(kept[0])).id == command.id


async def test_a_session_is_deleted_with_the_one_beside_it():
    bus, command = await begun()
    await bus.send(command)
    await until_the_end(bus, command.turn, command.session)
    assert await bus.state_keys("session-") == [f"session-{command.session}", f"session-{command.session}-errand"]
    await delete_session(bus, command.session)
    assert await bus.state_keys("session-") == []


async def test_a_turn_beside_knows_nothing_of_the_errand_before():
    """A question that an earlier errand left open is not answered by the words of the next one."""
    *_, asked = play(session=start("words", (), None, "asked", MODEL, asking=Asking(analyse=True, review=True)))
    assert asked.pending is not None and asked.suspended is not None and asked.history
    begins = start("make the title blue", (), asked, "next", MODEL, workpiece=Workpiece())
    turn = turn_of(begins)
    assert (turn.pending, turn.suspended, turn.history, turn.saved) == (None, None, [], None)
    reply = Answer(question=asked.pending.id, decision="accept")
    goes_on = turn_of(start("", (), asked, "next", MODEL, reply=reply, workpiece=Workpiece()))
    assert goes_on.pending == asked.pending


async def test_a_run_is_removed_once_and_a_repeated_command_says_the_same():
    """A gateway that dies after it removed the run has the command delivered again."""
    bus = MemoryBus()
    await Runs(bus).add(scheduled())
    errands = Errands(bus, RunCommands(bus))
    change = RunChange(do="cancel", names=["statement"], at=START)
    command = RunErrand(work_errand=Errand(run_change=change), language="en")
    envelope = Envelope(id="x", kind="RunErrand", session="march", turn="t", payload={})
    ends = [await errands.handle(command, envelope) for _ in range(2)]
    assert [(end.work_outcome, await Runs(bus).names()) for end in ends if end] == [("carried_out", [])] * 2
    assert ends[1] is not None and ends[1].work_result == "The scheduled run “statement” is removed."


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_a_run_that_there_is_not_is_not_offered_for_consent(language: Language):
    bus = MemoryBus()
    change = RunChange(do="cancel", names=["sales"], at=START)
    command = RunErrand(work_errand=Errand(run_change=change, looks_up=True), language=language)
    envelope = Envelope(id="x", kind="RunErrand", session="march", turn="t", payload={})
    end = await Errands(bus, RunCommands(bus)).handle(command, envelope)
    assert end is not None
    assert (end.work_outcome, end.work_result) == ("refused", text("errands.no_such_run", language))


async def test_another_programs_turn_beside_answers_no_task():
    bus, command = await begun()
    beside = session_beside(command.session)
    payload = StartTurn(text="SELECT 1", asking=Asking()).model_dump(mode="json")
    await bus.send(Envelope(id="x", kind="StartTurn", session=beside, turn="forged", payload=payload))
    await until_the_end(bus, "forged", beside)
    assert await log_of(bus, command) == []
