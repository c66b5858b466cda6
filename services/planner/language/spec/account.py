"""Account for every word of a request in a report spec that a language model wrote, and say what is not in it.

Theory of operation
===================

A model that plans a report leaves out what a spec cannot hold, and says nothing of it. So the request is read again,
against the spec:

- *Features* are words that ask for more than a name: "barcode", "red", "two across", "landscape". ``FEATURES`` says
  for each kind when a spec has it. What it has not is missing, whatever the model claims.
- Numbers and quotations of the request have to stand in the spec.
- Of each *item*, which is a clause or an entry of a list, some word that names something has to stand in the spec.

What the model quotes as `not_held` is accounted for: it is done as a change of the finished report. What it quotes as
said in other words is taken for held, unless it is a feature whose words stand nowhere in the spec. Quotations that
follow each other in the request count as one.

``templates/*/spec_account.toml`` says which words are features, and which name nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.model.spec import Column, ReportSpec

from ..request_clauses import SplitRequest
from ..sentence_templates import phrases
from .tables import extract_table

SUBJECT = "spec_account"
MAX_REQUEST_CHARS = 4_000
"""Characters of a request that are accounted for."""
MAX_MISSING = 12
"""Parts of a request that are reported."""
MAX_PART_CHARS = 160
MIN_SHARE = 0.5
"""Share of the Chinese characters of an item that stand in the spec, from which on it is held."""
MAX_STEM_CHARS = 5
"""How much of an English word has to be the same: `participants` is held by `participant`."""

_KINDS = frozenset({
    "type", "total", "kind", "orientation", "operator", "title_align", "side", "language", "running", "sums_up",
})  # fmt: skip
"""Fields of a spec whose values are no words of the report."""
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\d]*(?:st|nd|rd|th)\b)|(?<=[\u3400-\u9fff×xX])\d+(?:\.\d+)?")
_ENTRY = re.compile(r"[、\n|]|[,，;；:：](?!\d{3}\b)|\s/\s|(?<=[\u3400-\u9fff)）])[ \t\u3000]+(?=[\u3400-\u9fff])")
_WORD = re.compile(r"[A-Za-z][A-Za-z]+|\d+")
_ENTRY_MARKS = " \t.,;:。，；：()（）“”"
_MARKS = " \t\n,，;；。.!！?？~～"
_BETWEEN = " ,，;；:：、.。!！?？~～"
"""Marks between two quotations that are one."""
COUNTED = frozenset(map(Decimal, (1, 2, 3, 4, 5)))
"""What people say of rows that are numbered: "1, 2, 3"."""
_HAN = re.compile(r"[\u3400-\u9fff]+")


@dataclass(frozen=True)
class _Feature:
    """When a spec has what the words of a feature ask for."""

    is_held: Callable[[ReportSpec], bool]
    may_be_name: bool = True
    """Whether its words may also be part of a name, so that they are held where they stand in the spec."""


def _never(spec: ReportSpec) -> bool:
    return False


def _always(spec: ReportSpec) -> bool:
    return True


def _has_places(spec: ReportSpec) -> bool:
    lines = (*spec.header_fields, *spec.closing)
    return spec.title_align != "auto" or any(line.side != "auto" for line in lines)


def _is_total(column: Column) -> bool:
    """Whether a column has a total below it, or is the sum of others in each row."""
    return column.total != "none" or (column.computed is not None and column.computed.operator == "+")


def _has_boxes(spec: ReportSpec) -> bool:
    values = (line.value or "" for line in (*spec.header_fields, *spec.closing))
    is_printed = any(
        "□" in text for text in (*values, *spec.closing_texts, *(cell for row in spec.rows for cell in row))
    )
    return is_printed or "tick" in {
        *(column.type for column in spec.columns), *(line.type for line in spec.header_fields)
    }  # fmt: skip


FEATURES: Mapping[str, _Feature] = {
    "barcode": _Feature(_never, may_be_name=False),
    "colour": _Feature(_never),
    "weight": _Feature(_never),
    "size": _Feature(lambda spec: any(line.size for line in (*spec.header_fields, *spec.closing))),
    "place": _Feature(_has_places),
    "across": _Feature(_never, may_be_name=False),
    "tick": _Feature(_has_boxes, may_be_name=False),
    "picture": _Feature(_never),
    "border": _Feature(_always),
    "line_style": _Feature(_never),
    "stripes": _Feature(_never, may_be_name=False),
    "typeface": _Feature(lambda spec: any(line.size for line in (*spec.header_fields, *spec.closing))),
    "pattern": _Feature(lambda spec: any(column.pattern for column in spec.columns)),
    "landscape": _Feature(lambda spec: spec.page.orientation == "landscape" or _is_wide(spec), may_be_name=False),
    "portrait": _Feature(lambda spec: spec.page.orientation == "portrait", may_be_name=False),
    "page_number": _Feature(lambda spec: spec.page_numbers),
    "order": _Feature(lambda spec: bool(spec.sort)),
    "group": _Feature(lambda spec: bool(spec.group_by)),
    "new_page": _Feature(lambda spec: spec.group_pages),
    "total": _Feature(lambda spec: bool(spec.summary) or any(map(_is_total, spec.columns))),
    "average": _Feature(lambda spec: any(column.total == "average" for column in spec.columns)),
    "running": _Feature(
        lambda spec: any(column.running or column.numbered for column in spec.columns), may_be_name=False
    ),
    "blank_rows": _Feature(lambda spec: spec.blank_rows > 0),
    "signed": _Feature(lambda spec: bool(spec.signatures)),
    "highlight": _Feature(_never),
    "only": _Feature(_never),
    "export": _Feature(_never),
    "delivery": _Feature(_never, may_be_name=False),
    "copies": _Feature(_never),
    "link": _Feature(_never),
    "folded": _Feature(_never, may_be_name=False),
}
"""The features by their rule."""
OUTSIDE = frozenset({"picture", "export", "delivery", "folded"})
"""What no spec and hardly any change does."""
NEVER_NAMES = frozenset({"barcode", "across", "tick", "running"})
RULES = frozenset({*FEATURES, "negation", "small"})


@dataclass(frozen=True)
class Account:
    """What a spec lacks of a request."""

    features: list[str]
    """Clauses with words that ask for what the spec has not."""
    names: list[str]
    """Clauses and entries of lists of which no word stands in the spec."""

    @property
    def missing(self) -> list[str]:
        return [*self.features, *(name for name in self.names if not any(name in one for one in self.features))]


def account(
    request: str,
    spec: ReportSpec,
    not_held: Sequence[str] = (),
    in_other_words: Sequence[str] = (),
    besides: Collection[str] = (),
) -> Account:
    """Return what of a request a spec does not have and the model's answer does not quote.

    The features of the rules `besides` are accounted for elsewhere.
    """
    split = SplitRequest(extract_table(request)[1][:MAX_REQUEST_CHARS])
    words, numbers = _content(spec)
    left = _with_joined(request, not_held)
    otherwise = _with_joined(request, [*not_held, *in_other_words])
    elsewhere = _with_joined(request, in_other_words)
    features, names = list[str](), list[str]()
    for part in split.parts:
        raw = split.text[part.start : part.end].strip(_MARKS)
        clause = split.as_written(raw)
        if _is_quoted(clause, left):
            continue
        asked = [*_features(clause, spec, words, FEATURES.keys() - besides), *_numbers(clause, numbers, words)]
        if _is_quoted(clause, elsewhere):
            asked = [said for said in asked if _plain(said) not in words]
        if any(not _is_quoted(phrase, left) for phrase in asked) or _lost_quotations(split, raw, words, left):
            features.append(clause[:MAX_PART_CHARS])
        names += [
            entry for entry in _entries(clause) if not _is_held(entry, words) and not _is_quoted(entry, otherwise)
        ]
    return Account(list(dict.fromkeys(features))[:MAX_MISSING], list(dict.fromkeys(names))[:MAX_MISSING])


def misread(request: str, spec: ReportSpec) -> list[str]:
    """Return the clauses that rules took for names although no name has such words: `ok (tick box)`."""
    split, words = SplitRequest(request[:MAX_REQUEST_CHARS]), _content(spec)[0]
    clauses = [split.as_written(split.text[part.start : part.end]) for part in split.parts]
    return [clause for clause in clauses if any(_features(clause, spec, words, NEVER_NAMES))]


def quoted_parts(request: str, parts: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the parts that a request has word for word, and the other parts."""
    text = _plain(request)
    parts = [" ".join(part.split()) for part in parts if part.strip()]
    return [part for part in parts if _plain(part) in text], [part for part in parts if _plain(part) not in text]


