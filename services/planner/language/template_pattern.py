"""The regular expression that a sentence template becomes; ``sentence_templates.py`` explains its syntax."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Protocol

_LETTER = "(?-i:[A-Za-z0-9])"
"""A letter or digit of a word. Where case is ignored, compiling a range looks at each of its characters, here some
50,000 times: that takes longer than all the rest of the patterns."""
_BLANK = rf"(?:\s+|(?<!{_LETTER})|(?!{_LETTER}))"
TOKEN = re.compile(
    r"\\(?P<escaped>.)|(?P<blank>\s+)|(?P<mark>[\[\]()|])|(?P<edge>[\^/])|<(?P<part>\w+)>|\{(?P<slot>\w+)\}|(?P<char>.)"
)
_CLOSING = {"[": "]", "(": ")"}
_LINE_START = r"(?:^|(?<=\n))\s*"
_CLAUSE_END = r"\s*(?:[,;:\n。()]|\.(?!\d)|$)"
WORD_START, WORD_END = "(?<!(?-i:[A-Za-z0-9_]))", "(?!(?-i:[A-Za-z0-9_]))"
EDGE = f"(?:{WORD_START}|{WORD_END})"
"""Where no English word runs on. Chinese words need no edge, even beside English ones."""


class TemplateError(ValueError):
    """A template that cannot be read: the message quotes it and says what is wrong."""


class WordLists(Protocol):
    """What a template may refer to by name."""

    fillers: Mapping[str, str]
    """Slots that take words which mean nothing."""

    def part(self, name: str, source: str) -> str:
        """Return the template of a part, which `source` refers to."""

    def list_pattern(self, name: str) -> str | None:
        """Return a pattern of what a slot takes; None where it takes free words."""


class CompiledTemplate:
    """The pattern of one template, and its slots."""

    def __init__(self, source: str, lists: WordLists) -> None:
        self._lists = lists
        self.slots: list[tuple[str, str]] = []
        """Group of the pattern and name of the slot, by its place in the template."""
        self.text = self._compiled(source)

    def _compiled(self, source: str) -> str:
        pattern: list[str] = []
        open_marks: list[str] = []
        for token in TOKEN.finditer(source):
            if token["edge"] == "/":
                pattern.append(self._clause_end(source[token.end() :].strip()))
                break
            if token["edge"]:
                pattern.append(_LINE_START)
            elif token["mark"]:
                pattern.append(self._mark(token["mark"], open_marks, source))
            elif token["blank"]:
                pattern.append(_BLANK)
            elif token["part"]:
                pattern.append(f"(?:{self._compiled(self._lists.part(token['part'], source))})")
            elif token["slot"]:
                pattern.append(self._slot(token["slot"]))
            else:
                pattern.append(re.escape(token["escaped"] or token["char"]))
        if open_marks:
            raise TemplateError(f"{source!r}: {open_marks[-1]!r} is never closed")
        return "".join(pattern)

    def _clause_end(self, followers: str) -> str:
        """A pattern of what ends a clause, and of the words that may follow instead."""
        followed = rf"|\s*(?:{self._compiled(followers)}){EDGE}" if followers else ""
        return f"(?={_CLAUSE_END}{followed})"

    @staticmethod
    def _mark(mark: str, open_marks: list[str], source: str) -> str:
        if mark in _CLOSING:
            open_marks.append(mark)
            return "(?:"
        if mark == "|":
            return "|"
        if not open_marks or _CLOSING[open_marks.pop()] != mark:
            raise TemplateError(f"{source!r}: {mark!r} closes nothing")
        return ")?" if mark == "]" else ")"

    def _slot(self, name: str) -> str:
        listed = self._lists.list_pattern(name)
        if name in self._lists.fillers:
            return f"(?:{listed or '.+?'})"
        group = f"slot{len(self.slots)}"
        self.slots.append((group, name))
        return f"(?P<{group}>{listed or '.+?'})"
