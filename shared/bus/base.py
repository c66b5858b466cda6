"""The interface of every bus: work queues for commands, an event log, objects, states and dead letters.

Subjects, with the version of the messages on them:

- ``cmd.v1.<service>.<kind>`` is a work queue; each command is delivered to one consumer.
- ``evt.v1.<session>.work.<kind>`` carries the answers to commands; the gateway consumes them.
- ``evt.v1.<session>.turn.<kind>`` carries a turn's progress, for clients and other programs. It is a separate branch
  so that the gateway does not receive its own events, which are two thirds of all.

Commands are kept until they are acknowledged, events until they reach the stream's limits. Publishing an envelope again
under the same id has no effect.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from typing import Literal, NamedTuple, Protocol

from pydantic import AliasChoices, ConfigDict, Field

from ..errors import BadInput
from ..events import COMMANDS, EVENTS, Envelope, TurnEvent
from ..model.base import Ref, Value

VERSION = "v1"
"""Version of the subjects and their messages; incremented for changes that break their readers."""
MAX_PENDING_DELTAS = 4096
"""Maximum number of reply deltas buffered for a slow subscriber; further ones are dropped."""
NAME = re.compile(r"[A-Za-z0-9_-]{1,128}")
"""Names of sessions and consumers."""
OBJECT_KEY = re.compile(r"[0-9a-f]{64}")
"""Keys of objects: the SHA-256 of their content."""
OBJECT_KEY_IN_JSON = re.compile(rb"\"([0-9a-f]{64})\"")
KEY = re.compile(r"[A-Za-z0-9_-]{1,160}")
"""Keys of states: a name with a prefix for what the state belongs to."""


_session: ContextVar[str] = ContextVar("session", default="")


@contextmanager
def storing_for(session: str) -> Iterator[None]:
    """Store objects for a session while the block runs, in this task and in tasks that it starts."""
    token = _session.set(session)
    try:
        yield
    finally:
        _session.reset(token)


def current_session() -> str:
    """Return the key of the session that objects are stored for; empty for none."""
    return _session.get()


def valid_name(name: str, pattern: re.Pattern[str] = NAME) -> str:
    """Return `name` if it can be part of a subject. Raises ``BadInput`` if not."""
    if not pattern.fullmatch(name):
        raise BadInput.of("bus.name")
    return name


def objects_named_in(data: bytes) -> set[str]:
    """Return the keys of the objects that a message or a state in JSON refers to."""
    return {key.decode() for key in OBJECT_KEY_IN_JSON.findall(data)}


def command_subject(command: Envelope) -> str:
    """Return ``cmd.v1.<service>.<kind>``. Raises ``KeyError`` if the envelope holds no command."""
    return f"cmd.{VERSION}.{COMMANDS[command.kind].service}.{command.kind}"


def event_subject(event: Envelope) -> str:
    """Return ``evt.v1.<session>.<turn or work>.<kind>``.

    Raises ``KeyError`` if the envelope holds no event, ``BadInput`` for an invalid session name.
    """
    branch = "turn" if issubclass(EVENTS[event.kind], TurnEvent) else "work"
    return f"evt.{VERSION}.{valid_name(event.session)}.{branch}.{event.kind}"


def subject_of(message: Envelope) -> str:
    """Return the subject of a command or an event. Raises what ``command_subject`` and ``event_subject`` raise."""
    return command_subject(message) if message.kind in COMMANDS else event_subject(message)


def is_answer(subject: str) -> bool:
    """Whether the subject is that of an answer to a command."""
    return subject.split(".")[3:4] == ["work"]


def service_of(subject: str) -> str:
    """Return the service that consumes the messages of a subject."""
    return "gateway" if is_answer(subject) else next(iter(subject.split(".")[2:3]), "")


def is_about(subject: str, envelope: Envelope) -> bool:
    """Whether an envelope holds what its subject says: permissions are given by subject, messages are read by content.

    Compared are the names only, because a newer version may send kinds that this one does not know.
    """
    tokens = subject.split(".")
    session = tokens[2] if tokens[0] == "evt" and len(tokens) > 2 else envelope.session
    return (session, tokens[-1]) == (envelope.session, envelope.kind)


class DeliveredMessage(Protocol):
    """One message delivered to one consumer, to be acknowledged exactly once."""

    data: bytes
    """The envelope as it was received; not validated."""
    subject: str
    count: int
    """Number of this delivery, starting at 1."""

    async def ack(self) -> None: ...
    async def nak(self, delay: float = 0.0) -> None:
        """Hand the message back; it is delivered again after `delay` seconds."""

    async def term(self, reason: str) -> None:
        """Stop delivering the message and store it as a dead letter."""

    async def in_progress(self) -> None:
        """Restart the acknowledgement timeout, so that the message is not delivered to another consumer."""


class Subscription(Protocol):
    async def stop(self) -> None:
        """Accept no more messages, let those in flight finish, hand back the rest."""


class Delta(Value):
    """A fragment of a reply, published while the reply is being generated."""

    session: str
    turn: str
    text: str


class LoggedEvent(NamedTuple):
    """An event with its place in the log."""

    sequence: int
    event: Envelope


class Conflict(Exception):
    """Raised when a state has changed since it was read."""


class DeadLetter(Value):
    """A message that will not be delivered again."""

    model_config = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")

    name: str
    """Unique name: the message's stream and sequence number."""
    subject: str = Field(pattern=r"^[^ \t\r\n]*$")
    """Original subject, used by ``replay``; empty when the message is gone. Other programs may write letters too."""
    data: bytes
    reason: str
    deliveries: int
    time: datetime


