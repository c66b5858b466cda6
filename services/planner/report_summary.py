"""The user's own report: what it contains, told from its template."""

from __future__ import annotations

import re
from itertools import chain

from lxml import etree

from bandsmith.shared.jrxml.expressions import references
from bandsmith.shared.language import Language
from bandsmith.shared.xml import parse

_ABOUT = re.compile(
    r"\bwhat(?:'s| is| are| does| do)?\b.{0,30}\b(?:in|on|contain\w*|includ\w*|has|have|show\w*|consist\w*)\b.{0,20}"
    r"\b(?:this|my|the|our|current)? ?(?:report|form|template|table|page|it)\b"
    r"|\bwhat (?:does|is in|'s in) (?:this|my|the|our|it)(?: (?:report|form|template|table))?"
    r"(?: (?:contain|include|show|have|consist of))?\s*\?*$"
    r"|\b(?:what|which|how many|list)\b.{0,20}\b(?:columns|fields|groups|totals)\b.{0,30}"
    r"(?:\b(?:there|have|has|report|table|it|used|now)\b|\?|$)"
    r"|\b(?:describe|summari[sz]e|explain)\b.{0,10}\b(?:this|my|the|our|current) (?:report|form|template|table)\b"
    r"|(?:报表|表格|报告|模板|表单|表|它|这个|目前|现在|当前).{0,6}(?:有|包含|包括|含有|是|显示)(?:了)?(?:什么|哪些|几)"
    r"|(?:有|包含|包括)(?:什么|哪些|几个?|多少个?)(?:列|字段|栏|内容|分组|合计)|(?:介绍|描述|说明)一?下?(?:这个|当前)?(?:报表|表格)",
    re.IGNORECASE,
)
_FOR_ALL = re.compile(
    r"\b(?:a|an|any|every|each|jasper\w*) (?:report|template|form)\b|一个报表|一份报表|JasperReports", re.IGNORECASE
)
_CALCULATIONS = {"Sum": ("total", "合计"), "Average": ("average", "平均值"), "Count": ("count", "计数"),
                 "Lowest": ("lowest value", "最小值"), "Highest": ("highest value", "最大值")}  # fmt: skip
_MOST = 40
"""Columns that are named."""


def is_about_report(question: str) -> bool:
    """Whether a question asks what the user's report contains."""
    return _ABOUT.search(question) is not None and not _FOR_ALL.search(question)


def contents(template: bytes, language: Language) -> str:
    """Title, paper, columns, groups, order and totals of a report, in a few lines. Raises ``BadInput``."""
    report = _Report(parse(template))
    told = [line[language == "zh"] for line in report.lines()]
    return "\n".join(f"- {line}" for line in told)


class _Report:
    """A template being told."""

    def __init__(self, root: etree._Element) -> None:
        self._root = root
        self._labels = self._columns()

    def lines(self) -> list[tuple[str, str]]:
        root = self._root
        width, height = root.get("pageWidth", "595"), root.get("pageHeight", "842")
        lies = ("landscape", "横向") if int(width) > int(height) else ("portrait", "纵向")
        found = [(f"Page: {width} x {height} points, {lies[0]}", f"页面：{width} x {height} 点，{lies[1]}")]
        if title := self._title():
            found.insert(0, (f"Title: {title}", f"标题：{title}"))
        names = list(dict.fromkeys(self._labels.values()))
        if names:
            shown = names[:_MOST]
            found.append((f"{len(names)} columns: {', '.join(shown)}", f"{len(names)} 列：{'、'.join(shown)}"))
        else:
            found.append(("No rows", "没有明细行"))
        above = [node.get("name", "") for node in root.findall("{*}parameter")]
        if above:
            found.append((f"Single values: {', '.join(above[:_MOST])}", f"单个值：{'、'.join(above[:_MOST])}"))
        if groups := self._groups():
            found.append((f"Grouped by: {', '.join(groups)}", f"分组：{'、'.join(groups)}"))
        sorts = [
            (self._label(one.get("name", "")), one.get("order") == "Descending") for one in root.findall("{*}sortField")
        ]
        if sorts:
            found.append((
                "Sorted by: " + ", ".join(f"{name}, from the highest down" if down else name for name, down in sorts),
                "排序：" + "、".join(f"{name}（从大到小）" if down else name for name, down in sorts),
            ))  # fmt: skip
        if totals := self._totals():
            found.append(("Totals: " + "; ".join(en for en, _ in totals), "合计：" + "；".join(zh for _, zh in totals)))
        return found

    def _texts(self, *sections: str) -> list[etree._Element]:
        bands = chain.from_iterable(self._root.iter(f"{{*}}{section}") for section in sections)
        return [node for band in bands for node in band.iter("{*}staticText", "{*}textField")]

    def _title(self) -> str:
        """The largest wording at the top."""
        texts = [node for node in self._texts("title", "pageHeader") if _words(node)]
        return _words(max(texts, key=_size)) if texts else ""

    def _columns(self) -> dict[str, str]:
        """What the rows print, from left to right, each with the wording above it."""
        heads = sorted((_across(node), _words(node)) for node in self._texts("columnHeader") if _words(node))
        found = {}
        for node in sorted(self._texts("detail"), key=_across):
            used = references(node.findtext("{*}textFieldExpression") or "")
            left, right = _across(node)
            over = [words for (a, b), words in heads if min(right, b) - max(left, a) > 0.5 * min(right - left, b - a)]
            if used:
                name = used[0][1] if used[0][1] not in found or not over else over[0]
                found[name] = over[0] if over else used[0][1]
        return found

    def _groups(self) -> list[str]:
        expressions = [node.findtext("{*}groupExpression") or "" for node in self._root.findall("{*}group")]
        return [self._label(used[0][1]) for text in expressions if (used := references(text))]

    def _totals(self) -> list[tuple[str, str]]:
        """What is reckoned of the columns, and printed."""
        printed = {name for node in self._texts("summary", "columnFooter", "groupFooter", "title", "pageHeader")
                   for _, name in references(node.findtext("{*}textFieldExpression") or "")}  # fmt: skip
        found = []
        for node in self._root.findall("{*}variable"):
            words = _CALCULATIONS.get(node.get("calculation", ""))
            used = references(node.findtext("{*}variableExpression") or "")
            if words and used and node.get("name") in printed:
                of, group = self._label(used[0][1]), node.get("resetGroup")
                each = (f" for each {self._label(group)}", f"每个{self._label(group)}的") if group else ("", "")
                found.append((f"{words[0]} of {of}{each[0]}", f"{each[1]}{of}{words[1]}"))
        return found

    def _label(self, name: str) -> str:
        return self._labels.get(name, name)


def _words(node: etree._Element) -> str:
    return " ".join((node.findtext("{*}text") or "").split())


def _size(node: etree._Element) -> float:
    font = node.find("{*}textElement/{*}font")
    return float(font.get("size", "10")) if font is not None else 10.0


def _across(node: etree._Element) -> tuple[int, int]:
    """From where to where an element reaches, in points."""
    report = node.find("{*}reportElement")
    left = int(report.get("x", "0")) if report is not None else 0
    return left, left + (int(report.get("width", "0")) if report is not None else 0)
