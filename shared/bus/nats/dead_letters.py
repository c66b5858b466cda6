"""Dead letters: messages that could not be handled, reported by a worker or by the server, and their replay."""

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
from .fast_client import AckSubject, RawMessage
from .headers import deduplicated_by, headers

SUBJECT_PREFIX = "dead."
"""Prefix of the original subject in letters written by workers."""
LETTER_NAME = re.compile(r"(CMD|EVT)\.\d{1,19}")
"""The original message's stream and sequence number."""


class Advisory(NamedTuple):
    """The server's report of a message that reached its delivery limit; repeated when the server restarts."""

    name: str
    stream: str
    sequence: int
    consumer: str
    """Named after the service."""
    deliveries: int
    time: datetime


class DeadLetters(Connection):
    """The part of ``base.Bus`` for dead letters.

    Their stream may hold several entries for one message: the worker's letter and the server's advisories.
    """

    def __init__(self, settings: BusSettings) -> None:
        super().__init__(settings)
        self._created = ""  # creation time of the stream that the next attribute describes
        self._known: dict[int, tuple[str, str]] = {}  # by sequence number: the letter's name and its service

    async def dead_letters(self) -> list[DeadLetter]:
        return sorted((letter for letter, _ in (await self._letters()).values()), key=lambda letter: letter.time)

    async def dead_letter_counts(self) -> dict[str, int]:
        stream = await self._request("$JS.API.STREAM.INFO.DEAD", {"deleted_details": True})
        first, removed = stream["state"]["first_seq"], stream["state"].get("deleted") or ()
        if stream["created"] != self._created:  # the server lost its store and counts from 1 again
            self._created, self._known = stream["created"], {}
        known = {sequence: entry for sequence, entry in self._known.items() if sequence >= first}
        self._known = {sequence: known[sequence] for sequence in known.keys() - removed}
        async for sequence, letter in self._stored_letters(after=max(self._known, default=0)):
            service = letter.consumer if isinstance(letter, Advisory) else service_of(letter.subject)
            self._known[sequence] = letter.name, service
        return dict(Counter(dict(self._known.values()).values()))

    async def replay(self, *names: str) -> list[DeadLetter]:
        known = await self._letters()
        if not known.keys() >= set(names):
            raise unknown_dead_letter()
        chosen = {name: known[name] for name in names}
        if not all(letter.subject for letter, _ in chosen.values()):
            raise dead_letter_expired()
        for name, (letter, entries) in chosen.items():
            await self._store((letter.subject, letter.data, self._replay_headers(letter)))
            await self._remove_original(name, letter.subject)
            for entry in entries:
                await self._remove("DEAD", entry)
        return [letter for letter, _ in chosen.values()]

    async def _remove_original(self, name: str, subject: str) -> None:
        """Remove a letter's message, which is still in its stream if it reached its delivery limit."""
        stream, _, number = name.partition(".")
        original = await self._original(stream, int(number))
        if original.subject == subject:
            await self._remove(stream, int(number))

    async def _dead_letter(self, message: RawMessage, reason: str) -> None:
        origin = AckSubject.of(message.reply)
        name = _name(origin.stream, origin.sequence)
        letter = DeadLetter(
            name=name,
            subject=message.subject,
            data=message.data,
            reason=reason,
            deliveries=origin.deliveries,
            time=datetime.now(UTC),
        )
        content = letter.model_dump_json().encode()
        await self._store((f"{SUBJECT_PREFIX}{message.subject}", content, deduplicated_by(self._own_id(name))))

    def _replay_headers(self, letter: DeadLetter) -> str:
        """Return headers with a new id, because the server may still know the old one.

        The id depends only on the letter, so that concurrent replays store the message once.
        """
        message_id = self._own_id(f"{letter.name}.replay")
        try:
            return headers(Envelope.model_validate_json(letter.data), message_id)
        except ValidationError:  # not an envelope
            return deduplicated_by(message_id)

    async def _letters(self) -> dict[str, tuple[DeadLetter, list[int]]]:
        """Return the letters by name, each with the sequence numbers of its entries in the stream."""
        found: dict[str, tuple[DeadLetter, list[int]]] = {}
        async for sequence, letter in self._stored_letters():
            known, entries = found.get(letter.name, (None, []))
            # The worker's letter takes precedence in any order, because it has the reason.
            best = known or await self._from_advisory(letter) if isinstance(letter, Advisory) else letter
            found[letter.name] = best, [*entries, sequence]
        return found

    async def _stored_letters(self, after: int = 0) -> AsyncGenerator[tuple[int, DeadLetter | Advisory]]:
        """Yield the stream's entries after a sequence number, each with its own."""
        while (message := await self._next("DEAD", after + 1)) is not None:
            after = message.seq or 0
            if (letter := _read(message)) is not None:
                yield after, letter

    async def _from_advisory(self, advisory: Advisory) -> DeadLetter:
        original = await self._original(advisory.stream, advisory.sequence)
        return DeadLetter(
            name=advisory.name,
            subject=original.subject or "",
            data=original.data or b"",
            reason="delivered too often",
            deliveries=advisory.deliveries,
            time=advisory.time,
        )

    async def _original(self, stream: str, sequence: int) -> api.RawStreamMsg:
        """Return a stored message; one without a subject if it is gone."""
        try:
            return await self._call_api(lambda: self._jetstream.get_msg(stream, sequence))
        except NotFoundError:
            return api.RawStreamMsg(subject="")


def _read(message: api.RawStreamMsg) -> DeadLetter | Advisory | None:
    """Parse an entry of the stream; None if another program wrote it."""
    subject, data = message.subject or "", message.data or b""
    try:
        if subject.startswith(SUBJECT_PREFIX):
            letter = DeadLetter.model_validate_json(data)
            # Otherwise a service that may report its own letters could have the operator publish any message.
            is_own = letter.subject == subject.removeprefix(SUBJECT_PREFIX) and LETTER_NAME.fullmatch(letter.name)
            return letter if is_own else None
        advisory = orjson.loads(data)
        stream, sequence = advisory["stream"], advisory["stream_seq"]
        return Advisory(
            name=_name(stream, sequence),
            stream=stream,
            sequence=sequence,
            consumer=subject.rpartition(".")[2],
            deliveries=advisory["deliveries"],
            time=datetime.fromisoformat(advisory["timestamp"]),
        )
    except (ValueError, TypeError, KeyError):  # orjson's and pydantic's errors are ValueErrors
        return None


def _name(stream: str, sequence: int) -> str:
    """Return the unique name of a dead letter."""
    return f"{stream}.{sequence}"
