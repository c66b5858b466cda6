"""Draw the content of office documents as a page: wrapped text, rules and fills, with the exact words kept."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from typing import Literal

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from bandsmith.shared.fonts import face_of, font_file, measure
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import TextStyle
from bandsmith.shared.replies import Text
from bandsmith.shared.template_markers import PLACEHOLDER

from ..page import SCALE, Divider, Page, Word, pixel_shape

Align = Literal["Left", "Center", "Right"]


@dataclass(frozen=True)
class PlacedText:
    """Text in one style at a position, in points."""

    text: str
    x: float
    baseline: float
    style: TextStyle

    def moved(self, dx: float, dy: float) -> PlacedText:
        return replace(self, x=self.x + dx, baseline=self.baseline + dy)


@dataclass(frozen=True)
class StrokedLine:
    """A straight line; `width` is its thickness in points."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float
    colour: str

    def moved(self, dx: float, dy: float) -> StrokedLine:
        return replace(self, x1=self.x1 + dx, y1=self.y1 + dy, x2=self.x2 + dx, y2=self.y2 + dy)


@dataclass(frozen=True)
class FilledBox:
    """A rectangle filled with one colour."""

    box: Box
    colour: str

    def moved(self, dx: float, dy: float) -> FilledBox:
        return replace(self, box=self.box.moved(dx, dy))


@dataclass(frozen=True)
class PlacedPicture:
    """A picture stretched to a box."""

    box: Box
    pixels: np.ndarray
    """BGR, 8 bits, of any size."""

    def moved(self, dx: float, dy: float) -> PlacedPicture:
        return replace(self, box=self.box.moved(dx, dy))


@dataclass(frozen=True)
class LoopArea:
    """An area that a template repeats. It draws nothing; areas with the same number are one."""

    box: Box
    number: int

    def moved(self, dx: float, dy: float) -> LoopArea:
        return replace(self, box=self.box.moved(dx, dy))


@dataclass(frozen=True)
class CellSide:
    """A vertical line that no text crosses. It draws nothing."""

    x: float
    top: float
    bottom: float

    def moved(self, dx: float, dy: float) -> CellSide:
        return CellSide(self.x + dx, self.top + dy, self.bottom + dy)


Drawn = PlacedText | StrokedLine | FilledBox | PlacedPicture | LoopArea | CellSide


@dataclass(frozen=True)
class Pinned:
    """An item at a position of the page, which stays there wherever the text that anchors it is placed."""

    item: Drawn

    def moved(self, dx: float, dy: float) -> Pinned:
        return self


Item = Drawn | Pinned


@dataclass(frozen=True)
class Fragment:
    """Items laid out from (0, 0) down, in points, which can be placed anywhere."""

    items: list[Item]
    height: float

    def at(self, x: float, y: float) -> list[Item]:
        return [item.moved(x, y) for item in self.items]


Run = tuple[str, TextStyle]
"""Text in one style."""


@dataclass(frozen=True)
class LineHeight:
    """How high the lines of a paragraph are: a share of what their fonts need, or lengths in points."""

    share: float = 1.0
    least: float = 0.0
    exact: float | None = None

    def of(self, needed: float) -> float:
        """Return the height of a line whose fonts need `needed` points."""
        return max(self.least, needed * self.share) if self.exact is None else self.exact


def lay_out_paragraph(
    runs: Iterable[Run],
    width: float,
    align: Align = "Left",
    *,
    line: LineHeight = LineHeight(),
    first: float = 0.0,
    stops: Iterable[float] = (),
    wrap: bool = True,
) -> Fragment:
    """Set runs of text in lines at most `width` wide; `first` indents the first line, `stops` are tab stops.

    In a first line that begins further left than the others, where these begin is a tab stop.
    """
    lines = _lines(list(runs), width if wrap else float("inf"), first, sorted(stops))
    items: list[Item] = []
    y = 0.0
    for number, runs_of_line in enumerate(lines):
        measures = [measure(text or " ", s.family, s.size, s.bold, s.italic) for text, s, _ in runs_of_line]
        ascent = max(m.ascent for m in measures)
        needed = ascent + max(m.descent for m in measures)
        height = line.of(needed)
        indent = first if number == 0 else 0.0
        free = width - indent - (runs_of_line[-1][2] + measures[-1].advance)
        shift = indent + {"Left": 0.0, "Center": free / 2, "Right": free}[align]
        baseline = y + (height - needed) / 2 + ascent
        items += [PlacedText(text, shift + x, baseline, s) for text, s, x in runs_of_line if text.strip()]
        y += height
    return Fragment(items, y)


