"""Find the lines of an address that look like wording: a person, a place or a unit between street and postcode.

Lines that stand below each other at one edge and in one style are one address if one of them is a street with its
number and one has a postcode. Where two of them are values already, an address was filled in there, and the
others are values, too. A letterhead that is all wording stays wording.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from bandsmith.shared.model.layout import Block

from .text_classifier import (
    POSTCODE,
    ends_like_label,
    is_company,
    is_label,
    is_name,
    is_statement,
    is_total,
    split_prefix,
    text_kind,
)
from .worded_values import split_words

LABEL = "Address"
MIN_LINES, MIN_VALUES, MAX_WORDS = 3, 2, 6
"""Lines of an address at least, values among them at least, and words of a line at most."""
EDGE_TOLERANCE_PT, MAX_GAP, HEIGHT_TOLERANCE_PT = 2.5, 1.0, 3.0
"""Lines of one address begin at one edge, with no more than this many sizes of type between, and are about as high."""
_STREET = re.compile(r"[^\W\d_][^\d]*\s\d{1,4}\s?[a-z]?|\d{1,5}[A-Za-z]?,?\s[^\W\d_].*")


def with_address_lines(
    blocks: Sequence[Block], known: Collection[str], recognised: Collection[str] = ()
) -> list[Block]:
    """Return the blocks, with all lines of filled-in addresses as values. Those in `known` have a part of their own.

    `recognised` are the ids of the lines that no document carries as text.
    """
    found = dict[str, Block]()
    for stack in _stacks([block for block in blocks if block.id not in known and _may_be_line(block)]):
        if _is_address(stack):
            name, texts = _label_of(stack, blocks), [block.text.strip() for block in stack]
            own = [
                block.model_copy(update={"role": "value", "label": name})
                for number, block in enumerate(stack)
                if block.label is None or block.label in texts
                if number or not (is_company(block.text) or is_name(block.text))
            ]
            found |= {block.id: block for block in _in_one_style(own, recognised)}
    return [found.get(block.id, block) for block in blocks]


def _is_address(stack: Sequence[Block]) -> bool:
    """Whether lines are an address that was filled in: with values, a postcode and a street."""
    texts = [block.text.strip() for block in stack]
    values = sum(block.role == "value" for block in stack)
    has_postcode = any(map(POSTCODE.fullmatch, texts))
    has_street = any(_STREET.fullmatch(text) and not POSTCODE.fullmatch(text) for text in texts)
    return len(stack) >= MIN_LINES and values >= MIN_VALUES and has_postcode and has_street


def _in_one_style(blocks: Sequence[Block], recognised: Collection[str]) -> list[Block]:
    """Return the lines in one style where all were recognised: a scan shows them in sizes and faces that differ."""
    if not blocks or not all(line in recognised for block in blocks for line in block.lines):
        return list(blocks)
    style = sorted((block.style for block in blocks), key=lambda one: one.size)[len(blocks) // 2]
    return [block.model_copy(update={"style": style}) for block in blocks]


def _may_be_line(block: Block) -> bool:
    """Whether a text may be one line of an address."""
    text = block.text.strip()
    if "\n" in text or len(text.split()) > MAX_WORDS or text_kind(text) in ("date", "contact"):
        return False
    names_other = split_prefix(text)[0] or split_words(text)[0] or ends_like_label(text)
    is_wording = is_label(text) and not any(map(str.isdigit, text))
    return not (names_other or is_wording or is_total(text) or is_statement(text))


def _stacks(blocks: Sequence[Block]) -> list[list[Block]]:
    """Group texts that follow each other at one edge in one style, from top to bottom."""
    stacks: list[list[Block]] = []
    for block in sorted(blocks, key=lambda one: one.box.y):
        stack = next((stack for stack in stacks if _follows(block, stack[-1])), None)
        if stack is None:
            stacks.append([block])
        else:
            stack.append(block)
    return stacks


def _follows(block: Block, above: Block) -> bool:
    size = above.style.size
    return (
        abs(block.box.x - above.box.x) <= EDGE_TOLERANCE_PT
        and -1 <= block.box.y - above.box.bottom <= MAX_GAP * size
        and abs(block.box.height - above.box.height) <= HEIGHT_TOLERANCE_PT
        and (block.style.bold, block.style.colour) == (above.style.bold, above.style.colour)
    )


def _label_of(stack: Sequence[Block], blocks: Sequence[Block]) -> str:
    """Return what the lines are called: with the label of the value right above them, which is on their left."""
    first = stack[0]
    for block in blocks:
        gap = first.box.y - block.box.bottom
        is_left = block.box.x < first.box.x - EDGE_TOLERANCE_PT and first.box.x < block.box.right
        if block.prefix and block.label and is_left and -1 <= gap <= MAX_GAP * first.style.size:
            return f"{block.label} {LABEL.lower()}"
    return LABEL
