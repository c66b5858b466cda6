"""Find the marks on a flat page: lines of text, rules, fills, pictures and grids, all in points.

Theory of operation
===================

A text detector says where text is, roughly, and knows nothing else. Rules, fills, boxes and barcodes are found by
looking at the pixels. Each kind of mark hides or imitates another (the bars of a barcode are rules, the side of a fill
is a rule, the strokes of a letter are rules, a rule is a wide flat letter), so the order matters: what is certain is
found first and taken out of what the next step looks at. Lengths in this package are pixels at 150 dots per inch,
written as points times `SCALE`; gaps in text are measured in heights of that text, because a form has several sizes.

1. **Noise and paper** (`paper.py`). Grain shows as many brightness steps of a few levels between neighbours. A page
   that a program drew has none: its noise is 0, and tolerances are as small as its colours are exact. The paper is the
   commonest colour of the margin, or of the whole page where the margin has no clear colour.
2. **Barcodes** (`pictures.py`): ten or more thin bars side by side, or a square block about half dark with edges in two
   directions only. They come first, as their bars would be taken for rules and fills.
3. **Fills** (`fills.py`). The colours of flat areas are collected, commonest first. The area of each is split into
   rectangles; text on it is bridged; each edge is moved to where half of the colour is gone. An area without edges is a
   shadow and is dropped. Paper and fills together are the ground.
4. **Contrast and ink** (`paper.py`). A pixel's contrast is its largest difference from the ground in any channel. It is
   ink when it has at least 45 % of the strongest contrast nearby: the edge of a stroke lies where about half of it is
   covered, whatever its colour. Grey text and white text on a dark bar are thereby found like black text. On a photo,
   paper in the shade is ground, too (`shade.py`).
   Small squares that stand alone are boxes to tick (`tick_boxes.py`); texts end at them.
5. **Images** (`pictures.py`): dense ink outside text areas.
6. **Rules** (`rules.py`). Horizontal and vertical rules are found by the same code; for vertical ones the page is
   transposed. Unbroken runs at least 9 points long and thin come first, then rows of dots too fine to tell apart, then
   chains of equal pieces. A candidate inside a text area is kept only if nothing is close to it, as letters have other
   strokes close by. Position and thickness come from the contrast profile, to a fraction of a pixel. Then collinear
   pieces are joined, close pairs become double rules, equal positions are aligned and ends reach the rules they meet.
7. **Segments** (`line_segmentation.py`). What remains of the ink is split into connected components. Each text area
   owns the components that it mostly covers. They are cut at rules, at empty rows and at gaps of 1.5 text heights.
   Components just beside a line are added to it, and lines that the detector missed are built from the rest.
   `columns.py` cuts lines that run across columns of a table without rules: a gap is a corridor if rows above and below
   leave the same place free.
8. **Text** (`recognition.py`). Each segment is cropped without rules and neighbours, and recognised. Lone colons are
   recognised by their shape. A label is split from its value where the gap after the colon is wider than a space
   (`colons.py`), and spaces beside Chinese characters, which recognisers omit, are restored from gaps in the ink
   (`spaces.py`). Where the document carries its words, steps 7 and 8 use these
   (`embedded_words.py`), a value in another colour or weight than its label is a text of its own, and so is a date at
   the end of its label's line; a line has the style of most of its characters, and the engine reads only ink of a
   text's size that no word explains.
   The characters of a label that is set upright are read one by one (`upright.py`).
9. **Doubtful marks** (`doubtful.py`). What the recogniser is unsure of is no text: small marks are dropped, large ones
   become pictures, and with them the rules and fills inside. On a page with noise, short strokes that meet no other
   are dropped before step 7, and pictures that reach the edge of a photo are left out: they lie beside the paper.
10. **Underlines** (`underlines.py`): a rule close below one line and as long as it is a property of the text.
11. **Grids** (`grids.py`). The remaining rules are drawn as thin lines. Every hole that they enclose is a cell, so
    merged cells need no special case. The edges of the cells, clustered, are those of rows and columns.
12. **Style** (`style.py`). Each line is compared with renderings of the same text in every family. A page uses at most
    two families; bold is decided relative to the page's ordinary weight, as blur and printing change all weights alike;
    sizes that cannot be told apart become one. On a page that a till has typed, all lines of one pitch have one face
    and size (`typewriting.py`).
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Fill, Picture, RulingLine, TextLine, TextStyle, TickBox

from ..engines.base import OcrEngine, TextArea
from ..flatten.seal import seal_picture
from ..page import SCALE, Divider, Page, Seal, Word
from ..page_marks import PageMarks
from .columns import split_columns
from .doubtful import CertainMarks, drop_free_strokes, separate_doubtful
from .embedded_words import is_part_of_word, without_leaders, word_areas
from .fills import Patch, find_patches, paint_ground, snap_to_rules
from .grids import find_grids
from .line_segmentation import Components, TextSegment, find_components, find_segments, rule_mask
from .paper import PageRaster, estimate_noise, hex_colour, make_raster, paper_colour
from .pictures import PictureRegion, find_barcodes, find_images, find_seals
from .recognition import RecognisedLine, read_segments, read_unnamed_ink, read_words
from .rules import Stroke, find_strokes
from .shade import follow_shade
from .sheet_sums import with_sums
from .style import MeasuredStyle, measure_appearances, measure_styles
from .text_areas import find_text_areas
from .tick_boxes import TickSquare, find_tick_squares, without_ideographs, without_signs
from .underlines import separate_underlines

MIN_PICTURE_RATIO = 3.0
"""A picture with more than this many times the area of a square shows something of which the square is a part."""

EDGE_PX = round(1 * SCALE)
"""Distance from the edge of a photo within which a picture reaches it."""


def find_marks(page: Page, engine: OcrEngine) -> PageMarks:
    """Find everything that is printed on `page`; the order of the steps is explained above."""
    pixels = page.ocr_pixels
    words = None if page.words is None else without_leaders(page.words)
    areas = find_text_areas(page, words, engine)
    noise = estimate_noise(pixels)
    paper = paper_colour(pixels)
    barcodes, excluded = find_barcodes(pixels, noise, areas)
    codes = excluded.copy()
    declared = [_region(box) for box in page.pictures]
    barcodes = [code for code in barcodes if not any(_is_inside(code, picture) for picture in declared)]
    declared = [picture for picture in declared if not any(_is_inside(picture, code) for code in barcodes)]
    _exclude(excluded, declared)
    patches = [p for p in find_patches(pixels, paper, noise, areas) if not _is_part_of(p, [*barcodes, *declared])]
    ground = paint_ground(pixels, paper, patches)
    raster = make_raster(pixels, follow_shade(pixels, ground, paper, areas) if noise else ground, paper, noise)
    squares = [s for s in find_tick_squares(raster.ink & (1 - codes), words) if not _is_detail(s, declared)]
    squares = squares if words is not None else without_ideographs(squares, pixels, engine)
    declared = [picture for picture in declared if not any(_is_tick(picture, square) for square in squares)]
    _exclude(excluded, squares)
    words = None if words is None else without_signs(words, squares)
    images = find_images(raster.ink, areas, excluded)
    unread = excluded.copy()
    _exclude(excluded, images)
    _spare_texts(excluded, unread, [image for image in images if noise and _reaches_edge(image, pixels.shape)], areas)
    strokes = _without_bars(find_strokes(raster, areas, excluded), barcodes, words)
    strokes = drop_free_strokes(strokes, pixels.shape) if noise else strokes
    drawn = rule_mask(strokes, pixels.shape)
    parts = find_components(raster.ink & (1 - drawn) & (1 - excluded), noise)
    unseen = [*map(_divider, squares), *map(_stroke_of, page.dividers)]
    known = word_areas([word for word in words or () if any(map(str.isalnum, word.text))], page.dividers)
    segments = split_columns(find_segments(parts, areas, [*strokes, *unseen], known), parts, words or ())
    if words is not None:
        recognised = read_words(words, segments)
        recognised += read_unnamed_ink(raster, parts, segments, recognised, engine, words)
        certain = CertainMarks(recognised, strokes, patches, images)
    else:
        recognised = read_segments(raster, parts, [s for s in segments if not _is_corner(s, patches)], drawn, engine)
        certain = separate_doubtful(recognised, strokes, patches, images, parts)
    certain.images, beside_paper = _without_surroundings(certain.images, pixels.shape, words is None and noise > 0)
    found = _page_marks(raster, parts, certain, squares, _pictures(page, [*declared, *barcodes, *certain.images]))
    lines = with_sums(found.lines, page.sheet_cells)
    return replace(found, lines=lines, loops=page.loops, sheet_cells=page.sheet_cells, beside_paper=beside_paper)


def _page_marks(
    raster: PageRaster, parts: Components, certain: CertainMarks, squares: list[TickSquare], pictures: list[Picture]
) -> PageMarks:
    """Return what was found in points, each mark with an id."""
    strokes, underlined = separate_underlines(certain.strokes, [line.segment for line in certain.lines])
    rules = [_rule(stroke, f"rule{n}") for n, stroke in enumerate(strokes, 1)]
    measured = _measure_lines(raster, parts, certain.lines, underlined)
    return PageMarks(
        lines=[_text_line(line, one, n) for n, (line, one) in enumerate(zip(certain.lines, measured, strict=True), 1)],
        rules=rules,
        fills=[_fill(snap_to_rules(patch, strokes), f"fill{n}") for n, patch in enumerate(certain.patches, 1)],
        pictures=pictures,
        grids=find_grids(strokes, [rule.id for rule in rules], raster.ink.shape[:2]),
        tick_boxes=[TickBox(id=f"tick{n}", box=one.box, ticked=one.ticked) for n, one in enumerate(squares, 1)],
        paper=hex_colour(raster.paper),
        faces={
            f"line{n}": one.evidence
            for n, (line, one) in enumerate(zip(certain.lines, measured, strict=True), 1)
            if line.style is None
        },
    )


def _pictures(page: Page, regions: list[PictureRegion]) -> list[Picture]:
    """Return the pictures of a page, and the seals on it."""
    pictures = [Picture(id=f"picture{n}", box=_box(region), kind=region.kind) for n, region in enumerate(regions, 1)]
    seals = enumerate(page.seals or _seals(page), len(regions) + 1)
    return pictures + [_stamp(seal, f"picture{n}") for n, seal in seals]


def _without_surroundings(
    images: list[PictureRegion], shape: tuple[int, ...], is_photo: bool
) -> tuple[list[PictureRegion], int]:
    """Return the images of a page, on a photo without what reaches its edge, and the number of these.

    A desk, a hand or a shadow lies there beside the paper; no form prints a drawing up to the edge.
    """
    if not is_photo:
        return images, 0
    kept = [one for one in images if not _reaches_edge(one, shape)]
    return kept, len(images) - len(kept)


def _reaches_edge(image: PictureRegion, shape: tuple[int, ...]) -> bool:
    height, width = shape[:2]
    return min(image.left, image.top, width - image.right, height - image.bottom) <= EDGE_PX


def _spare_texts(
    excluded: np.ndarray, before: np.ndarray, images: Sequence[PictureRegion], areas: Sequence[TextArea]
) -> None:
    """Leave texts to be read that stand beside a finger or a desk: they only reach into the box around it."""
    for x, y, w, h in areas:
        middle = x + w / 2, y + h / 2
        crossed = [i for i in images if x < i.right and x + w > i.left and y < i.bottom and y + h > i.top]
        if any(i.left <= middle[0] <= i.right and i.top <= middle[1] <= i.bottom for i in crossed):
            continue
        if crossed:
            area = np.s_[max(0, round(y)) : round(y + h), max(0, round(x)) : round(x + w)]
            excluded[area] = before[area]


def _exclude(excluded: np.ndarray, regions: Sequence[PictureRegion | TickSquare]) -> None:
    """Mark what is in `regions` as read: later steps do not look there."""
    for region in regions:
        excluded[region.top : region.bottom, region.left : region.right] = 1


def _without_bars(strokes: list[Stroke], barcodes: list[PictureRegion], words: list[Word] | None) -> list[Stroke]:
    """Return the strokes that are neither a bar of a barcode nor, where the words are known, a part of one."""
    drawn = [stroke for stroke in strokes if not _is_bar(stroke, barcodes)]
    return drawn if words is None else [stroke for stroke in drawn if not is_part_of_word(stroke, words)]


def _measure_lines(
    raster: PageRaster, parts: Components, recognised: list[RecognisedLine], underlined: set[int]
) -> list[MeasuredStyle]:
    """Return the style of each line as its ink shows it."""
    measures = [
        (line.segment, parts.mask(line.segment), line.text, n in underlined) for n, line in enumerate(recognised)
    ]
    return measure_styles(measure_appearances(raster, measures))


def _text_line(line: RecognisedLine, measured: MeasuredStyle, number: int) -> TextLine:
    """Return a line with its style: the document's own where it gives it, else as measured."""
    return TextLine(
        id=f"line{number}",
        text=line.text,
        box=_box(line.segment),
        style=_own_style(line.style, measured.style),
        confidence=line.confidence,
    )


