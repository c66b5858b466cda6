"""The form's ruling lines: which of them are borders of a cell, and what is left to draw as lines."""

from __future__ import annotations

from collections.abc import Iterable

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import RulingLine
from bandsmith.shared.model.plan import Borders, Pen

ON = 2.0
"""A rule this near an edge, in points, lies on it."""
COVERS = 0.8
"""A rule that covers this share of an edge is its border."""
SHORTEST = 3.0
"""What is left of a rule is drawn from this length on, in points."""


def pen_of(rule: RulingLine) -> Pen:
    """The pen that draws a rule; half points are what templates use."""
    return Pen(width=max(0.5, round(rule.thickness * 2) / 2), dash=rule.dash, colour=rule.colour)


class Ruling:
    """Rules, and how much of each one is already drawn as cells' borders."""

    def __init__(self, rules: Iterable[RulingLine]) -> None:
        self.rules = list(rules)
        self._drawn: dict[str, list[tuple[float, float]]] = {rule.id: [] for rule in self.rules}

    def borders(self, room: Box, top: bool = True) -> Borders:
        """The pens on the edges of a cell, that at the top if so asked; what they draw counts as drawn."""
        return Borders(
            top=self._edge(True, room.y, room.x, room.right) if top else Pen(),
            bottom=self._edge(True, room.bottom, room.x, room.right),
            left=self._edge(False, room.x, room.y, room.bottom),
            right=self._edge(False, room.right, room.y, room.bottom),
        )

    def _edge(self, horizontal: bool, at: float, start: float, end: float) -> Pen:
        best, most = None, COVERS * (end - start)
        for rule in self.rules:
            across, low, high = span(rule)
            if rule.horizontal == horizontal and abs(across - at) <= ON and min(high, end) - max(low, start) >= most:
                best, most = rule, min(high, end) - max(low, start)
        if best is None:
            return Pen()
        self._drawn[best.id].append((start - ON, end + ON))
        return pen_of(best)

    def left(self) -> list[RulingLine]:
        """The pieces of rules that no border draws; a whole one keeps its id."""
        pieces = []
        for rule in self.rules:
            across, low, high = span(rule)
            gaps = _without(low, high, self._drawn[rule.id])
            for n, (start, end) in enumerate(gaps):
                if end - start < SHORTEST and len(self._drawn[rule.id]):
                    continue
                name = rule.id if gaps == [(low, high)] else f"{rule.id}.{n + 1}"
                pieces.append(piece(rule, name, across, start, end))
        return pieces


def span(rule: RulingLine) -> tuple[float, float, float]:
    """(the coordinate it lies at, where it starts, where it ends)."""
    if rule.horizontal:
        return (rule.y1 + rule.y2) / 2, min(rule.x1, rule.x2), max(rule.x1, rule.x2)
    return (rule.x1 + rule.x2) / 2, min(rule.y1, rule.y2), max(rule.y1, rule.y2)


def piece(rule: RulingLine, name: str, across: float, start: float, end: float) -> RulingLine:
    """The part of a rule from `start` to `end`."""
    if rule.horizontal:
        place = {"x1": start, "x2": end, "y1": across, "y2": across}
    else:
        place = {"x1": across, "x2": across, "y1": start, "y2": end}
    return rule.model_copy(update={"id": name, **place})


def _without(low: float, high: float, taken: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    free = []
    for start, end in sorted(taken):
        if start > low:
            free.append((low, min(start, high)))
        low = max(low, end)
    if low < high:
        free.append((low, high))
    return [(start, end) for start, end in free if end > start]
