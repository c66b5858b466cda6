"""From the pixels of a flat page to its marks: text, rules, fills, pictures and grids, all in points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shared.model.geometry import Box
from shared.model.layout import Fill, Grid, Picture, Rule, TextLine, TextStyle

from ..engines.base import Engine
from ..page import SCALE, Page
from .fills import Patch, find_patches, ground_of
from .grids import find_grids
from .paper import even_light, hex_colour, lay_out, paper_colour
from .rules import Stroke, find_strokes
from .segment import components, crop, find_pieces, ruled
from .style import colour_of, unit_size


@dataclass
class Marks:
    lines: list[TextLine]
    rules: list[Rule]
    fills: list[Fill]
    pictures: list[Picture]
    grids: list[Grid]
    paper: str
    """Its colour."""


def find_marks(page: Page, engine: Engine) -> Marks:
    """Everything that is printed on `page`."""
    areas = [] if page.words is not None else engine.detect(page.reading)
    pixels, noise = even_light(page.reading)
    paper = paper_colour(pixels)
    patches = find_patches(pixels, paper, noise, areas)
    sheet = lay_out(pixels, ground_of(pixels, paper, patches), paper, noise)
    strokes = find_strokes(sheet, areas, np.zeros(pixels.shape[:2], np.uint8))
    rules = [_rule(stroke, f"rule{n}") for n, stroke in enumerate(strokes, 1)]
    grids = find_grids(strokes, [rule.id for rule in rules], pixels.shape[:2])
    drawn = ruled(strokes, pixels.shape)
    parts = components(sheet.ink & (1 - drawn), noise)
    pieces = find_pieces(parts, areas, strokes)
    read = engine.read([crop(sheet, parts, piece, drawn) for piece in pieces])
    lines = []
    for piece, (text, confidence) in zip(pieces, read, strict=True):
        if not text.strip() or confidence < 0.3:
            continue
        own = np.isin(parts.labels[piece.top : piece.bottom, piece.left : piece.right], piece.parts + 1)
        box = Box.between(*(v / SCALE for v in (piece.left, piece.top, piece.right, piece.bottom)))
        size, _ = unit_size(text, ("Liberation Sans", False, False), box.width, box.height)
        style = TextStyle(
            family="Liberation Sans", size=max(1, round(size * 2) / 2), colour=colour_of(sheet, piece, own)
        )
        lines.append(
            TextLine(id=f"line{len(lines) + 1}", text=text, box=box, style=style, confidence=min(1.0, confidence))
        )
    return Marks(
        lines, rules, [_fill(patch, f"fill{n}") for n, patch in enumerate(patches, 1)], [], grids, hex_colour(paper)
    )


def _rule(stroke: Stroke, name: str) -> Rule:
    at, start, end = stroke.at / SCALE, stroke.start / SCALE, stroke.end / SCALE
    x1, y1, x2, y2 = (start, at, end, at) if stroke.horizontal else (at, start, at, end)
    thickness = round(stroke.thickness / SCALE, 2)
    colour = hex_colour(stroke.colour)
    return Rule(id=name, x1=x1, y1=y1, x2=x2, y2=y2, thickness=thickness, colour=colour, dash=stroke.dash)


def _fill(patch: Patch, name: str) -> Fill:
    box = Box.between(patch.left / SCALE, patch.top / SCALE, patch.right / SCALE, patch.bottom / SCALE)
    return Fill(id=name, box=box, colour=hex_colour(patch.colour), radius=round(patch.radius / SCALE, 1))