def _own_style(own: TextStyle | None, measured: TextStyle) -> TextStyle:
    """Return the style that the document gives, or the measured one. A PDF draws an underline apart from its text."""
    return own.model_copy(update={"underline": own.underline or measured.underline}) if own else measured


def _is_detail(square: TickSquare, pictures: list[PictureRegion]) -> bool:
    """Whether a square is a small part of a picture."""
    x, y = (square.left + square.right) / 2, (square.top + square.bottom) / 2
    around = [one for one in pictures if one.left <= x <= one.right and one.top <= y <= one.bottom]
    return any(one.area > MIN_PICTURE_RATIO * (square.right - square.left) ** 2 for one in around)


def _is_tick(picture: PictureRegion, square: TickSquare) -> bool:
    """Whether a drawing is the tick in a box."""
    x, y = (picture.left + picture.right) / 2, (picture.top + picture.bottom) / 2
    return square.left <= x <= square.right and square.top <= y <= square.bottom


def _divider(square: TickSquare) -> Stroke:
    """Return a rule through a box to tick: the texts on both sides of one are two texts."""
    middle = (square.left + square.right) / 2
    return Stroke(False, middle, square.top - SCALE, square.bottom + SCALE, 1, (0, 0, 0))


def _stroke_of(divider: Divider) -> Stroke:
    x, top, bottom = (value * SCALE for value in divider)
    return Stroke(False, x, top, bottom, 1, (0, 0, 0))


