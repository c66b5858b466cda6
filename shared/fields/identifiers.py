"""Names: Java-safe ASCII identifiers for fields and parameters, from the wording on the form."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Mapping

from pypinyin import Style, lazy_pinyin

from .vocabulary import COLUMN_TERMS, TERMS

LONGEST = 40

_RESERVED = frozenset({
    "abstract", "assert", "boolean", "break", "byte", "case", "catch", "char", "class", "const", "continue",
    "default", "do", "double", "else", "enum", "extends", "final", "finally", "float", "for", "goto", "if",
    "implements", "import", "instanceof", "int", "interface", "long", "native", "new", "package", "private",
    "protected", "public", "return", "short", "static", "strictfp", "super", "switch", "synchronized", "this",
    "throw", "throws", "transient", "try", "void", "volatile", "while", "true", "false", "null", "var", "record",
    "yield",
})  # fmt: skip
"""Words that Java keeps for itself."""


def name_for(label: str | None, fallback: str, taken: Container[str], column: bool = False) -> str:
    """A name that is not in `taken`: the label's business term, else its words, else its pinyin, else `fallback`.

    `column` says that the label heads the column of a table.
    """
    return unused(_identifier(label or "", COLUMN_TERMS if column else TERMS) or fallback, taken)


def unused(stem: str, taken: Container[str]) -> str:
    """An identifier that is not in `taken`: itself, else with a number behind it; a word of Java's own with a mark."""
    stem = f"{stem}_" if stem in _RESERVED else stem
    name, number = stem, 1
    while name in taken:
        number += 1
        name = f"{stem}_{number}"
    return name


def report_name(name: str) -> str:
    """A report's name from a file's: letters, digits, dashes and underscores of any language, at most 60."""
    return re.sub(r"[^\w-]+", "_", name).strip("_")[:60] or "report"


def _identifier(label: str, terms: Mapping[str, str]) -> str:
    wording = _bare(label)
    stem = terms.get(wording) or _by_parts(wording, terms) or _spelled(wording)
    stem = re.sub(r"[^a-z0-9]+", "_", stem.lower()).strip("_")[:LONGEST].strip("_")
    if not stem:
        return ""
    if stem[0].isdigit():
        stem = f"n{stem}"
    return stem


def _bare(label: str) -> str:
    """A label without marks, blanks between Chinese characters and remarks in brackets."""
    text = unicodedata.normalize("NFKC", label).strip().casefold()
    text = re.sub(r"[(\[（【][^)\]）】]*[)\]）】]", " ", text) or text
    text = re.sub(r"(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])", "", text)
    return re.sub(r"[\s:;*.,、。_]+", " ", text).strip(" /|-#№")


def _by_parts(wording: str, terms: Mapping[str, str]) -> str:
    """A label in two languages is named by the part that is a term."""
    for part in re.split(r"[/|\n]| - ", wording):
        if term := terms.get(part.strip()):
            return term
    chinese = "".join(re.findall(r"[\u3400-\u9fff]+", wording))
    latin = re.sub(r"[\u3400-\u9fff]+", " ", wording).strip()
    return terms.get(chinese, "") or (terms.get(latin, "") if chinese else "")


def _spelled(wording: str) -> str:
    chinese = re.findall(r"[\u3400-\u9fff]+", wording)
    latin = unicodedata.normalize("NFKD", re.sub(r"[\u3400-\u9fff]+", " ", wording)).encode("ascii", "ignore").decode()
    if re.search(r"[a-z]{2}", latin):
        return latin
    if chinese:
        return "_".join(lazy_pinyin("".join(chinese), style=Style.NORMAL, errors="ignore")[:6])
    return latin
