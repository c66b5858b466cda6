"""The gateway's actor: it takes turns' beginnings and every event, and moves each session by one step.

The order is: the state is written, then what it says and asks is published, then the message is acknowledged. There is
no outbox beside the state. Whoever falls between two of these has the message delivered again, finds it applied
already, and derives from the state what to publish once more. That is enough, because

- the ids are derived, so what was published before is the same message and changes nothing;
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
from collections.abc import Callable, Container
from contextlib import suppress
from dataclasses import dataclass
from weakref import WeakValueDictionary

from shared.bus.base import Bus, Conflict, Subscription
from shared.errors import BandsmithError
from shared.events import Envelope, StartTurn
from shared.llm import allowance_from
from shared.llm.base import Allowance
from shared.settings import ModelSettings
from shared.telemetry import traces
from shared.telemetry.tally import Tally
from shared.worker import command_of, settling

from .ends import note_end, note_ends
from .refusals import refusal
from .routes import WORKFLOW, Workflow
from .state import SessionState
from .steps import NO_MODEL, abandon, advance, begin, failed, known_turns

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
        tally = Tally("gateway")
        settle = settling(self.apply, fail=self._give_up, tally=tally)
        self._subscriptions.append(await self._bus.work("gateway", settle, concurrency=self._concurrency))
        self._subscriptions.append(await self._bus.listen("gateway", settle, concurrency=self._concurrency))
        self._subscriptions.append(await self._bus.attend(tally.replica))

    async def stop(self) -> None:
        for subscription in self._subscriptions:
            await subscription.stop()
        self._subscriptions.clear()

    async def apply(self, envelope: Envelope) -> None:
        """Move the session by what the envelope says; once it was applied, only say again what followed."""
        if envelope.kind == StartTurn.kind():
            command_of(envelope, "gateway")  # whoever sent it may be a program of others
        envelope = traces.rooted(envelope)
        refused: BandsmithError | None = None

        def move(session: SessionState) -> SessionState | None:
            nonlocal refused
            if envelope.kind != StartTurn.kind():
                return advance(session, envelope, self._budget, self._workflow)
            moved = begin(session, envelope, self._budget, self._workflow)
            refused = refusal(session, StartTurn.model_validate(envelope.payload)) if moved else None
            return None if refused else moved

        await self._change(envelope, move)
        if refused:
            await self._refuse(envelope, refused)

    async def _change(self, envelope: Envelope, move: Move) -> bool:
        """Write the state that `move` makes, and say what is new in it; whether there was one to write."""
        key = f"session-{envelope.session}"
        async with self._in_hand.setdefault(key, asyncio.Lock()):
            before, memory = await self._write(key, envelope.session, move)
        after = memory.session
        changed = after is not before
        if changed:
            note_ends(before, after)
        await self._publish(after, known=before.turn.awaiting if changed and before.turn else {})
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
                # What was said long ago the bus would take for new.
                if before.said and not memory.said and not await self._bus.is_newest(before.said[-1]):
                    await self._bus.publish(*before.said)
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

    async def _publish(self, session: SessionState, known: Container[str] = ()) -> None:
        """The state's own events in their order, then its unanswered commands but those that are `known`."""
        awaiting = session.turn.awaiting if session.turn else {}
        commands = [command for name, command in awaiting.items() if name not in known]
        await self._bus.publish(*session.said, *commands)

    async def _give_up(self, envelope: Envelope, error: BandsmithError) -> None:
        """The turn that the message belongs to ends; whoever waits for it learns why, and the next may begin."""

        begun = False

        def move(session: SessionState) -> SessionState | None:
            nonlocal begun
            begun = envelope.turn in known_turns(session)
            return abandon(session, envelope, error, self._budget, self._workflow)

        with suppress(ValueError):  # the state itself cannot be read
            await self._change(envelope, move)
        if not begun and envelope.kind == StartTurn.kind():
            await self._refuse(envelope, error)

    async def _refuse(self, envelope: Envelope, error: BandsmithError) -> None:
        """A turn never begins."""
        end = failed(traces.rooted(envelope), error)
        note_end(end, "unknown", envelope.time)
        await self._bus.publish(end)


def configured(bus: Bus, concurrency: int) -> GatewayActor:
    """One whose turns may spend what the settings allow."""
    return GatewayActor(bus, allowance_from(ModelSettings()), concurrency=concurrency)
