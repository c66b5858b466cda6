"""Measure the style of each line (colour, family, size, weight, slant) by rendering the same text."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Literal, NamedTuple, get_args

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from bandsmith.shared.fonts import CJK_FILE, DEFAULT_FAMILY, FAMILIES, MONOSPACED, font_file, is_cjk, measure
from bandsmith.shared.model.layout import TextStyle

from ..page import SCALE
from ..page_marks import FaceEvidence
from .line_segmentation import TextSegment
from .paper import PageRaster, hex_colour
from .type_size import Face, fit_size, harmonise_sizes, is_mostly_cjk
from .typewriting import find_typewriting

Ink = Literal["black", "coloured", "light"]
"""Full black and the colour of a fill are known; the colour of other ink is what its thin strokes show, so that these
look heavier. On a clean page all colours are known, and count as black."""
EM_PX = 36
"""Size of the renderings that lines are compared with."""
BOLD_MARGIN = 0.1
"""A line whose score is higher by this for the regular face than for the bold one is regular."""
CLEARLY_BOLD = 0.25
"""A line whose score is higher by this for the bold face than for the regular one needs less weight to be bold."""
MIN_TELLING_LETTERS = 3
"""Lines with fewer letters do not tell their family."""
BLACK = "#000000"
MAX_CLEAN_BLACK, MAX_CLEAN_GREY_SPREAD = 36.0, 10.0
"""On a clean page, text that is not brighter, and whose channels differ by no more, is black."""
MAX_BLACK, MAX_GREY_SPREAD = 130.0, 24.0
"""The same on a noisy page, where thin strokes are paler than they were printed; it may be less, since"""
DARKEST_PERCENTILE, BLACK_FACTOR = 25, 2.5
"""black text is not brighter than this many times the darkest quarter of the page's text."""
BOLD_CJK_RATIO = 1.18
"""How much heavier bold CJK text is than regular text of the page."""
WELL_FITTING = 0.3
"""Score of a line that is drawn much as its face."""
MIN_WEIGHED_LINES = 6
"""Number of lines that tell the weight of regular text better than all lines of a page do."""
MIN_TYPED_BOLD = 1.5
"""How much heavier bold print of a till is than the rest, which its ribbon prints unevenly; its letters are as wide."""
MIN_INK_LINES = 3
"""Fewer lines do not tell the weight of regular text in an ink."""
MAX_INK_WEIGHT_RATIO = 1.3
"""Regular text of one ink is lighter than this times that of the page; heavier ink has parts of a fill in it."""


@dataclass
class LineAppearance:
    """Measurements of one line of text."""

    text: str
    width: float
    height: float
    """Of its ink, in points."""
    coverage: np.ndarray
    """How much of each pixel of its box is covered by ink, 0 to 1."""
    colour: str
    underline: bool
    ink: Ink
    """How full coverage was told."""

    @property
    def weight(self) -> float:
        """Evidence about the family: the number of letters that are not CJK, as CJK has one face in every family."""
        return sum(not is_cjk(c) and not c.isspace() for c in self.text) + 0.01 * len(self.text)


class MeasuredStyle(NamedTuple):
    """The style of a line as it looks by itself."""

    style: TextStyle
    evidence: FaceEvidence


@dataclass(frozen=True)
class _Core:
    """The core of a line's strokes."""

    pixel: np.ndarray
    """Blue, green and red."""
    top: float
    """Its contrast, which is less than its colour has where the page is smoothed against noise."""

    @property
    def brightness(self) -> float:
        return float(self.pixel.max())

    @property
    def is_grey(self) -> bool:
        return float(self.pixel.max() - self.pixel.min()) < MAX_GREY_SPREAD


def measure_appearances(
    raster: PageRaster, lines: Sequence[tuple[TextSegment, np.ndarray, str, bool]]
) -> list[LineAppearance]:
    """Measure the lines of a page: each with the mask of its ink within its box, its text, and if it is underlined."""
    areas = [np.s_[one.top : one.bottom, one.left : one.right] for one, *_ in lines]
    contrasts = [_contrast(raster, area, mask) for area, (_, mask, *_) in zip(areas, lines, strict=True)]
    cores = [_core(raster, area, contrast) for area, contrast in zip(areas, contrasts, strict=True)]
    black = _black_limit(raster, cores)
    found = []
    for (segment, _, text, underline), area, contrast, core in zip(lines, areas, contrasts, cores, strict=True):
        colour, full = _colour(raster, area, core, black)
        coverage = np.minimum(contrast / max(full, 1.0), 1.0)
        size = segment.width / SCALE, segment.height / SCALE
        found.append(LineAppearance(text, *size, coverage, colour, underline, _ink(raster, area, core, colour)))
    return found


