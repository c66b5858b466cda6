"""The text of an expression before and after the parser: references, texts, and the spaces between tokens."""

from __future__ import annotations

import re
from typing import NamedTuple

from bandsmith.shared.jrxml.expressions import reference_pattern

_UNICODE_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)\\u+([0-9a-fA-F]{4})")
_REFERENCE = reference_pattern("FPVR", r"""[^{}$"'\\\x00-\x1f\x7f]*""")
_SCANNED = re.compile(
    rf"""(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
      | (?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))
      | (?P<reference>{_REFERENCE})""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:([0-3]?[0-7]{1,2})|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "s": " ", '"': '"', "'": "'", "\\": "\\"}
_WRITTEN = {
    "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f", "\\": "\\\\",
    # A dollar sign in a text would begin a reference for the engine, which knows no Java.
    "$": "\\044",
}  # fmt: skip
_WORD = re.compile(r"[\w$]")


class JavaSource(NamedTuple):
    """An expression as the parser gets it."""

    text: str
    references: dict[str, str]
    """The reference that each made-up name stands for."""


def decode_unicode_escapes(text: str) -> str:
    """Decode what Java decodes before anything else, so that ``\\u003b`` ends a statement."""
    return _UNICODE_ESCAPE.sub(lambda m: m[1] + chr(int(m[2], 16)), text)


def without_references(text: str) -> JavaSource:
    """Replace each reference by a name that the text does not contain. Those in texts and comments stay."""
    stem = "reference"
    while stem in text:
        stem += "_"
    references: dict[str, str] = {}

    def name_of(match: re.Match[str]) -> str:
        if match.lastgroup != "reference":
            return match[0]
        name = f"{stem}{len(references)}"
        references[name] = match[0]
        return name

    return JavaSource(_SCANNED.sub(name_of, text), references)


def normal_literal(literal: str) -> str:
    """Write a text or a character of Java again. Raises ``ValueError`` for an escape that Java does not know."""
    quote, inside = literal[0], literal[1:-1]
    value = _ESCAPE.sub(_unescaped, inside)
    return quote + "".join(_written(char, quote) for char in value) + quote


def _unescaped(match: re.Match[str]) -> str:
    if match[1] is not None:
        return chr(int(match[1], 8))
    if match[2] not in _ESCAPED:
        raise ValueError(match[0])
    return _ESCAPED[match[2]]


def _written(char: str, quote: str) -> str:
    if char == quote:
        return "\\" + char
    if char in _WRITTEN:
        return _WRITTEN[char]
    return char if char >= " " and char != "\x7f" else f"\\{ord(char):03o}"


def needs_space(before: str, after: str) -> bool:
    """Whether two tokens would be read as another one if nothing stood between them."""
    return (_WORD.match(before[-1:]) is not None and _WORD.match(after[:1]) is not None) or (
        before[-1:] in "+-<>=!&|*/%^~?:" and after[:1] in "+-<>=!&|*/%^~?:"
    )
