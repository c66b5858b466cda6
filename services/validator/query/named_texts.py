"""Names in a question that no marks enclose: capitalised ones, and values that the source is known to hold.

What looks like a name may be none, and a source may write a name in another way. So such a name is missing only where
the query has no condition left that could stand for it: "Italian wines" may be ``country = 'IT'``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sqlglot import exp

from bandsmith.shared.language import normalized_characters
from bandsmith.shared.model.source import SourceSchema
from bandsmith.shared.question_values import MONTHS

MIN_LETTERS, MIN_CHINESE = 3, 2
"""Characters of a value that a question is searched for: shorter ones occur by chance."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?", re.ASCII)
_RUN = re.compile(r"\b[A-Z][a-z]{2,}\b(?:[ -][A-Z][a-z]+\b)*")
_ENDS_SENTENCE = tuple('.?!:;"“')
_CHINESE_NAME = re.compile(r"(?:来自|位于|名叫|名为|叫做)([\u3400-\u9fff]{2,8}?)(?=的|[,，。?？]|$)")
_ASKS = re.compile(r"[哪何几某每各同所多这那该其]|什么|任")
"""What makes the words after 来自 no name: 来自哪个国家的, 来自不同城市的, 来自那个国家."""
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[\u3400-\u9fff]+")
_NO_NAMES = frozenset((*MONTHS, *(name[:3] for name in MONTHS), "monday", "tuesday", "wednesday", "thursday", "friday",
                       "saturday", "sunday", "please", "show", "list", "the"))  # fmt: skip


_SMALL_WORDS = frozenset(("a", "an", "and", "by", "for", "from", "in", "of", "on", "or", "per", "the", "to", "with"))


class _Name(NamedTuple):
    text: str
    columns: frozenset[str] = frozenset()
    """The columns that hold it."""


def missing_names(question: str, tree: exp.Expr, schema: SourceSchema) -> Iterator[str]:
    """Yield each name that the question names and that no condition of the query can stand for."""
    text = normalized_characters(question)
    if not (names := [*_known_values(text, schema), *_capitalised(text, schema), *_chinese(text, schema)]):
        return
    literals = {node.name.casefold().strip("%") for node in tree.find_all(exp.Literal) if node.is_string}
    columns = {column.name.casefold() for column in tree.find_all(exp.Column)}
    missing, claimed = dict[str, None](), set[str]()
    for name in names:
        same = {literal for literal in literals if literal and _is_same(name.text.casefold(), literal)}
        claimed |= same
        if not same and not name.columns & columns:
            missing[name.text] = None
    if tree.find(exp.Limit):  # "the youngest dog" may be the first of all rows, which are dogs
        missing = {text: None for text in missing if not (text.isascii() and text.islower())}
    spare = sum(not claimed & _texts(condition) for condition in _conditions(tree))
    yield from list(missing)[spare:]


def _is_same(name: str, literal: str) -> bool:
    return name in literal or literal in name


def _texts(condition: exp.Expr) -> set[str]:
    return {node.name.casefold().strip("%") for node in condition.find_all(exp.Literal)}


def _conditions(tree: exp.Expr) -> Iterator[exp.Expr]:
    """Yield what limits rows: every comparison that is not one of two columns, and each truth value of a column."""
    for node in tree.find_all(exp.Predicate):
        sides = (node.this, node.args.get("expression"))
        if not (isinstance(node, exp.EQ) and all(isinstance(side, exp.Column) for side in sides)):
            yield node
    for where in tree.find_all(exp.Where):
        parts = where.this.flatten() if isinstance(where.this, exp.Connector) else [where.this]
        yield from (part for part in parts if isinstance(part.unnest(), exp.Column | exp.Not))


def _known_values(text: str, schema: SourceSchema) -> Iterator[_Name]:
    """Return the values in the columns' samples that the question contains as words."""
    lower, words = text.casefold(), _schema_words(schema)
    holders: dict[str, set[str]] = {}
    for table in schema.tables:
        for column in table.columns:
            for sample in column.samples:
                if (value := sample.casefold().strip()) in lower:
                    holders.setdefault(value, set()).add(column.name.casefold())
    for value, columns in holders.items():
        ends = r"(?:s|es)?(?!\w)" if value.isascii() else ""
        start = r"(?<!\w)" if value.isascii() else ""
        found = re.search(f"{start}{re.escape(value)}{ends}", lower, re.ASCII)
        if found and _is_telling(value) and not _are_of_schema(_parts(value), words):
            yield _Name(text[found.start() : found.start() + len(value)], frozenset(columns))


def _is_telling(value: str) -> bool:
    letters = sum(character.isalpha() for character in value)
    return letters >= (MIN_LETTERS if value.isascii() else MIN_CHINESE) and value not in _NO_NAMES


def _capitalised(text: str, schema: SourceSchema) -> Iterator[_Name]:
    """Yield runs of capitalised words inside of sentences; none of a title, where all but small words have capitals."""
    if all(word[0].isupper() or word in _SMALL_WORDS for word in _WORD.findall(text)):
        return
    known = _schema_words(schema)
    for run in _RUN.finditer(text):
        parts = run[0].split(" ")
        if _starts_sentence(text[: run.start()]):
            parts = parts[1:]
        named = [part for part in parts if part.casefold() not in _NO_NAMES and not _are_of_schema([part], known)]
        if named:
            yield _Name(" ".join(named))


def _starts_sentence(before: str) -> bool:
    """Whether what comes next is the first word of a sentence."""
    words = before.rstrip()
    return not words or words.endswith(_ENDS_SENTENCE) or "\n" in before[len(words) :]


def _chinese(text: str, schema: SourceSchema) -> Iterator[_Name]:
    known = _schema_words(schema)
    for found in _CHINESE_NAME.finditer(text):
        if not _ASKS.search(found[1]) and not _are_of_schema([found[1]], known):
            yield _Name(found[1])


def _schema_words(schema: SourceSchema) -> set[str]:
    """Return the words of which the names and comments of tables and columns consist, without their plural."""
    named = [table.name for table in schema.tables]
    for table in schema.tables:
        named += [text for column in table.columns for text in (column.name, column.comment)]
    return {_stem(part) for name in named for part in _parts(name)}


def _parts(name: str) -> list[str]:
    return _PARTS.findall(name)


def _stem(word: str) -> str:
    lower = word.casefold()
    return lower.removesuffix("s").removesuffix("e") if len(lower) > MIN_LETTERS else lower


def _are_of_schema(words: Iterable[str], known: set[str]) -> bool:
    return all(_stem(word) in known for word in words)
