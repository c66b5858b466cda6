"""Turn an image into a flat, upright page: a photo of a sheet on a desk, a skewed scan, or a clean print.

Theory of operation
===================

Everything later works on a page of known size at 150 dots per inch, seen from straight above, with white paper. An
image that a program drew is already such a page and must not lose a pixel; a photo has to be turned into one. The
steps run in this order.

**Bars.** Dark bars beside a photo, which fill a screen or a page, are cut off. They would make it look like a print.

**Print or photo.** In a print (a screenshot, an export, a cleaned scan) more than 60 % of the pixels equal their right
neighbour exactly; grain rules that out in a photo. If more than 30 % of a print's rim has the image's commonest grey,
the page fills the image and no sheet is searched for. A sheet that is found in a print, but has sides exactly along
the axes, is a card on a coloured page and is ignored. The light of a print is never corrected.

**Sheet** (`paper.py`). At 800 pixels, 14 masks are tried: distance from the rim's colour with and without brightness,
lightness, and lightness minus half the saturation, each at three thresholds around Otsu's; dark paper on a lighter
desk; and the inside of closed edges. There are several because no single mask works on every desk. The outline of each
mask's largest part becomes a quadrilateral. Its confidence is the overlap of quadrilateral and mask (intersection over
union) times the share of the outline where the colour changes the same way from outside to inside. The best one above
0.55 wins; a larger one is preferred slightly, and one without print (a bar beside the page) is penalised. Then each
side is measured in the full image: along 120 lines across the side, half a pixel per step, the edge is where the
colour passes halfway from outside to inside. A robust line fit through these points gives corners to a fraction of a
pixel.

**Size** (`size.py`). The page's size in points is given by the user. Otherwise it is a paper size at the stated or a
common resolution, or follows from the stated resolution, or from the proportions alone; a photo has only proportions.
A stated resolution at which the letters would be too small to read is ignored (`resolution.py`).

**Perspective.** One homography maps the image's pixels to the page's. Each later correction is multiplied into it and
the original image is sampled again, so that pixels are interpolated once. An image with much more detail than the page
is first reduced by area averaging, as sampling single points would skip thin strokes.

**Skew** (`straight.py`). At 1600 pixels, line segments longer than 5 % of the page and within 12 degrees of an axis
show rotation and remaining taper: the slopes of horizontal lines are a linear function of y, those of vertical lines
one of x. A page without rules, or whose words contradict them, is rotated by the median slope of its words, refined so
that its projection profile (ink per row) has the sharpest steps. Many words also show where lines
run together towards one side. What the first correction left is corrected once more; the user is told if lines of text
are still not level. A correction below 0.08 degrees is less than a pixel
across the page and is not made.

**Which way up** (`upright.py`). Up to four areas that look like horizontal lines of text are recognised as they are;
if they read with a confidence above 0.93, the page is upright. Otherwise text is detected, and up to eight level lines
are read as they are and upside down; unless they read well as they are, the same is done with the page on its side,
which is believed where many more characters are read. The page is turned if one of both ways is clearly better.

**Light** (`light.py`), for photos and scans only. A smooth surface is fitted to the brightness of the paper and
divided out, grain is smoothed and edges are sharpened.

**Seals** (`seal.py`). Red seals are faded in a copy of the page, in which text is read.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from bandsmith.shared import replies
from bandsmith.shared.model.geometry import Size

from ..channels import max_channel
from ..engines import OcrEngine
from ..page import Page, pixel_shape
from .light import even_light, sharpen
from .paper import find_sheet
from .resolution import believed
from .seal import fade_seals
from .size import guess_sheet_size, guess_size, oriented_like, rotated
from .straight import find_straightening, is_crooked
from .upright import quarter_turns

__all__ = ["flatten"]

TURNED_NOTES = {
    1: "documents.notes.turned_right",
    2: "documents.notes.turned_over",
    3: "documents.notes.turned_left",
}
"""What to tell the user after so many quarter turns."""
MAX_CORRECTIONS = 2
"""The second correction measures what the first one, which is right to first order, has left."""
_MAX_BAR_GREY = 40
"""A bar beside a photo is this dark."""


def flatten(picture: np.ndarray, size: Size | None, engine: OcrEngine, resolution: float | None = None) -> Page:
    """Return the page in a BGR image of any size, without words.

    `size` is the page's size in points where it is known: the page is mapped to exactly that. `resolution` is what
    the image file states, in dots per inch.
    """
    picture = _without_bars(picture)
    printed = _is_print(picture)
    sheet = None if printed and _reaches_rim(picture) else find_sheet(picture)
    if sheet is not None and printed and _is_upright(sheet):
        # This is a card on a coloured page that a program drew, not a sheet on a desk.
        sheet = None
    view = _View.of_sheet(picture, sheet, size) if sheet is not None else _View.of_picture(picture, size, resolution)
    pixels = view.pixels()
    for _ in range(MAX_CORRECTIONS):
        if (change := find_straightening(pixels)) is None:
            break
        view.matrix = change @ view.matrix
        pixels = view.pixels()
    notes = list[replies.Text]()
    if turns := quarter_turns(pixels, engine):
        pixels, notes = np.ascontiguousarray(np.rot90(pixels, turns)), [replies.Text.of(TURNED_NOTES[turns])]
    if not printed and is_crooked(pixels):
        notes.append(replies.Text.of("documents.notes.crooked"))
    page_size = size or (rotated(view.size) if turns % 2 else view.size)
    if pixels.shape[:2] != (shape := pixel_shape(page_size)):
        pixels = cv2.resize(pixels, shape[::-1], interpolation=cv2.INTER_CUBIC)
    if not printed:
        pixels = sharpen(even_light(pixels))
    return Page(pixels=pixels, size=page_size, notes=notes, seals_faded=fade_seals(pixels))


@dataclass
class _View:
    """An image seen as a page of `size`: `matrix` maps the image's pixels to the page's."""

    picture: np.ndarray
    size: Size
    matrix: np.ndarray = field(default_factory=lambda: np.eye(3))
    whole: bool = True
    """Whether the page is the whole image, not a sheet in it."""

    @classmethod
    def of_sheet(cls, picture: np.ndarray, sheet: np.ndarray, size: Size | None) -> _View:
        across, down = _sides(sheet)
        size = oriented_like(size, across, down) if size else guess_sheet_size(across, down)
        height, width = pixel_shape(size)
        # Pixels are squares around their centres: the page's edge is half a pixel before the first centre.
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
        return cls(picture, size, cv2.getPerspectiveTransform(sheet.astype(np.float32), corners), whole=False)

    @classmethod
    def of_picture(cls, picture: np.ndarray, size: Size | None, resolution: float | None) -> _View:
        down, across = picture.shape[:2]
        size = oriented_like(size, across, down) if size else guess_size(across, down, believed(resolution, picture))
        height, width = pixel_shape(size)
        if abs(height - down) <= 2 and abs(width - across) <= 2:
            return cls(picture, size)
        sx, sy = width / across, height / down
        return cls(picture, size, np.array([[sx, 0, (sx - 1) / 2], [0, sy, (sy - 1) / 2], [0, 0, 1]]))

    def pixels(self) -> np.ndarray:
        shape = pixel_shape(self.size)
        if np.array_equal(self.matrix, np.eye(3)):
            return _fit_to_shape(self.picture, shape)
        picture, matrix = self._reduced()
        border = cv2.BORDER_CONSTANT if self.whole else cv2.BORDER_REPLICATE
        flat = cv2.warpPerspective(
            picture, matrix, shape[::-1], flags=cv2.INTER_CUBIC, borderMode=border, borderValue=_rim_colour(picture)
        )
        return flat if self.whole else _replace_rim(flat)

    def _reduced(self) -> tuple[np.ndarray, np.ndarray]:
        """Reduce the image to about the page's resolution, so that sampling single points skips nothing."""
        height, width = pixel_shape(self.size)
        corners = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float64)
        source = cv2.perspectiveTransform(corners, np.linalg.inv(self.matrix))[0]
        finer = min(side / page for side, page in zip(_sides(source), (width, height), strict=True))
        if finer < 1.3:
            return self.picture, self.matrix
        small = cv2.resize(self.picture, None, fx=1 / finer, fy=1 / finer, interpolation=cv2.INTER_AREA)
        fx, fy = self.picture.shape[1] / small.shape[1], self.picture.shape[0] / small.shape[0]
        back = np.array([[fx, 0, (fx - 1) / 2], [0, fy, (fy - 1) / 2], [0, 0, 1]])
        return small, self.matrix @ back


