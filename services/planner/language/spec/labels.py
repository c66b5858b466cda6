"""Labels of columns and of lines: lists of them in running text, and which words can be one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import cast

from bandsmith.shared.fields.vocabulary import COLUMN_TERMS
from bandsmith.shared.model.spec import Kind

from ..sentence_templates import listed as listed_value
from ..sentence_templates import matches, phrases
from .description import is_masked, is_quotation
from .run_together import is_run_of_names, separated

SUBJECT = "spec_labels"
INSTRUCTIONS = ("position", "look", "counting", "furniture", "joining", "verb")
"""The kinds of words that say what to do with names, and are never part of one."""
RULES = frozenset({"label", "noun", "rate", "picked", "about_parts", "more_of", "several", *INSTRUCTIONS})
MAX_LABEL_WORDS, MAX_LABEL_CHARACTERS = 5, 12
"""Maximum English words and Chinese characters of a label; longer text is a sentence."""

MAX_LABEL_CHARS = 200
"""Characters up to which words are looked at as a label. Patterns would take the square of more of them."""

MIN_SEVERAL = 4
"""Words from which on a label that consists of names is several labels."""

_SEPARATOR = re.compile(
    r"(?:(?<!\s)|(?=\S))\s*(?:[,;、\n|]|\s/\s|(?<=[\u3400-\u9fff)])\s*(?:以及|还有|和|与|及|跟)(?=[\u3400-\u9fffA-Z])"
    r"|,?\s+(?:and|&|plus|along with|as well as|together with|then)\s+)\s*",
    re.IGNORECASE,
)
_BLANKS = re.compile(r"([^\S\n])[^\S\n]+")
"""A run of blanks, of which one is enough. The separators would take the square of a longer one."""
_PLUS = re.compile(r"(?<=[A-Za-z])\s+\+\s+(?=[A-Za-z])(?![^()]*\))")
"""Between names, as in `name + street`; in brackets it adds."""
_CHINESE_BLANK = re.compile(r"(?<=[\u3400-\u9fff\d)])[ \t\u3000]+(?=[\u3400-\u9fff])")
_LEADING = re.compile(
    r"^(?:(?:and|or|of|by|the|a|an|their|its|our|my|your|all|also|finally|then|including|following|such as|"
    r"both(?:\s+total)?(?=\s+\w+s$)|"
    r"where(?!\s+(?:\w+ed|found|kept|seen|bought|lost|sold|held|from|to|it|taken|left|made)\b)|"
    r"(?:computed|calculated)(?: one| column| field)?)\s+)+"
    r"|^要(?=[\u3400-\u9fff]{2})(?!要?[求素点货件约价闻])"
    r"|^填上?(?=[\u3400-\u9fff]{2})(?![表报写单制发料充土方空卡])"
    r"|^(?:(?:以及|还有|和|与|及|或|其中|分别是?|例如|包括|包含|列出)(?=[\u3400-\u9fff]{2}))+",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    r"(?:都|放|写)?在表格?[里中内]面?$"
    r"|(?<!\s)\s++(?:columns?|fields?|etc\.?|please|as columns?|too|as well|information)$"
    r"|(?:这|等|几|各|[一二三四五六七八九十两]|\d)*(?:个|项)?(?:几?列|字段|栏目?|信息|等等?|(?<=等)项目?|即可|就行|就可以了?)$",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"(?<!\s)\s*\(([^()]*)\)$")
_STRIPPED_MARKS = " \t-–.:;,。\"“”'‘’*`_"
_NUMBER = re.compile(r"(?<![A-Za-z\d])\d+")
_NUMBERED = re.compile(r"^\s*(?:[-*•·▪◦]|\d{1,2}\s*[.)、:]|\(\d{1,2}\)|[①-⑳])\s*")


def split(text: str) -> list[str]:
    """Return the parts of a list. Separators in brackets do not count; between Chinese words a blank is one."""
    text = _BLANKS.sub(r"\1", text)
    text = text if "=" in text else _PLUS.sub(", ", text)
    protected = re.sub(r"\([^()]*\)", lambda found: re.sub(r"[,;、]", "\x00", found[0]), text)
    protected = _CHINESE_BLANK.sub("、", protected)
    parts = [part.replace("\x00", ",") for part in _SEPARATOR.split(protected) if part and part.strip()]
    return [name for part in parts for name in separated(part)]


def listed(text: str) -> list[str] | None:
    """Return the labels of a list, or None where one part of it is no label."""
    labels = [cleaned(part) for part in split(text)]
    labels = [label for label in labels if label]
    return labels if labels and all(is_label(label) for label in labels) else None


def cleaned(part: str) -> str:
    """Return a label without articles, conjunctions and other words around it."""
    text = part.strip(_STRIPPED_MARKS)
    if len(text) > MAX_LABEL_CHARS:
        return text
    for _ in range(3):
        text = _TRAILING.sub("", _LEADING.sub("", text)).strip(_STRIPPED_MARKS)
    return text


def is_label(text: str) -> bool:
    """Whether words can name a column or a line: a few of them, with none that only a sentence has."""
    if is_quotation(text):
        return True
    if len(text) > MAX_LABEL_CHARS:
        return False
    text, _ = typed(text)
    brackets = _BRACKETS.search(text)
    if brackets and (len(brackets[1]) > MAX_UNIT_CHARS or re.search(r"[,*×+=]|\d%", brackets[1])):
        return False
    bare = _BRACKETS.sub("", text)
    if re.search(r"[=+*×÷<>]|\d\s*[-~至到]\s*\d|--|\d\.\d", bare) or len(_NUMBER.findall(bare)) > 1:
        return False
    if is_masked(bare) or not _is_short(bare) or not re.search(r"[^\W\d]|[#%]", bare):
        return False
    if any(True for _ in matches(SUBJECT, "label", bare)):
        return True
    if _is_several(bare) or is_run_of_names(bare):
        return False
    return not holds_instruction(bare)


def _is_several(words: str) -> bool:
    """Whether words are names without marks between them: `name street town postcode`, `name ext mobile`.

    Of three words, the first has to be a name that hardly ever begins a longer one.
    """
    parts = words.casefold().split()
    if len(parts) == MIN_SEVERAL - 1:
        return listed_value(SUBJECT, "whole", parts[0]) is not None and parts[-1] in COLUMN_TERMS
    return len(parts) >= MIN_SEVERAL and sum(part in COLUMN_TERMS for part in parts) >= MIN_SEVERAL - 1


def holds_instruction(words: str, kinds: Sequence[str] = INSTRUCTIONS) -> bool:
    """Whether words say what to do with names: where they stand, how they look, how many there are, and so on.

    Such a word does not count inside a noun that has it, as "left" in "days left" and 左 in 左眼.
    """
    nouns = phrases(SUBJECT, "noun", words)
    return any(
        not any(noun.start <= phrase.start and phrase.end <= noun.end for noun in nouns)
        for kind in kinds
        for phrase in phrases(SUBJECT, kind, words)
    )


def is_several_columns(part: str) -> bool:
    """Whether words ask for columns without naming each of them: `three date columns`."""
    return any(True for _ in matches(SUBJECT, "several", part.strip()))


def says_more_of(words: str, columns: Sequence[str]) -> bool:
    """Whether words say something of a column that was named before, and name none: 完成率用百分比."""
    known = {column.casefold() for column in columns}
    return any(slots["column"].casefold() in known for slots in matches(SUBJECT, "more_of", words))


def is_about_parts(words: str) -> bool:
    """Whether words say how a part looks that every report has: `title in bold`, 合计放大."""
    is_part = any(True for _ in matches(SUBJECT, "about_parts", words))
    return is_part and holds_instruction(words, ("look", "position", "furniture"))


def typed(label: str) -> tuple[str, Kind | None]:
    """Return a label without the kind of its values in brackets, and that kind: `cost (money)`, 用电量(数字)."""
    brackets = _BRACKETS.search(label)
    kind = listed_value(SUBJECT, "kind", brackets[1]) if brackets else None
    return (label[: brackets.start()], cast("Kind", kind)) if brackets and kind else (label, None)


MAX_UNIT_CHARS = 8
"""Maximum characters of what stands in brackets behind a label, such as its unit."""


def _is_short(text: str) -> bool:
    chinese = re.findall(r"[\u3400-\u9fff]", text)
    return len(chinese) <= MAX_LABEL_CHARACTERS and len(text) <= 50 and len(text.split()) <= MAX_LABEL_WORDS


def printed(label: str) -> str:
    """Return a label as it heads a column: an English one begins with a capital letter."""
    if label and label[0].islower() and not re.search(r"[A-Z_]", label):
        return label[0].upper() + label[1:]
    return label


def bullet(line: str) -> str | None:
    """Return the text after a bullet or number at the beginning of a line; None where there is none."""
    number = _NUMBERED.match(line)
    return (line[number.end() :].strip() or None) if number else None
