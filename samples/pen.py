"""A coloured pen held by hand: writing, arrows, loops and strokes on a picture, none of them quite straight."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from bandsmith.shared.fonts import CJK_FILE, font_file, is_cjk

Point = tuple[float, float]
_OVERSAMPLING = 3
"""Everything is drawn this many times larger and scaled down, so that edges are smooth."""
_MARGIN_PX = 8
"""More than the reach of the filter that scales down."""


class MarkerPen:
    """Draws on a picture of `scale` pixels per point, in points. The same seed draws the same strokes."""

    def __init__(
        self, image: Image.Image, scale: float, colour: str, *, width: float = 1.4, shake: float = 1.0, seed: int = 1
    ) -> None:
        self.image, self.scale, self.colour = image, scale, colour
        self.width, self.shake = width, shake
        self._random = np.random.default_rng(seed)

    def write(self, x: float, y: float, text: str, size: float = 13) -> None:
        """Write text on the baseline `y`; letters vary as the hand shakes, and look printed if it does not."""
        for char in text:
            name = CJK_FILE if is_cjk(char) else "LiberationSans-Regular.ttf"
            face = ImageFont.truetype(str(font_file(name)), size * self.scale * _OVERSAMPLING)
            reach = round(2 * size * self.scale * _OVERSAMPLING)
            glyph = Image.new("L", (reach, reach), 0)
            bold = round(0.02 * size * self.scale * _OVERSAMPLING) if self.shake else 0
            place = (reach / 4, reach * 0.65)
            ImageDraw.Draw(glyph).text(place, char, 255, face, anchor="ls", stroke_width=bold)
            dip = 0.0
            if self.shake:
                turn, dip = self._random.normal(0, (2.5, 0.02 * size)) * self.shake
                glyph = glyph.rotate(turn, Image.Resampling.BICUBIC, center=place)
            small = glyph.resize((round(reach / _OVERSAMPLING),) * 2, Image.Resampling.LANCZOS)
            left, top = x * self.scale - small.width / 4, (y + dip) * self.scale - small.height * 0.65
            self.image.paste(self.colour, (round(left), round(top)), small)
            x += face.getlength(char) / self.scale / _OVERSAMPLING

    def arrow(self, tail: Point, tip: Point, *, bend: float = 0.0, head: float = 8, filled: bool = False) -> None:
        """Draw an arrow; `bend` is the sideways offset of its middle, as a share of its length."""
        (x1, y1), (x2, y2) = tail, tip
        aside = (x1 + x2) / 2 - bend * (y2 - y1), (y1 + y2) / 2 + bend * (x2 - x1)
        path = [
            tuple((1 - t) ** 2 * a + 2 * t * (1 - t) * m + t**2 * b for a, m, b in zip(tail, aside, tip, strict=True))
            for t in np.linspace(0, 1, 25)
        ]
        angle = math.atan2(y2 - path[-4][1], x2 - path[-4][0])
        wings = [(x2 - head * math.cos(angle + turn), y2 - head * math.sin(angle + turn)) for turn in (0.48, -0.48)]
        if filled:
            # The shaft ends inside the head.
            shaft = [at for at in path if math.dist(at, tip) > 0.6 * head]
            self._draw([shaft], fill=[wings[0], tip, wings[1]])
        else:
            self._draw([path, [wings[0], tip, wings[1]]])

    def line(self, *points: Point) -> None:
        self._draw([list(points)])

    def loop(self, x: float, y: float, width: float, height: float, *, closed: float = 1.03) -> None:
        """Draw a loop around a box, `closed` turns of it."""
        turns = np.linspace(-1.9, -1.9 + 2 * math.pi * closed, 60)
        grow = np.linspace(0.97, 1.03, 60) if self.shake else np.ones(60)
        self._draw([
            [
                (x + width / 2 * (1 + g * math.cos(t)), y + height / 2 * (1 + g * math.sin(t)))
                for t, g in zip(turns, grow, strict=True)
            ]
        ])  # fmt: skip

    def strike(self, x1: float, x2: float, y: float) -> None:
        steps = np.linspace(x1, x2, 12)
        self._draw([[(x, y + 0.5 * self.shake * math.sin(x / 9)) for x in steps]])

    def _draw(self, lines: list[list[Point]], fill: list[Point] | None = None) -> None:
        """Draw round strokes along lines, and a filled polygon, on the picture."""
        shaken = [np.array(line) + self._wobble(len(line)) for line in lines]
        corner, size = self._pixels_around(np.concatenate([*shaken, np.array(fill or [lines[0][0]])]))
        ink = Image.new("L", (size[0] * _OVERSAMPLING, size[1] * _OVERSAMPLING), 0)
        pen = ImageDraw.Draw(ink)
        unit = self.scale * _OVERSAMPLING
        half = self.width * unit / 2

        def on_ink(points: np.ndarray) -> list[tuple[float, float]]:
            return [(float(x), float(y)) for x, y in points * unit - np.array(corner) * _OVERSAMPLING]

        for line in shaken:
            places = on_ink(line)
            pen.line(places, 255, round(2 * half), joint="curve")
            for x, y in places:
                pen.ellipse((x - half, y - half, x + half, y + half), fill=255)
        if fill:
            pen.polygon(on_ink(np.array(fill)), fill=255)
        self.image.paste(self.colour, corner, ink.resize(size, Image.Resampling.LANCZOS))

    def _wobble(self, points: int) -> np.ndarray:
        """How far the hand strays at each point, in points; not at the ends."""
        wobble = self._random.normal(0, 0.22 * self.shake, (points, 2))
        wobble[[0, -1]] = 0
        return wobble

    def _pixels_around(self, points: np.ndarray) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return corner and size of the part of the picture that strokes along these points touch, in pixels."""
        reach = self.width * self.scale + _MARGIN_PX
        least = np.floor(points.min(axis=0) * self.scale - reach).astype(int)
        most = np.ceil(points.max(axis=0) * self.scale + reach).astype(int)
        left, top = (max(0, int(value)) for value in least)
        right, bottom = min(self.image.width, int(most[0])), min(self.image.height, int(most[1]))
        return (left, top), (max(1, right - left), max(1, bottom - top))
