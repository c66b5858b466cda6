"""Labels of columns: lists of them in running text, and how each is printed."""

from __future__ import annotations

import re

MAX_LABEL_WORDS, MAX_LABEL_CHARACTERS = 5, 14
"""Maximum English words and Chinese characters of a label; longer text is a sentence."""

_SEPARATOR = re.compile(
    r"\s*(?:[,;、\n|]|(?<=[\u3400-\u9fff)])\s*(?:以及|还有|和|与|及|跟)(?=[\u3400-\u9fffA-Z])"
    r"|,?\s+(?:and|&|plus|along with|as well as|together with|then)\s+)\s*",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"^(?:(?:and|or|the|a|an|their|its|each|all|every|also|finally|then|including|with|showing|one|following|like|"
    r"such as|computed|calculated|extra|new|add|column|field)\s+)+"
    r"|^(?:(?:要有|需要有?|以及|还有|和|与|及|或|其中|分别是?|比如|例如|包括|包含|显示|列出|各个?|每个?|所有)"
    r"(?=[\u3400-\u9fff]{2}))+",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    r"\s+(?:for|of|per|from|in|on|of)\s+(?:each|every|the|all|an?|my|our|this|that)\b.*$"
    r"|\s+(?:columns?|fields?|etc\.?|please|as columns?|too|as well|information)$"
    r"|(?:这|等|几|各|[一二三四五六七八九十两]|\d)*(?:个|项)?(?:几?列|字段|栏目?|信息|内容|等等?|项目?(?<=等项)|即可|就行|就可以了?)$",
    re.IGNORECASE,
)
_STRIPPED_MARKS = " \t.:;,。\"“”'‘’*`_"
_LIST_START = re.compile(
    r".*(?:表格?(?:里面?|中|内)(?:要)?有|明细(?:里面?|中|内)?(?:要)?有|字段(?:包括|包含|有|为|是)|包括|包含|分别是|:"
    r"|\b(?:table|columns?) (?:with|of|showing) )",
    re.IGNORECASE,
)
"""Words after which the list itself begins."""
_NO_LABELS = frozenset(
    {"please", "thanks", "thank you", "etc", "and so on", "等", "等等", "谢谢", "即可", "表", "单", "清单"}
)
_NUMBERED = re.compile(r"^\s*(?:[-*•·▪◦]|\d{1,2}\s*[.)、:]|\(\d{1,2}\)|[①-⑳])\s*")


def split(text: str) -> list[str]:
    """Return the parts of a list. Separators in brackets do not count."""
    protected = re.sub(r"\([^()]*\)", lambda found: re.sub(r"[,;、]", "\x00", found[0]), text)
    return [part.replace("\x00", ",") for part in _SEPARATOR.split(protected) if part and part.strip()]


def listed(text: str) -> list[str]:
    """Return the labels in a list, each once. The first part that is no label ends the list."""
    labels: list[str] = []
    for part in split(text):
        label = cleaned(part)
        if not label or label.casefold() in _NO_LABELS:
            continue
        if start := _LIST_START.match(label):
            labels, label = [], cleaned(label[start.end() :])
        if not is_label(label):
            break
        if label.casefold() not in {known.casefold() for known in labels}:
            labels.append(label)
    return labels


def cleaned(part: str) -> str:
    """Return a label without articles, conjunctions and other words around it."""
    text = _NUMBERED.sub("", part).strip(_STRIPPED_MARKS)
    for _ in range(3):
        text = _TRAILING.sub("", _LEADING.sub("", text)).strip(_STRIPPED_MARKS)
    plural = re.match(r"\s*(?:the |and )?(?:all|every|each)\s+", part, re.IGNORECASE)
    if plural and re.fullmatch(r"[A-Za-z ]+[^s]s", text):
        text = text[:-1]
    return re.sub(r"^\w+'s (?=\w)", "", text)


def is_label(text: str) -> bool:
    """Whether a text is short enough for the label of a column."""
    chinese = re.findall(r"[\u3400-\u9fff]", text)
    if len(re.findall(r"[\u3400-\u9fff]\s+[\u3400-\u9fff]", text)) > 1:  # several labels with only blanks between
        return False
    return (
        len(chinese) <= MAX_LABEL_CHARACTERS
        and len(text) <= 50
        and len(text.split()) <= MAX_LABEL_WORDS
        and any(char.isalnum() or char in "#%" for char in text)
    )


def printed(label: str) -> str:
    """Return a label as it heads a column: an English one begins with a capital letter."""
    if label and label[0].islower() and not re.search(r"[A-Z]", label):
        return label[0].upper() + label[1:]
    return label


def bullet(line: str) -> str | None:
    """Return the text after a bullet or number at the beginning of a line; None where there is none."""
    number = _NUMBERED.match(line)
    return (line[number.end() :].strip() or None) if number else None
