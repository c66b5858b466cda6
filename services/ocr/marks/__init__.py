"""From the pixels of a flat page to its marks: text, rules, fills, pictures and grids, all in points."""

from __future__ import annotations

from dataclasses import dataclass

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Fill, Grid, Picture, RulingLine, TextLine

from ..engines.base import Engine
from ..page import SCALE, Page
from .columns import part_columns
from .embedded_words import areas_of
from .fills import Patch, find_patches, ground_of, snap
from .grids import find_grids
from .line_segmentation import Piece, components, find_pieces, ruled
from .paper import hex_colour, lay_out, noise_of, paper_colour
from .pictures import Spot, find_codes, find_images, find_seals
from .recognition import read_pieces, read_words
from .rules import Stroke, find_strokes
from .style import look_at, styles_of
from .underlines import take_underlines


@dataclass
class Marks:
    lines: list[TextLine]
    rules: list[RulingLine]
    fills: list[Fill]
    pictures: list[Picture]
    grids: list[Grid]
    paper: str
    """Its colour."""


def find_marks(page: Page, engine: Engine) -> Marks:
    """Everything that is printed on `page`."""
    pixels = page.reading
    areas = engine.detect(pixels) if page.words is None else areas_of(page.words)
    noise = noise_of(pixels)
    paper = paper_colour(pixels)
    codes, barred = find_codes(pixels, noise, areas)
    patches = [p for p in find_patches(pixels, paper, noise, areas) if not _within(p, codes)]
    sheet = lay_out(pixels, ground_of(pixels, paper, patches), paper, noise)
    images = find_images(sheet.ink, areas, barred)
    for spot in images:
        barred[spot.top : spot.bottom, spot.left : spot.right] = 1
    strokes = [s for s in find_strokes(sheet, areas, barred) if not _is_bar(s, codes)]
    drawn = ruled(strokes, pixels.shape)
    parts = components(sheet.ink & (1 - drawn) & (1 - barred), noise)
    pieces = part_columns(find_pieces(parts, areas, strokes), parts)
    if page.words is not None:
        readings = read_words(page.words, pieces)
    else:
        readings = read_pieces(sheet, parts, [p for p in pieces if not _is_corner(p, patches)], drawn, engine)
    strokes, underlined = take_underlines(strokes, [piece for piece, *_ in readings])
    rules = [_rule(stroke, f"rule{n}") for n, stroke in enumerate(strokes, 1)]
    grids = find_grids(strokes, [rule.id for rule in rules], pixels.shape[:2])
    looks = [
        look_at(sheet, piece, parts.own(piece), text, n in underlined) for n, (piece, text, *_) in enumerate(readings)
    ]
    lines = [
        TextLine(id=f"line{n}", text=text, box=_box(piece), style=told or seen, confidence=sure)
        for n, ((piece, text, sure, told), seen) in enumerate(zip(readings, styles_of(looks), strict=True), 1)
    ]
    fills = [_fill(snap(patch, strokes), f"fill{n}") for n, patch in enumerate(patches, 1)]
    spots = [*codes, *images, *find_seals(page.pixels, page.clean)]
    pictures = [Picture(id=f"picture{n}", box=_box(spot), kind=spot.kind) for n, spot in enumerate(spots, 1)]
    return Marks(lines, rules, fills, pictures, grids, hex_colour(paper))


def _is_bar(stroke: Stroke, codes: list[Spot]) -> bool:
    """Whether a stroke stands in a barcode."""
    middle = (stroke.start + stroke.end) / 2
    x, y = (middle, stroke.at) if stroke.horizontal else (stroke.at, middle)
    return any(s.left <= x <= s.right and s.top <= y <= s.bottom for s in codes)


def _is_corner(piece: Piece, patches: list[Patch]) -> bool:
    """Whether a piece is the outline of a rounded corner."""
    return any(
        patch.radius > 0
        and len(piece.parts) == 1
        and max(piece.width, piece.height) <= patch.radius + 3 * SCALE
        and min(abs(piece.left - patch.left), abs(piece.right - patch.right)) <= 2 * SCALE
        and min(abs(piece.top - patch.top), abs(piece.bottom - patch.bottom)) <= 2 * SCALE
        for patch in patches
    )


def _within(patch: Patch, spots: list[Spot]) -> bool:
    """Whether a patch is a part of a picture."""
    x, y = (patch.left + patch.right) / 2, (patch.top + patch.bottom) / 2
    return any(s.left <= x <= s.right and s.top <= y <= s.bottom and patch.area < 1.2 * s.area for s in spots)


def _box(place: Piece | Patch | Spot) -> Box:
    return Box.between(place.left / SCALE, place.top / SCALE, place.right / SCALE, place.bottom / SCALE)


def _rule(stroke: Stroke, name: str) -> RulingLine:
    at, start, end = stroke.at / SCALE, stroke.start / SCALE, stroke.end / SCALE
    x1, y1, x2, y2 = (start, at, end, at) if stroke.horizontal else (at, start, at, end)
    thickness = round(stroke.thickness / SCALE, 2)
    colour = hex_colour(stroke.colour)
    return RulingLine(id=name, x1=x1, y1=y1, x2=x2, y2=y2, thickness=thickness, colour=colour, dash=stroke.dash)


def _fill(patch: Patch, name: str) -> Fill:
    return Fill(id=name, box=_box(patch), colour=hex_colour(patch.colour), radius=round(patch.radius / SCALE, 1))
