"""What a bus does, whichever it is: commands to work on, events to follow, objects and state kept.

Subjects, with the version of what is on them:

- ``cmd.v1.<service>.<kind>`` is a work queue, each message for one consumer;
- ``evt.v1.<session>.work.<kind>`` are the answers to commands, a log that the gateway works through;
- ``evt.v1.<session>.turn.<kind>`` is the part of that log that says how a turn gets on: for clients and for other
  programs. It stands apart so that the gateway is not handed what it said itself, two messages of three.

Messages are kept until they are acknowledged (commands) or their limits are reached (events). Publishing an envelope
whose id was published before changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from datetime import datetime
from typing import Literal, Protocol

from pydantic import ConfigDict, Field

from ..errors import BadInput
from ..events import COMMANDS, EVENTS, Envelope, TurnEvent
from ..model.base import Ref, Value

VERSION = "v1"
"""Of the subjects and of the messages on them; it changes when a message changes in a way that its readers notice."""
UNHEARD = 4096
"""Pieces of replies that are kept for one who hears and does not read; what comes on top is not heard."""
NAME = re.compile(r"[A-Za-z0-9_-]{1,128}")
KEY = re.compile(r"[A-Za-z0-9_-]{1,160}")
"""Of a state: a name, and before it a word on what it is the state of."""


def valid_name(name: str, what: re.Pattern[str] = NAME) -> str:
    """The name of a session or a consumer, or a ``KEY``: it becomes a part of a subject. ``BadInput`` if it cannot."""
    if not what.fullmatch(name):
        raise BadInput(
            "A name may have only letters a-z, digits, '-' and '_', and from 1 to 128 of them.",
            message_zh="名称只能包含英文字母、数字、“-”和“_”，长度 1 到 128。",
            code="name",
        )
    return name


def command_subject(command: Envelope) -> str:
    """``cmd.v1.<service>.<kind>``. Raises ``KeyError`` for what is no command."""
    return f"cmd.{VERSION}.{COMMANDS[command.kind].service}.{command.kind}"


def event_subject(event: Envelope) -> str:
    """``evt.v1.<session>.<turn or work>.<kind>``.

    Raises ``KeyError`` for what is no event, ``BadInput`` for a session's name.
    """
    about = "turn" if issubclass(EVENTS[event.kind], TurnEvent) else "work"
    return f"evt.{VERSION}.{valid_name(event.session)}.{about}.{event.kind}"


def subject_of(message: Envelope) -> str:
    """That of a command or of an event. Raises what ``command_subject`` and ``event_subject`` raise."""
    return command_subject(message) if message.kind in COMMANDS else event_subject(message)


def is_answer(subject: str) -> bool:
    """Whether it is that of an answer to a command."""
    return subject.split(".")[3:4] == ["work"]


def served_by(subject: str) -> str:
    """The service that the messages of this subject are for."""
    return "gateway" if is_answer(subject) else next(iter(subject.split(".")[2:3]), "")


class Delivery(Protocol):
    """One message handed to one consumer, to be settled exactly once."""

    data: bytes
    """The envelope as it travelled; it may be anything."""
    subject: str
    count: int
    """1 the first time, more when the bus delivers again."""

    async def ack(self) -> None: ...
    async def nak(self, delay: float = 0.0) -> None:
        """Hand it back, to be delivered again after `delay` seconds."""

    async def term(self, reason: str) -> None:
        """Never deliver it again; it goes to the dead letters with its reason."""

    async def in_progress(self) -> None:
        """Say that it is still being worked on, so that it is not delivered to another."""


class Subscription(Protocol):
    async def stop(self) -> None:
        """Take no more, let what is in flight finish, hand back the rest."""


class Delta(Value):
    """A piece of a reply, on its way while it is written."""

    session: str
    turn: str
    text: str


class Conflict(Exception):
    """A state was changed by someone else since it was read."""


class DeadLetter(Value):
    """A message that will not be delivered again."""

    model_config = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")

    name: str
    """What tells it from the others: the stream and the place it had there."""
    subject: str = Field(pattern=r"^[^ \t\r\n]*$")
    """Where it was, and will be put back to; empty where it is gone. Other programs may write letters, too."""
    data: bytes
    reason: str
    deliveries: int
    time: datetime


def no_such_letter() -> BadInput:
    return BadInput(
        "There is no dead letter of this name: see their names with `bandsmith dead list`.",
        message_zh="没有这个名称的死信：请用 `bandsmith dead list` 查看。",
        code="letter",
    )


def message_gone() -> BadInput:
    return BadInput(
        "The message of this dead letter is no longer kept, so there is nothing to replay: ask for the work anew.",
        message_zh="该死信的原始消息已不再保存，无法重放：请重新发起该项工作。",
        code="letter",
    )


class Queue(Value):
    """What a consumer has before it."""

    service: str
    holds: Literal["commands", "answers"]
    """The gateway has both: beginnings of turns, and the answers that move them."""
    waiting: int
    """Not handed out yet: the lag."""
    in_hand: int
    """Handed out, and not settled yet."""
    redelivered: int
    """Of those in hand, how many were handed out before."""


class Replica(Value):
    """One of those who compete for a service's messages, as it says itself when the roll is called."""

    name: str
    service: str
    host: str
    process: str
    """Replicas of one process share their metrics."""
    version: str
    began: datetime
    in_hand: int
    handled: int
    failed: int
    metrics: str = ""
    """The metrics of its process, as Prometheus reads them."""


