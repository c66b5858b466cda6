"""A description of a report with half-width marks, and one character of the private use area for each quotation."""

from __future__ import annotations

import re

from bandsmith.shared.language import normalized_characters

from ..quotations import quotation_pattern
from .typing_errors import corrected
from .weekdays import with_weekdays

_QUOTATION = re.compile(quotation_pattern(1, 300))
_WITH = re.compile(r"((?:^|\s)(?=w/)|(?<=[A-Za-z]{3})\s(?=w\s))w(?:/ ?|\s+)(?=\w)", re.IGNORECASE)
"""`w/ start date` is "with start date"."""
_BLANKS = re.compile(r"\s{4,}")
"""Templates try to begin at every line and blank: at 2,000 empty lines they would take minutes."""
_FIRST = 0xE000
_MARK = re.compile("[\ue000-\ue0ff]")


class Description:
    """A text whose quotations are masked, so that no rule reads their words."""

    def __init__(self, text: str) -> None:
        self._quotes: list[str] = []
        unquoted = _QUOTATION.sub(self._masked, _MARK.sub("", text))  # a quotation keeps its marks
        plain = normalized_characters(unquoted).replace("\r", "\n").replace("×", "×")
        plain = _BLANKS.sub(lambda blanks: "\n" if "\n" in blanks[0] else "   ", plain)
        plain = with_weekdays(plain)
        masked = _QUOTATION.sub(self._masked, _WITH.sub(r"\1with ", plain))
        self.text, self.corrections = corrected(masked)
        """The masked text, and the typing errors in it with their corrections."""

    def _masked(self, found: re.Match[str]) -> str:
        if len(self._quotes) >= 0x100:
            return found[0]
        self._quotes.append(found[0][1:-1].strip())
        return chr(_FIRST + len(self._quotes) - 1)

    def filled(self, words: str) -> str:
        """Return words with their quotations filled in, without the marks."""
        return _MARK.sub(lambda mark: self._quotes[ord(mark[0]) - _FIRST], words).strip()

    def as_written(self, words: str) -> str:
        """Return words as the user wrote them."""
        return _MARK.sub(lambda mark: f"“{self._quotes[ord(mark[0]) - _FIRST]}”", words).strip(" ,;:、\n")


def is_quotation(words: str) -> bool:
    """Whether masked words are one quotation and nothing else."""
    return _MARK.fullmatch(words.strip()) is not None


def is_masked(words: str) -> bool:
    """Whether masked words hold a quotation among others."""
    return _MARK.search(words) is not None
