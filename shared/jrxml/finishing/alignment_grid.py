"""Give elements that nearly share a vertical edge the same edge.

Edges are measured from ink, so those of one column differ by a point from line to line. Edges that are near each other
are one edge; it lies where most elements have it. Two kinds of edges take part, one after the other: both sides of what
is visible as an area, so that cells, bars and rules that meet still meet afterwards; then the left edges of texts,
which may move a little further, since that shows less. Such a text keeps its ink as far as possible: the right edge if
it is aligned right, the middle if it is centred.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from lxml import etree

from ..bands import elements_in, list_rows
from ..dom import TEXT_ELEMENTS, child, child_text, int_attribute, local_name, report_element, span_of, tag
from ..text_styles import resolve_style

AREA_TOLERANCE_PT, TEXT_TOLERANCE_PT = 1, 2
"""Edges of areas, and left edges of texts, that are taken for one if they are this near."""


def align_edges(root: etree._Element) -> None:
    """Move the edges of the elements of all bands onto common ones."""
    bands = [list(elements_in(band)) for band in (*root.iter(tag("band")), *list_rows(root))]
    nodes = [node for band in bands for node in band]
    areas = _targets(Counter(edge for node in nodes for edge in _edges(node)), AREA_TOLERANCE_PT)
    fixed = set(areas.values())
    texts = Counter(int_attribute(report_element(node), "x") for node in nodes if not _edges(node))
    free = _targets(
        Counter({edge: count for edge, count in texts.items() if not _near(edge, fixed)}), TEXT_TOLERANCE_PT
    )
    for node in nodes:
        report = report_element(node)
        x, width = int_attribute(report, "x"), int_attribute(report, "width")
        if edges := _edges(node):
            left = areas[x]
            right = areas[x + width] if len(edges) > 1 else left + width
        else:
            near = _near(x, fixed)
            left = free[x] if near is None else near
            right = x + width - (left - x if _alignment(node) == "Center" else 0)
        if right > left and not _is_cut(root, node, right - left):
            report.set("x", str(left))
            report.set("width", str(right - left))
    for band in bands:
        _part_neighbours(root, [node for node in band if local_name(node) in TEXT_ELEMENTS])


def _is_cut(root: etree._Element, node: etree._Element, width: int) -> bool:
    """Whether a free fixed text that fits its element would be broken in one of this width."""
    if local_name(node) != "staticText" or _edges(node):
        return False
    needed = resolve_style(root, node).width_of(child_text(node, "text"))
    return width < needed <= int_attribute(report_element(node), "width")


def _part_neighbours(root: etree._Element, texts: Sequence[etree._Element]) -> None:
    """Let each text that slightly overlaps the one to its right end where that begins, unless its ink is there."""
    for node in texts:
        report = report_element(node)
        x, right = span_of(node)
        if _edges(node) or _alignment(node) == "Right":
            continue
        starts = [int_attribute(report_element(other), "x") for other in texts if _are_level(node, other)]
        overlapped = [start for start in starts if x < start < right <= start + TEXT_TOLERANCE_PT]
        if overlapped and not _is_cut(root, node, min(overlapped) - x):
            report.set("width", str(min(overlapped) - x))


def _are_level(one: etree._Element, other: etree._Element) -> bool:
    (top, bottom), (other_top, other_bottom) = (
        (int_attribute(report, "y"), int_attribute(report, "y") + int_attribute(report, "height"))
        for report in (report_element(one), report_element(other))
    )
    is_near = one is not other and one.getparent() is other.getparent()
    return is_near and top < other_bottom and other_top < bottom


def _edges(node: etree._Element) -> list[int]:
    """Return the sides of an area, the position of a vertical rule, nothing for a text that stands free."""
    report = report_element(node)
    x, width = int_attribute(report, "x"), int_attribute(report, "width")
    if _is_upright(node):
        return [x]
    return [x, x + width] if _is_area(node) else []


def _near(edge: int, fixed: set[int]) -> int | None:
    """Return the edge of an area that a text's left edge belongs to."""
    near = [other for other in fixed if abs(other - edge) <= TEXT_TOLERANCE_PT]
    return min(near, key=lambda other: abs(other - edge), default=None)


def _is_area(node: etree._Element) -> bool:
    """Whether both sides of an element show: of cells, bars, pictures and horizontal rules."""
    if local_name(node) not in TEXT_ELEMENTS:
        return not _is_upright(node)
    box = child(node, "box")
    return (box is not None and len(box) > 0) or report_element(node).get("mode") == "Opaque"


def _is_upright(node: etree._Element) -> bool:
    return local_name(node) == "line" and int_attribute(report_element(node), "width") <= 1


def _alignment(node: etree._Element) -> str:
    words = child(node, "textElement")
    return (words.get("textAlignment") if words is not None else None) or "Left"


def _targets(counts: Counter[int], tolerance: int) -> dict[int, int]:
    """Return, for every edge, the one that it is moved to."""
    groups: list[list[int]] = []
    for edge in sorted(counts):
        if groups and edge - groups[-1][-1] <= tolerance:
            groups[-1].append(edge)
        else:
            groups.append([edge])
    return {edge: to for group in groups for edge, to in _targets_in(group, counts, tolerance).items()}


def _targets_in(group: Sequence[int], counts: Counter[int], tolerance: int) -> dict[int, int]:
    """Return the targets of a chain of edges: of the most frequent one first, then of what it leaves on both sides."""
    if not group:
        return {}
    best = max(group, key=lambda edge: (counts[edge], -edge))
    near = [edge for edge in group if abs(edge - best) <= tolerance]
    low, high = group.index(near[0]), group.index(near[-1]) + 1
    before, after = group[:low], group[high:]
    return _targets_in(before, counts, tolerance) | dict.fromkeys(near, best) | _targets_in(after, counts, tolerance)