def _is_bar(stroke: Stroke, barcodes: list[PictureRegion]) -> bool:
    """Whether a stroke is a bar of a barcode."""
    middle = (stroke.start + stroke.end) / 2
    x, y = (middle, stroke.position) if stroke.horizontal else (stroke.position, middle)
    return any(code.left <= x <= code.right and code.top <= y <= code.bottom for code in barcodes)


def _is_corner(segment: TextSegment, patches: list[Patch]) -> bool:
    """Whether a segment is the outline of a rounded corner."""
    return any(
        patch.radius > 0
        and len(segment.parts) == 1
        and max(segment.width, segment.height) <= patch.radius + 3 * SCALE
        and min(abs(segment.left - patch.left), abs(segment.right - patch.right)) <= 2 * SCALE
        and min(abs(segment.top - patch.top), abs(segment.bottom - patch.bottom)) <= 2 * SCALE
        for patch in patches
    )


def _region(box: Box) -> PictureRegion:
    left, top, right, bottom = (round(side * SCALE) for side in (box.x, box.y, box.right, box.bottom))
    return PictureRegion(left, top, right, bottom, "image")


def _is_inside(inner: PictureRegion, outer: PictureRegion) -> bool:
    """Whether a picture is a part of another one, or the same, rather than what that stands on."""
    x, y = (inner.left + inner.right) / 2, (inner.top + inner.bottom) / 2
    return outer.left <= x <= outer.right and outer.top <= y <= outer.bottom and inner.area < 1.2 * outer.area