def unknown_dead_letter() -> BadInput:
    return BadInput.of("bus.unknown_dead_letter", code="letter")


def dead_letter_expired() -> BadInput:
    return BadInput.of("bus.dead_letter_expired", code="letter")


class Queue(Value):
    """How many messages a consumer has waiting and in flight."""

    service: str
    holds: Literal["commands", "answers"]
    """The gateway has one queue of each: commands that start turns, and answers that advance them."""
    waiting: int
    """Messages not delivered yet: the lag."""
    in_flight: int
    """Messages delivered but not acknowledged."""
    redelivered: int
    """Messages in flight that were delivered before."""


class Replica(Value):
    """One of a service's competing consumers, as it describes itself when it is asked."""

    name: str
    service: str
    host: str
    process: str
    """Replicas of one process share their metrics."""
    version: str
    began: datetime
    in_flight: int = Field(validation_alias=AliasChoices("in_flight", "in_hand"), serialization_alias="in_hand")
    """Messages being handled; called `in_hand` on the wire."""
    handled: int
    failed: int
    metrics: str = ""
    """The process's metrics in Prometheus's text format."""


class Bus(Protocol):
    async def send(self, command: Envelope) -> None:
        """Add a command to its service's queue; returns when it is stored."""

    async def publish(self, *messages: Envelope) -> None:
        """Append events to the log in order and add commands to their queues; returns when all are stored."""

    async def consume_commands(
        self, service: str, handle: Callable[[DeliveredMessage], Awaitable[None]], *, concurrency: int = 1
    ) -> Subscription:
        """Compete for the commands of `service`, handling up to `concurrency` at a time."""

    async def consume_answers(
        self, durable: str, handle: Callable[[DeliveredMessage], Awaitable[None]], *, concurrency: int = 16
    ) -> Subscription:
        """Compete with all consumers named `durable` for the answers of every session; the gateway's side."""

    def follow(self, session: str, *, start: int = 1, after: int = 0) -> AsyncGenerator[Envelope]:
        """Yield one session's events in order, then new ones as they are published; a client's side.

        Only events after sequence number `after` count, and the first one yielded is number `start` of them. A slow
        reader misses nothing; few events are prefetched.
        """

    def turn_events(self, after: int) -> AsyncGenerator[LoggedEvent]:
        """Yield the turn events of every session after sequence number `after`, in order, then new ones."""

    async def read_turn_events(self, session: str, *, after: int, limit: int) -> list[LoggedEvent]:
        """Return up to `limit` stored turn events of a session that come after sequence number `after`, in order."""

    async def log_name(self) -> str:
        """Return a short name of the event log; a log that takes the place of a lost one has another."""

    async def last_sequence(self) -> int:
        """Return the sequence number of the newest event in the log; 0 for an empty log."""

    async def is_newest(self, event: Envelope) -> bool:
        """Whether the event is in the log and is the newest of its session and kind.

        True as well for an event that is older than the log's retention, for which this cannot be known.
        """

    async def publish_delta(self, delta: Delta) -> None:
        """Send a fragment of a reply to the current subscribers; it is not stored."""

    def subscribe_deltas(self, session: str) -> AsyncGenerator[Delta]:
        """Yield one session's reply deltas, starting when the generator is first advanced.

        A slow subscriber loses deltas beyond ``MAX_PENDING_DELTAS``.
        """

    async def delete_events(self, session: str) -> set[str]:
        """Remove a session's events from the log. Return the keys of the objects that they name."""

    async def put(self, data: bytes, media: str) -> Ref:
        """Store an object for the session of the current task (``storing_for``); equal bytes get equal keys.

        Without a session, it stays until it expires.
        """

    async def get(self, ref: Ref) -> bytes:
        """Return an object's bytes. Raises ``KeyError`` if it does not exist."""

    async def delete_objects(self, session: str, keys: Iterable[str]) -> None:
        """Remove those of the objects that were stored for this session and for no other.

        The others stay as they are. Content that is put again is stored again.
        """

    async def read_state(self, key: str) -> tuple[bytes, int] | None:
        """Return a state and its revision."""

    async def write_state(self, key: str, value: bytes, revision: int | None) -> int:
        """Replace a state and return its new revision.

        Raises ``Conflict`` unless `revision` is still the newest; None means that the state must not exist.
        """

    async def state_keys(self, prefix: str) -> list[str]:
        """Return the keys of all states that start with `prefix`, sorted."""

    async def delete_state(self, key: str) -> bytes | None:
        """Delete a state and return its last value, or None if there was none."""

    async def dead_letters(self) -> list[DeadLetter]:
        """Return all dead letters, oldest first."""

    async def dead_letter_counts(self) -> dict[str, int]:
        """Return the number of dead letters by service; each letter is read only once."""

    async def replay(self, *names: str) -> list[DeadLetter]:
        """Publish dead letters to their original subjects again and remove them from the list.

        Handlers receive the same message; for the bus it has a new id. Raises ``BadInput``, before anything is
        published, if a name is unknown or the message is no longer stored.
        """

    async def queues(self) -> list[Queue]:
        """Return the queues of all services that have consumers, had consumers, or have messages waiting."""

    async def register(self, describe: Callable[[], Replica]) -> Subscription:
        """Register a replica: ``replicas`` then includes what `describe` returns."""

    async def replicas(self, wait: float = 0.3) -> list[Replica]:
        """Return the registered replicas that answer, by service and name; none is given work.

        Ends when no further answer comes for `wait` seconds. The first one is given a few seconds: a process may be
        busy.
        """

    async def close(self) -> None:
        """Stop every subscription; messages in flight may finish."""
