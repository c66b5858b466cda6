"""Identifiers: ASCII names of fields and parameters that Java accepts, derived from the wording on the form."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Mapping

from pypinyin import Style, lazy_pinyin

from .vocabulary import COLUMN_TERMS, SIMPLIFIED, TERMS

MAX_IDENTIFIER_CHARS = 40
MAX_REPORT_NAME_CHARS = 60
MAX_PINYIN_SYLLABLES = 6

_RESERVED = frozenset({
    "abstract", "assert", "boolean", "break", "byte", "case", "catch", "char", "class", "const", "continue",
    "default", "do", "double", "else", "enum", "extends", "final", "finally", "float", "for", "goto", "if",
    "implements", "import", "instanceof", "int", "interface", "long", "native", "new", "package", "private",
    "protected", "public", "return", "short", "static", "strictfp", "super", "switch", "synchronized", "this",
    "throw", "throws", "transient", "try", "void", "volatile", "while", "true", "false", "null", "var", "record",
    "yield",
})  # fmt: skip
"""Words that no Java identifier may be."""


def name_for(label: str | None, fallback: str, taken: Container[str], column: bool = False) -> str:
    """Return a name that is not in `taken`: the label's business term, else its words, its pinyin, or `fallback`.

    `column` says that the label heads a column of a table.
    """
    return unique_name(_identifier(label or "", COLUMN_TERMS if column else TERMS) or fallback, taken)


def unique_name(stem: str, taken: Container[str]) -> str:
    """Return an identifier that is not in `taken`: the stem, with a number if necessary.

    A reserved word of Java gets an underscore.
    """
    stem = f"{stem}_" if stem in _RESERVED else stem
    name, number = stem, 1
    while name in taken:
        number += 1
        name = f"{stem}_{number}"
    return name


def report_name(name: str) -> str:
    """Derive a report's name from a file's: letters of any language, digits, dashes and underscores."""
    return re.sub(r"[^\w-]+", "_", name).strip("_")[:MAX_REPORT_NAME_CHARS] or "report"


def _identifier(label: str, terms: Mapping[str, str]) -> str:
    wording = _normalized(label)
    stem = terms.get(wording) or _term_of_a_part(wording, terms) or _transliterated(wording)
    stem = re.sub(r"[^a-z0-9]+", "_", stem.lower()).strip("_")[:MAX_IDENTIFIER_CHARS].strip("_")
    if not stem:
        return ""
    if stem[0].isdigit():
        stem = f"n{stem}"
    return stem


def _normalized(label: str) -> str:
    """The label without punctuation, remarks in brackets and spaces between Chinese characters."""
    text = unicodedata.normalize("NFKC", label).strip().casefold().translate(SIMPLIFIED)
    text = re.sub(r"[(\[（【][^)\]）】]*[)\]）】]", " ", text) or text
    text = re.sub(r"(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])", "", text)
    return re.sub(r"[\s:;*.,、。_]+", " ", text).strip(" /|-#№")


def _term_of_a_part(wording: str, terms: Mapping[str, str]) -> str:
    """The term for one part of a label in two languages; empty where no part is a term."""
    for part in re.split(r"[/|\n]| - ", wording):
        if term := terms.get(part.strip()):
            return term
    chinese = "".join(re.findall(r"[\u3400-\u9fff]+", wording))
    latin = re.sub(r"[\u3400-\u9fff]+", " ", wording).strip()
    return terms.get(chinese, "") or (terms.get(latin, "") if chinese else "")


def _transliterated(wording: str) -> str:
    """The label's Latin words without accents, else its Chinese characters in pinyin."""
    chinese = re.findall(r"[\u3400-\u9fff]+", wording)
    latin = unicodedata.normalize("NFKD", re.sub(r"[\u3400-\u9fff]+", " ", wording)).encode("ascii", "ignore").decode()
    if re.search(r"[a-z]{2}", latin):
        return latin
    if chinese:
        return "_".join(lazy_pinyin("".join(chinese), style=Style.NORMAL, errors="ignore")[:MAX_PINYIN_SYLLABLES])
    return latin
