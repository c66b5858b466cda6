"""Which tables of a large source a question is about, so that a model sees those and not all of them.

Theory of operation
===================

A table is a document: the words of its name, of the names and comments of its columns, and of the values that are shown
of them. The question is matched with these documents by BM25, where the words of the table's own name count most. An
identifier is several words (``order_lines``, ``OrderLine``), and a plural is its singular. Chinese is segmented. A word
of the question also finds its translations, by a glossary of words that databases have; of a word and its translations,
the one that fits a table best counts.

What the words find is not enough: the table between customers and products may have none of them. So the tables on the
shortest paths of keys between the best ones come next, then the others that the words found, by their score, up to a
limit of characters. Recall comes before precision: a table too many costs some characters, one that is missing the
answer.
"""

from __future__ import annotations

import logging
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import log
from typing import NamedTuple

import sqlglot
from sqlglot import exp

from bandsmith.shared.model.source import Dialect, SourceSchema, SourceTable, qualified
from bandsmith.shared.model.source_text import table_text

from .glossary import translations

MAX_SHOWN_CHARS = 24_000
"""Characters of the tables that a model sees of a source that is too large to be shown whole."""
MAX_SEEDS = 6
"""Tables whose connections are looked for."""
MAX_PATH = 3
"""Keys between two of them."""
NAME_WEIGHT = 4
"""What a word of a table's own name counts, in words of its columns."""
MAX_CHINESE_WORD = 5
"""Letters of the longest Chinese words of the glossary."""
K1, B = 1.2, 0.6
"""BM25: how soon a word that comes again counts less, and how much a long document does."""
IDENTIFIER = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[\u3400-\u9fff]+")
STOP = frozenset((
    "a", "an", "and", "are", "as", "at", "be", "by", "did", "do", "does", "each", "for", "from", "has",
    "have", "how", "in", "is", "it", "its", "list", "many", "me", "more", "most", "much", "of", "on",
    "or", "our", "over", "per", "show", "than", "that", "the", "their", "there", "these", "this",
    "those", "to", "was", "we", "were", "what", "when", "where", "which", "who", "whose", "with", "all",
    "any", "give", "find", "name", "names", "id", "ids", "的", "是", "了", "在", "和", "有", "哪", "哪些", "多少",
    "什么", "请", "列出", "每", "个", "每个", "几", "与", "及",
))  # fmt: skip
"""Words that say nothing about a table."""


class _Match(NamedTuple):
    table: SourceTable
    score: float


def is_large(schema: SourceSchema) -> bool:
    """Return whether a source has more than a model is shown for a question."""
    return sum(len(table_text(table)) for table in schema.tables) > MAX_SHOWN_CHARS


def tables_in(query: str, dialect: Dialect) -> list[str]:
    """Return the names in FROM of a query that passed the checks."""
    if not query:
        return []
    return [qualified(one.db, one.name) for one in sqlglot.parse_one(query, dialect=dialect).find_all(exp.Table)]


def recalled_tables(schema: SourceSchema, texts: Sequence[str], named: Iterable[str] = ()) -> list[str]:
    """Return the names of the tables that a model is shown for a question; none if all of them can be shown.

    `named` are tables that belong to it anyway, such as those of the question before.
    """
    if not is_large(schema):
        return []
    sizes = {table.name: len(table_text(table)) for table in schema.tables}
    first = [known.name for name in named if (known := schema.table(name)) is not None]
    matches = matching_tables(schema, " ".join(texts))
    seeds = [*first, *(match.table.name for match in matches)][:MAX_SEEDS]
    order = dict.fromkeys([*seeds, *_between(seeds, neighbours(schema)), *(match.table.name for match in matches)])
    shown, left = list[str](), MAX_SHOWN_CHARS
    for name in order:
        if sizes[name] <= left or not shown:
            shown.append(name)
            left -= sizes[name]
    return shown


# --- by words ---------------------------------------------------------------------------------------------------------


