"""Tell a label that stands beside another label with a colon from a value of that label that reads like one."""

from __future__ import annotations

import re

from bandsmith.shared.fields.column_kinds import meaning
from bandsmith.shared.model.layout import Block

from .label_distances import distance_beside, has_letters, is_right_below
from .text_classifier import is_label, is_statement, split_prefix, text_kind

_SIGNATURE = re.compile(r"(?i)\bsign(?:ature|ed)\b|签名|签字|签章|盖章")
"""Wording that asks for a signature or seal."""
_NUMBER_WORD = re.compile(r"(?i)\b(?:no|nr|number)\b|[#№号號]")
"""What a label says that asks for a number."""


def is_label_itself(block: Block, label: Block, blocks: list[Block]) -> bool:
    """Whether wording beside a label is a label, too: a bolder one with its own value, or the other has one below it.

    Wording that asks for a signature is no value, and needs none.
    """
    if not is_label(block.text):
        return False
    is_bolder = block.style.bold and not label.style.bold
    if is_bolder and (_SIGNATURE.search(block.text) or _has_value_of_its_own(block, label, blocks)):
        return True
    figures = [one for one in blocks if text_kind(one.text) in ("number", "date") and one.box.y >= block.box.bottom]
    below = (one for one in figures if is_right_below(one, label) and not _is_named_beside(one, blocks))
    return _asks_for_figure(label.text) and any(below)


def _asks_for_figure(label: str) -> bool:
    """Whether the value of a label is a number or date, so that one below it may be its value."""
    return meaning(label).kind != "text" or bool(_NUMBER_WORD.search(label))


def _has_value_of_its_own(block: Block, label: Block, blocks: list[Block]) -> bool:
    """Whether a text in regular type stands beside or right below a bold one, and no other label names it."""
    return any(
        (distance_beside(block, one, blocks) is not None or is_right_below(one, block))
        and not _is_named_beside(one, [other for other in blocks if other is not block])
        for one in blocks
        if one is not label and not one.style.bold and _may_be_value(one.text)
    )


def _may_be_value(text: str) -> bool:
    return has_letters(text) and not is_label(text) and not split_prefix(text)[0] and not is_statement(text)


def _is_named_beside(block: Block, blocks: list[Block]) -> bool:
    """Whether a label stands to the left of a text on its line."""
    labels = (one for one in blocks if one is not block and is_label(one.text))
    return any(distance_beside(one, block, blocks) is not None for one in labels)
