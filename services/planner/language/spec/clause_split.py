"""Split a description into sentences, and a sentence into clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .labels import bullet

_SENTENCE_END = re.compile(
    r"(?:(?<!\bno)(?<!\bnr)(?<!\bqty)(?<!\bapprox)(?<!\b[ie]nc)(?<!\bincl)(?<!\bexcl)\.|[。!?！？;])[.。!?！？;]{0,40}(?=\s|$|[\u3400-\u9fff])|。|;(?=[A-Za-z])"
    r"|(?<=\bqty)\.(?=\s+(?:an?|the|signed|with|grouped|sorted|two|three|please)\b)|\n+",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"(?P<comma>,(?!\d{3}\b))|(?P<colon>(?<!\d):|:(?!\d))|(?P<dash>\s[-–—]+\s)|(?P<blank>[ \t]+)")
MIN_SEMICOLONS_OF_LIST = 3
"""As many semicolons in a line separate names, not sentences."""
_IN_BRACKETS, _SEMICOLON = re.compile(r"\([^()]*\)"), re.compile("[;；]")


@dataclass(frozen=True)
class SpecClause:
    """A part of a sentence, without the mark that ends it."""

    words: str
    colon: bool
    """Whether a colon or a dash follows it."""
    dash: bool = False
    """Whether it is a dash."""


def sentences_of(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the sentences of a text, each with whether it is an entry of a list with bullets or numbers."""
    text = _IN_BRACKETS.sub(lambda found: _SEMICOLON.sub(",", found[0]), text)
    for given in text.splitlines():
        line = given.replace(";", ",") if given.count(";") >= MIN_SEMICOLONS_OF_LIST else given
        content = bullet(line)
        for sentence in [content] if content else _SENTENCE_END.split(line):
            if sentence.strip():
                yield sentence.strip(), content is not None


def clauses_of(sentence: str) -> list[SpecClause]:
    """Return the clauses of a sentence: between commas, colons, dashes; between Chinese clauses also blanks."""
    clauses: list[SpecClause] = []
    start = 0
    depth = [0]
    for char in sentence:
        depth.append(depth[-1] + (char == "(") - (char == ")"))
    for end in _CLAUSE_END.finditer(sentence):
        if depth[end.start()] > 0 or (end["blank"] and not _between_chinese_clauses(sentence, end)):
            continue
        is_colon = bool(end["colon"] or end["dash"])
        if words := sentence[start : end.start()].strip():
            clauses.append(SpecClause(words, is_colon, bool(end["dash"])))
        elif is_colon and clauses:
            clauses[-1] = SpecClause(clauses[-1].words, True, bool(end["dash"]))
        start = end.end()
    if words := sentence[start:].strip():
        clauses.append(SpecClause(words, False))
    return clauses


def _between_chinese_clauses(sentence: str, blank: re.Match[str]) -> bool:
    """Whether a blank stands between Chinese words, where it separates as a comma does."""
    before, after = sentence[: blank.start()][-1:], sentence[blank.end() :][:1]
    word = re.compile(r"[\u3400-\u9fff\ue000-\ue0ff)]")
    return bool(word.match(before) and word.match(after))