def matching_tables(schema: SourceSchema, text: str) -> list[_Match]:
    """Return the tables that share a word with the question, the best first."""
    meanings = _meanings(text)
    wanted = set().union(*meanings)
    documents = [_document(table) for table in schema.tables]
    mean = sum(document.total() for document in documents) / max(1, len(documents))
    holders = Counter(word for document in documents for word in document.keys() & wanted)
    weights = {word: log(1 + (len(documents) - count + 0.5) / (count + 0.5)) for word, count in holders.items()}
    found = [
        _Match(table, sum(_best_score(document, words, weights, mean) for words in meanings))
        for table, document in zip(schema.tables, documents, strict=True)
    ]
    return sorted((match for match in found if match.score > 0), key=lambda match: -match.score)


def _meanings(text: str) -> list[frozenset[str]]:
    """Return each word of a question that says something about a table, with its translations."""
    words = set(words_of(text)) - STOP
    translated = translations(words | _known_parts(text))
    return [frozenset({word, *translated.get(word, ())} - STOP) for word in sorted(words | translated.keys())]


def _known_parts(text: str) -> set[str]:
    """Return all parts of the Chinese in a text that may be words of the glossary: a segmentation may join them."""
    runs = [run for run in IDENTIFIER.findall(text) if "\u3400" <= run[0] <= "\u9fff"]
    ends = range(2, MAX_CHINESE_WORD + 1)
    return {run[start : start + size] for run in runs for start in range(len(run)) for size in ends}


def _best_score(document: Counter[str], words: frozenset[str], weights: Mapping[str, float], mean: float) -> float:
    return max((_score(document, word, weights, mean) for word in document.keys() & words), default=0)


def _score(document: Counter[str], word: str, weights: Mapping[str, float], mean: float) -> float:
    count = document[word]
    return weights[word] * count * (K1 + 1) / (count + K1 * (1 - B + B * document.total() / mean))


def _document(table: SourceTable) -> Counter[str]:
    words = Counter(words_of(table.name) * NAME_WEIGHT)
    words.update(words_of(table.comment) * NAME_WEIGHT)
    for column in table.columns:
        words.update(words_of(column.name))
        words.update(words_of(column.comment))
        words.update(words_of(" ".join(column.samples)))
    return words


def words_of(text: str) -> list[str]:
    """Return the words of a text or an identifier, in small letters and the singular; Chinese ones as segments."""
    found: list[str] = []
    for part in IDENTIFIER.findall(text):
        if "\u3400" <= part[0] <= "\u9fff":
            found += _segments(part)
        else:
            found.append(singular(part.casefold()))
    return found


def _segments(text: str) -> list[str]:
    import jieba  # noqa: PLC0415 - it takes half a second

    jieba.setLogLevel(logging.ERROR)  # it says on standard error that it loads its dictionary
    return list(jieba.cut_for_search(text))


def singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


# --- by keys ----------------------------------------------------------------------------------------------------------


def neighbours(schema: SourceSchema) -> dict[str, set[str]]:
    """Return the tables that each table is joined with by keys."""
    by_name = {table.name.casefold(): table.name for table in schema.tables}
    edges: dict[str, set[str]] = {table.name: set() for table in schema.tables}
    for table in schema.tables:
        there = {by_name.get(key.table.casefold()) for key in table.foreign_keys}
        for other in there - {None, table.name}:
            assert other is not None
            edges[table.name].add(other)
            edges[other].add(table.name)
    return edges


def _between(seeds: Sequence[str], edges: Mapping[str, set[str]]) -> Iterator[str]:
    """Yield the tables on the shortest paths between the seeds, those of the best seeds first."""
    for start, end in combinations(seeds, 2):
        yield from path_between(start, end, edges)


def path_between(start: str, end: str, edges: Mapping[str, set[str]]) -> list[str]:
    """Return the tables between two; none if no path is short enough."""
    paths = deque([[start]])
    seen = {start}
    while paths:
        path = paths.popleft()
        if path[-1] == end:
            return path[1:-1]
        if len(path) > MAX_PATH:
            continue
        for other in sorted(edges[path[-1]] - seen):
            seen.add(other)
            paths.append([*path, other])
    return []
