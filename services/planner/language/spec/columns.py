"""Columns: the list of labels in what is left of a request after its other clauses were taken out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .labels import bullet, cleaned, is_label, listed, split


@dataclass(frozen=True)
class FoundColumns:
    labels: list[str]
    rest: str
    """The text around them."""


_MARKERS_EN = (
    r"columns?(?: are| should be| named| called| for)?|fields?(?: are| named)?|with|containing|contains?|including|"
    r"includes?|listing(?! of)|lists?(?! of)|showing|shows?|displaying|displays?|display|that has|has|having|have|"
    r"consisting of|comprising|made (?:up )?of|table of|then|below|tracks?|tracking|covers?|covering"
)
_MARKERS_ZH = (
    r"包含|包括|含有|列有|列出|列为|字段|栏目|显示|展示|内容|明细|要求有|需要有|要有|分别是|表格?(?:里面?|中|体|内)|"
    r"表格|有|统计|记录|具有|带有|含|需要|列明|写明|列"
)
_MARKER = re.compile(
    rf"\b(?:{_MARKERS_EN})\b(?: the\b)?(?: following)?(?: columns?| fields?)?\s*:?"
    rf"|(?:{_MARKERS_ZH})(?:有|为|是|包括|包含|如下|分别)?(?:以下|下列|这些)?(?:几?列|字段|内容)?:?"
    r"|:",
    re.IGNORECASE,
)
_WHOSE = re.compile(r"(?:list|report|table) of (?:all |the )?([A-Za-z]+?)s with$", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<!\bno)(?<!\bnr)(?<!\bqty)[.。!?！？]+(?=\s|$)|。|\n+", re.IGNORECASE)
_WEAK = frozenset(
    {"then", "below", "has", "have", "with", "有", "明细", "内容", "统计", "需要", "表格", "记录", "列", "含"}
)


def columns_in(text: str) -> FoundColumns:
    """The labels of the list that says most like one: bullets, what follows a colon or a word such as `with`."""
    bulleted, rest = _bullets(text)
    if len(bulleted) >= 2:
        return FoundColumns(bulleted, rest)
    best = FoundColumns([], text)
    score = 0.0
    for sentence in _SENTENCE.split(text):
        for labels, around, worth in _lists(sentence):
            if worth > score:
                score, best = worth, FoundColumns(labels, text.replace(sentence, around))
    return best if best.labels else _spaced(text)


def _spaced(text: str) -> FoundColumns:
    """Short Chinese words with blanks between them, the last resort."""
    found = re.search(r"(?:[\u3400-\u9fff()]{1,8}[ \t]+){2,}[\u3400-\u9fff()]{1,8}", text)
    labels = [label for label in found[0].split() if not re.search(r"[表单]$", label)] if found else []
    return FoundColumns(labels, text.replace(found[0], " ")) if found and len(labels) >= 3 else FoundColumns([], text)


def _bullets(text: str) -> tuple[list[str], str]:
    """Lines with bullets or numbers, each with one label or several."""
    labels: list[str] = []
    rest: list[str] = []
    for line in text.splitlines():
        said = bullet(line)
        if said is None:
            rest.append(line)
            continue
        head = re.split(r"\s*:\s*|\s+[-–—]\s+", said, maxsplit=1)
        if len(head) == 2 and re.fullmatch(r"(?:the )?(?:columns?|fields?)|列|字段|明细", head[0], re.IGNORECASE):
            labels += listed(head[1])
        else:
            label = cleaned(re.sub(r"\s*\([^()]*\)$", "", head[0]))
            labels += [label] if label and is_label(label) else listed(said)
    return list(dict.fromkeys(labels)), "\n".join(rest)


def _lists(sentence: str) -> list[tuple[list[str], str, float]]:
    """(labels, the text around them, how much it is like a list of columns)."""
    found = []
    for bracket in re.finditer(r"\(([^()]{3,300})\)", sentence):
        labels = listed(bracket[1])
        if len(labels) >= 3:
            around = sentence[: bracket.start()] + sentence[bracket.end() :]
            found.append((labels, around, len(labels) + 0.5))
    for marker in _MARKER.finditer(sentence):
        labels, around = _after(sentence, marker.start(), marker.end())
        if labels:
            word = marker[0].strip().casefold().rstrip(":")
            strong = 0.0 if word in _WEAK else 0.4
            strong += 0.3 if marker[0].endswith(":") else 0.0
            found.append((labels, around, len(labels) + strong - 0.01 * marker.start() / len(sentence)))
    return found


def _after(sentence: str, start: int, end: int) -> tuple[list[str], str]:
    tail = sentence[end:]
    closing = re.match(r"(.*?)的(?:[\u3400-\u9fff]{0,6}(?:表格?|报表|单据?|清单|报告))(.*)", tail, re.DOTALL)
    if closing and "、" not in closing[2]:
        tail = closing[1]
    labels = _known_lists(tail)
    if not labels:
        return [], sentence
    whose = _WHOSE.search(sentence[:end].rstrip())
    if whose and tail.lstrip().startswith("their"):
        labels = [cleaned(whose[1]), *labels]
    left = [part for part in re.split(r"[;；]", tail) for part in split(part) if cleaned(part) not in labels]
    return labels, "; ".join([sentence[:start], *left])


def _known_lists(tail: str) -> list[str]:
    """`各产品的销售数量和销售金额` are three; a second list in a sentence goes on with the first."""
    tail = re.sub(r"^\s*(?:各个?|每个?|不同)([\u3400-\u9fff]{1,6})的(?=[\u3400-\u9fff])", r"\1、", tail)
    parts = re.split(r"[;；]", tail)
    if len(parts) > 2 and all(len(split(part)) <= 1 for part in parts if part.strip()):
        return listed(tail)
    labels: list[str] = []
    for part in parts:
        labels += [label for label in listed(part) if label not in labels]
        if labels:
            break
    return labels
