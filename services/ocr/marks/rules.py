"""Find ruling lines: straight, thin, horizontal or vertical; solid, dashed, dotted or double."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from bandsmith.shared.model.layout import Dash

from ..engines.base import TextArea
from ..page import SCALE
from .paper import PageRaster
from .strokes import Stroke, align_positions, extend_to_crossings, join_collinear, pair_double_rules

MIN_LENGTH_PX = 10 * SCALE
MAX_THICKNESS_PX = 4.3 * SCALE

MIN_THICK_PX, MIN_EVENNESS = 2.2 * SCALE, 0.8
"""On a photo, a rule as thick has a row of pixels with this share in about one colour; small letters have not."""

MIN_CELL_PX, MAX_SIDE_PX = 36 * SCALE, 2 * SCALE
"""A rule above or below cells is at least this long, and a rule between them no thicker than this."""
MIN_INKED = 0.5
"""Share of the contrast of a side of a cell that nearly all of it has at least."""
MAX_JOINED_FEET = 0.4
"""Share of a row of dashes below a text above which ink may stand, as the tails of letters reach down to it."""


def find_strokes(raster: PageRaster, areas: list[TextArea], excluded: np.ndarray) -> list[Stroke]:
    """Return all ruling lines of the raster.

    `areas` are text, whose strokes are not rules. Nothing is found where `excluded` is 1 (barcodes, images).
    """
    marks = ((raster.contrast > raster.min_contrast) & (excluded == 0)).astype(np.uint8)
    across = _Axis(raster, marks, areas, horizontal=True)
    down = _Axis(raster, marks, areas, horizontal=False)
    level = across.solid_strokes()
    solid = [level, down.solid_strokes(level)]
    broken = [across.broken_strokes(solid), down.broken_strokes(solid)]
    lines = [join_collinear(a + b) for a, b in zip(solid, broken, strict=True)]
    lines = [pair_double_rules(each) for each in lines]
    lines = [align_positions(each) for each in lines]
    return extend_to_crossings(lines[0], lines[1])


class _Axis:
    """One direction of the page; for vertical rules the page is transposed, so that rules always run along rows."""

    def __init__(self, raster: PageRaster, marks: np.ndarray, areas: list[TextArea], horizontal: bool) -> None:
        self.horizontal = horizontal
        self.noise = raster.noise
        self.min_contrast = raster.min_contrast
        self.marks = marks if horizontal else np.ascontiguousarray(marks.T)
        self.contrast = raster.contrast if horizontal else np.ascontiguousarray(raster.contrast.T)
        self.pixels = raster.pixels if horizontal else raster.pixels.transpose(1, 0, 2)
        self.ground = raster.ground if horizontal else raster.ground.transpose(1, 0, 2)
        self.areas = np.array(areas, np.float32).reshape(-1, 4)
        if not horizontal:
            self.areas = self.areas[:, [1, 0, 3, 2]]

    def solid_strokes(self, level: Sequence[Stroke] = ()) -> list[Stroke]:
        """Return unbroken runs that are no strokes of letters, or reach from one of the `level` rules to another."""
        thick = round(MAX_THICKNESS_PX)
        marks = cv2.dilate(self.marks, np.ones((3, 1), np.uint8)) if self.noise else self.marks
        runs = cv2.morphologyEx(marks, cv2.MORPH_OPEN, np.ones((1, int(MIN_LENGTH_PX * 0.9)), np.uint8))
        runs = cv2.subtract(runs, cv2.morphologyEx(runs, cv2.MORPH_OPEN, np.ones((thick + 3, 3), np.uint8)))
        found = []
        count, _, stats, _ = cv2.connectedComponentsWithStats(runs, connectivity=8)
        for x, y, w, h, size in stats[1:count]:
            if w < MIN_LENGTH_PX * 0.9 or h > thick + 3 + 0.02 * w or size < 0.5 * w:
                continue
            stroke = self._measure(x, y, w, h)
            if stroke is None or self._ends_letters(stroke):
                continue
            if not self._is_glyph_stroke(stroke) or (_is_side_of_cell(stroke, level) and self._is_inked(stroke)):
                found.append(stroke)
        return found + self._fine_dots(found)

    def _is_inked(self, stroke: Stroke) -> bool:
        """Whether a stroke is inked from end to end; letters leave gaps to the rules that a blurred page closes."""
        across = _pixel_slice(stroke.position - 1.5, stroke.position + 1.5)
        core = self.contrast[across, _pixel_slice(stroke.start + 2, stroke.end - 2)]
        if not core.size:
            return False
        along = core.max(axis=0)
        return float(np.percentile(along, 5)) >= MIN_INKED * float(np.percentile(along, 90))

    def _fine_dots(self, solid: list[Stroke]) -> list[Stroke]:
        """Return rows of dots too fine to separate: runs once their gaps are closed, with nothing close to them."""
        marks = self._marks_without(solid, 2)
        high = round(2 * SCALE)
        marks &= 1 - cv2.morphologyEx(marks, cv2.MORPH_OPEN, np.ones((high + 1, 1), np.uint8))
        closed = cv2.morphologyEx(marks, cv2.MORPH_CLOSE, np.ones((1, 5), np.uint8))
        runs = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((1, int(MIN_LENGTH_PX)), np.uint8))
        found = []
        count, _, stats, _ = cv2.connectedComponentsWithStats(runs, connectivity=8)
        for x, y, w, h, _ in stats[1:count]:
            if (
                h <= high
                and (stroke := self._measure(x, y, w, h))
                and self._is_isolated(stroke, 0.15)
                and not self._runs_through_text(stroke)
                and not (self.horizontal and self._is_glyph_stroke(stroke))
            ):
                found.append(stroke)
        return found

    def _marks_without(self, along: list[Stroke], slack: float) -> np.ndarray:
        marks = self.marks.copy()
        for stroke in along:
            half = stroke.thickness / 2 + slack
            marks[
                _pixel_slice(stroke.position - half, stroke.position + half),
                _pixel_slice(stroke.start - 1, stroke.end + 1),
            ] = 0
        return marks

    def _is_isolated(self, stroke: Stroke, allowed: float, reach: float = 5) -> bool:
        """Whether almost nothing is close above and below a line; beside a stroke of a letter there is other ink."""
        half = stroke.thickness / 2 + 1.5
        across = _pixel_slice(stroke.start + 2, stroke.end - 2)
        for low, high in (
            (stroke.position - half - reach, stroke.position - half),
            (stroke.position + half, stroke.position + half + reach),
        ):
            beside = self.marks[_pixel_slice(low, high), across]
            if beside.size and beside.any(axis=0).mean() > allowed:
                return False
        return True

    def broken_strokes(self, solid: list[list[Stroke]]) -> list[Stroke]:
        """Return rows of equal short dashes."""
        along, across = solid if self.horizontal else solid[::-1]
        marks = self._marks_without(along, 2)
        for stroke in across:
            half = stroke.thickness / 2 + 1
            marks[
                _pixel_slice(stroke.start, stroke.end), _pixel_slice(stroke.position - half, stroke.position + half)
            ] = 0
        high = round(2.6 * SCALE) + (2 if self.noise else 0)
        marks &= 1 - cv2.morphologyEx(marks, cv2.MORPH_OPEN, np.ones((high + 1, 1), np.uint8))
        count, _, stats, centres = cv2.connectedComponentsWithStats(marks, connectivity=8)
        stats, centres = stats[1:count], centres[1:count]
        good = (stats[:, 3] <= high) & (stats[:, 2] <= 16 * SCALE) & (stats[:, 4] >= 1)
        stats, centres = stats[good], centres[good]
        order = np.lexsort((stats[:, 0], np.round(centres[:, 1])))
        rows: dict[int, list[int]] = {}
        for i in order:
            rows.setdefault(round(float(centres[i, 1])), []).append(int(i))
        found, used = [], set()
        for row in sorted(rows, key=lambda r: -len(rows[r])):
            near = [i for r in (row - 1, row, row + 1) for i in rows.get(r, []) if i not in used]
            near.sort(key=lambda i: stats[i, 0])
            for chain in _chain_dashes(near, stats):
                rule = self._measure_dashes(stats[chain])
                if rule and not self._is_part_of_text(rule):
                    found.append(rule)
                    used.update(chain)
        return found

    def _measure(self, x: int, y: int, w: int, h: int) -> Stroke | None:
        """Measure position, thickness and colour of a run found in the given box; None when it is too thick."""
        pad = 3
        top, bottom = max(0, y - pad), min(self.contrast.shape[0], y + h + pad)
        part = self.contrast[top:bottom, x : x + w].astype(np.float32)
        part = np.where(part > self.min_contrast / 2, part, 0)
        # Where something crosses the rule, its middle would move: use only columns of ordinary mass.
        mass = part.sum(axis=0)
        plain = mass <= np.median(mass) * 1.3 + 1
        if plain.sum() < 4:
            return None
        profile = np.median(part[:, plain], axis=1) if h <= 4 or not self.noise else part[:, plain].mean(axis=1)
        if profile.max() <= 0:
            return None
        rows = np.arange(top, bottom) + 0.5
        at = float((profile * rows).sum() / profile.sum())
        peak = float(profile.max())
        thickness = float(profile.sum() / peak)
        if thickness > MAX_THICKNESS_PX:
            return None
        if not self._is_even(at, thickness, np.s_[x : x + w]):
            return None
        core = top + int(profile.argmax())
        dash = self._classify_dash(core, x, x + w, peak)
        if dash != "Solid":
            strength = self.contrast[core, x : x + w]
            plain = strength >= np.percentile(strength, 80)
        colour = np.median(self.pixels[core, x : x + w][plain], axis=0)
        start, end = self._measure_ends(core, x, x + w, peak)
        colour, thickness = self._undo_blur(colour, thickness, core, (x + x + w) // 2, peak)
        return Stroke(self.horizontal, at, start, end, thickness, colour, dash)

    def _is_even(self, position: float, thickness: float, columns: slice | np.ndarray) -> bool:
        """Whether the core of a thick rule of a scan or photo has no holes, as letters that touch each other have."""
        if not self.noise or not self.horizontal or thickness < MIN_THICK_PX:
            return True
        core = self.contrast[_pixel_slice(position - thickness / 2, position + thickness / 2)][:, columns]
        inked = core >= 0.6 * np.percentile(core, 90)
        return float(inked.mean(axis=1).max()) >= MIN_EVENNESS  # a double rule is pale between its lines

    def _undo_blur(
        self, colour: np.ndarray, thickness: float, y: int, x: int, peak: float
    ) -> tuple[tuple[int, int, int], float]:
        """Undo a photo's blur: a thin line looks pale and wide there, and was dark and thin."""
        blue, green, red = (int(c) for c in colour)
        if not self.noise or thickness > 2.2 * SCALE:
            return (blue, green, red), thickness
        ground = self.ground[y, x].astype(np.float32)
        change = ground - np.asarray(colour, np.float32)
        mass = thickness * peak
        min_thickness = 0.5 * SCALE
        strongest = peak * float(np.min(np.where(change > 1, ground / np.maximum(change, 1), 255)))
        thin = max(min_thickness, mass / max(strongest, 1))
        blue, green, red = np.clip(ground - change * (mass / thin / max(peak, 1)), 0, 255).astype(int)
        return (int(blue), int(green), int(red)), thin

    def _measure_ends(self, y: int, left: int, right: int, peak: float) -> tuple[float, float]:
        """Return where contrast along the row falls to half of its peak, to a fraction of a pixel."""
        reach = 4
        lo, hi = max(0, left - reach), min(self.contrast.shape[1], right + reach)
        row = self.contrast[max(0, y - 1) : y + 2, lo:hi].max(axis=0).astype(np.float32) / peak
        on = np.flatnonzero(row >= 0.5)
        if not len(on):
            return float(left), float(right)
        first, last = int(on[0]), int(on[-1])
        before = row[first - 1] if first else 0.0
        after = row[last + 1] if last + 1 < len(row) else 0.0
        return lo + first - float(before), lo + last + 1 + float(after)

    def _classify_dash(self, y: int, left: int, right: int, peak: float) -> Dash:
        """Classify a line by the rhythm along it, which shows even in dots so fine that they touch."""
        row = self.contrast[y, left:right].astype(np.float32) / peak
        on = row > 0.62 * np.percentile(row, 90)
        changes = np.flatnonzero(np.diff(on.astype(np.int8)))
        if len(changes) < 9 or len(changes) < len(row) / (8 * SCALE):
            return "Solid"
        runs = np.diff(changes)
        gaps, dots = (runs[::2], runs[1::2]) if on[changes[0]] else (runs[1::2], runs[::2])
        if np.median(gaps) > 3 * SCALE or np.std(dots) > 0.6 * np.mean(dots) + 0.5:
            return "Solid"
        return "Dotted" if np.median(dots) <= 1.4 * np.median(gaps) else "Dashed"

    def _measure_dashes(self, dashes: np.ndarray) -> Stroke | None:
        """Return the rule that a row of dashes draws, if they are similar and evenly spaced."""
        if len(dashes) < 4:
            return None
        starts, widths = dashes[:, 0].astype(float), dashes[:, 2].astype(float)
        gaps = starts[1:] - (starts + widths)[:-1]
        typical, gap = float(np.median(widths)), float(np.median(gaps))
        length = starts[-1] + widths[-1] - starts[0]
        if length < MIN_LENGTH_PX:
            return None
        # Dashes are lost or shortened where another rule crosses, so a few may differ.
        alike = np.abs(widths - typical) <= max(1.5, 0.3 * typical)
        even = np.abs(gaps - gap) <= max(1.5, 0.35 * gap)
        if alike.mean() < 0.7 or even.mean() < 0.7:
            return None
        if len(dashes) < 6 and not (alike.all() and even.all()):
            return None
        left, right = int(starts[0]), int(starts[-1] + widths[-1])
        top, bottom = int(dashes[:, 1].min()), int((dashes[:, 1] + dashes[:, 3]).max())
        inked = np.zeros(right - left, bool)
        for start, width in zip(starts, widths, strict=True):
            inked[int(start) - left : int(start + width) - left] = True
        part = self.contrast[max(0, top - 1) : bottom + 1, left:right][:, inked].astype(np.float32)
        profile = part.mean(axis=1)
        rows = np.arange(max(0, top - 1), max(0, top - 1) + len(profile)) + 0.5
        at = float((profile * rows).sum() / profile.sum())
        thickness = max(0.4 * SCALE, float(profile.sum() / max(float(profile.max()), 1)))
        if not self._is_even(at, thickness, left + np.flatnonzero(inked)):
            return None
        core = self.pixels[max(0, top - 1) + int(profile.argmax()), left:right][inked]
        strongest = self.contrast[max(0, top - 1) + int(profile.argmax()), left:right][inked]
        colour = np.median(core[strongest >= np.percentile(strongest, 60)], axis=0)
        blue, green, red = (int(c) for c in colour)
        dash: Dash = "Dotted" if typical <= 1.35 * gap or typical <= 1.8 * thickness else "Dashed"
        return Stroke(self.horizontal, at, float(left), float(right), thickness, (blue, green, red), dash)

    def _is_part_of_text(self, stroke: Stroke) -> bool:
        """Whether the dashes of a broken line are strokes of letters."""
        return self._is_glyph_stroke(stroke) or self._runs_through_text(stroke) or self._ends_letters(stroke)

    def _ends_letters(self, stroke: Stroke) -> bool:
        """Whether ink in a text of a scan or photo stands on the dashes: these are the feet of its letters."""
        if not self.noise or stroke.dash == "Solid" or not self.horizontal or not len(self.areas):
            return False
        x, y, w, h = self.areas.T
        covered = np.minimum(stroke.end, x + w) - np.maximum(stroke.start, x)
        holds = (stroke.position > y) & (stroke.position < y + h) & (covered > 0.8 * stroke.length)
        return bool(holds.any()) and not self._is_isolated(stroke, MAX_JOINED_FEET, 3)

    def _runs_through_text(self, stroke: Stroke) -> bool:
        """Whether most of a broken line runs through the middle of text: its dashes are then strokes of letters."""
        if not len(self.areas):
            return False
        x, y, w, h = self.areas.T
        rim = 0.2 * h if self.horizontal else 2
        # Detectors take a vertical row of dots for text as well.
        if not self.horizontal:
            h = np.where(w > 2.5 * h, 0, h)
        through = (stroke.position > y + rim) & (stroke.position < y + h - rim)
        covered = np.minimum(stroke.end, x + w) - np.maximum(stroke.start, x)
        return float(np.maximum(0, covered)[through].sum()) > 0.5 * stroke.length

    def _is_glyph_stroke(self, stroke: Stroke) -> bool:
        """Whether a line consists of strokes of letters: it lies in a text area, among other ink."""
        if not len(self.areas):
            return False
        x, y, w, h = self.areas.T
        tall = h if self.horizontal else w
        short = stroke.length < 1.5 * tall  # perhaps a stroke of one glyph, which may reach out of its text area
        along, across = np.where(short, 0.3 * tall, 4), np.where(short, 0.25 * tall, 1)
        within = (stroke.start >= x - along) & (stroke.end <= x + w + along)
        within &= (stroke.position >= y - across) & (stroke.position <= y + h + across)
        if not within.any():
            return False
        height = float(tall[within].max())
        if not self.horizontal:
            return stroke.length < 0.9 * height or not self._is_isolated(stroke, 0.05, 0.12 * height)
        if stroke.length < 1.5 * height and not self._is_isolated(stroke, 0.02, height):
            return True
        # An underline spans its text and has nothing below it; rows of strokes occur inside the letters too.
        low = (stroke.position > y + 0.72 * h) & (stroke.length > 0.7 * w)
        return not (within & low).any() and not self._is_isolated(stroke, 0.15, 0.3 * height)