def _is_print(picture: np.ndarray) -> bool:
    """Whether a program drew the image (or a scanner cleaned it): most pixels equal their neighbours exactly."""
    rows = picture[::5]
    blue, green, red = (plane[:, 1:] == plane[:, :-1] for plane in cv2.split(rows))
    return float((blue & green & red).mean()) > 0.6


def _without_bars(picture: np.ndarray) -> np.ndarray:
    """Return a photo without the dark bars that a program has put beside it; anything else stays as it is."""
    lightest = max_channel(picture)
    rows = np.flatnonzero((lightest > _MAX_BAR_GREY).mean(axis=1) > 0.01)
    columns = np.flatnonzero((lightest > _MAX_BAR_GREY).mean(axis=0) > 0.01)
    if not len(rows) or not len(columns):
        return picture
    inner = picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    if inner.shape == picture.shape or inner.size < 0.25 * picture.size or _is_print(inner):
        return picture
    return np.ascontiguousarray(inner)


def _reaches_rim(picture: np.ndarray) -> bool:
    """Whether the page reaches the image's rim: much of the rim has the image's commonest grey."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    commonest = int(np.bincount(grey.ravel(), minlength=256).argmax())
    rim = np.concatenate([grey[0], grey[-1], grey[:, 0], grey[:, -1]]).astype(int)
    return float((np.abs(rim - commonest) < 8).mean()) > 0.3


def _is_upright(quad: np.ndarray) -> bool:
    """Whether a quadrilateral is an axis-aligned rectangle, within a fifth of a degree."""
    along = np.roll(quad, -1, axis=0) - quad
    return bool((np.abs(along).min(axis=1) < 0.0035 * np.abs(along).max(axis=1)).all())


def _sides(quad: np.ndarray) -> tuple[float, float]:
    """Return the mean width and height of a quadrilateral."""
    top, right, bottom, left = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return float(top + bottom) / 2, float(left + right) / 2


def _fit_to_shape(picture: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Crop or repeat a pixel or two at the right and bottom; leave everything else untouched."""
    more = [max(0, want - have) for want, have in zip(shape, picture.shape[:2], strict=True)]
    kept = picture[: shape[0], : shape[1]]
    return cv2.copyMakeBorder(kept, 0, more[0], 0, more[1], cv2.BORDER_REPLICATE) if any(more) else kept.copy()


def _rim_colour(picture: np.ndarray) -> tuple[float, ...]:
    rim = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
    return tuple(float(value) for value in np.median(rim, axis=0))


def _replace_rim(flat: np.ndarray, width: int = 3) -> np.ndarray:
    """Replace the outermost pixels, into which the desk's colour bleeds, by their neighbours."""
    inner = flat[width:-width, width:-width]
    return cv2.copyMakeBorder(inner, width, width, width, width, cv2.BORDER_REPLICATE)
