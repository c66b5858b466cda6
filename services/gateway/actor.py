"""The gateway's actor: it takes the beginnings of turns and every answer, and moves each session by one step.

Theory of operation
===================

A step has a fixed order: write the state, publish its events and commands, acknowledge the message. There is no outbox
beside the state. A gateway that dies in between has the message delivered again, to itself or to another gateway. That
one finds the step applied and derives from the state what has to be published again. This is sufficient because

- ids are derived from the session, the turn, the node and the attempt, those of commands also from a secret in the
  state, so publishing twice is publishing once;
- a redelivery may come after the bus has forgotten the ids; the log then shows which events were published before;
- a state is replaced only by a gateway that knows its events to be published: it published them, or it takes the
  session over and publishes them first. So no event is lost, and none comes after those of a later step;
- a command stays in the state until it is answered or its node is left, so no later step can lose it;
- a step leaves the commands that it finds in the state to the step that added them, whose message is not acknowledged
  before they are published.

A gateway caches the states that it wrote, so that most steps read none. If another gateway has moved such a session
since, the write is refused, or nothing in the cached state awaits the answer. Only a state that was read just now
decides then.
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
from bandsmith.shared.errors import BandsmithError, TerminalError, UnknownMessage
from bandsmith.shared.events import (
    COMMANDS,
    EVENTS,
    CancelTurn,
    ChangeRuns,
    Envelope,
    ListRuns,
    RenameSession,
    RunErrand,
    StageFailed,
    StartTurn,
    UnshareSession,
)
from bandsmith.shared.llm import allowance_from
from bandsmith.shared.model.allowance import Allowance
from bandsmith.shared.model.errand import SESSION_SUFFIX
from bandsmith.shared.settings import ModelSettings
from bandsmith.shared.telemetry import traces
from bandsmith.shared.telemetry.replica_stats import ReplicaStats
from bandsmith.shared.worker import answer, command_of, delivery_handler

from .admission import refusal
from .errands import Errands, answer_of, is_beside
from .other_versions import NOTHING_UNKNOWN, Unknown, read_state, stored_state
from .reducer import (
    NO_MODEL,
    abandon,
    advance,
    begin,
    cancel,
    known_turns,
    refuse,
    refused,
    rename,
    unreadable,
    unshare,
)
from .routes import WORKFLOW
from .run_commands import RunCommands
from .runs import RunScheduler
from .state import SessionState
from .turn_metrics import note_end, note_ends
from .workflow import Workflow

BEGINNINGS = frozenset(kind.kind() for kind in (StartTurn, CancelTurn, RenameSession, UnshareSession))
"""What other programs may ask of the gateway."""
OWN_COMMANDS = frozenset({ListRuns.kind(), ChangeRuns.kind(), RunErrand.kind()})
"""What the gateway asks of itself."""
CONFLICT_JITTER_S = 0.02
"""Gateways that wrote the same state at the same time wait up to this long, at random, before they try again."""
MAX_CACHED_SESSIONS = 1000

Step = Callable[[SessionState], SessionState | None]
"""Computes the next state of a session; None leaves it as it is."""


@dataclass
class CachedState:
    """A session as this gateway last read or wrote it."""

    session: SessionState
    revision: int | None
    """None: the session is not stored yet."""
    published: bool = False
    """Whether this gateway knows that the state's events are published."""
    unknown: Unknown = NOTHING_UNKNOWN
    """What only a gateway of another version knows of it."""