_BREAKABLE = re.compile(r"\n|\t| +|[^\s\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\ufe30-\uffef]+|.", re.DOTALL)
"""White space, a word, or one CJK character: lines break between these."""

_PlacedRun = tuple[str, TextStyle, float]
"""A run's text, its style and its x within the line."""


def _lines(runs: list[Run], width: float, first: float, stops: list[float]) -> list[list[_PlacedRun]]:
    blank = runs[0][1] if runs else TextStyle(family="Liberation Sans", size=10)
    lines: list[list[_PlacedRun]] = [[]]
    pen = 0.0
    for part in _parts(runs):
        available = width - (first if len(lines) == 1 else 0.0)
        text = "".join(piece for piece, _ in part)
        if text == "\n":
            lines.append([])
            pen = 0.0
            continue
        if text == "\t":
            hanging = [-first] if first < 0 and len(lines) == 1 else []
            pen = next((stop for stop in (*hanging, *stops) if stop > pen + 1), (pen // 36 + 1) * 36)
            continue
        advances = [measure(piece, s.family, s.size, s.bold, s.italic).advance for piece, s in part]
        if pen + sum(advances) > available + 0.01 and lines[-1]:
            if text.isspace():
                continue
            lines.append([])
            pen = 0.0
        for (piece, style), advance in zip(part, advances, strict=True):
            lines[-1].append((piece, style, pen))
            pen += advance
    return [_joined(line) or [("", blank, 0.0)] for line in lines]


def _parts(runs: list[Run]) -> Iterator[list[Run]]:
    """Yield what lines do not break within, each as runs: a word may have several styles."""
    text = "".join(words for words, _ in runs)
    styles = [style for words, style in runs for _ in words]
    end = 0
    for part in (*PLACEHOLDER.finditer(text), None):
        start = part.start() if part else len(text)
        for word in _BREAKABLE.finditer(text, end, start):
            yield _runs_between(text, styles, *word.span())
        if part:
            yield _runs_between(text, styles, *part.span())
            end = part.end()


def _runs_between(text: str, styles: list[TextStyle], start: int, end: int) -> list[Run]:
    found: list[Run] = []
    for style, letters in groupby(range(start, end), key=lambda at: styles[at]):
        found.append(("".join(text[at] for at in letters), style))
    return found


def _joined(line: list[_PlacedRun]) -> list[_PlacedRun]:
    """Join neighbours that have the same style."""
    while line and line[-1][0].isspace():
        line = line[:-1]
    joined: list[_PlacedRun] = []
    end = 0.0
    for text, style, x in line:
        if joined and joined[-1][1] == style and abs(x - end) < 0.01:
            joined[-1] = (joined[-1][0] + text, style, joined[-1][2])
        else:
            joined.append((text, style, x))
        end = x + measure(text, style.family, style.size, style.bold, style.italic).advance
    return joined


def draw_page(items: Iterable[Item], size: Size, notes: list[Text]) -> Page:
    """Draw a page: fills first, then pictures, rules and text."""
    height, width = pixel_shape(size)
    image = Image.new("RGB", (width, height), "white")
    pen = ImageDraw.Draw(image)
    words: list[Word] = []
    pictures: list[Box] = []
    drawn = [item.item if isinstance(item, Pinned) else item for item in items]
    drawn.sort(key=lambda item: _LAYERS.index(type(item)))
    for item in drawn:
        if isinstance(item, PlacedPicture):
            pictures += _paste(image, item, size)
        elif isinstance(item, FilledBox):
            b = item.box
            corners = (round(b.x * SCALE), round(b.y * SCALE), round(b.right * SCALE) - 1, round(b.bottom * SCALE) - 1)
            if corners[2] >= corners[0] and corners[3] >= corners[1]:
                pen.rectangle(corners, fill=item.colour)
        elif isinstance(item, StrokedLine):
            pen.rectangle(_stroke(item), fill=item.colour)
        elif isinstance(item, PlacedText):
            words += _write(pen, item)
    pixels = np.ascontiguousarray(np.asarray(image)[:, :, ::-1])
    dividers = [Divider(item.x, item.top, item.bottom) for item in drawn if isinstance(item, CellSide)]
    return Page(pixels, size, words, notes, pictures, loops=_loops(drawn), dividers=dividers)


def _loops(items: Iterable[Item]) -> list[Box]:
    areas: dict[int, list[Box]] = {}
    for item in items:
        if isinstance(item, LoopArea):
            areas.setdefault(item.number, []).append(item.box)
    return [Box.around(boxes) for boxes in areas.values()]


_LAYERS = (FilledBox, PlacedPicture, StrokedLine, PlacedText, LoopArea, CellSide)
"""Kinds of items from back to front."""


def _paste(image: Image.Image, item: PlacedPicture, size: Size) -> list[Box]:
    """Draw a picture and return the part of its box that is on the page, if any."""
    box = item.box
    left, top = round(box.x * SCALE), round(box.y * SCALE)
    right, bottom = round(box.right * SCALE), round(box.bottom * SCALE)
    seen = Box.between(max(0.0, box.x), max(0.0, box.y), min(size.width, box.right), min(size.height, box.bottom))
    if seen.width <= 0 or seen.height <= 0 or max(right - left, bottom - top) > 4 * max(image.size):
        return []
    picture = Image.fromarray(np.ascontiguousarray(item.pixels[:, :, ::-1]))
    image.paste(picture.resize((max(1, right - left), max(1, bottom - top)), Image.Resampling.BOX), (left, top))
    return [seen]


def _stroke(line: StrokedLine) -> tuple[int, int, int, int]:
    """Return the pixels that a horizontal or vertical line covers, corners included."""
    thick = max(1, round(line.width * SCALE))
    left, right = sorted((line.x1 * SCALE, line.x2 * SCALE))
    top, bottom = sorted((line.y1 * SCALE, line.y2 * SCALE))
    if right - left >= bottom - top:
        top = round(top - thick / 2)
        return round(left), int(top), round(right), int(top) + thick - 1
    left = round(left - thick / 2)
    return int(left), round(top), int(left) + thick - 1, round(bottom)


def _write(pen: ImageDraw.ImageDraw, item: PlacedText) -> list[Word]:
    """Draw text, each character where JasperReports would place it, and return its words."""
    style = item.style
    words: list[Word] = []
    x = item.x
    parts = re.findall(r"\s+|\S+", item.text)
    for number, part in enumerate(parts):
        start = x
        for char in part:
            face = _face(face_of(char, style.family, style.bold, style.italic), style.size)
            if not char.isspace():
                pen.text((x * SCALE, item.baseline * SCALE), char, fill=style.colour, font=face, anchor="ls")
            x += measure(char, style.family, style.size, style.bold, style.italic).advance
        if not part.isspace():
            size = measure(part, style.family, style.size, style.bold, style.italic)
            top = item.baseline - size.ascent
            goes_on = number + 2 < len(parts) and parts[number + 1] == " "
            words.append(Word(part, Box.between(start, top, x, item.baseline + size.descent), style, goes_on))
    if style.underline and words:
        y = item.baseline + style.size * 0.12
        line = StrokedLine(words[0].box.x, y, words[-1].box.right, y, style.size * 0.05, style.colour)
        pen.rectangle(_stroke(line), fill=style.colour)
    return words


@lru_cache(maxsize=64)
def _face(name: str, size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(font_file(name)), size * SCALE, layout_engine=ImageFont.Layout.BASIC)
