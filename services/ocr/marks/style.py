"""How each line of text looks: colour, family, size, weight and slant, found by rendering the same text."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from bandsmith.shared.fonts import CJK_FILE, DEFAULT, FAMILIES, font_file, is_cjk, measure
from bandsmith.shared.model.layout import TextStyle

from ..page import SCALE
from .line_segmentation import Piece
from .paper import Sheet, hex_colour

Face = tuple[str, bool, bool]
"""Family, bold, italic."""
EM = 36
"""Pixels per em of the renderings that lines are compared with."""
UNLIKE = 0.1
"""A line that is nearer to the regular face than to the bold one by so much is regular."""
LOOSE = 1.2
"""CJK text that is wider than so many times what its height tells is spaced out, not larger."""


@dataclass
class Look:
    """What is seen of one line of text."""

    text: str
    width: float
    height: float
    """Of its ink, in points."""
    cover: np.ndarray
    """How much of each pixel of its box is covered by ink, 0 to 1."""
    colour: str
    underline: bool

    @property
    def weight(self) -> float:
        """How much the line tells of the family: its letters that are not CJK, which are all printed in one face."""
        return sum(not is_cjk(c) and not c.isspace() for c in self.text) + 0.01 * len(self.text)


def look_at(sheet: Sheet, piece: Piece, own: np.ndarray, text: str, underline: bool) -> Look:
    """The look of a line. `own` masks its ink within its box."""
    area = np.s_[piece.top : piece.bottom, piece.left : piece.right]
    near = cv2.dilate(own.astype(np.uint8), np.ones((3, 3), np.uint8))
    contrast = np.where(near > 0, sheet.contrast[area], 0).astype(np.float32)
    colour, full = _colour(sheet, area, contrast)
    cover = np.minimum(contrast / max(full, 1.0), 1.0)
    return Look(text, piece.width / SCALE, piece.height / SCALE, cover, colour, underline)


def _colour(sheet: Sheet, area: tuple[slice, slice], contrast: np.ndarray) -> tuple[str, float]:
    """The colour of the core of the strokes, and its contrast; nearly black is black."""
    top = float(np.percentile(contrast[contrast > 0], 96)) if contrast.any() else 0.0
    core = contrast >= max(1.0, 0.85 * top)
    blue, green, red = np.median(sheet.pixels[area][core], axis=0) if core.any() else (0, 0, 0)
    dark, grey = (36, 10) if not sheet.noise else (130, 24)
    if max(blue, green, red) < dark and max(blue, green, red) - min(blue, green, red) < grey:
        return "#000000", float(sheet.ground[area].max())
    return hex_colour((blue, green, red)), top


@lru_cache(maxsize=32)
def _font(name: str) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(font_file(name)), EM, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def render(text: str, face: Face) -> np.ndarray:
    """The ink of `text` in a face, cut to its box: coverage, 0 to 1, at ``EM`` pixels per em."""
    family, bold, italic = face
    # At the size that `fit` measures too, so that it is measured once.
    ink = measure(text, family, 100, bold, italic).ink
    width, height = math.ceil(ink.right * EM / 100) + 8, EM * 2
    image = Image.new("L", (max(8, width + 8), height))
    draw = ImageDraw.Draw(image)
    pen = 8.0 - min(0.0, ink.x * EM / 100)
    for cjk, group in groupby(text, key=is_cjk):
        run = "".join(group)
        font = _font(CJK_FILE if cjk else FAMILIES[family].face(bold, italic))
        draw.text((pen, EM * 1.4), run, fill=255, font=font, anchor="ls")
        pen += font.getlength(run)
    pixels = np.asarray(image, np.float32) / 255
    rows, columns = np.flatnonzero(pixels.max(axis=1) > 0.4), np.flatnonzero(pixels.max(axis=0) > 0.4)
    if not len(rows) or not len(columns):
        return np.zeros((1, 1), np.float32)
    return pixels[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def fit(look: Look, face: Face) -> tuple[float, float]:
    """The size at which the text is as wide as seen in a face, and how far its height is off then (log ratio)."""
    ink = measure(look.text, face[0], 100, face[1], face[2]).ink
    if ink.width <= 0 or ink.height <= 0:
        return look.height / 0.75, 0.0
    by_width, by_height = 100 * look.width / ink.width, 100 * look.height / ink.height
    # Long lines tell their size by their width, single characters by their height.
    share = min(1.0, max(0.15, look.width / max(look.height, 0.1) / 3))
    size = math.exp(share * math.log(by_width) + (1 - share) * math.log(by_height))
    if _cjk(look) and by_width > LOOSE * by_height:
        size = by_height  # titles are set with blanks between their characters, which readings are without
    return size, math.log(by_width / by_height)


def alike(look: Look, face: Face) -> float:
    """How well a rendering in a face, stretched to the line's box, covers the line: correlation, at most 1."""
    model = cv2.resize(render(look.text, face), look.cover.shape[::-1], interpolation=cv2.INTER_AREA)
    a, b = look.cover - look.cover.mean(), model - model.mean()
    return float((a * b).sum() / math.sqrt(float((a * a).sum() * (b * b).sum()) + 1e-9))


def heavy(look: Look, face: Face) -> float:
    """The line's ink against that of a rendering of the same box: more than 1 is heavier."""
    model = render(look.text, face)
    return float(look.cover.mean() / max(float(model.mean()), 1e-6))


