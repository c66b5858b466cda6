"""Dead letters: what could not be handled, as a worker or the server itself says, and its way back."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from typing import NamedTuple

import orjson
from nats.js import api
from nats.js.errors import NotFoundError
from pydantic import ValidationError

from ...events import Envelope
from ...settings import BusSettings
from ..base import DeadLetter, dead_letter_expired, service_of, unknown_dead_letter
from .connection import Connection
from .fast_client import Message, Origin
from .headers import headers, known_by

DEAD = "dead."
"""Before the subject of what a worker gave up."""
NAME = re.compile(r"(CMD|EVT)\.\d{1,19}")
"""Of a letter: where its message lies, or lay."""


class Advisory(NamedTuple):
    """What the server says about a message that was delivered too often; it says it again when it was restarted."""

    name: str
    stream: str
    sequence: int
    consumer: str
    """It has the service's name."""
    deliveries: int
    time: datetime


class Letters(Connection):
    """The part of ``base.Bus`` that is about dead letters.

    Of one message there may be several in their stream: the worker's own, and whatever the server says of it.
    """

    def __init__(self, settings: BusSettings) -> None:
        super().__init__(settings)
        self._created = ""  # when the stream was that we know
        self._known: dict[int, tuple[str, str]] = {}  # by place: the name of the letter and its service

    async def dead_letters(self) -> list[DeadLetter]:
        return sorted((letter for letter, _ in (await self._letters()).values()), key=lambda letter: letter.time)

    async def dead_letter_counts(self) -> dict[str, int]:
        stream = await self._ask("$JS.API.STREAM.INFO.DEAD", {"deleted_details": True})
        first, removed = stream["state"]["first_seq"], stream["state"].get("deleted") or ()
        if stream["created"] != self._created:  # the server lost its store, and counts from the beginning
            self._created, self._known = stream["created"], {}
        known = {place: it for place, it in self._known.items() if place >= first}
        self._known = {place: known[place] for place in known.keys() - removed}
        async for place, letter in self._written(after=max(self._known, default=0)):
            service = letter.consumer if isinstance(letter, Advisory) else service_of(letter.subject)
            self._known[place] = letter.name, service
        return dict(Counter(dict(self._known.values()).values()))

    async def replay(self, *names: str) -> list[DeadLetter]:
        known = await self._letters()
        if not known.keys() >= set(names):
            raise unknown_dead_letter()
        chosen = {name: known[name] for name in names}
        if not all(letter.subject for letter, _ in chosen.values()):
            raise dead_letter_expired()
        for name, (letter, places) in chosen.items():
            await self._store((letter.subject, letter.data, _replayed(letter)))
            stream, _, sequence = name.partition(".")
            await self._remove(stream, int(sequence))  # what was delivered too often still lies where it was
            for place in places:
                await self._remove("DEAD", place)
        return [letter for letter, _ in chosen.values()]

    async def _bury(self, message: Message, reason: str) -> None:
        origin = Origin.of(message.reply)
        name = _name(origin.stream, origin.sequence)
        letter = DeadLetter(
            name=name,
            subject=message.subject,
            data=message.data,
            reason=reason,
            deliveries=origin.deliveries,
            time=datetime.now(UTC),
        )
        await self._store((f"{DEAD}{message.subject}", letter.model_dump_json().encode(), known_by(name)))

    async def _letters(self) -> dict[str, tuple[DeadLetter, list[int]]]:
        """By name, each with the places it has in the stream of dead letters."""
        found: dict[str, tuple[DeadLetter, list[int]]] = {}
        async for place, letter in self._written():
            known, places = found.get(letter.name, (None, []))
            # A worker's own letter has the reason, whichever came first.
            whole = known or await self._advised(letter) if isinstance(letter, Advisory) else letter
            found[letter.name] = whole, [*places, place]
        return found

    async def _written(self, after: int = 0) -> AsyncGenerator[tuple[int, DeadLetter | Advisory]]:
        """What lies in the stream behind a place, each with its own."""
        while (message := await self._next("DEAD", after + 1)) is not None:
            after = message.seq or 0
            if (letter := _read(message)) is not None:
                yield after, letter

    async def _advised(self, advisory: Advisory) -> DeadLetter:
        try:
            original = await self._administer(lambda: self._jetstream.get_msg(advisory.stream, advisory.sequence))
        except NotFoundError:
            original = api.RawStreamMsg(subject="")
        return DeadLetter(
            name=advisory.name,
            subject=original.subject or "",
            data=original.data or b"",
            reason="delivered too often",
            deliveries=advisory.deliveries,
            time=advisory.time,
        )


def _read(message: api.RawStreamMsg) -> DeadLetter | Advisory | None:
    """None: it is of another program."""
    subject, data = message.subject or "", message.data or b""
    try:
        if subject.startswith(DEAD):
            letter = DeadLetter.model_validate_json(data)
            return letter if NAME.fullmatch(letter.name) else None
        said = orjson.loads(data)
        stream, sequence = said["stream"], said["stream_seq"]
        return Advisory(
            name=_name(stream, sequence),
            stream=stream,
            sequence=sequence,
            consumer=subject.rpartition(".")[2],
            deliveries=said["deliveries"],
            time=datetime.fromisoformat(said["timestamp"]),
        )
    except (ValueError, TypeError, KeyError):  # orjson's and pydantic's errors are ValueErrors
        return None


def _replayed(letter: DeadLetter) -> str:
    """Headers with a new id, as the one it had may be remembered; whoever replays it with us has the same."""
    taken_as = f"{letter.name}.replay"
    try:
        return headers(Envelope.model_validate_json(letter.data), taken_as)
    except ValidationError:  # it is no message of ours
        return known_by(taken_as)


def _name(stream: str, sequence: int) -> str:
    """What tells one dead letter from another."""
    return f"{stream}.{sequence}"