class GatewayActor:
    """Advances sessions. Any number of gateways may run: a session's state is changed only by compare-and-set."""

    def __init__(
        self,
        bus: Bus,
        budget: Allowance = NO_MODEL,
        workflow: Workflow = WORKFLOW,
        *,
        concurrency: int = 64,
        scheduler: RunScheduler | None = None,
    ) -> None:
        """Set what each turn may spend on a model, and how many messages of each queue are handled at a time."""
        self._bus = bus
        self._concurrency = concurrency
        self._budget = budget
        self._workflow = workflow
        self._scheduler = scheduler
        self._run_commands = RunCommands(bus)
        self._errands = Errands(bus, self._run_commands)
        self._subscriptions: list[Subscription] = []
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """By state. Messages of one session wait for each other here, so that their writes do not conflict."""
        self._cache: OrderedDict[str, CachedState] = OrderedDict()
        """By state, of turns under way; the least recently used first."""

    async def start(self) -> None:
        stats = ReplicaStats("gateway")
        begin = delivery_handler(self.begin, fail=self._fail_beginning, stats=stats)
        go_on = delivery_handler(self.go_on, fail=self._fail_turn, stats=stats)
        self._subscriptions.append(await self._bus.consume_commands("gateway", begin, concurrency=self._concurrency))
        self._subscriptions.append(await self._bus.consume_answers("gateway", go_on, concurrency=self._concurrency))
        self._subscriptions.append(await self._bus.register(stats.replica))
        if self._scheduler:
            await self._scheduler.start()

    async def stop(self) -> None:
        """Finish the messages in flight, then leave the register."""
        if self._scheduler:
            await self._scheduler.stop()
        queues, registration = self._subscriptions[:-1], self._subscriptions[-1:]
        for subscriptions in (queues, registration):
            await asyncio.gather(*(subscription.stop() for subscription in subscriptions))
        self._subscriptions.clear()

    async def begin(self, envelope: Envelope) -> None:
        """Begin a turn or refuse it, cancel one, rename a session, or take back the links to it.

        For a turn that began before, publish again what followed. A command of the gateway's own is carried out.

        Raises ``TerminalError`` for any other message. External programs may write to this queue, and must not be able
        to answer for a service.
        """
        if envelope.kind in OWN_COMMANDS:
            await self._carry_out(envelope)
            return
        if envelope.kind not in BEGINNINGS:
            raise TerminalError.of("turn.refused.message")
        valid_name(envelope.session)
        if envelope.kind == CancelTurn.kind():
            await self._apply(envelope, lambda session: cancel(session, envelope, self._budget, self._workflow))
            return
        if envelope.kind == RenameSession.kind():
            new = command_of(envelope, "gateway")
            assert isinstance(new, RenameSession)
            await self._apply(envelope, lambda session: rename(session, new.name))
            return
        if envelope.kind == UnshareSession.kind():
            await self._apply(envelope, lambda session: unshare(session, envelope))
            return
        envelope = traces.with_trace(envelope)
        error: BandsmithError | None = None

        def step(session: SessionState) -> SessionState | None:
            nonlocal error
            error = None if envelope.turn in known_turns(session) else _refusal(session, envelope)
            if error:
                return refuse(session, envelope, error)
            return begin(session, envelope, self._budget, self._workflow)

        if not await self._apply(envelope, step) and error:
            await self._publish_refusal(envelope, error)

    async def _carry_out(self, envelope: Envelope) -> None:
        """Carry out a command that a turn awaits, as that turn knows it. An external program may have sent others."""
        command = await self._awaited(envelope)
        if command is not None:
            message = command_of(command, "gateway")
            if isinstance(message, RunErrand):
                ended = await self._errands.handle(message, command)
                if ended is not None:
                    await self._bus.publish(answer(command, ended))
                return
            assert isinstance(message, ListRuns | ChangeRuns)
            await self._bus.publish(answer(command, await self._run_commands.handle(message, command.session)))

    async def _answer_task(self, beside: SessionState) -> None:
        """Answer the task whose errand the last turn of a session beside was, if that is over and still awaited."""
        if beside.turn is None or not beside.turn.over:
            return
        task = beside.id.removesuffix(SESSION_SUFFIX)
        cached = await self._read(f"session-{task}", task)
        command = cached.session.turn.awaiting.get(beside.turn.id) if cached.session.turn else None
        if command is not None and (ended := answer_of(beside, command)) is not None:
            await self._bus.publish(answer(command, ended))

    async def _awaited(self, envelope: Envelope) -> Envelope | None:
        """Return the command of that id which the session's turn awaits."""
        cached = await self._read(f"session-{valid_name(envelope.session)}", envelope.session)
        return cached.session.turn.awaiting.get(envelope.id) if cached.session.turn else None

    async def go_on(self, envelope: Envelope) -> None:
        """Move the session by an answer. For an answer that was applied before, publish again what followed."""
        await self._apply(envelope, lambda session: advance(session, envelope, self._budget, self._workflow))

    async def _apply(self, envelope: Envelope, step: Step) -> bool:
        """Write and publish the session's next state. Return whether there was one."""
        key = f"session-{envelope.session}"
        async with self._locks.setdefault(key, asyncio.Lock()):
            before, cached = await self._write(key, envelope.session, step)
        after = cached.session
        changed = after is not before
        if changed:
            note_ends(before, after)
        events = after.events if changed else await self._unpublished(after)
        sent = before.turn.awaiting if changed and before.turn else {}
        awaiting = after.turn.awaiting if after.turn else {}
        commands = [command for name, command in awaiting.items() if name not in sent]
        if not all(command.kind in COMMANDS for command in commands):
            raise UnknownMessage.of("bus.unknown_answer", code="message")  # the gateway that wrote them publishes them
        await self._bus.publish(*events, *commands)
        cached.published = True
        if is_beside(envelope.session):
            await self._answer_task(after)
        return changed

    async def _write(self, key: str, name: str, step: Step) -> tuple[SessionState, CachedState]:
        """Write the session's next state. Return the state before and the one after; the same if there is no next."""
        cached = self._cache.pop(key, None)
        is_fresh = False
        while True:
            if cached is None:
                cached, is_fresh = await self._read(key, name), True
            before = cached.session
            after = step(before)
            if after is None and is_fresh:
                self._keep(key, cached)
                return before, cached
            if after is not None:
                if not cached.published and (unpublished := await self._unpublished(before)):
                    await self._bus.publish(*unpublished)
                try:
                    revision = await self._bus.write_state(key, stored_state(after, cached.unknown), cached.revision)
                except Conflict:
                    # Another gateway was first. The next iteration reads what it wrote.
                    if is_fresh:
                        await asyncio.sleep(random.uniform(0, CONFLICT_JITTER_S))  # noqa: S311 - guards nothing
                else:
                    cached = CachedState(after, revision, unknown=cached.unknown)
                    self._keep(key, cached)
                    return before, cached
            cached = None

    async def _read(self, key: str, name: str) -> CachedState:
        stored = await self._bus.read_state(key)
        if stored is None:
            return CachedState(SessionState(id=name), None)
        session, unknown = read_state(stored[0])
        return CachedState(session, stored[1], unknown=unknown)

    def _keep(self, key: str, cached: CachedState) -> None:
        """Cache a session whose turn is running; any other may be idle for long."""
        if cached.session.turn and not cached.session.turn.over:
            self._cache[key] = cached
            if len(self._cache) > MAX_CACHED_SESSIONS:
                self._cache.popitem(last=False)

    async def _unpublished(self, session: SessionState) -> list[Envelope]:
        """The state's events that are not in the log. Publishing all would repeat those whose ids are forgotten.

        Those of kinds that only a newer version knows are left out: the gateway that wrote them publishes them.
        """
        events = [event for event in session.events if event.kind in EVENTS]
        for number in range(len(events), 0, -1):  # they are published in order
            if await self._bus.is_newest(events[number - 1]):
                return events[number:]
        return events

    async def _fail_beginning(self, envelope: Envelope, error: BandsmithError) -> None:
        """Fail a turn whose beginning, or whose command to the gateway, cannot be handled; drop any other message."""
        if envelope.kind in OWN_COMMANDS:
            if command := await self._awaited(envelope):
                failed = StageFailed(
                    command=command.kind, code=error.code, message=error.message, message_zh=error.message_zh
                )
                await self._bus.publish(answer(command, failed))
            return
        begins = envelope.kind == StartTurn.kind() and NAME.fullmatch(envelope.session)
        if begins and not await self._abandon(envelope, error):
            await self._publish_refusal(envelope, error)

    async def _fail_turn(self, envelope: Envelope, error: BandsmithError) -> None:
        """End the turn of an answer that cannot be applied, so that the next one may begin.

        An answer that no gateway knows counts as the failure of its command.
        """
        if isinstance(error, UnknownMessage):
            budget, flow = self._budget, self._workflow
            with suppress(UnknownMessage):
                await self._apply(envelope, lambda it: advance(it, unreadable(it, envelope), budget, flow))
                return
        await self._abandon(envelope, error)

    async def _abandon(self, envelope: Envelope, error: BandsmithError) -> bool:
        """End the turn that the message belongs to. Return whether the session knows it."""
        known = False

        def step(session: SessionState) -> SessionState | None:
            nonlocal known
            known = envelope.turn in known_turns(session)
            return abandon(session, envelope, error, self._budget, self._workflow)

        with suppress(ValueError):  # the state itself cannot be read
            await self._apply(envelope, step)
        return known

    async def _publish_refusal(self, envelope: Envelope, error: BandsmithError) -> None:
        """Publish the end of a turn that no session knows."""
        end = refused(traces.with_trace(envelope), error)
        if not await self._bus.is_newest(end):
            note_end(end, "unknown", envelope.time)
            await self._bus.publish(end)


def _refusal(session: SessionState, envelope: Envelope) -> BandsmithError | None:
    """Return why the turn cannot begin, or None. The message may come from an external program."""
    try:
        command_of(envelope, "gateway")
    except TerminalError as error:
        return error
    return refusal(session, StartTurn.model_validate(envelope.payload))


def configured(bus: Bus, concurrency: int) -> GatewayActor:
    """Return a gateway that looks after scheduled runs, and whose turns may spend what the settings allow."""
    budget = allowance_from(ModelSettings())
    return GatewayActor(bus, budget, concurrency=concurrency, scheduler=RunScheduler(bus))
