"""Give texts that nearly look alike the same look, by vote: typeface, size, weight and colour.

Each text is measured for itself, so that one typeface of the form comes out in sizes half a point apart and in several
shades of one colour. A person who draws a form uses few of either. What most texts have wins, where the others still
fit their elements.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

from lxml import etree

from ...fonts import MONOSPACED
from ...model.layout import TextStyle
from ..bands import bands_with_elements, elements_in, list_rows, section_in
from ..dom import (
    TEXT_ELEMENTS,
    content_of,
    float_attribute,
    int_attribute,
    local_name,
    report_element,
)
from .named_styles import part_of
from .text_look import base_look, fits, look_of, set_font

SIZE_TOLERANCE_PT = 0.5
"""Sizes that differ by no more than this are one size that was measured twice."""
MIN_WHOLE_SIZE_PT = 12.0
"""From this size on, sizes are whole."""
COLOUR_TOLERANCE = 20
"""Colours whose channels differ by no more than this, of 255, are one colour."""
MIN_WEIGHT_SHARE = 0.7
"""If this share of a table's headings, or of a stack of labels, is bold or is not, all are alike."""
MIN_FAMILY_SHARE = 0.7
"""If this share of the texts of one part has a typeface, all have it."""
MIN_STACK, STACK_EDGE_TOLERANCE_PT, MAX_STACK_PITCH = 5, 2, 2.6
"""Labels below each other are a stack from this number on, at edges this near, and so many sizes apart at most."""
MAX_PEN_RATIO = 1.5
"""Lines of which one is no more than this many times as thick as the other are drawn with one pen."""
_WHITE = "#FFFFFF"
"""The colour of paper: what is a little darker is seen on it."""
_Value = TypeVar("_Value")
_COLOURS = (("forecolor", "lineColor"), ("backcolor",))
"""The attributes whose colours are compared. A pale background is told from the white of the letters on another one."""


def share_looks(root: etree._Element) -> None:
    """Give the texts of a template that nearly look alike the same look."""
    base = base_look(root)
    if base is None:
        return
    in_bands = [(section_in(band.name), node) for band in bands_with_elements(root) for _, node in band.elements]
    in_lists = [("detail", node) for contents in list_rows(root) for node in elements_in(contents)]
    texts = [(section, node) for section, node in (*in_bands, *in_lists) if local_name(node) in TEXT_ELEMENTS]
    own = [(section, node) for section, node in texts if not report_element(node).get("style")]
    for part in _parts(own, base).values():
        _share_family(part, base)
    _share_sizes([node for _, node in own], base)
    _share_weight([node for section, node in own if section == "columnHeader"], base)
    for stack in _label_stacks([node for _, node in own], base):
        _share_weight(stack, base)
    _share_colours(root)
    _share_pens(root)


def _parts(texts: Sequence[tuple[str, etree._Element]], base: TextStyle) -> dict[str, list[etree._Element]]:
    """Return the texts by the part that they play in the report."""
    found: dict[str, list[etree._Element]] = {}
    for section, node in texts:
        found.setdefault(part_of(node, section, base.size), []).append(node)
    return found


def _share_family(texts: Sequence[etree._Element], base: TextStyle) -> None:
    """Give the texts of one part the typeface that nearly all of them have; a typewriter's is never a mistake."""
    families = Counter(look_of(node, base).family for node in texts)
    common, count = families.most_common(1)[0]
    if count == len(texts) or count < MIN_FAMILY_SHARE * len(texts):
        return
    for node in texts:
        style = look_of(node, base)
        other = style.model_copy(update={"family": common})
        if style.family not in (common, MONOSPACED) and fits(node, other, base):
            set_font(node, "fontName", common if common != base.family else None)


