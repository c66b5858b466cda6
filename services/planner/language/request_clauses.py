"""A request, split into the clauses that can be read alone, with its quotations kept whole."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, partial

from .quotations import quotation_pattern
from .sentence_templates import matches, pattern, phrase_at, phrases, start_of_phrases

MAX_PARTS = 40
"""Parts of a request; one with more is left unread."""

SUBJECT = "requests"
RULES = frozenset({
    "explains", "opens", "separates", "joins", "lead", "no_lead", "passes_on", "tail", "within",
    "around_quotation", "open_end",
})  # fmt: skip
"""Rules of ``requests.toml``."""
_MARKS = " \t\n,，;；。.!！?？~～"
_PICTOGRAM = re.compile("[\u2600-\u27bf\ufe0f\u200d\U0001f000-\U0001faff]+")
"""Emoji say nothing that could be carried out."""
_NUMBERED = re.compile(
    r"^[ \t]*(?:[-*•·]|\(?\d{1,2}[.):、）])[ \t]+|^[ \t]*(?:\d{1,2}[)、）]|[①-⑳])[ \t]*", re.MULTILINE
)
"""The number or the bullet of a line of a list."""
_QUOTATION = re.compile(quotation_pattern(1, 200))
_BLANK_BETWEEN_WORDS = r"(?<=[\u3400-\u9fff]{2})[ \u3000]+(?=[\u3400-\u9fff]{2})"
"""Chinese is written without blanks, so one often stands for a comma; not in a title that is spaced out: 销 售 单."""
_FIRST = 0xE000
_MARK = re.compile("[\ue000-\ue0ff]")


@cache
def _break() -> re.Pattern[str]:
    """Return the pattern of what ends a clause: a mark, or words. A comma within a number ends none."""
    english, chinese = (partial(pattern, SUBJECT, language=language) for language in ("en", "zh"))
    mark = rf"[,，](?!\d{{3}}(?!\d)|\s*(?:{pattern(SUBJECT, 'explains')}))|[;；。!！?？\n]|\.(?=\s|$)"
    return re.compile(
        rf"(?P<strong>(?:{mark})[\s,，;；。.!！?？]*(?:(?:{english('opens')})\b\s*|{chinese('opens')})?"
        rf"|\s+(?:{english('separates')})\s+|{chinese('separates')}|{_BLANK_BETWEEN_WORDS})"
        rf"|(?P<weak>\s+(?:{english('joins')})\s+|(?<=[\u3400-\u9fff])(?:{chinese('joins')})(?=\S))",
        re.IGNORECASE,
    )


_COMPUTES = re.compile(r"[=×÷*/+] {0,3}\d")
"""A computation: words with one are no reason for what is asked for in front of them."""


@dataclass(frozen=True)
class ClausePart:
    """A part of a request, and how it is joined to the part before it."""

    start: int
    end: int
    weak: bool
    """Whether only an “and” joins it to the part before it."""


class SplitRequest:
    """A request in which one character of the private use area stands for each quotation."""

    def __init__(self, text: str) -> None:
        self.quotes: list[str] = []
        text = _PICTOGRAM.sub(" ", _MARK.sub("", text)).replace("\r", "\n").strip()
        if "\n" in text:
            text = _NUMBERED.sub("", text)
        self.text = _QUOTATION.sub(self._masked, text)
        self.parts = self._split()

    def clause(self, first: int, last: int) -> str:
        """Return the parts from `first` to `last` as one clause, without words of politeness."""
        return without_politeness(self.text[self.parts[first].start : self.parts[last].end])

    def goes_on_after(self, last: int) -> bool:
        """Whether only a blank stands between a part and the next one."""
        return last + 1 < len(self.parts) and not self.text[self.parts[last].end : self.parts[last + 1].start].strip()

    def as_written(self, clause: str) -> str:
        """Return a clause as the user wrote it."""
        return _MARK.sub(lambda mark: f"“{self._quote(mark[0])}”", clause).strip()

    def with_quotations(self, words: str) -> tuple[str, bool]:
        """Return words with their quotations filled in, and whether they are a single quotation."""
        words = words.strip()
        whole = _MARK.fullmatch(words) is not None
        if not whole and len(_MARK.findall(words)) == 1:
            # `the text "Internal use only"` means the quotation alone.
            around = _MARK.sub(" ", words).strip()
            if any(matches(SUBJECT, "around_quotation", around)):
                return self._quote(_MARK.search(words)[0]), True  # type: ignore[index]
        return _MARK.sub(lambda mark: self._quote(mark[0]), words), whole

    def _masked(self, found: re.Match[str]) -> str:
        if len(self.quotes) >= 0x100:
            return found[0]
        self.quotes.append(found[0][1:-1])
        return chr(_FIRST + len(self.quotes) - 1)

    def _quote(self, mark: str) -> str:
        return self.quotes[ord(mark) - _FIRST]

    def _split(self) -> list[ClausePart]:
        parts: list[ClausePart] = []
        at, weak = 0, False
        for found in _break().finditer(self.text):
            if self.text[at : found.start()].strip():
                parts.append(ClausePart(at, found.start(), weak))
                weak = found["weak"] is not None
            at = found.end()
        if self.text[at:].strip():
            parts.append(ClausePart(at, len(self.text), weak))
        return parts


def without_politeness(text: str) -> str:
    """Return a clause without the words of politeness around it."""
    text = text.strip(_MARKS)
    while (end := _lead_end(text)) and end < len(text):
        text = text[end:].strip()
    end = start_of_phrases(SUBJECT, "tail", text)
    return text.strip(_MARKS) if _COMPUTES.search(text, end) else text[:end].strip(_MARKS)


def without_inner_politeness(text: str) -> str:
    """Return a clause without words of politeness in its middle: “单号帮我改成黑色”."""
    for phrase in reversed(phrases(SUBJECT, "within", text)):
        before, after = text[: phrase.start].rstrip(), text[phrase.end :].lstrip()
        text = f"{before} {after}" if text[phrase.start].isascii() else f"{before}{after}"
    return text.strip()


def without_reporter(text: str) -> str:
    """Return a clause without the words in front that say whose wish it is: “he asked me to”, 财务说."""
    phrase = phrase_at(SUBJECT, "passes_on", text)
    rest = text[phrase.end :].strip() if phrase else ""
    return rest or text


def _lead_end(text: str) -> int:
    """Return where the words of politeness end that a text begins with, and the blanks and commas after them; or 0."""
    lead = phrase_at(SUBJECT, "lead", text)
    if lead is None or phrase_at(SUBJECT, "no_lead", text) is not None:
        return 0
    return len(text) - len(text[lead.end :].lstrip(" \t\n,，"))
