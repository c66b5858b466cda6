"""The gateway's actor: it takes turns' beginnings and every event, and moves each session by one step.

The order is: the state is written, then what it says and asks is published, then the message is acknowledged. There is
no outbox beside the state. Whoever falls between two of these has the message delivered again, finds it applied
already, and derives from the state what to publish once more. That is enough, because

- the ids are derived, so what was published before is the same message and changes nothing;
- what comes again may come when the bus has forgotten the ids: then the log says what of the events was said before;
- what a state says is replaced only by a gateway that has itself seen it stored: it said it, or it takes the session
  over and says it again first; so nothing that is said is lost, or comes behind what was said after it;
- a command stays in the state until it is answered or its node is left, so none can be lost by a step in between;
- what a step finds asked in the state it leaves to the step that asked it, whose message is not acknowledged before.

A gateway remembers the states that it wrote, so that a step reads none. Another gateway may have moved such a session
on since: then writing is refused, or an answer seems to be awaited by nobody, and what is read after that decides.
"""

from __future__ import annotations

import asyncio
import random
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from weakref import WeakValueDictionary

from bandsmith.shared.bus.base import NAME, Bus, Conflict, Subscription, valid_name
from bandsmith.shared.errors import BandsmithError, TerminalError
from bandsmith.shared.events import Envelope, StartTurn
from bandsmith.shared.llm import allowance_from
from bandsmith.shared.llm.base import Allowance
from bandsmith.shared.settings import ModelSettings
from bandsmith.shared.telemetry import traces
from bandsmith.shared.telemetry.replica_stats import ReplicaStats
from bandsmith.shared.worker import command_of, delivery_handler

from .admission import refusal
from .reducer import NO_MODEL, abandon, advance, begin, failed, known_turns, turn_away
from .routes import WORKFLOW
from .state import SessionState
from .turn_metrics import note_end, note_ends
from .workflow import Workflow

SPREAD = 0.02
"""Seconds over which those who were in each other's way spread their next tries."""
REMEMBERED = 1000
"""Sessions with a turn under way whose states are kept in memory."""

Move = Callable[[SessionState], SessionState | None]


@dataclass
class Memory:
    """What a gateway knows of a session without asking."""

    session: SessionState
    revision: int | None
    """None: it is not stored yet."""
    said: bool = False
    """Whether this gateway saw stored what the state says."""