# --- what a spec holds -----------------------------------------------------------------------------------------------


def _content(spec: ReportSpec) -> tuple[str, set[Decimal]]:
    """Return the words of a spec, and its numbers with the lengths of its lists."""
    words, numbers = list[str](), set[Decimal]()
    for value in _leaves(spec.model_dump()):
        if isinstance(value, str):
            words.append(value)
        else:
            numbers.add(Decimal(str(value)))
            words.append(str(value))
    counted = COUNTED if any(column.numbered for column in spec.columns) else frozenset[Decimal]()
    return _plain(" \n ".join(words)), numbers | counted | {Decimal(len(spec.group_by))}


def _leaves(value: Any) -> Iterator[str | int | float | Decimal]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if name not in _KINDS:
                yield from _leaves(inner)
    elif isinstance(value, list | tuple):
        yield len(value)
        for inner in value:
            yield from _leaves(inner)
    elif value is not None and not isinstance(value, bool):
        yield value


def _is_wide(spec: ReportSpec) -> bool:
    page = spec.page
    return bool(page.width_mm and page.height_mm and page.width_mm > page.height_mm)


# --- what a clause asks for ------------------------------------------------------------------------------------------


def _features(clause: str, spec: ReportSpec, words: str, rules: Collection[str]) -> Iterator[str]:
    """Yield the words of a clause that ask for what a spec has not, by the features of some rules."""
    for rule in rules:
        feature = FEATURES[rule]
        for phrase in phrases(SUBJECT, rule, clause):
            said = clause[phrase.start : phrase.end]
            if rule == "barcode" and _names_a_column(clause, said, spec):
                continue
            if _is_negated(clause[: phrase.start]):
                is_held = not feature.is_held(spec) or (rule == "total" and not spec.grand_total)
            else:
                is_held = feature.is_held(spec) or (feature.may_be_name and _plain(said) in words)
            if not is_held:
                yield said


