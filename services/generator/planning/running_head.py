"""The running head: what the pages after the first one print above the table instead of the title."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bandsmith.shared.jrxml.java_literals import java_string
from bandsmith.shared.model.layout import Block, RunningHead, TextLine
from bandsmith.shared.model.plan import PlainElement

from .element_boxes import free_standing
from .elements import static_text, text_field
from .expressions import CURRENT_PAGE, ValueExpression, page_number
from .page_builder import PageBuilder
from .regions import Region
from .text_metrics import typeset
from .text_placement import TextPlacement

_WORDING = re.compile(r"[^\d:：]{1,40}[:：]\s*(?=\S)")
"""Wording with a colon before a value."""


def plan_running_head(head: RunningHead, header_space: float, right: float, page: PageBuilder) -> None:
    """Add the texts of a running head to the page; `header_space` is what the headings' band has above its texts.

    `right` is where the content of the page ends.
    """
    region = Region("pageHeader", 0, max(1, round(head.bottom - header_space)))
    for line in head.lines:
        page.add(_element(line, head.lines, right, page), region)
    page.running_head = region


def _element(line: TextLine, lines: Sequence[TextLine], right: float, page: PageBuilder) -> PlainElement:
    level = [one for one in lines if one.box.y < line.box.bottom and one.box.bottom > line.box.y and one is not line]
    before = max((one for one in level if one.box.x < line.box.x), key=lambda one: one.box.x, default=None)
    after = min((one.box.x for one in level if one.box.x > line.box.x), default=right)
    block = Block(id=f"head-{line.id}", text=line.text, lines=[line.id], box=line.box, style=line.style)
    text = typeset(block, [line])
    placement = TextPlacement(text, free_standing(text, (before.box.right if before else 0.0, after), generous=True))
    if number := page_number(line.text, before.text if before else None):
        field = text_field(number, block.id, placement)
        if CURRENT_PAGE in number:
            page.declare_page_variable()
            return field.model_copy(update={"evaluation": "Auto"})
        return field
    value = _value(line.text, page)
    return text_field(value, block.id, placement) if value else static_text(line.text, block.id, placement)


def _value(text: str, page: PageBuilder) -> str | None:
    """The expression for a text with a value: one that the page has already, or a new one where it has figures."""
    found = _WORDING.match(text)
    wording = found.group() if found else ""
    value = text[len(wording) :]
    same = [name for name, known in page.data.parameters.items() if known == value]
    if not same and not wording and not any(map(str.isdigit, value)):
        return None
    label = wording.strip().rstrip(":：").strip() or None
    name = same[0] if len(same) == 1 else page.declare_parameter("value", value, label)
    return ValueExpression(java_string(wording) if wording else "", value).with_reference(f"$P{{{name}}}")