class Bus(Protocol):
    async def send(self, command: Envelope) -> None:
        """Put a command into its service's queue; returns when it is stored."""

    async def publish(self, *messages: Envelope) -> None:
        """Append events to the log in their order, and put commands into their queues; returns when all are stored."""

    async def work(
        self, service: str, handle: Callable[[Delivery], Awaitable[None]], *, concurrency: int = 1
    ) -> Subscription:
        """Compete for the commands of `service`, `concurrency` at a time."""

    async def listen(
        self, durable: str, handle: Callable[[Delivery], Awaitable[None]], *, concurrency: int = 16
    ) -> Subscription:
        """Compete with others of the name `durable` for every answer of every session (the gateway's side)."""

    def follow(self, session: str, *, start: int = 1, after: int = 0) -> AsyncGenerator[Envelope]:
        """The events of one session in order, then as they come (a client's side).

        They begin with the one of number `start` among those that stand in the log behind the place `after`. However
        slowly they are read, none is missed, and few are fetched ahead.
        """

    async def place(self) -> int:
        """The place of the newest event of all in the log; 0 where there is none."""

    async def is_newest(self, event: Envelope) -> bool:
        """Whether it is in the log, and none of its session and kind came after it.

        Of what is older than the log keeps events nobody can tell: it counts as if it were.
        """

    async def speak(self, delta: Delta) -> None:
        """Let whoever listens right now hear a piece of a reply while it is written; nothing is kept."""

    def hear(self, session: str) -> AsyncGenerator[Delta]:
        """The pieces of replies to one session from now on. It hears from when it is first asked for one.

        Who reads too slowly misses some, beyond ``UNHEARD``.
        """

    async def forget(self, session: str) -> None:
        """Remove the events of a session."""

    async def put(self, data: bytes, media: str) -> Ref:
        """Store bytes; the same bytes give the same key."""

    async def get(self, ref: Ref) -> bytes:
        """Raises ``KeyError`` when there are none."""

    async def read_state(self, key: str) -> tuple[bytes, int] | None:
        """The state and its revision."""

    async def write_state(self, key: str, value: bytes, revision: int | None) -> int:
        """Change it if `revision` is still the newest (None: it must not exist yet); the new revision, or Conflict."""

    async def states(self, prefix: str) -> list[str]:
        """The keys of all states that begin so, in order."""

    async def delete_state(self, key: str) -> bytes | None:
        """Remove it; the state as it was when it was removed, or None where there was none."""

    async def dead(self) -> list[DeadLetter]:
        """What could not be handled, oldest first: given up with a reason, or delivered too often."""

    async def dead_counts(self) -> dict[str, int]:
        """How many dead letters there are, by the service that could not handle them; each is read once for it."""

    async def replay(self, *names: str) -> list[DeadLetter]:
        """Put the dead letters of these names back where they came from, as new messages, and take them off the list.

        Each is the same message to whoever handles it, under another id for the bus. Raises ``BadInput``, before
        anything is put back, when there is none of a name, or when the bus no longer has its bytes.
        """

    async def queues(self) -> list[Queue]:
        """What waits, for each service that was ever at work here, or should be."""

    async def attend(self, say: Callable[[], Replica]) -> Subscription:
        """Answer with what `say` returns whenever the roll is called."""

    async def roll(self, wait: float = 0.3) -> list[Replica]:
        """The replicas that answer within `wait` seconds, by service and name; none of them is asked to do work."""

    async def close(self) -> None:
        """Stop every subscription; what is in hand may finish."""
