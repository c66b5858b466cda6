"""Dead letters: what could not be handled, as a worker or the server itself says, and its way back."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import Any

import orjson
from nats.js import api
from nats.js.errors import NotFoundError
from pydantic import ValidationError

from ..base import DeadLetter, message_gone, no_such_letter, served_by
from .connection import Connection
from .headers import known_by
from .wire import Message, Origin

DEAD = "dead."
"""Before the subject of what a worker gave up."""


class Letters(Connection):
    """The part of ``base.Bus`` that is about dead letters."""

    async def dead(self) -> list[DeadLetter]:
        return sorted((letter for letter, _ in (await self._letters()).values()), key=lambda letter: letter.time)

    async def dead_counts(self) -> dict[str, int]:
        info = await self._administer(lambda: self._jetstream.stream_info("DEAD", subjects_filter=">"))
        counts: Counter[str] = Counter()
        for subject, count in (info.state.subjects or {}).items():
            # An advisory's last token is the consumer, which has the service's name.
            given_up = subject.startswith(DEAD)
            counts[served_by(subject.removeprefix(DEAD)) if given_up else subject.rpartition(".")[2]] += count
        return dict(counts)

    async def replay(self, *names: str) -> list[DeadLetter]:
        known = await self._letters()
        if not known.keys() >= set(names):
            raise no_such_letter()
        chosen = {name: known[name] for name in names}
        if not all(letter.subject for letter, _ in chosen.values()):
            raise message_gone()
        for name, (letter, places) in chosen.items():
            # A new id: the one it had may still be remembered. It is the same for whoever replays this letter with us.
            await self._store((letter.subject, letter.data, known_by(f"{name}.replay")))
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
        sequence = 0
        while (message := await self._next("DEAD", sequence + 1)) is not None:
            sequence = message.seq or 0
            data = message.data or b""
            if (message.subject or "").startswith(DEAD):  # what a worker gave up; it knows the reason
                try:
                    letter = DeadLetter.model_validate_json(data)
                except ValidationError:  # of another program
                    continue
                _, places = found.get(letter.name, (letter, []))
            else:  # what the server has to say about the message
                advisory = orjson.loads(data)
                name = _name(advisory["stream"], advisory["stream_seq"])
                letter, places = found.get(name) or (await self._advised(name, advisory), [])
            found[letter.name] = letter, [*places, sequence]
        return found

    async def _advised(self, name: str, advisory: dict[str, Any]) -> DeadLetter:
        try:
            original = await self._administer(
                lambda: self._jetstream.get_msg(advisory["stream"], advisory["stream_seq"])
            )
        except NotFoundError:
            original = api.RawStreamMsg(subject="")
        return DeadLetter(
            name=name,
            subject=original.subject or "",
            data=original.data or b"",
            reason="delivered too often",
            deliveries=advisory["deliveries"],
            time=advisory["timestamp"],
        )


def _name(stream: str, sequence: int) -> str:
    """What tells one dead letter from another."""
    return f"{stream}.{sequence}"
