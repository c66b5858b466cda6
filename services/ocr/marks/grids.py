"""Ruled tables: every hole that the rules enclose is one cell, so merged cells come out by themselves."""

from __future__ import annotations

import cv2
import numpy as np

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Cell, Grid

from ..page import SCALE
from .rules import Stroke

LEAST = 4 * SCALE
"""A hole narrower than this is the space inside a double rule."""
REACH = round(1.2 * SCALE)
SAME = 1.8 * SCALE
"""Edges nearer than this are one edge."""


def find_grids(strokes: list[Stroke], ids: list[str], shape: tuple[int, int]) -> list[Grid]:
    """The tables that `strokes` (pixels, named by `ids`) draw on a page of `shape` pixels, from top to bottom."""
    drawn = np.zeros(shape, np.uint8)
    for stroke in strokes:
        a, b, at = round(stroke.start) - REACH, round(stroke.end) + REACH, round(stroke.at)
        start, end = ((a, at), (b, at)) if stroke.horizontal else ((at, a), (at, b))
        cv2.line(drawn, start, end, (1,), 1)
    contours, tree = cv2.findContours(drawn, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    tables: dict[int, list[tuple[float, float, float, float]]] = {}
    for contour, (_, _, _, parent) in zip(contours, tree[0] if tree is not None else (), strict=True):
        x, y, w, h = cv2.boundingRect(contour)
        if parent < 0 or w < LEAST or h < LEAST or cv2.contourArea(contour) < 0.8 * (w - 1) * (h - 1):
            continue
        tables.setdefault(parent, []).append((x + 0.5, y + 0.5, x + w - 0.5, y + h - 0.5))
    grids = [_grid(cells, strokes, ids) for cells in tables.values() if len(cells) > 1]
    grids.sort(key=lambda g: (g.box.y, g.box.x))
    return [g.model_copy(update={"id": f"grid{n}"}) for n, g in enumerate(grids, 1)]


def _grid(holes: list[tuple[float, float, float, float]], strokes: list[Stroke], ids: list[str]) -> Grid:
    left, top = min(h[0] for h in holes), min(h[1] for h in holes)
    right, bottom = max(h[2] for h in holes), max(h[3] for h in holes)

    def draws(stroke: Stroke) -> bool:
        low, high, near, far = (top, bottom, left, right) if stroke.horizontal else (left, right, top, bottom)
        inside = low - SAME <= stroke.at <= high + SAME
        return inside and stroke.start >= near - 3 * SAME and stroke.end <= far + 3 * SAME

    mine = [(s, i) for s, i in zip(strokes, ids, strict=True) if draws(s)]
    columns = _edges([x for h in holes for x in (h[0], h[2])], [s.at for s, _ in mine if not s.horizontal])
    rows = _edges([y for h in holes for y in (h[1], h[3])], [s.at for s, _ in mine if s.horizontal])
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


def _edges(places: list[float], rules: list[float]) -> list[float]:
    """One edge for each group of near places, on the rule that draws it."""
    places = sorted(places)
    groups = [[places[0]]]
    for place in places[1:]:
        if place - groups[-1][-1] <= SAME:
            groups[-1].append(place)
        else:
            groups.append([place])
    middles = [float(np.median(group)) for group in groups]
    return [min(rules, key=lambda r: abs(r - m), default=m) if _close(rules, m) else m for m in middles]


def _close(rules: list[float], place: float) -> bool:
    return any(abs(rule - place) <= SAME for rule in rules)


def _nearest(edges: list[float], place: float) -> int:
    return min(range(len(edges)), key=lambda i: abs(edges[i] - place))
