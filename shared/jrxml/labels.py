"""Words: how the parts of a template are called when one speaks of them, in English and in Chinese."""

from __future__ import annotations

import re

from lxml import etree

from ..language import Language
from .dom import content_of, local_name
from .expressions import references

SECTIONS = {
    "background": ("the background", "背景"),
    "title": ("the title", "标题区"),
    "pageHeader": ("the page header", "页眉"),
    "columnHeader": ("the column header", "列标题"),
    "detail": ("the rows", "明细区"),
    "columnFooter": ("the column footer", "列脚"),
    "pageFooter": ("the page footer", "页脚"),
    "lastPageFooter": ("the last page's footer", "末页页脚"),
    "summary": ("the summary", "汇总区"),
    "noData": ("the page without data", "无数据区"),
    "groupHeader": ("the group's header", "组头"),
    "groupFooter": ("the group's footer", "组脚"),
}
_KINDS = {
    "line": ("a line", "线条"),
    "rectangle": ("a rectangle", "矩形"),
    "ellipse": ("an ellipse", "椭圆"),
    "image": ("a picture", "图片"),
    "frame": ("a frame", "框架"),
}
_LITERAL = re.compile(r'"((?:\\.|[^"\\])*)"')
MAX_LABEL_CHARS = 24
"""Characters of a text that are said."""


def section_label(name: str, language: Language) -> str:
    """A band in words; its name may have a number or a group."""
    plain = re.split(r"[(\[]", name)[0]
    return SECTIONS.get(plain, (name, name))[language == "zh"]


def element_label(node: etree._Element, language: Language) -> str:
    """An element by what it says: “Total”, the field amount, a line."""
    words = content_of(node)
    if local_name(node) == "staticText" and words:
        return quote(" ".join(words.split()), language)
    if local_name(node) == "textField":
        literal = "".join(_LITERAL.findall(words)).strip(" :：-")
        if literal:
            return quote(literal, language)
        names = [name for _, name in references(words)]
        if names:
            return ", ".join(names[:2])
    return _KINDS.get(local_name(node), ("an empty text", "空文本"))[language == "zh"]


def quote(text: str, language: Language) -> str:
    shown = text if len(text) <= MAX_LABEL_CHARS else text[: MAX_LABEL_CHARS - 1] + "…"
    return f"“{shown}”" if language == "en" else f"「{shown}」"


def list_names(names: list[str], language: Language, most: int = 3) -> str:
    """Some of the names, and how many more there are."""
    names = list(dict.fromkeys(names))
    shown, more = names[:most], len(names) - most
    if more > 0:
        shown.append(f"{more} more" if language == "en" else f"另外 {more} 个")
    if language == "zh":
        return "、".join(shown)
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
