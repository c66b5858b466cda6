"""Pages as pictures: ink, ruling lines and similarity. All pictures have 150 dots per inch."""

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
MIN_RULE_PX = int(18 * PX)
"""A shorter run of ink is no ruling line."""
MAX_RULE_THICKNESS_PX = int(2.5 * PX)
"""A thicker run of ink is no ruling line either."""
MIN_INK_CONTRAST = 48
"""Difference in grey levels, of 255, by which a pixel of ink differs from the paper."""
PAPER_BLUR_PX = 25
"""Size of the median filter, at 75 dots per inch, that leaves only the paper."""
MIN_INK_PX = 4
"""Fewer pixels of ink are noise."""
SSIM_WINDOW_PX = 7
BORDER_INSET_PT = 1.5
"""Distance from an element's edge at which its own borders end."""
BORDER_CONTACT_PT = 0.6
"""Ink this close to an element's edge may be a border."""

Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class PagePicture:
    """A page at 150 dots per inch, with channels in the order blue, green, red."""

    pixels: Pixels

    @classmethod
    def of_png(cls, png: bytes) -> PagePicture:
        """Decode a PNG. Raises ``ValueError`` for anything else."""
        pixels = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
        if pixels is None:
            raise ValueError("not a picture")
        return cls(np.asarray(pixels, np.uint8))

    @property
    def shape(self) -> tuple[int, int]:
        return self.pixels.shape[0], self.pixels.shape[1]

    def on_canvas(self, shape: tuple[int, int]) -> PagePicture:
        """Return the page cut or extended with white to `shape`."""
        if self.shape == shape:
            return self
        canvas = np.full((*shape, 3), 255, np.uint8)
        height, width = min(shape[0], self.shape[0]), min(shape[1], self.shape[1])
        canvas[:height, :width] = self.pixels[:height, :width]
        return PagePicture(canvas)

    @cached_property
    def grey(self) -> Pixels:
        return np.asarray(cv2.cvtColor(self.pixels, cv2.COLOR_BGR2GRAY), np.uint8)

    @cached_property
    def ink(self) -> Pixels:
        """1 where a pixel differs from the paper around it: dark on light, or light on a dark fill."""
        half = cv2.resize(self.grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        paper = cv2.resize(cv2.medianBlur(half, PAPER_BLUR_PX), self.grey.shape[::-1], interpolation=cv2.INTER_NEAREST)
        return (cv2.absdiff(self.grey, paper) > MIN_INK_CONTRAST).astype(np.uint8)

    @cached_property
    def text_ink(self) -> Pixels:
        """Ink without ruling lines and borders."""
        dark = self.ink
        across = cv2.morphologyEx(dark, cv2.MORPH_OPEN, np.ones((1, MIN_RULE_PX), np.uint8))
        down = cv2.morphologyEx(dark, cv2.MORPH_OPEN, np.ones((MIN_RULE_PX, 1), np.uint8))
        # The bars of large letters are as long as a short rule, but thicker.
        thick = cv2.morphologyEx(
            dark, cv2.MORPH_OPEN, np.ones((MAX_RULE_THICKNESS_PX, MAX_RULE_THICKNESS_PX), np.uint8)
        )
        ruled = ((across > 0) | (down > 0)) & (thick == 0)
        return np.where(ruled, 0, dark).astype(np.uint8)

    def ink_in(self, box: Box) -> Box | None:
        """Return the tight box around the text's ink inside `box`, in points; None where there is no ink."""
        found = _tight(self.text_ink, box, 0.0)
        # Short borders do not count as ruling lines, so the element's edge is left out where ink touches it.
        touches = found is not None and (found.x - box.x < BORDER_CONTACT_PT or found.y - box.y < BORDER_CONTACT_PT)
        return _tight(self.text_ink, box, BORDER_INSET_PT) or found if touches else found


def ink_apart(ink: Pixels, other: Pixels, tolerance: float) -> Pixels:
    """Return the ink that has none of the other's within the tolerance, in points."""
    radius = round(tolerance * PX)
    near = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
    return np.asarray(cv2.subtract(ink, cv2.dilate(other, near)), np.uint8)


def _tight(marks: Pixels, box: Box, inset: float) -> Box | None:
    left, top = max(0, int((box.x + inset) * PX)), max(0, int((box.y + inset) * PX))
    # A pixel that lies partly in the box may be the first of what stands to its right.
    right, bottom = int((box.right - inset) * PX), math.ceil((box.bottom - inset) * PX)
    ys, xs = np.nonzero(marks[top : max(top, bottom), left : max(left, right)])
    if len(xs) < MIN_INK_PX:
        return None
    return Box.between(
        float(left + xs.min()) / PX,
        float(top + ys.min()) / PX,
        float(left + xs.max() + 1) / PX,
        float(top + ys.max() + 1) / PX,
    )


def ssim(form: PagePicture, page: PagePicture) -> float:
    """Structural similarity at 75 dots per inch, blurred so that a hair's breadth of displacement does not count."""
    small = [
        cv2.GaussianBlur(cv2.resize(p.grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), (0, 0), 1)
        for p in (form, page.on_canvas(form.shape))
    ]
    return structural_similarity(np.asarray(small[0], np.uint8), np.asarray(small[1], np.uint8))


def structural_similarity(a: Pixels, b: Pixels) -> float:
    """Mean SSIM over windows of 7 x 7 pixels. Computed as scikit-image does, in a fifth of the time."""
    if min(a.shape) < SSIM_WINDOW_PX:
        return 0.0
    x, y = a.astype(np.float32), b.astype(np.float32)

    def mean(values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        edge = SSIM_WINDOW_PX // 2
        return np.asarray(cv2.blur(values, (SSIM_WINDOW_PX, SSIM_WINDOW_PX))[edge:-edge, edge:-edge], np.float32)

    mean_x, mean_y = mean(x), mean(y)
    sample = SSIM_WINDOW_PX**2 / (SSIM_WINDOW_PX**2 - 1)
    spread = sample * (mean(x * x) + mean(y * y) - mean_x**2 - mean_y**2)
    shared = sample * (mean(x * y) - mean_x * mean_y)
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    alike = (2 * mean_x * mean_y + c1) * (2 * shared + c2) / ((mean_x**2 + mean_y**2 + c1) * (spread + c2))
    return min(1.0, float(alike.mean(dtype=np.float64)))