def _is_side_of_cell(stroke: Stroke, level: Sequence[Stroke]) -> bool:
    """Whether a stroke reaches from one rule to another: no letter between them does, however close it stands."""
    if stroke.thickness > MAX_SIDE_PX:
        return False
    ends = (stroke.start, stroke.end)
    return all(any(_ends_at(stroke, end, rule) for rule in level) for end in ends)


def _ends_at(stroke: Stroke, end: float, rule: Stroke) -> bool:
    is_long = rule.length > max(MIN_CELL_PX, 2 * stroke.length)
    goes_past = rule.start - SCALE <= stroke.position <= rule.end + SCALE
    return is_long and goes_past and abs(rule.position - end) <= rule.thickness / 2 + SCALE


def _pixel_slice(start: float, end: float) -> slice:
    return slice(max(0, int(np.floor(start))), max(0, int(np.ceil(end))))


def _chain_dashes(dashes: list[int], stats: np.ndarray) -> list[list[int]]:
    """Group dashes along a row into chains whose gaps are no wider than those of a dashed line."""
    chains: list[list[int]] = []
    for i in dashes:
        if chains:
            last = stats[chains[-1][-1]]
            gap = stats[i, 0] - (last[0] + last[2])
            if -1 <= gap <= max(3 * SCALE, 1.5 * max(last[2], stats[i, 2])) and gap <= 10 * SCALE:
                chains[-1].append(i)
                continue
            if gap < -1:
                continue
        chains.append([i])
    return chains