def _ink(raster: PageRaster, area: tuple[slice, slice], core: _Core, colour: str) -> Ink:
    if colour == BLACK or not raster.noise:
        return "black"
    return "light" if core.brightness > float(np.median(raster.ground[area])) else "coloured"


def _contrast(raster: PageRaster, area: tuple[slice, slice], mask: np.ndarray) -> np.ndarray:
    stroke_area = cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8))
    return np.where(stroke_area > 0, raster.contrast[area], 0).astype(np.float32)


def _core(raster: PageRaster, area: tuple[slice, slice], contrast: np.ndarray) -> _Core:
    top = float(np.percentile(contrast[contrast > 0], 96)) if contrast.any() else 0.0
    core = contrast >= max(1.0, 0.85 * top)
    return _Core(np.median(raster.pixels[area][core], axis=0) if core.any() else np.zeros(3), top)


def _black_limit(raster: PageRaster, cores: Sequence[_Core]) -> float:
    """Return the brightness below which grey text is black: on a noisy page, what its darkest text looks like."""
    dark = [core.brightness for core in cores if core.is_grey and core.brightness < MAX_BLACK]
    if not raster.noise:
        return MAX_CLEAN_BLACK
    darkest = float(np.percentile(dark, DARKEST_PERCENTILE)) if dark else MAX_BLACK
    return float(np.clip(BLACK_FACTOR * darkest, MAX_CLEAN_BLACK, MAX_BLACK))


def _colour(raster: PageRaster, area: tuple[slice, slice], core: _Core, black: float) -> tuple[str, float]:
    """Return the colour of the core of the strokes and its contrast; nearly black is black."""
    spread = MAX_GREY_SPREAD if raster.noise else MAX_CLEAN_GREY_SPREAD
    if core.brightness < black and core.pixel.max() - core.pixel.min() < spread:
        return BLACK, float(raster.ground[area].max())
    ground = np.median(raster.ground[area].reshape(-1, core.pixel.shape[-1]), axis=0)
    blue, green, red = core.pixel
    return hex_colour((blue, green, red)), max(core.top, float(np.abs(ground - core.pixel).max()))


