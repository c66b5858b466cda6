"""Typing errors in the English words of a description: "regoin", "recieved", "departement".

A word is corrected only where it is no word of reports, and where the error is one that hands make: two letters
swapped, a letter doubled or single, or one or two wrong letters in a long word. Another form of a word is no error:
"deliveries" beside "delivered". What was corrected is said.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from rapidfuzz.distance import OSA

from bandsmith.shared.fields.vocabulary import COLUMN_TERMS

MIN_CHARS, LONG_CHARS = 5, 9
"""Shorter words are too like each other; words from the second length on may have two wrong letters."""
_USUAL = {
    "colum": "column", "colums": "columns", "collum": "column", "collums": "columns", "coloumn": "column",
    "coloumns": "columns", "ammount": "amount", "amout": "amount", "adress": "address", "adresses": "addresses",
    "invoce": "invoice", "seperate": "separate", "seperately": "separately", "suplier": "supplier",
    "custmer": "customer", "signiture": "signature", "signitures": "signatures", "delivary": "delivery",
    "purchace": "purchase", "teh": "the", "pls": "please", "wich": "which",
    "shoud": "should", "folowing": "following", "quanity": "quantity",
}  # fmt: skip
_NO_ERRORS = frozenset({"pls"})
"""What is corrected without being said."""
_OTHER_WORDS = frozenset({"consulting"})
"""Words that are like one of reports, and none of their forms."""
_ENDINGS = ("ies", "ied", "ing", "es", "ed", "er", "or", "ly", "s", "d", "e", "y")
MAX_ENDINGS = 3
"""Endings one behind the other, as in "deliver-er-s"."""
_WORD = re.compile(r"(?<![\w.@/-])[A-Za-z]{3,}(?![\w@/-])")


def corrected(text: str) -> tuple[str, list[tuple[str, str]]]:
    """Return a masked description with its typing errors corrected, and each of them with its correction."""
    made: dict[str, str] = {}

    def replaced(found: re.Match[str]) -> str:
        word = found[0]
        right = _right(word.casefold())
        if right is None:
            return word
        if word.casefold() not in _NO_ERRORS:
            made[word] = right
        return right.capitalize() if word[0].isupper() else right

    return _WORD.sub(replaced, text), list(made.items())


@cache
def _right(word: str) -> str | None:
    """Return the one word of reports that a word is a typing error of; None for any other word."""
    if word in _USUAL:
        return _USUAL[word]
    known = _known()
    if (
        len(word) < MIN_CHARS
        or word in _OTHER_WORDS
        or {word, word.removesuffix("s"), word.removesuffix("es"), f"{word}s"} & known
    ):
        return None
    likely = [other for other in known if other[0] == word[0] and len(other) >= MIN_CHARS and _is_slip(word, other)]
    return likely[0] if len(likely) == 1 else None


def _is_slip(word: str, other: str) -> bool:
    if _stem(word) == _stem(other):
        return False
    distance = OSA.distance(word, other, score_cutoff=2)
    is_swapped = distance == 1 and len(word) == len(other) and sorted(word) == sorted(other)
    is_doubled = distance == 1 and re.sub(r"(.)\1", r"\1", word) == re.sub(r"(.)\1", r"\1", other)
    return is_swapped or is_doubled or (len(word) >= LONG_CHARS and distance <= 2 and word[:2] == other[:2])


def _stem(word: str) -> str:
    """Return a word without its endings."""
    for _ in range(MAX_ENDINGS):
        word = next((word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending)), word)
    return word


@cache
def _known() -> frozenset[str]:
    """Return the English words of columns, of standard reports and of the templates that descriptions are read by."""
    folder = Path(__file__).parent
    texts = [path.read_text(encoding="utf-8") for path in folder.parent.glob("templates/en/spec_*.toml")]
    texts += [(folder / "catalogue.toml").read_text(encoding="utf-8"), "\n".join(COLUMN_TERMS)]
    return frozenset(word for text in texts for word in re.findall(r"[a-z]{3,}", text.casefold()))