def _is_part_of(patch: Patch, regions: list[PictureRegion]) -> bool:
    """Whether a patch is a part of a picture."""
    x, y = (patch.left + patch.right) / 2, (patch.top + patch.bottom) / 2
    return any(s.left <= x <= s.right and s.top <= y <= s.bottom and patch.area < 1.2 * s.area for s in regions)


def _box(area: TextSegment | Patch | PictureRegion) -> Box:
    return Box.between(area.left / SCALE, area.top / SCALE, area.right / SCALE, area.bottom / SCALE)


def _rule(stroke: Stroke, name: str) -> RulingLine:
    at, start, end = stroke.position / SCALE, stroke.start / SCALE, stroke.end / SCALE
    x1, y1, x2, y2 = (start, at, end, at) if stroke.horizontal else (at, start, at, end)
    thickness = round(stroke.thickness / SCALE, 2)
    colour = hex_colour(stroke.colour)
    return RulingLine(id=name, x1=x1, y1=y1, x2=x2, y2=y2, thickness=thickness, colour=colour, dash=stroke.dash)


def _seals(page: Page) -> list[Seal]:
    """Return the seals that were faded on a picture of a page, each alone."""
    if page.seals_faded is None:
        return []
    boxes = [_box(region) for region in find_seals(page.pixels, page.seals_faded)]
    return [Seal(box, seal_picture(box, page.pixels, page.seals_faded)) for box in boxes]


def _stamp(seal: Seal, name: str) -> Picture:
    return Picture(id=name, box=seal.box, kind="seal", content=base64.b64encode(seal.picture).decode("ascii"))


def _fill(patch: Patch, name: str) -> Fill:
    return Fill(id=name, box=_box(patch), colour=hex_colour(patch.colour), radius=round(patch.radius / SCALE, 1))