@lru_cache(maxsize=32)
def _font(name: str) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(font_file(name)), EM_PX, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def render(text: str, face: Face) -> np.ndarray:
    """Render `text` in a face and cut it to its ink: coverage, 0 to 1, at ``EM_PX`` pixels per em."""
    family, bold, italic = face
    # Measured at the size that `fit_size` uses, so that the cached measurement serves both.
    ink = measure(text, family, 100, bold, italic).ink
    width, height = math.ceil(ink.right * EM_PX / 100) + 8, EM_PX * 2
    image = Image.new("L", (max(8, width + 8), height))
    draw = ImageDraw.Draw(image)
    pen = 8.0 - min(0.0, ink.x * EM_PX / 100)
    for cjk, group in groupby(text, key=is_cjk):
        run = "".join(group)
        font = _font(CJK_FILE if cjk else FAMILIES[family].face(bold, italic))
        draw.text((pen, EM_PX * 1.4), run, fill=255, font=font, anchor="ls")
        pen += font.getlength(run)
    pixels = np.asarray(image, np.float32) / 255
    rows, columns = np.flatnonzero(pixels.max(axis=1) > 0.4), np.flatnonzero(pixels.max(axis=0) > 0.4)
    if not len(rows) or not len(columns):
        return np.zeros((1, 1), np.float32)
    return pixels[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def similarity(line: LineAppearance, face: Face) -> float:
    """Return the correlation of the line with a rendering stretched to its box, at most 1."""
    model = cv2.resize(render(line.text, face), line.coverage.shape[::-1], interpolation=cv2.INTER_AREA)
    a, b = line.coverage - line.coverage.mean(), model - model.mean()
    return float((a * b).sum() / math.sqrt(float((a * a).sum() * (b * b).sum()) + 1e-9))


def relative_weight(line: LineAppearance, face: Face) -> float:
    """Return the line's share of ink divided by the rendering's: above 1 is heavier."""
    model = render(line.text, face)
    return float(line.coverage.mean() / max(float(model.mean()), 1e-6))


def measure_styles(appearances: Sequence[LineAppearance]) -> list[MeasuredStyle]:
    """Return the style of each line, with the evidence for its face.

    Lines of nearly the same size share one, and a page has at most two families.
    """
    families = _families(appearances)
    typewriting = find_typewriting([_shape(line) for line in appearances]) if MONOSPACED in families else None
    typewritten = [
        typewriting is not None and not is_mostly_cjk(line.text) and typewriting.holds(*_shape(line))
        for line in appearances
    ]
    faces = [
        (MONOSPACED, False, False) if is_typewritten else _face(line, families)
        for line, is_typewritten in zip(appearances, typewritten, strict=True)
    ]
    boldness = _boldness(appearances, faces, typewritten)
    faces = [(family, bold > 0, italic) for (family, _, italic), bold in zip(faces, boldness, strict=True)]
    raw = [fit_size(line, face)[0] for line, face in zip(appearances, faces, strict=True)]
    if typewriting is not None:
        size = 100 * typewriting.pitch / measure("0", MONOSPACED, 100).advance
        raw = [size if is_typewritten else own for own, is_typewritten in zip(raw, typewritten, strict=True)]
    sizes = harmonise_sizes(appearances, raw)
    styles = [
        TextStyle(family=f, size=size, bold=b, italic=i, underline=line.underline, colour=line.colour)
        for line, (f, b, i), size in zip(appearances, faces, sizes, strict=True)
    ]
    evidence = [
        FaceEvidence(bold, {} if is_typewritten else _family_scores(line, families), is_typewritten)
        for line, bold, is_typewritten in zip(appearances, boldness, typewritten, strict=True)
    ]
    return [MeasuredStyle(style, evidence=found) for style, found in zip(styles, evidence, strict=True)]


def _family_scores(line: LineAppearance, families: list[str]) -> dict[str, float]:
    """Return how well each family of the page fits a line; nothing where it has too few letters to tell."""
    if line.weight < MIN_TELLING_LETTERS:
        return {}
    return {
        family: max(_face_score(line, (family, False, False)), _face_score(line, (family, True, False)))
        for family in families
    }


def _shape(line: LineAppearance) -> tuple[str, float, float]:
    return line.text, line.width, line.height


def _face_score(line: LineAppearance, face: Face) -> float:
    return similarity(line, face) - abs(fit_size(line, face)[1])


def _families(appearances: Sequence[LineAppearance]) -> list[str]:
    """Return the families that the page uses, the commonest first: at most two."""
    informative = sorted((line for line in appearances if line.weight >= 4), key=lambda line: -min(line.weight, 24))[
        :14
    ]
    if not informative:
        return [DEFAULT_FAMILY]
    wins: Counter[str] = Counter()
    total: dict[str, float] = defaultdict(float)
    for line in informative:
        score = {
            family: max(_face_score(line, (family, False, False)), _face_score(line, (family, True, False)))
            for family in FAMILIES
        }
        wins[max(score, key=lambda family: score[family])] += 1
        for family, points in score.items():
            total[family] += points
    first = max(total, key=lambda family: total[family])
    others = [family for family, count in wins.most_common() if family != first and count >= 0.15 * len(informative)]
    return [first, *others[:1]]


def _face(line: LineAppearance, families: list[str]) -> Face:
    """Choose a line's face: the page's first family unless another fits clearly better, and italic if it does."""
    family, bold = families[0], False
    if line.weight < MIN_TELLING_LETTERS:
        return family, False, False
    upright = {
        (f, b): _face_score(line, (f, b, False)) - (0.06 if f != families[0] else 0)
        for f in families
        for b in (False, True)
    }
    family, bold = max(upright, key=lambda key: upright[key])
    slanted = _face_score(line, (family, bold, True))
    return family, bold, slanted > upright[family, bold] + 0.08


def _boldness(appearances: Sequence[LineAppearance], faces: Sequence[Face], typewritten: Sequence[bool]) -> list[float]:
    """Return how clearly each line is bold: heavier than the page's ordinary lines, and similar to the bold face.

    Above 0 it is bold, below 0 regular.
    """
    weights = [relative_weight(line, (face[0], False, face[2])) for line, face in zip(appearances, faces, strict=True)]
    preferences = [_bold_preference(line, face) for line, face in zip(appearances, faces, strict=True)]
    cjk = [is_mostly_cjk(line.text) for line in appearances]
    measured = list(zip(weights, preferences, cjk, strict=True))
    latin = [
        (line, face, weight, preference)
        for line, face, (weight, preference, cjk_line) in zip(appearances, faces, measured, strict=True)
        if not cjk_line
    ]
    regular = _regular_weights([(one.ink, weight, preference) for one, _, weight, preference in _well_fitting(latin)])
    regular_cjk = _regular_cjk_weights(
        [(one.ink, weight) for one, (weight, _, cjk_line) in zip(appearances, measured, strict=True) if cjk_line]
    )
    boldness = []
    for line, face, typed, (weight, preference, cjk_line) in zip(
        appearances, faces, typewritten, measured, strict=True
    ):
        ratio = weight / (regular_cjk if cjk_line else regular)[line.ink]
        if cjk_line:
            boldness.append(math.log(max(ratio, 1e-3) / BOLD_CJK_RATIO))
            continue
        light, heavy = (float(render(line.text, (face[0], b, face[2])).mean()) for b in (False, True))
        share = 1 / 3 if preference > CLEARLY_BOLD else 1 / 2
        limit = MIN_TYPED_BOLD if typed else max(1.1, heavy / max(light, 1e-6)) ** share
        # Pale and blurred text looks heavy too, but its letters are as wide as regular ones.
        boldness.append(min(preference + BOLD_MARGIN, math.log(max(ratio, 1e-3) / limit)))
    return boldness


def _well_fitting(
    lines: list[tuple[LineAppearance, Face, float, float]],
) -> list[tuple[LineAppearance, Face, float, float]]:
    """Return the lines that fit their faces well, or half of them; of few lines all.

    Text looks light where a rule or a drawing is in its box.
    """
    if len(lines) < 2 * MIN_WEIGHED_LINES:
        return lines
    fits = [max(_face_score(line, (f, b, i)) for b in (False, True)) for line, (f, _, i), *_ in lines]
    limit = min(float(np.median(fits)), WELL_FITTING)
    return [one for one, fit in zip(lines, fits, strict=True) if fit >= limit]


def _bold_preference(line: LineAppearance, face: Face) -> float:
    """Return how much better the bold face fits than the regular one; 0 for CJK text, which has one face."""
    if is_mostly_cjk(line.text):
        return 0.0
    return _face_score(line, (face[0], True, face[2])) - _face_score(line, (face[0], False, face[2]))


def _regular_weights(lines: Sequence[tuple[Ink, float, float]]) -> dict[Ink, float]:
    """Return the weight of this page's regular text in each ink, from each line's weight and preference for bold.

    Blur and printing make a whole page a little heavier or lighter. An ink of few lines is compared with the page.
    """
    page = _regular_weight([(weight, preference) for _, weight, preference in lines]) or 1.0
    found = dict[Ink, float]()
    for ink in get_args(Ink):
        own = _regular_weight([(weight, preference) for its, weight, preference in lines if its == ink]) or page
        found[ink] = own if own < MAX_INK_WEIGHT_RATIO * page else page
    return found


def _regular_weight(lines: Sequence[tuple[float, float]]) -> float | None:
    """Return the weight of regular text, from each line's weight and preference for bold; None where few tell."""
    regular = [weight for weight, preference in lines if preference < -BOLD_MARGIN]
    if len(regular) < 3:
        regular = [weight for weight, _ in lines if abs(math.log(max(weight, 1e-3))) < 0.16]
    return float(np.median(regular)) if len(regular) >= 3 else None


def _regular_cjk_weights(lines: Sequence[tuple[Ink, float]]) -> dict[Ink, float]:
    """Return the weight of this page's regular CJK text in each ink; an ink of few lines is compared with the page."""
    page = _regular_cjk_weight([weight for _, weight in lines])
    found = dict[Ink, float]()
    for ink in get_args(Ink):
        own = [weight for its, weight in lines if its == ink]
        weight = _regular_cjk_weight(own) if len(own) >= MIN_INK_LINES else page
        found[ink] = weight if weight < MAX_INK_WEIGHT_RATIO * page else page
    return found


def _regular_cjk_weight(weights: list[float]) -> float:
    """Return the weight of this page's regular CJK text.

    Lines are compared with a single regular face, whose weight other fonts do not share: the lightest text on the page
    is regular.
    """
    return float(np.clip(np.percentile(weights, 25), 0.75, 1.1)) if len(weights) >= 3 else 0.88
