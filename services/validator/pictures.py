"""Pictures of pages as the checks read them: ink, ruling lines, likeness. All at 150 dots per inch."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from bandsmith.shared.model.geometry import Box

PX = 150 / 72
"""Pixels per point."""
_LINE = int(18 * PX)
"""The least length of a ruling line, in pixels."""
_THICK = int(2.5 * PX)
_WINDOW = 7
_INSET = 1.5
"""Points inside an element's edge where its own borders end."""

Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class PagePicture:
    """A page at 150 dots per inch, blue-green-red."""

    pixels: Pixels

    @classmethod
    def of_png(cls, png: bytes) -> PagePicture:
        """Raises ``ValueError`` for what is no picture."""
        pixels = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
        if pixels is None:
            raise ValueError("not a picture")
        return cls(np.asarray(pixels, np.uint8))

    @property
    def shape(self) -> tuple[int, int]:
        return self.pixels.shape[0], self.pixels.shape[1]

    def fitted(self, shape: tuple[int, int]) -> PagePicture:
        """The same page on paper of `shape`: cut or filled up with white."""
        if self.shape == shape:
            return self
        grown = np.full((*shape, 3), 255, np.uint8)
        height, width = min(shape[0], self.shape[0]), min(shape[1], self.shape[1])
        grown[:height, :width] = self.pixels[:height, :width]
        return PagePicture(grown)

    @cached_property
    def grey(self) -> Pixels:
        return np.asarray(cv2.cvtColor(self.pixels, cv2.COLOR_BGR2GRAY), np.uint8)

    @cached_property
    def ink(self) -> Pixels:
        """1 where a pixel differs from its paper: dark on light, and light on a dark fill."""
        half = cv2.resize(self.grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        paper = cv2.resize(cv2.medianBlur(half, 25), self.grey.shape[::-1], interpolation=cv2.INTER_NEAREST)
        return (cv2.absdiff(self.grey, paper) > 48).astype(np.uint8)

    @cached_property
    def text_ink(self) -> Pixels:
        """Ink without ruling lines and borders."""
        dark = self.ink
        across = cv2.morphologyEx(dark, cv2.MORPH_OPEN, np.ones((1, _LINE), np.uint8))
        down = cv2.morphologyEx(dark, cv2.MORPH_OPEN, np.ones((_LINE, 1), np.uint8))
        # The bars of large letters are as long as a short rule, but thicker.
        thick = cv2.morphologyEx(dark, cv2.MORPH_OPEN, np.ones((_THICK, _THICK), np.uint8))
        ruled = ((across > 0) | (down > 0)) & (thick == 0)
        return np.where(ruled, 0, dark).astype(np.uint8)

    def ink_in(self, box: Box) -> Box | None:
        """The box tight around the text's ink inside `box`, in points; None where there is none."""
        found = _tight(self.text_ink, box, 0.0)
        # Short borders are not ruling lines by their length: leave the element's edge out where ink touches it.
        touches = found is not None and (found.x - box.x < 0.6 or found.y - box.y < 0.6)
        return _tight(self.text_ink, box, _INSET) or found if touches else found


def _tight(marks: Pixels, box: Box, inset: float) -> Box | None:
    left, top = max(0, int((box.x + inset) * PX)), max(0, int((box.y + inset) * PX))
    right, bottom = math.ceil((box.right - inset) * PX), math.ceil((box.bottom - inset) * PX)
    ys, xs = np.nonzero(marks[top : max(top, bottom), left : max(left, right)])
    if len(xs) < 4:
        return None
    return Box.between(
        float(left + xs.min()) / PX,
        float(top + ys.min()) / PX,
        float(left + xs.max() + 1) / PX,
        float(top + ys.max() + 1) / PX,
    )


def ssim(form: PagePicture, page: PagePicture) -> float:
    """Structural similarity at 75 dots per inch, blurred by one point, so that a hair's breadth does not count."""
    small = [
        cv2.GaussianBlur(cv2.resize(p.grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), (0, 0), 1)
        for p in (form, page.fitted(form.shape))
    ]
    return structural_similarity(np.asarray(small[0], np.uint8), np.asarray(small[1], np.uint8))


def structural_similarity(a: Pixels, b: Pixels) -> float:
    """Mean SSIM over windows of 7 pixels, as scikit-image computes it, in a fifth of its time."""
    if min(a.shape) < _WINDOW:
        return 0.0
    x, y = a.astype(np.float32), b.astype(np.float32)

    def mean(values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        edge = _WINDOW // 2
        return np.asarray(cv2.blur(values, (_WINDOW, _WINDOW))[edge:-edge, edge:-edge], np.float32)

    mean_x, mean_y = mean(x), mean(y)
    sample = _WINDOW**2 / (_WINDOW**2 - 1)
    spread = sample * (mean(x * x) + mean(y * y) - mean_x**2 - mean_y**2)
    shared = sample * (mean(x * y) - mean_x * mean_y)
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    alike = (2 * mean_x * mean_y + c1) * (2 * shared + c2) / ((mean_x**2 + mean_y**2 + c1) * (spread + c2))
    return min(1.0, float(alike.mean(dtype=np.float64)))