def _names_a_column(clause: str, said: str, spec: ReportSpec) -> bool:
    """Whether words are an entry of a list and a column's heading: the number of a barcode, not a drawn one."""
    labels = {_plain(column.label) for column in spec.columns}
    entries = {_plain(part.strip(_ENTRY_MARKS)) for part in _ENTRY.split(clause)}
    return _plain(said) in entries & labels


def _is_negated(before: str) -> bool:
    negations = phrases(SUBJECT, "negation", before)
    return any(one.end >= len(before.rstrip()) and not before[: one.start].endswith("/") for one in negations)


def _numbers(clause: str, numbers: set[Decimal], words: str) -> Iterator[str]:
    """Yield the numbers of a clause that stand nowhere in a spec. A percentage may stand there as a factor."""
    for found in _NUMBER.finditer(clause):
        value = Decimal(found[0].replace(",", ""))
        if not {value, value / 100} & numbers and not re.search(rf"(?<!\d){re.escape(found[0])}(?!\d)", words):
            factor = f"{value / 100:f}".rstrip("0").rstrip(".")
            if not re.search(rf"(?<!\d){re.escape(factor)}0*(?!\d)", words):
                yield found[0]


def _lost_quotations(split: SplitRequest, raw: str, words: str, left: Sequence[str]) -> bool:
    """Whether a quotation of a clause stands neither in the spec nor in what the model quotes."""
    quotes = [split.quotes[ord(char) - 0xE000] for char in raw if 0xE000 <= ord(char) < 0xE000 + len(split.quotes)]
    return any(_plain(quote) not in words and not any(_plain(quote) in part for part in left) for quote in quotes)


def _entries(clause: str) -> Iterator[str]:
    """Yield the entries of the list that a clause may be, if they name something and ask for no feature."""
    for part in _ENTRY.split(clause):
        entry = part.strip(_ENTRY_MARKS)
        if entry and not any(phrases(SUBJECT, rule, entry) for rule in FEATURES):
            yield entry


def _is_held(entry: str, words: str) -> bool:
    """Whether some word of an entry that names something stands in a spec, or none names anything."""
    small = phrases(SUBJECT, "small", entry)
    rest = "".join(
        " " if any(phrase.start <= n < phrase.end for phrase in small) else char for n, char in enumerate(entry)
    )
    names = [word.casefold()[:MAX_STEM_CHARS] for word in _WORD.findall(rest)]
    chinese = [char for run in _HAN.findall(rest) for char in run]
    if any(re.search(rf"(?<![a-z\d]){re.escape(name)}", words) for name in names):
        return True
    if chinese:
        return sum(char in words for char in chinese) / len(chinese) >= MIN_SHARE
    return not names


def _is_quoted(part: str, quotes: Sequence[str]) -> bool:
    plain = _plain(part)
    return any(
        plain in quote or (len(quote) > 1 and quote in plain and len(quote) * 2 >= len(plain)) for quote in quotes
    )


def _with_joined(request: str, parts: Iterable[str]) -> list[str]:
    """Return plain quotations; neighbours in the request with only marks between them are joined to one.

    A model quotes a sentence in pieces, such as what stands before a colon and what stands behind it.
    """
    text, quotes = _plain(request), [plain for part in parts if (plain := _plain(part))]
    longer = [quote for quote in quotes if len(quote) > 1]
    spans = sorted((found.start(), found.end()) for quote in longer for found in re.finditer(re.escape(quote), text))
    runs: list[tuple[int, int]] = []
    for start, end in spans:
        if runs and not text[runs[-1][1] : start].strip(_BETWEEN):
            runs[-1] = runs[-1][0], max(end, runs[-1][1])
        else:
            runs.append((start, end))
    return list(dict.fromkeys([*quotes, *(text[start:end] for start, end in runs)]))


def _plain(text: str) -> str:
    """Return a text without blanks around Chinese characters, marks of quotation and capital letters."""
    text = " ".join(re.sub(r"[“”「」『』《》‘’\"'`]", "", text).casefold().split())
    return "".join(char for n, char in enumerate(text) if char != " " or not _stands_by_chinese(text, n))


def _stands_by_chinese(text: str, at: int) -> bool:
    return is_cjk(text[at - 1 : at] or "a") or is_cjk(text[at + 1 : at + 2] or "a")