def styles_of(looks: Sequence[Look]) -> list[TextStyle]:
    """The style of each line; lines that look nearly the same share one, and a page has few families."""
    families = _families(looks)
    faces = [_face(look, families) for look in looks]
    bold = _bold(looks, faces)
    faces = [(family, heavy, italic) for (family, _, italic), heavy in zip(faces, bold, strict=True)]
    raw = [fit(look, face)[0] for look, face in zip(looks, faces, strict=True)]
    sizes = _harmonised(looks, faces, raw)
    return [
        TextStyle(family=f, size=size, bold=b, italic=i, underline=look.underline, colour=look.colour)
        for look, (f, b, i), size in zip(looks, faces, sizes, strict=True)
    ]


def _likeness(look: Look, face: Face) -> float:
    return alike(look, face) - abs(fit(look, face)[1])


def _families(looks: Sequence[Look]) -> list[str]:
    """The families that this page uses, the commonest first: at most two."""
    telling = sorted((look for look in looks if look.weight >= 4), key=lambda look: -min(look.weight, 24))[:14]
    if not telling:
        return [DEFAULT]
    wins: Counter[str] = Counter()
    total: dict[str, float] = defaultdict(float)
    for look in telling:
        score = {
            family: max(_likeness(look, (family, False, False)), _likeness(look, (family, True, False)))
            for family in FAMILIES
        }
        wins[max(score, key=lambda family: score[family])] += 1
        for family, points in score.items():
            total[family] += points
    first = max(total, key=lambda family: total[family])
    others = [family for family, count in wins.most_common() if family != first and count >= 0.15 * len(telling)]
    return [first, *others[:1]]


def _face(look: Look, families: list[str]) -> Face:
    """The family of one line, the page's unless another is clearly nearer, and whether it slants."""
    family, bold = families[0], False
    if look.weight < 3:
        return family, False, False
    upright = {
        (f, b): _likeness(look, (f, b, False)) - (0.06 if f != families[0] else 0)
        for f in families
        for b in (False, True)
    }
    family, bold = max(upright, key=lambda key: upright[key])
    slanted = _likeness(look, (family, bold, True))
    return family, bold, slanted > upright[family, bold] + 0.08


def _bold(looks: Sequence[Look], faces: Sequence[Face]) -> list[bool]:
    """Which lines are bold: heavier than the page's ordinary lines, and nearer to the bold face where there is one."""
    weights = [heavy(look, (face[0], False, face[2])) for look, face in zip(looks, faces, strict=True)]
    bolder = [
        0.0 if _cjk(look) else _likeness(look, (face[0], True, face[2])) - _likeness(look, (face[0], False, face[2]))
        for look, face in zip(looks, faces, strict=True)
    ]
    found = []
    ordinary = {
        False: _ordinary([
            (weight, likes) for look, weight, likes in zip(looks, weights, bolder, strict=True) if not _cjk(look)
        ]),
        True: _ordinary_cjk([weight for look, weight in zip(looks, weights, strict=True) if _cjk(look)]),
    }  # fmt: skip
    for look, face, weight, likes in zip(looks, faces, weights, bolder, strict=True):
        relative = weight / ordinary[_cjk(look)]
        if _cjk(look):
            found.append(relative > 1.18)
            continue
        regular, strong = (float(render(look.text, (face[0], b, face[2])).mean()) for b in (False, True))
        # Pale and blurred text looks heavy too, but its letters are as wide as regular ones.
        found.append(likes > -UNLIKE and relative > math.sqrt(max(1.1, strong / max(regular, 1e-6))))
    return found


def _cjk(look: Look) -> bool:
    return sum(is_cjk(c) for c in look.text) * 2 >= len(look.text.replace(" ", ""))


def _ordinary(seen: list[tuple[float, float]]) -> float:
    """The weight of regular text here, of (weight, how much nearer to the bold face) of each line.

    Blur and printing make all of a page a little heavier or lighter.
    """
    regular = [weight for weight, likes in seen if likes < -UNLIKE]
    if len(regular) < 3:
        regular = [weight for weight, _ in seen if abs(math.log(max(weight, 1e-3))) < 0.16]
    return float(np.median(regular)) if len(regular) >= 3 else 1.0


def _ordinary_cjk(weights: list[float]) -> float:
    """The weight of regular CJK text here.

    It is compared with one regular face only, whose weight other faces do not share: what is lightest on the page is
    regular.
    """
    return float(np.clip(np.percentile(weights, 25), 0.75, 1.1)) if len(weights) >= 3 else 0.88


def _harmonised(looks: Sequence[Look], faces: Sequence[Face], raw: Sequence[float]) -> list[float]:
    """Sizes in half points; those that differ by no more than can be seen become one."""
    sure = [min(look.width, 200.0) for look in looks]
    votes: dict[float, float] = defaultdict(float)
    for size, weight in zip(raw, sure, strict=True):
        votes[_half(size)] += weight
    common = sorted(votes, key=lambda size: -votes[size])
    sizes = []
    for look, size in zip(looks, raw, strict=True):
        # One pixel of the box is this much of its size.
        doubt = 1 / SCALE / max(look.width, 1.5 * look.height)
        near = [c for c in common if abs(math.log(c / size)) <= 0.02 + 0.7 * doubt]
        own = votes[_half(size)]
        best = next((c for c in near if votes[c] > 1.5 * own), _half(size))
        sizes.append(best)
    return sizes


def _half(size: float) -> float:
    return max(1.0, round(size * 2) / 2)