def _label_stacks(texts: Sequence[etree._Element], base: TextStyle) -> list[list[etree._Element]]:
    """Return the wordings that stand below each other at one edge, without the first and the last of each stack.

    A stack begins with its heading and ends with its total, which may be bold.
    """
    stacks: list[list[etree._Element]] = []
    words = [node for node in texts if local_name(node) == "staticText" and content_of(node)]
    for node in sorted(words, key=lambda node: int_attribute(report_element(node), "y")):
        above = next((stack for stack in stacks if _continues(stack[-1], node, base)), None)
        if above is None:
            stacks.append([node])
        else:
            above.append(node)
    return [stack[1:-1] for stack in stacks if len(stack) >= MIN_STACK]


def _continues(above: etree._Element, node: etree._Element, base: TextStyle) -> bool:
    """Whether a text is the next one of a stack: in its band, at its left or right edge, a line or two below."""
    one, other = report_element(above), report_element(node)
    size = look_of(above, base).size
    down = int_attribute(other, "y") - int_attribute(one, "y")
    left = int_attribute(other, "x") - int_attribute(one, "x")
    right = left + int_attribute(other, "width") - int_attribute(one, "width")
    near = min(abs(left), abs(right)) <= STACK_EDGE_TOLERANCE_PT and 0.9 * size <= down <= MAX_STACK_PITCH * size
    return near and above.getparent() is node.getparent() and abs(look_of(node, base).size - size) <= SIZE_TOLERANCE_PT


def _share_sizes(texts: Sequence[etree._Element], base: TextStyle) -> None:
    sizes = {id(node): look_of(node, base).size for node in texts}
    targets = common_values(Counter(sizes.values()), lambda one, other: abs(one - other) <= SIZE_TOLERANCE_PT)
    for node in texts:
        size = targets[sizes[id(node)]]
        size = float(int(size)) if size >= MIN_WHOLE_SIZE_PT else size
        if size != sizes[id(node)] and fits(node, look_of(node, base).model_copy(update={"size": size}), base):
            set_font(node, "size", f"{size:g}" if size != base.size else None)


def _share_weight(texts: Sequence[etree._Element], base: TextStyle) -> None:
    """Make all texts bold, or none, where nearly all are."""
    bold = [look_of(node, base).bold for node in texts]
    if len(set(bold)) < 2 or max(sum(bold), len(bold) - sum(bold)) < MIN_WEIGHT_SHARE * len(bold):
        return
    is_bold = sum(bold) > len(bold) / 2
    for node in texts:
        if fits(node, look_of(node, base).model_copy(update={"bold": is_bold}), base):
            set_font(node, "isBold", "true" if is_bold else None)


def common_values(counts: Counter[_Value], is_near: Callable[[_Value, _Value], bool]) -> dict[_Value, _Value]:
    """Return for each value the most frequent one that it is near, which may be itself."""
    found: dict[_Value, _Value] = {}
    for value, _ in counts.most_common():
        found[value] = next((common for common in found.values() if is_near(common, value)), value)
    return found


def _share_colours(root: etree._Element) -> None:
    for names in _COLOURS:
        nodes = [(node, name) for node in root.iter(etree.Element) for name in names if node.get(name)]
        counts = Counter((node.get(name) or "").upper() for node, name in nodes)
        targets = common_values(counts, _is_near_colour)
        for node, name in nodes:
            node.set(name, targets[(node.get(name) or "").upper()])


def _share_pens(root: etree._Element) -> None:
    """Draw lines that are nearly as thick as most with the pen of most: a scan makes one pen of several widths."""
    pens = [node for node in root.iter(etree.Element) if float_attribute(node, "lineWidth")]
    counts = Counter(float_attribute(node, "lineWidth") for node in pens)
    targets = common_values(counts, lambda one, other: max(one, other) <= MAX_PEN_RATIO * min(one, other))
    for node in pens:
        node.set("lineWidth", f"{targets[float_attribute(node, 'lineWidth')]:g}")


def _is_near_colour(one: str, other: str) -> bool:
    if len(one) != len("#RRGGBB") or len(other) != len("#RRGGBB") or _WHITE in (one, other):
        return one == other
    channels = ((int(one[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return all(abs(a - b) <= COLOUR_TOLERANCE for a, b in channels)
