"""Errands of tasks: each is carried out once, whatever is delivered again, and no other program can answer for one."""

from __future__ import annotations

from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.services.gateway.errands import session_beside
from bandsmith.services.gateway.state import SessionState
from bandsmith.shared.bus.memory import MemoryBus
from bandsmith.shared.events import Envelope, RunErrand, StartTurn, StepTaken, TakeStep
from bandsmith.shared.model.errand import Errand, ErrandTurn
from bandsmith.shared.model.source import Asking
from bandsmith.shared.model.task import Answer, Planning

from ..workflow.play import play, start, turn_of
from ..workflow.service_answers import MODEL, successes
from .scripted import scripted, until_the_end

ASKED = Errand(turn=ErrandTurn(text="SELECT 1", asking=Asking()))


def waiting() -> tuple[SessionState, Envelope]:
    """A task that waits for the end of its errand, and the command of it."""
    *_, planned = play(session=start("words", (), None, "planned", MODEL, planning=Planning()))
    errand = {TakeStep: [successes(TakeStep, {})[2]]}
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


async def test_another_programs_turn_beside_answers_no_task():
    bus, command = await begun()
    beside = session_beside(command.session)
    payload = StartTurn(text="SELECT 1", asking=Asking()).model_dump(mode="json")
    await bus.send(Envelope(id="x", kind="StartTurn", session=beside, turn="forged", payload=payload))
    await until_the_end(bus, "forged", beside)
    assert await log_of(bus, command) == []
