"""What a reply says while it is written: held to a bound, stopped when it repeats itself, and handed on for reading."""

from __future__ import annotations

import re

from .base import OnDelta

_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff\ud800-\udfff]")
"""What may steer a terminal or turn the reading round: control and direction characters."""

TAIL = 1500
"""Characters at the end of a reply that repeat one another when it does so without end."""
PERIOD = 300
"""The longest piece that is looked for."""


class Enough(Exception):
    """The reply is stopped; what came of it is in the watch."""


class Watch:
    """Takes a reply's pieces; raises ``Enough`` when it is too long or repeats itself without end."""

    def __init__(self, longest: int, say: Speech | None = None) -> None:
        self.text = ""
        self.why = ""
        self._longest = longest
        self._say = say
        self._looked = 0

    async def __call__(self, piece: str) -> None:
        self.text += piece
        if self._say:
            await self._say(piece)
        if len(self.text) > self._longest:
            self._stop("the reply is too long")
        if len(self.text) - self._looked > TAIL / 4:
            self._looked = len(self.text)
            if repeats(self.text):
                self._stop("the reply repeats itself without end")

    def _stop(self, why: str) -> None:
        self.why = why
        raise Enough


def repeats(text: str) -> bool:
    """Whether the end of the text is one short piece again and again."""
    tail = text[-TAIL:]
    return len(tail) == TAIL and any(tail.startswith(tail[period:]) for period in range(1, PERIOD + 1))


def visible(text: str) -> str:
    """The text without the characters that are not meant for reading."""
    return _UNSEEN.sub("", text)


class Speech:
    """Hands on what is meant for the user: all of a reply, or one of the texts of an object, as it arrives."""

    def __init__(self, on_delta: OnDelta, key: str | None = None) -> None:
        self._on_delta = on_delta
        self._key = re.compile(rf'"{key}"\s*:\s*"') if key else None
        self._text = ""
        self._place: int | None = 0 if key is None else None
        """Up to where the text was handed on; None before it begins."""
        self._ended = False

    async def __call__(self, piece: str) -> None:
        if self._ended:
            return
        self._text += piece
        if self._place is None and self._key and (found := self._key.search(self._text)):
            self._place = found.end()
        if self._place is not None and (said := visible(self._next())):
            await self._on_delta(said)

    def _next(self) -> str:
        assert self._place is not None
        if self._key is None:
            fresh, self._text = self._text, ""
            return fresh
        letters: list[str] = []
        while self._place < len(self._text):
            char = self._text[self._place]
            if char == '"':
                self._ended = True
                break
            wide = 1 if char != "\\" else 6 if self._text[self._place + 1 : self._place + 2] == "u" else 2
            if self._place + wide > len(self._text):
                break
            letters.append(char if wide == 1 else _unescaped(self._text[self._place : self._place + wide]))
            self._place += wide
        return "".join(letters)


def _unescaped(escape: str) -> str:
    if escape[1] == "u":
        try:
            return chr(int(escape[2:], 16))
        except ValueError:
            return ""
    return {"n": "\n", "t": "\t", "r": "", "b": "", "f": ""}.get(escape[1], escape[1])
