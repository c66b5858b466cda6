"""Ruling lines: which of them are borders of a cell, and what remains to be drawn as lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Layout, RulingLine
from bandsmith.shared.model.plan import Borders, Pen

EDGE_TOLERANCE_PT = 2.0
"""A rule this close to an edge lies on it."""
MIN_EDGE_COVERAGE = 0.8
"""Share of an edge that a rule must cover to be its border."""
MIN_REMAINDER_PT = 3.0
"""Shorter remainders of a partly drawn rule are not drawn."""


def pen_of(rule: RulingLine) -> Pen:
    """The pen that draws a rule, in the half-point steps that templates use."""
    return Pen(width=max(0.5, round(rule.thickness * 2) / 2), dash=rule.dash, colour=rule.colour)


def even_between_rows(layout: Layout) -> list[RulingLine]:
    """Return a page's rules, with those between the rows of a table dashed as most rules of that table are.

    The dashes of two cells that meet at a rule may fill each other's gaps, so that a single one looks solid. The first
    and the last rule of a table may well look different: they are counted, and stay.
    """
    rules = {rule.id: rule for rule in layout.rules}
    for rows in layout.tables:
        bottom = rows.tops[-1] + (rows.heights[-1] if rows.heights else rows.pitch)
        edges = [*rows.tops, bottom]
        beside = [[r for r in rules.values() if _lies_along(r, rows.box, edge)] for edge in edges]
        dashes = Counter(rule.dash for found in beside for rule in found)
        dash, count = dashes.most_common(1)[0] if dashes else ("Solid", 0)
        if count > dashes.total() / 2:
            between = [rule for found in beside[1:-1] for rule in found]
            rules |= {rule.id: rule.model_copy(update={"dash": dash}) for rule in between}
    return list(rules.values())


def _lies_along(rule: RulingLine, table: Box, y: float) -> bool:
    across, start, end = span(rule)
    covered = min(end, table.right) - max(start, table.x)
    return rule.horizontal and abs(across - y) <= EDGE_TOLERANCE_PT and covered > MIN_EDGE_COVERAGE * table.width


class Ruling:
    """The rules of a page, and the stretches of each that cell borders already draw."""

    def __init__(self, rules: Iterable[RulingLine]) -> None:
        self.rules = list(rules)
        self._drawn: dict[str, list[tuple[float, float]]] = {rule.id: [] for rule in self.rules}

    def borders(self, cell: Box, top: bool = True) -> Borders:
        """Return the borders of a cell and mark them as drawn. Without `top` its top edge stays undrawn."""
        return Borders(
            top=self._edge(True, cell.y, cell.x, cell.right) if top else Pen(),
            bottom=self._edge(True, cell.bottom, cell.x, cell.right),
            left=self._edge(False, cell.x, cell.y, cell.bottom),
            right=self._edge(False, cell.right, cell.y, cell.bottom),
        )

    def take(self, cell: Box, borders: Borders) -> None:
        """Mark what lies on the edges of a cell as drawn by these borders, however short it is."""
        edges = [
            (borders.top, True, cell.y, cell.x, cell.right),
            (borders.bottom, True, cell.bottom, cell.x, cell.right),
            (borders.left, False, cell.x, cell.y, cell.bottom),
            (borders.right, False, cell.right, cell.y, cell.bottom),
        ]
        for pen, horizontal, position, start, end in edges:
            on_edge = (
                rule
                for rule in self.rules
                if rule.horizontal == horizontal and abs(span(rule)[0] - position) <= EDGE_TOLERANCE_PT
            )
            for rule in on_edge if pen != Pen() else ():
                self._drawn[rule.id].append((start - EDGE_TOLERANCE_PT, end + EDGE_TOLERANCE_PT))

    def _edge(self, horizontal: bool, position: float, start: float, end: float) -> Pen:
        best, coverage = None, MIN_EDGE_COVERAGE * (end - start)
        for rule in self.rules:
            across, low, high = span(rule)
            if rule.horizontal != horizontal or abs(across - position) > EDGE_TOLERANCE_PT:
                continue
            if (covered := min(high, end) - max(low, start)) >= coverage:
                best, coverage = rule, covered
        if best is None:
            return Pen()
        self._drawn[best.id].append((start - EDGE_TOLERANCE_PT, end + EDGE_TOLERANCE_PT))
        return pen_of(best)

    def undrawn(self) -> list[RulingLine]:
        """Return the parts of rules that no border draws, as far as the borders. A rule that is whole keeps its id."""
        parts = []
        for rule in self.rules:
            across, low, high = span(rule)
            gaps = _subtract(low, high, self._drawn[rule.id])
            for number, (start, end) in enumerate(gaps, 1):
                if end - start < MIN_REMAINDER_PT and self._drawn[rule.id]:
                    continue
                part_id = rule.id if gaps == [(low, high)] else f"{rule.id}.{number}"
                ends = max(low, start - EDGE_TOLERANCE_PT), min(high, end + EDGE_TOLERANCE_PT)
                parts.append(part_of(rule, part_id, across, *ends))
        return parts


def span(rule: RulingLine) -> tuple[float, float, float]:
    """A rule's position across its direction, its start and its end."""
    if rule.horizontal:
        return (rule.y1 + rule.y2) / 2, min(rule.x1, rule.x2), max(rule.x1, rule.x2)
    return (rule.x1 + rule.x2) / 2, min(rule.y1, rule.y2), max(rule.y1, rule.y2)


def part_of(rule: RulingLine, part_id: str, across: float, start: float, end: float) -> RulingLine:
    """The part of a rule from `start` to `end`, at the position `across` its direction."""
    if rule.horizontal:
        ends = {"x1": start, "x2": end, "y1": across, "y2": across}
    else:
        ends = {"x1": across, "x2": across, "y1": start, "y2": end}
    return rule.model_copy(update={"id": part_id, **ends})


def _subtract(low: float, high: float, drawn: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """The stretches between `low` and `high` that are not drawn."""
    free = []
    for start, end in sorted(drawn):
        if start > low:
            free.append((low, min(start, high)))
        low = max(low, end)
    if low < high:
        free.append((low, high))
    return [(start, end) for start, end in free if end > start]
