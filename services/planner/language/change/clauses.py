"""A request, split into the clauses that can be read alone, with its quotations kept whole."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..quotations import quotation_pattern

MAX_PARTS = 40
"""Parts of a request; one with more is left unread."""

_QUOTATION = re.compile(quotation_pattern(1, 200))
_FIRST = 0xE000
_MARK = re.compile("[\ue000-\ue0ff]")
_BREAK = re.compile(
    r"(?P<strong>(?:[,，](?!\d{3}(?!\d)|\s*(?:=|＝|等于|公式[为是]|计算公式|which is |that is |equal to ))|"
    r"[;；。!！?？\n]|\.(?=\s|$))[\s,，;；。.!！?？]*(?:(?:and then|and|then|"
    r"but)\b\s*|然后|再(?=[加把将添删去])|接着|但是?|并且|而且)?"
    r"|\s+(?:and then|then|but)\s+|然后|接着|但是?|同时)"
    r"|(?P<weak>\s+(?:and|&)\s+|(?<=[\u3400-\u9fff])(?:并且|而且|并|和|、|再(?=[加把将添删去])|且)(?=\S))",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"(?:please|pls|plz|kindly|can you|could you|would you|will you|i(?:'d| would)? (?:like|want|need)(?: you)? "
    r"to|i want|i'd like|"
    r"let's|let us|just|also|then|and|now|next|finally|first,|so|ok|okay|hi|hello|thanks|"
    r"请|麻烦您?|劳驾|帮我|帮忙|能不能|可不可以|能否|可以|我想要?|我要|我希望"
    r"|希望|想要|需要|给我|再(?!大|小|宽|窄|高|粗)|然后|接着|另外|此外|"
    r"同时|还要|还有|还|并且|并|而且|顺便|你好|先|只要?|最后(?![一两几二三面边头]|的|[列栏]))[\s,，]*",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[\s,，]*(?:please|pls|plz|thanks|thank you|thx|as well|too(?! )|for me|if possible"
    r"|就行了?|就好了?|就可以了|即可|好吗|可以吗|行吗|吗|吧|一下子?|谢谢|呢|哦|啊)$",
    re.IGNORECASE,
)


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
        text = _MARK.sub("", text).replace("\r", "\n").strip()
        self.text = _QUOTATION.sub(self._masked, text)
        self.parts = self._split()

    def clause(self, first: int, last: int) -> str:
        """Return the parts from `first` to `last` as one clause, without words of politeness."""
        return without_politeness(self.text[self.parts[first].start : self.parts[last].end])

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
            if re.fullmatch(
                r"(?:the\s+)?(?:text|label|words?|note|title|field|line|文字|文本|字样|标题|标签|的)*",
                around,
                re.IGNORECASE,
            ):
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
        for found in _BREAK.finditer(self.text):
            if self.text[at : found.start()].strip():
                parts.append(ClausePart(at, found.start(), weak))
                weak = found["weak"] is not None
            at = found.end()
        if self.text[at:].strip():
            parts.append(ClausePart(at, len(self.text), weak))
        return parts


def without_politeness(text: str) -> str:
    """Return a clause without the words of politeness around it."""
    text = text.strip(" \t\n,，;；。.!！?？")
    while lead := _LEAD.match(text):
        if lead.end() >= len(text) or (
            lead[0].isascii() and text[lead.end() - 1].isalnum() and text[lead.end()].isalnum()
        ):
            break
        text = text[lead.end() :].strip()
    while (tail := _TAIL.search(text)) and tail.start() > 0:
        text = text[: tail.start()].strip()
    return text.strip(" \t\n,，;；。.!！?？")
