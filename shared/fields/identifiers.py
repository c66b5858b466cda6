"""Identifiers: ASCII names of fields and parameters that Java accepts, derived from the wording on the form."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Mapping

from ..language import normalized_characters
from .vocabulary import COLUMN_TERMS, SECTION_TERMS, SIMPLIFIED, TERMS, WORDS

MAX_IDENTIFIER_CHARS = 40
MAX_REPORT_NAME_CHARS = 60
MAX_PINYIN_SYLLABLES = 4
"""Pinyin of more syllables can no longer be read."""
MAX_UNKNOWN_SHARE = 0.34
"""A label of which a larger share is in no known word is not translated."""
MAX_WORDS = 4
MAX_LABEL_CHARS = 200
"""Characters of a label that its name is made of; splitting a label into words takes time by the square of them."""
_BOX_NUMBER = re.compile(r"^\s*\d{1,2}[A-Za-z]?\s?[.)]\s*(?=[^\W\d_]{2})")
MAX_SECTION_WORDS = 2
"""Words of a heading in front of the word for a section, at most."""
_SECTION_NOUN = re.compile(r"(?<!\s)\s*(?:\b(?:details?|information|info|data|particulars)|信息|资料|情况|情報)$")
_FILLERS = frozenset("的之及与和或等第各每所双方地")
"""Characters that a name can do without."""

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


def is_known_wording(text: str) -> bool:
    """Whether a text is wording that the vocabulary has a name for, and nothing else."""
    wording = _normalized(text[:MAX_LABEL_CHARS])
    return wording in TERMS or wording in COLUMN_TERMS or wording in WORDS


def without_number(label: str) -> str:
    """Return a label without the number of its box on the form, as in ``4. Port of loading``."""
    return _BOX_NUMBER.sub("", label)


def plain_label(text: str) -> str:
    """Return the wording of a label without the colon or sign at its end."""
    return text.strip().rstrip(":：#").strip()


def section_name(heading: str) -> str:
    """Return the name of the section that a heading heads: its term, else the words before ``details`` or ``信息``.

    It is empty for any other wording.
    """
    wording = _normalized(without_number(heading[:MAX_LABEL_CHARS]))
    if term := SECTION_TERMS.get(wording) or _term_of_a_part(wording, SECTION_TERMS):
        return term
    matter = _SECTION_NOUN.sub("", wording)
    if not matter or matter == wording:
        return ""
    stem = SECTION_TERMS.get(matter) or re.sub(r"[^a-z0-9]+", "_", _transliterated(matter).lower()).strip("_")
    is_short = len(stem.split("_")) <= MAX_SECTION_WORDS and not stem[:1].isdigit()
    return stem if is_short else ""


def _identifier(label: str, terms: Mapping[str, str]) -> str:
    wording = _normalized(without_number(label[:MAX_LABEL_CHARS]))
    stem = terms.get(wording) or _term_of_a_part(wording, terms) or _transliterated(wording)
    stem = _shortened(re.sub(r"[^a-z0-9]+", "_", stem.lower()).strip("_"))
    if not stem:
        return ""
    if stem[0].isdigit():
        stem = f"n{stem}"
    return stem


def _shortened(stem: str) -> str:
    """The first words of a stem, as many as fit."""
    if len(stem) <= MAX_IDENTIFIER_CHARS:
        return stem
    words, _, rest = stem[: MAX_IDENTIFIER_CHARS + 1].rpartition("_")
    return words or rest[:MAX_IDENTIFIER_CHARS]


def _normalized(label: str) -> str:
    """The label without punctuation, remarks in brackets and spaces between Chinese characters.

    Whether an amount is in words or in figures (大写, 小写) is no remark.
    """
    text = normalized_characters(label).strip().casefold().translate(SIMPLIFIED)
    text = re.sub(r"[(（](大写|小写)[)）]", r"\1", text)
    text = re.sub(r"[(\[（【][^)\]）】]{,200}[)\]）】]", " ", text) or text
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
    """The label's Latin words without accents, else the English of its Chinese words, else a short label in pinyin."""
    chinese = re.findall(r"[\u3400-\u9fff]+", wording)
    latin = unicodedata.normalize("NFKD", re.sub(r"[\u3400-\u9fff]+", " ", wording)).encode("ascii", "ignore").decode()
    if re.search(r"[a-z]{2}", latin):
        return latin
    joined = "".join(chinese)
    if english := translated(joined):
        return english
    if joined and len(joined) <= MAX_PINYIN_SYLLABLES:
        from pypinyin import Style, lazy_pinyin  # noqa: PLC0415 - slow, and few labels are all unknown words

        return "_".join(lazy_pinyin(joined, style=Style.NORMAL, errors="ignore"))
    return latin


def translated(chinese: str) -> str:
    """Return the English of the words that a Chinese or Japanese label is made of; empty where too few are known.

    The label is split so that as few characters as possible, and then as few words as possible, are left.
    """
    best: list[tuple[int, int, tuple[str, ...]]] = [(0, 0, ())]
    for end in range(1, len(chinese) + 1):
        unknown, count, words = best[end - 1]
        options = [(unknown + (chinese[end - 1] not in _FILLERS), count, words)]
        for start in range(end):
            if word := WORDS.get(chinese[start:end]):
                unknown, count, words = best[start]
                options.append((unknown, count + 1, (*words, word)))
        best.append(min(options, key=lambda option: option[:2]))
    unknown, _, words = best[-1]
    if unknown > MAX_UNKNOWN_SHARE * len(chinese):
        return ""
    return "_".join(dict.fromkeys(words[-MAX_WORDS:]))
