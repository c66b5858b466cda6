"""Find ruled tables: every hole that the rules enclose is a cell, so merged cells need no special case."""

from __future__ import annotations

import cv2
import numpy as np

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Cell, Grid

from ..page import SCALE
from .strokes import Stroke

MIN_CELL_PX = 4 * SCALE
"""A narrower hole is the space inside a double rule."""
RULE_EXTENSION_PX = round(1.2 * SCALE)
"""Rules are drawn longer by this, so that they meet."""
EDGE_TOLERANCE_PX = 1.8 * SCALE
"""Edges closer together than this are one edge."""


def find_grids(strokes: list[Stroke], ids: list[str], shape: tuple[int, int]) -> list[Grid]:
    """Return the tables that `strokes` (named by `ids`) draw on a page of `shape` pixels, from top to bottom."""
    drawn = np.zeros(shape, np.uint8)
    for stroke in strokes:
        a, b, at = (
            round(stroke.start) - RULE_EXTENSION_PX,
            round(stroke.end) + RULE_EXTENSION_PX,
            round(stroke.position),
        )
        start, end = ((a, at), (b, at)) if stroke.horizontal else ((at, a), (at, b))
        cv2.line(drawn, start, end, (1,), 1)
    contours, tree = cv2.findContours(drawn, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    tables: dict[int, list[tuple[float, float, float, float]]] = {}
    for contour, (_, _, _, parent) in zip(contours, tree[0] if tree is not None else (), strict=True):
        x, y, w, h = cv2.boundingRect(contour)
        if parent < 0 or w < MIN_CELL_PX or h < MIN_CELL_PX or cv2.contourArea(contour) < 0.8 * (w - 1) * (h - 1):
            continue
        tables.setdefault(parent, []).append((x + 0.5, y + 0.5, x + w - 0.5, y + h - 0.5))
    grids = [_build_grid(cells, strokes, ids) for cells in tables.values() if len(cells) > 1]
    grids.sort(key=lambda g: (g.box.y, g.box.x))
    return [g.model_copy(update={"id": f"grid{n}"}) for n, g in enumerate(grids, 1)]


def _build_grid(holes: list[tuple[float, float, float, float]], strokes: list[Stroke], ids: list[str]) -> Grid:
    left, top = min(h[0] for h in holes), min(h[1] for h in holes)
    right, bottom = max(h[2] for h in holes), max(h[3] for h in holes)

    def draws(stroke: Stroke) -> bool:
        low, high, near, far = (top, bottom, left, right) if stroke.horizontal else (left, right, top, bottom)
        inside = low - EDGE_TOLERANCE_PX <= stroke.position <= high + EDGE_TOLERANCE_PX
        return inside and stroke.start >= near - 3 * EDGE_TOLERANCE_PX and stroke.end <= far + 3 * EDGE_TOLERANCE_PX

    mine = [(s, i) for s, i in zip(strokes, ids, strict=True) if draws(s)]
    columns = _cluster_edges(
        [x for h in holes for x in (h[0], h[2])], [s.position for s, _ in mine if not s.horizontal]
    )
    rows = _cluster_edges([y for h in holes for y in (h[1], h[3])], [s.position for s, _ in mine if s.horizontal])
    cells = []
    for hole in holes:
        c0, c1 = _nearest(columns, hole[0]), _nearest(columns, hole[2])
        r0, r1 = _nearest(rows, hole[1]), _nearest(rows, hole[3])
        if c1 <= c0 or r1 <= r0:
            continue
        cells.append(
            Cell(
                row=r0,
                column=c0,
                row_span=r1 - r0,
                column_span=c1 - c0,
                box=_box(columns[c0], rows[r0], columns[c1], rows[r1]),
            )
        )
    cells.sort(key=lambda c: (c.row, c.column))
    return Grid(
        id="",
        box=_box(columns[0], rows[0], columns[-1], rows[-1]),
        columns=[x / SCALE for x in columns],
        rows=[y / SCALE for y in rows],
        cells=cells,
        rules=[i for _, i in mine],
    )


def _box(left: float, top: float, right: float, bottom: float) -> Box:
    return Box.between(left / SCALE, top / SCALE, right / SCALE, bottom / SCALE)


def _cluster_edges(positions: list[float], rules: list[float]) -> list[float]:
    """Return one edge for each cluster of positions, on the rule that draws it."""
    positions = sorted(positions)
    groups = [[positions[0]]]
    for position in positions[1:]:
        if position - groups[-1][-1] <= EDGE_TOLERANCE_PX:
            groups[-1].append(position)
        else:
            groups.append([position])
    middles = [float(np.median(group)) for group in groups]
    return [min(rules, key=lambda r: abs(r - m), default=m) if _is_near_rule(rules, m) else m for m in middles]


def _is_near_rule(rules: list[float], position: float) -> bool:
    return any(abs(rule - position) <= EDGE_TOLERANCE_PX for rule in rules)


def _nearest(edges: list[float], position: float) -> int:
    return min(range(len(edges)), key=lambda i: abs(edges[i] - position))
