"""Makes a flat, upright page of a picture: a photo of a sheet on a desk, a skewed scan, or a clean print as it is."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from bandsmith.shared.model.geometry import Size

from ..engines import Engine
from ..page import Page, pixel_shape
from .light import crisp, even_light
from .paper import find_sheet
from .seal import without_seals
from .size import guess_sheet, guess_size, like, turned
from .straight import straightening
from .upright import quarter_turns

__all__ = ["flatten"]

TURNED = {
    1: "The page lay on its right side and was turned upright.",
    2: "The page was upside down and was turned upright.",
    3: "The page lay on its left side and was turned upright.",
}


def flatten(picture: np.ndarray, size: Size | None, engine: Engine, resolution: float | None = None) -> Page:
    """The page in a BGR picture of any size, without words.

    `size` is the page's size in points where it is known: the page is mapped to exactly that. `resolution` is what
    the picture's file claims, in dots per inch.
    """
    printed = _is_print(picture)
    sheet = None if printed and _fills(picture) else find_sheet(picture)
    if sheet is not None and printed and _is_upright(sheet):
        # A card on a coloured page that a program drew, not a sheet on a desk.
        sheet = None
    view = _View.of_sheet(picture, sheet, size) if sheet is not None else _View.of_all(picture, size, resolution)
    pixels = view.pixels()
    if (change := straightening(pixels)) is not None:
        view.matrix = change @ view.matrix
        pixels = view.pixels()
    notes = []
    if turns := quarter_turns(pixels, engine):
        pixels, notes = np.ascontiguousarray(np.rot90(pixels, turns)), [TURNED[turns]]
    page_size = size or (turned(view.size) if turns % 2 else view.size)
    if pixels.shape[:2] != (shape := pixel_shape(page_size)):
        pixels = cv2.resize(pixels, shape[::-1], interpolation=cv2.INTER_CUBIC)
    if not printed:
        pixels = crisp(even_light(pixels))
    return Page(pixels=pixels, size=page_size, notes=notes, clean=without_seals(pixels))


@dataclass
class _View:
    """A picture seen as a page of `size`: `matrix` takes the picture's pixels to the page's."""

    picture: np.ndarray
    size: Size
    matrix: np.ndarray = field(default_factory=lambda: np.eye(3))
    whole: bool = True
    """The page is the whole picture, not a sheet in it."""

    @classmethod
    def of_sheet(cls, picture: np.ndarray, sheet: np.ndarray, size: Size | None) -> _View:
        across, down = _sides(sheet)
        size = like(size, across, down) if size else guess_sheet(across, down)
        height, width = pixel_shape(size)
        # Pixels are squares around their centres: the page's edge is half a pixel before the first centre.
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
        return cls(picture, size, cv2.getPerspectiveTransform(sheet.astype(np.float32), corners), whole=False)

    @classmethod
    def of_all(cls, picture: np.ndarray, size: Size | None, resolution: float | None) -> _View:
        down, across = picture.shape[:2]
        size = like(size, across, down) if size else guess_size(across, down, resolution)
        height, width = pixel_shape(size)
        if abs(height - down) <= 2 and abs(width - across) <= 2:
            return cls(picture, size)
        sx, sy = width / across, height / down
        return cls(picture, size, np.array([[sx, 0, (sx - 1) / 2], [0, sy, (sy - 1) / 2], [0, 0, 1]]))

    def pixels(self) -> np.ndarray:
        shape = pixel_shape(self.size)
        if np.array_equal(self.matrix, np.eye(3)):
            return _cropped(self.picture, shape)
        picture, matrix = self._reduced()
        border = cv2.BORDER_CONSTANT if self.whole else cv2.BORDER_REPLICATE
        flat = cv2.warpPerspective(
            picture, matrix, shape[::-1], flags=cv2.INTER_CUBIC, borderMode=border, borderValue=_rim_colour(picture)
        )
        return flat if self.whole else _rim_replaced(flat)

    def _reduced(self) -> tuple[np.ndarray, np.ndarray]:
        """The picture made about as fine as the page, so that sampling it point by point skips nothing."""
        height, width = pixel_shape(self.size)
        corners = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float64)
        there = cv2.perspectiveTransform(corners, np.linalg.inv(self.matrix))[0]
        finer = min(side / page for side, page in zip(_sides(there), (width, height), strict=True))
        if finer < 1.3:
            return self.picture, self.matrix
        small = cv2.resize(self.picture, None, fx=1 / finer, fy=1 / finer, interpolation=cv2.INTER_AREA)
        fx, fy = self.picture.shape[1] / small.shape[1], self.picture.shape[0] / small.shape[0]
        back = np.array([[fx, 0, (fx - 1) / 2], [0, fy, (fy - 1) / 2], [0, 0, 1]])
        return small, self.matrix @ back


def _is_print(picture: np.ndarray) -> bool:
    """Whether a program drew the picture (or a scanner cleaned it): most pixels equal their neighbours exactly."""
    rows = picture[::5]
    blue, green, red = (plane[:, 1:] == plane[:, :-1] for plane in cv2.split(rows))
    return float((blue & green & red).mean()) > 0.6


def _fills(picture: np.ndarray) -> bool:
    """Whether the page reaches the picture's rim: much of the rim has the picture's commonest colour."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    commonest = int(np.bincount(grey.ravel(), minlength=256).argmax())
    rim = np.concatenate([grey[0], grey[-1], grey[:, 0], grey[:, -1]]).astype(int)
    return float((np.abs(rim - commonest) < 8).mean()) > 0.3


def _is_upright(quad: np.ndarray) -> bool:
    """Whether a quadrilateral is a rectangle with level sides, within a fifth of a degree."""
    along = np.roll(quad, -1, axis=0) - quad
    return bool((np.abs(along).min(axis=1) < 0.0035 * np.abs(along).max(axis=1)).all())


def _sides(quad: np.ndarray) -> tuple[float, float]:
    """Mean width and height of a quadrilateral."""
    top, right, bottom, left = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return float(top + bottom) / 2, float(left + right) / 2


def _cropped(picture: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """A pixel or two cut off or repeated at the right and bottom; everything else untouched."""
    more = [max(0, want - have) for want, have in zip(shape, picture.shape[:2], strict=True)]
    kept = picture[: shape[0], : shape[1]]
    return cv2.copyMakeBorder(kept, 0, more[0], 0, more[1], cv2.BORDER_REPLICATE) if any(more) else kept.copy()


def _rim_colour(picture: np.ndarray) -> tuple[float, ...]:
    rim = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
    return tuple(float(value) for value in np.median(rim, axis=0))


def _rim_replaced(flat: np.ndarray, width: int = 3) -> np.ndarray:
    """The outermost pixels, into which the desk shines, replaced by their neighbours."""
    inner = flat[width:-width, width:-width]
    return cv2.copyMakeBorder(inner, width, width, width, width, cv2.BORDER_REPLICATE)
