"""Give texts that the form prints in one size one size again.

Where a form's typeface is not available, another one takes its place, and each text was set as wide as it is on the
form: capitals came out smaller than words, and what is too short to be measured kept its size. The form says which
texts are of one size; they get the one that most of their letters have, where that is not wider than on the form.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import median

from lxml import etree

from ...model.layout import Block, TextStyle
from ..bands import elements_in, list_rows
from ..dom import TEXT_ELEMENTS, local_name, tag
from ..typesetting import whole_width
from ..writer import source_of
from .text_look import base_look, holds, look_of, set_font

MIN_TEXTS = 3
"""Fewer texts of one size say little."""
MAX_OVERHANG_PT = 3.0
"""A text may become wider than it is on the form by this much."""
MAX_CHANGE = 0.3
"""A size that differs by a larger share was not measured on the same letters."""


def share_form_sizes(root: etree._Element, blocks: Mapping[str, Block]) -> None:
    """Give the elements that were made from `blocks` of one size a common size, where their texts fit in it."""
    base = base_look(root)
    if base is None:
        return
    alike: dict[tuple[str, float, bool], list[tuple[etree._Element, Block]]] = defaultdict(list)
    for band in (*root.iter(tag("band")), *list_rows(root)):
        for node in elements_in(band):
            block = blocks.get(source_of(node)) if local_name(node) in TEXT_ELEMENTS else None
            if block is not None:
                alike[block.style.family, block.style.size, block.style.bold].append((node, block))
    for texts in alike.values():
        if len(texts) >= MIN_TEXTS:
            _share(texts, base)


def _may_grow(node: etree._Element, block: Block, larger: TextStyle) -> bool:
    """Whether a text in a larger size stays within its element, and clear of what stands beside it on the form.

    Of the rows only the first one's text is known here; a longer one might break.
    """
    if any(local_name(one) in ("detail", "listContents") for one in node.iterancestors()):
        return False
    width = whole_width(block.text.split("\n"), larger)
    return width <= block.box.width + MAX_OVERHANG_PT and holds(node, block.text, larger)


def _share(texts: Sequence[tuple[etree._Element, Block]], base: TextStyle) -> None:
    sizes = [look_of(node, base).size for node, block in texts for _ in range(len(block.text))]
    common = round(median(sizes) * 2) / 2
    for node, block in texts:
        look = look_of(node, base)
        other = look.model_copy(update={"size": common})
        if common == look.size or abs(common / look.size - 1) > MAX_CHANGE:
            continue
        if common < look.size or _may_grow(node, block, other):
            set_font(node, "size", f"{common:g}" if common != base.size else None)