class GatewayActor:
    """Any number of these may run: a session's state is changed only by compare-and-set."""

    def __init__(
        self, bus: Bus, budget: Allowance = NO_MODEL, workflow: Workflow = WORKFLOW, *, concurrency: int = 64
    ) -> None:
        """`budget`: what each turn may spend on a model; `concurrency`: messages worked on at a time, of each sort."""
        self._bus = bus
        self._concurrency = concurrency
        self._budget = budget
        self._workflow = workflow
        self._subscriptions: list[Subscription] = []
        self._in_hand: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """By state: messages of one session wait for each other here, instead of being in each other's way."""
        self._memories: OrderedDict[str, Memory] = OrderedDict()
        """By state, of turns under way; the one used last stands last."""

    async def start(self) -> None:
        stats = ReplicaStats("gateway")
        begin = delivery_handler(self.begin, fail=self._not_begun, stats=stats)
        go_on = delivery_handler(self.go_on, fail=self._give_up, stats=stats)
        self._subscriptions.append(await self._bus.consume_commands("gateway", begin, concurrency=self._concurrency))
        self._subscriptions.append(await self._bus.consume_answers("gateway", go_on, concurrency=self._concurrency))
        self._subscriptions.append(await self._bus.register(stats.replica))

    async def stop(self) -> None:
        """The roll is attended until what was in hand is done."""
        work, attendance = self._subscriptions[:-1], self._subscriptions[-1:]
        for parts in (work, attendance):
            await asyncio.gather(*(part.stop() for part in parts))
        self._subscriptions.clear()

    async def begin(self, envelope: Envelope) -> None:
        """Begin a turn, or say why it cannot begin; once that was done, only say again what followed.

        Raises ``TerminalError`` for what is no beginning: programs of others write to this queue, and may answer for
        no service.
        """
        if envelope.kind != StartTurn.kind():
            raise TerminalError.of("turn.refused.message")
        valid_name(envelope.session)
        envelope = traces.with_trace(envelope)
        refused: BandsmithError | None = None

        def move(session: SessionState) -> SessionState | None:
            nonlocal refused
            refused = None if envelope.turn in known_turns(session) else _why_not(session, envelope)
            if refused:
                return turn_away(session, envelope, refused)
            return begin(session, envelope, self._budget, self._workflow)

        if not await self._change(envelope, move) and refused:
            await self._refuse(envelope, refused)

    async def go_on(self, envelope: Envelope) -> None:
        """Move the session by an answer; once it was applied, only say again what followed."""
        await self._change(envelope, lambda session: advance(session, envelope, self._budget, self._workflow))

    async def _change(self, envelope: Envelope, move: Move) -> bool:
        """Write the state that `move` makes, and say what is new in it; whether there was one to write."""
        key = f"session-{envelope.session}"
        async with self._in_hand.setdefault(key, asyncio.Lock()):
            before, memory = await self._write(key, envelope.session, move)
        after = memory.session
        changed = after is not before
        if changed:
            note_ends(before, after)
        said = after.said if changed else await self._unsaid(after)
        asked = before.turn.awaiting if changed and before.turn else {}
        awaiting = after.turn.awaiting if after.turn else {}
        await self._bus.publish(*said, *(command for name, command in awaiting.items() if name not in asked))
        memory.said = True
        return changed

    async def _write(self, key: str, name: str, move: Move) -> tuple[SessionState, Memory]:
        """The state that was there, and what is known of the one that is there now: the same, where nothing moved."""
        memory = self._memories.pop(key, None)
        certain = False
        while True:
            if memory is None:
                memory, certain = await self._read(key, name), True
            before = memory.session
            moved = move(before)
            if moved is None and certain:
                self._remember(key, memory)
                return before, memory
            if moved is not None:
                if not memory.said and (unsaid := await self._unsaid(before)):
                    await self._bus.publish(*unsaid)
                try:
                    revision = await self._bus.write_state(key, moved.model_dump_json().encode(), memory.revision)
                except Conflict:
                    # Another gateway was first; what it wrote is read by the next try.
                    if certain:
                        await asyncio.sleep(random.uniform(0, SPREAD))  # noqa: S311 - guards nothing
                else:
                    memory = Memory(moved, revision)
                    self._remember(key, memory)
                    return before, memory
            memory = None

    async def _read(self, key: str, name: str) -> Memory:
        stored = await self._bus.read_state(key)
        if stored is None:
            return Memory(SessionState(id=name), None)
        return Memory(SessionState.model_validate_json(stored[0]), stored[1])

    def _remember(self, key: str, memory: Memory) -> None:
        """A session whose turn is over may rest for long."""
        if memory.session.turn and not memory.session.turn.over:
            self._memories[key] = memory
            if len(self._memories) > REMEMBERED:
                self._memories.popitem(last=False)

    async def _unsaid(self, session: SessionState) -> list[Envelope]:
        """The events of the state that nobody said yet; what was said long ago the bus would take for new."""
        for number in range(len(session.said), 0, -1):  # they were said in their order
            if await self._bus.is_newest(session.said[number - 1]):
                return session.said[number:]
        return session.said

    async def _not_begun(self, envelope: Envelope, error: BandsmithError) -> None:
        """What is no beginning of a session's turn is nobody's: there is no one to tell."""
        is_one = envelope.kind == StartTurn.kind() and NAME.fullmatch(envelope.session)
        if is_one and not await self._abandon(envelope, error):
            await self._refuse(envelope, error)

    async def _give_up(self, envelope: Envelope, error: BandsmithError) -> None:
        """The turn that the message belongs to ends; whoever waits for it learns why, and the next may begin."""
        await self._abandon(envelope, error)

    async def _abandon(self, envelope: Envelope, error: BandsmithError) -> bool:
        """End the turn that the message belongs to; whether the session knows it."""
        known = False

        def move(session: SessionState) -> SessionState | None:
            nonlocal known
            known = envelope.turn in known_turns(session)
            return abandon(session, envelope, error, self._budget, self._workflow)

        with suppress(ValueError):  # the state itself cannot be read
            await self._change(envelope, move)
        return known

    async def _refuse(self, envelope: Envelope, error: BandsmithError) -> None:
        """A turn never begins, and there is no session to remember it."""
        end = failed(traces.with_trace(envelope), error)
        if not await self._bus.is_newest(end):
            note_end(end, "unknown", envelope.time)
            await self._bus.publish(end)


def _why_not(session: SessionState, envelope: Envelope) -> BandsmithError | None:
    """Why the turn cannot begin; whoever sent it may be a program of others."""
    try:
        command_of(envelope, "gateway")
    except TerminalError as error:
        return error
    return refusal(session, StartTurn.model_validate(envelope.payload))


def configured(bus: Bus, concurrency: int) -> GatewayActor:
    """One whose turns may spend what the settings allow."""
    return GatewayActor(bus, allowance_from(ModelSettings()), concurrency=concurrency)
