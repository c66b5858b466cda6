"""Find the sheet of paper in a photo: its four corners, to a fraction of a pixel."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

WORK_SIDE_PX = 800
"""Longer side of the reduced image in which the sheet is searched for before its edges are measured."""
MIN_CONFIDENCE = 0.55
"""Minimum overlap times contrast of a sheet's outline."""
MIN_AREA_SHARE = 0.1
"""A sheet that covers less of the image is not the subject of the photo."""
_MAX_TILT = 0.005
"""Slope of a side that counts as exactly along an axis."""
_MIN_BANNER_SHARE, _MIN_BANNER_SATURATION = 0.02, 60
"""Share of the image, and saturation, from which a bar beside a sheet may be a part of the page."""
_SAME_PAPER = (22.0, 5.0)
"""Difference in lightness and in tint, of 255, of two areas of one sheet; light falls unevenly on it."""
_MIN_PRINT_BEYOND = 0.1
"""Print beyond a part of a sheet, as a share of that on it."""


def find_sheet(picture: np.ndarray) -> np.ndarray | None:
    """Return the corners of the sheet in a BGR photo, or None when no sheet stands out from its surroundings.

    Shape (4, 2), in pixels from the centre of the first, clockwise from the corner nearest the image's top left.
    """
    scale = min(1.0, WORK_SIDE_PX / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else picture
    small = cv2.GaussianBlur(small, (0, 0), 1.2)
    best, best_score = None, 0.0
    for mask in _candidate_masks(small):
        quad, fit = _fit_quad(mask)
        if quad is None or not _is_plausible_sheet(quad) or _is_part_of_page(small, quad) or _goes_on(small, quad):
            continue
        confidence = fit * _contrast(small, quad)
        # Of two candidates, the larger is the sheet and the smaller a card on it or a bar beside it.
        score = (
            confidence * cv2.contourArea(quad.astype(np.float32)) ** 0.15 * (1.0 if _has_print(small, quad) else 0.3)
        )
        if confidence > MIN_CONFIDENCE and score > best_score:
            best, best_score = quad, score
    if best is None:
        return None
    return _refine_corners((best + 0.5) / scale - 0.5, picture)


def _candidate_masks(small: np.ndarray) -> Iterator[np.ndarray]:
    """Yield several guesses at the sheet's pixels; their outlines decide which one is best."""
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB)
    distance = _rim_difference(lab)
    light = lab[:, :, 0]
    pale = cv2.subtract(light, cv2.cvtColor(small, cv2.COLOR_BGR2HSV)[:, :, 1] // 2)
    for plane in (distance, _rim_difference(lab, shade=False), light, pale):
        otsu, mask = cv2.threshold(plane, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
        yield mask
        for factor in (0.6, 1.3):
            yield cv2.threshold(plane, min(250, otsu * factor), 255, cv2.THRESH_BINARY)[1]
    # A grey sheet may lie on something lighter.
    yield cv2.threshold(light, 0, 255, cv2.THRESH_BINARY_INV + cv2.THRESH_OTSU)[1]
    edges = cv2.dilate(cv2.Canny(light, 30, 90), np.ones((3, 3), np.uint8))
    yield _fill_contours(edges)


def _rim_difference(lab: np.ndarray, shade: bool = True) -> np.ndarray:
    """Return how far each colour is from those along the image's rim, 0 to 255; without `shade` by tint alone."""
    h, w = lab.shape[:2]
    band = max(3, round(0.02 * min(h, w)))
    sides = [lab[:band], lab[-band:], lab[:, :band], lab[:, -band:]]
    colours = [np.median(side.reshape(-1, 3), axis=0) for side in sides]
    weights = np.array([2.0, 2.0, 2.0] if shade else [0.0, 6.0, 6.0], np.float32)
    planes = [plane.astype(np.float32) for plane in cv2.split(lab)]
    top, bottom, left, right = (_distance(planes, colour, weights) for colour in colours)
    # The sheet may reach one side, so a pixel's distance is the second smallest of its distances from the four sides.
    second_smallest = np.minimum(
        np.maximum(np.minimum(top, bottom), np.minimum(left, right)),
        np.minimum(np.maximum(top, bottom), np.maximum(left, right)),
    )
    return np.clip(np.sqrt(second_smallest), 0, 255).astype(np.uint8)


def _distance(planes: list[np.ndarray], colour: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return each pixel's squared weighted distance from a colour; computed plane by plane, which is faster."""
    parts = (
        ((plane - part) * weight) ** 2 for plane, part, weight in zip(planes, colour, weights, strict=True) if weight
    )
    return np.asarray(sum(parts))


def _fill_contours(edges: np.ndarray) -> np.ndarray:
    mask = np.zeros_like(edges)
    contours, _ = cv2.findContours(edges, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    cv2.drawContours(mask, contours, -1, (255,), cv2.FILLED)
    return mask


def _fit_quad(mask: np.ndarray) -> tuple[np.ndarray | None, float]:
    """Return the quadrilateral most like the mask's largest part, and the overlap (intersection over union)."""
    # A border of background gives a sheet that reaches the image's rim an outline there.
    mask = cv2.copyMakeBorder(mask, 12, 12, 12, 12, cv2.BORDER_CONSTANT, value=(0,))
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((15, 15), np.uint8))
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8))
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None, 0.0
    outline = max(contours, key=cv2.contourArea)
    height, width = mask.shape[0] - 24, mask.shape[1] - 24
    if cv2.contourArea(outline) < MIN_AREA_SHARE * height * width:
        return None, 0.0
    hull = cv2.convexHull(outline)
    quad = _four_corners(hull)
    if quad is None:
        return None, 0.0
    shape, around = np.zeros_like(mask), np.zeros_like(mask)
    cv2.drawContours(shape, [outline], -1, (1,), cv2.FILLED)
    cv2.fillConvexPoly(around, np.round(quad).astype(np.int32), (1,))
    union = np.count_nonzero(np.maximum(shape, around))
    if np.count_nonzero(around) > 0.985 * height * width:
        return None, 0.0
    return _clockwise(quad - 12), np.count_nonzero(np.minimum(shape, around)) / union


def _four_corners(hull: np.ndarray) -> np.ndarray | None:
    length = cv2.arcLength(hull, True)
    for tolerance in np.arange(0.01, 0.09, 0.005):
        corners = cv2.approxPolyDP(hull, float(tolerance) * length, True)
        if len(corners) == 4:
            return corners.reshape(4, 2).astype(np.float32)
        if len(corners) < 4:
            return None
    return None


def _clockwise(quad: np.ndarray) -> np.ndarray:
    middle = quad.mean(axis=0)
    around = quad[np.argsort(np.arctan2(quad[:, 1] - middle[1], quad[:, 0] - middle[0]))]
    first = np.argmin(around.sum(axis=1))
    return np.roll(around, -first, axis=0).astype(np.float64)


def _is_plausible_sheet(quad: np.ndarray) -> bool:
    """Whether a sheet can look like this: corners of 55 to 125 degrees, opposite sides of similar length."""
    along = np.roll(quad, -1, axis=0) - quad
    length = np.linalg.norm(along, axis=1)
    turns = (along * np.roll(along, 1, axis=0)).sum(axis=1) / (length * np.roll(length, 1))
    return bool(np.abs(turns).max() < 0.57 and max(length[:2] / length[2:]) < 2 and min(length[:2] / length[2:]) > 0.5)


def _is_part_of_page(small: np.ndarray, quad: np.ndarray) -> bool:
    """Whether a quadrilateral is what a bar or banner leaves of a scanned page, and no sheet.

    It then reaches the rim, its other sides are exactly along the axes, and beyond them is print or a strong colour.
    The lid of a scanner and the window around a page are bare and grey.
    """
    height, width = small.shape[:2]
    along = np.roll(quad, -1, axis=0) - quad
    middles = quad + along / 2
    at_rim = (middles < 6).any(axis=1) | (middles > (width - 7, height - 7)).any(axis=1)
    upright = np.abs(along).min(axis=1) < np.maximum(_MAX_TILT * np.abs(along).max(axis=1), 1.0)
    if not at_rim.any() or at_rim.all() or not upright.all():
        return False
    outside = np.ones((height, width), np.uint8)
    cv2.fillConvexPoly(outside, np.round(quad).astype(np.int32), (0,))
    # A thin strip of desk around a sheet is no banner.
    beyond = cv2.erode(outside, np.ones((9, 9), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=(0,)) > 0
    if beyond.mean() < _MIN_BANNER_SHARE:
        return False
    hsv = cv2.cvtColor(small, cv2.COLOR_BGR2HSV)
    edges = cv2.Canny(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), 60, 150)
    has_print = np.count_nonzero(edges[beyond]) > 0.01 * np.count_nonzero(beyond)
    return bool(has_print) or float(np.median(hsv[beyond][:, 1])) > _MIN_BANNER_SATURATION


def _goes_on(small: np.ndarray, quad: np.ndarray) -> bool:
    """Whether the paper and its print go on beyond a quadrilateral, which then is a part of a sheet."""
    inside, outside = np.zeros(small.shape[:2], np.uint8), np.ones(small.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.round(quad).astype(np.int32), (1,))
    cv2.fillConvexPoly(outside, np.round(quad).astype(np.int32), (0,))
    inner, beyond = (cv2.erode(mask, np.ones((9, 9), np.uint8)) > 0 for mask in (inside, outside))
    if beyond.mean() < _MIN_BANNER_SHARE or not inner.any():
        return False
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB).astype(np.float32)
    apart = np.abs(np.median(lab[inner], axis=0) - np.median(lab[beyond], axis=0))
    if apart[0] > _SAME_PAPER[0] or apart[1:].max() > _SAME_PAPER[1]:
        return False
    edges = cv2.Canny(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), 60, 150)
    return bool(np.count_nonzero(edges[beyond]) > _MIN_PRINT_BEYOND * np.count_nonzero(edges[inner]))


def _has_print(small: np.ndarray, quad: np.ndarray) -> bool:
    """Whether there is anything on it: a bare area is more likely a bar beside the page."""
    inner = np.zeros(small.shape[:2], np.uint8)
    cv2.fillConvexPoly(inner, np.round(quad.mean(axis=0) + 0.9 * (quad - quad.mean(axis=0))).astype(np.int32), (1,))
    edges = cv2.Canny(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), 60, 150)
    return bool(np.count_nonzero(edges[inner > 0]) > 0.002 * np.count_nonzero(inner))


def _contrast(small: np.ndarray, quad: np.ndarray) -> float:
    """Return the share of the outline at which the colour changes, 0 to 1: the mean of the worst side and all sides.

    A side along the image's rim gives little evidence and counts 0.7.
    """
    h, w = small.shape[:2]
    shares = []
    for start, end in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        inward = _inward_normal(start, end)
        at = start + np.linspace(0.05, 0.95, 40)[:, None] * (end - start)
        inside, outside = (np.round(at + inward * d).astype(int) for d in (5, -5))
        within = ((outside >= 0) & (outside < (w, h))).all(axis=1)
        if within.mean() < 0.5:
            shares.append(0.7)
            continue
        inside, outside = np.clip(inside[within], 0, (w - 1, h - 1)), outside[within]
        change = small[inside[:, 1], inside[:, 0]].astype(float) - small[outside[:, 1], outside[:, 0]]
        # Print near the side changes the colour here and there; the edge of a sheet changes it everywhere the same way.
        typical = np.median(change, axis=0)
        shares.append(float((change @ typical > 18 * np.linalg.norm(typical)).mean()) if typical.any() else 0.0)
    return (min(shares) + float(np.mean(shares))) / 2


def _inward_normal(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the unit vector that points from a side into a clockwise outline."""
    along = (end - start) / (np.linalg.norm(end - start) or 1.0)
    return np.array([-along[1], along[0]])


def _refine_corners(quad: np.ndarray, picture: np.ndarray) -> np.ndarray:
    """Measure the corners in the full image, from where the edge of each side is."""
    h, w = picture.shape[:2]
    reach = max(6.0, 0.012 * max(h, w))
    sides = []
    for start, end in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        side = (start, end)
        # The first fit starts from a rough outline; the second looks closer around the result.
        for width in (reach, reach / 2.5):
            side = _fit_side(*side, picture, width) or side
        sides.append(side)
    corners = [_intersection(sides[i - 1], sides[i]) for i in range(4)]
    moved = max(np.linalg.norm(new - old) for new, old in zip(corners, quad, strict=True))
    return np.array(corners) if moved < 0.06 * max(h, w) else quad


def _fit_side(
    start: np.ndarray, end: np.ndarray, picture: np.ndarray, reach: float
) -> tuple[np.ndarray, np.ndarray] | None:
    """Fit a line to the points where the colour changes most across this side; None along the image's rim."""
    h, w = picture.shape[:2]
    inward = _inward_normal(start, end)
    ts = np.linspace(0.04, 0.96, 120)
    steps = np.arange(-reach, reach + 0.25, 0.5)
    at = start + ts[:, None] * (end - start)
    points = at[:, None, :] + steps[None, :, None] * inward
    xs, ys = points[..., 0].astype(np.float32), points[..., 1].astype(np.float32)
    usable = ((xs >= 0) & (xs <= w - 1) & (ys >= 0) & (ys <= h - 1)).all(axis=1)
    if usable.sum() < 40:
        return None
    profiles = cv2.remap(picture, xs[usable], ys[usable], cv2.INTER_LINEAR).astype(np.float32)
    offsets, weight = _locate_edges(profiles, steps)
    keep = weight > 12
    if keep.sum() < 30:
        return None
    at = at[usable][keep] + offsets[keep][:, None] * inward
    for _ in range(3):
        vx, vy, x0, y0 = cv2.fitLine(at.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.001).ravel()
        off = (at[:, 0] - x0) * vy - (at[:, 1] - y0) * vx
        inliers = np.abs(off) < max(0.7, 2.5 * np.median(np.abs(off)))
        at = at[inliers]
        if len(at) < 20:
            return None
    origin, direction = np.array([x0, y0], float), np.array([vx, vy], float)
    if direction @ (end - start) < 0:
        direction = -direction
    length = float(np.linalg.norm(end - start))
    first = origin + direction * ((start - origin) @ direction)
    return first, first + direction * length


def _locate_edges(profiles: np.ndarray, steps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where each profile (n, steps, 3) passes from outside to inside, and by how much it changes."""
    window = max(3, len(steps) // 6)
    outside = np.median(profiles[:, :window], axis=1)
    inside = np.median(profiles[:, -window:], axis=1)
    change = inside - outside
    weight = np.linalg.norm(change, axis=1)
    along = np.einsum("nsc,nc->ns", profiles - outside[:, None], change) / np.maximum(weight[:, None] ** 2, 1e-6)
    # Smoothing along the edge removes a grainy desk and keeps the edge sharp.
    smooth = cv2.blur(along.astype(np.float32), (3, 7))
    # Take the first point from outside that is paper and stays so for a pixel: print near the edge comes later.
    above = smooth >= 0.5
    stays = above[:, 1:-1] & above[:, 2:]
    last = np.where(stays.any(axis=1), np.argmax(stays, axis=1), 0)
    rows = np.arange(len(smooth))
    low, high = smooth[rows, last], smooth[rows, last + 1]
    part = np.clip((0.5 - low) / np.maximum(high - low, 1e-3), 0, 1)
    return steps[last] + part * (steps[1] - steps[0]), weight


def _intersection(one: tuple[np.ndarray, np.ndarray], other: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Return the point where two lines meet."""
    a, b = np.array([one[1] - one[0], other[0] - other[1]]).T, other[0] - one[0]
    t, _ = np.linalg.solve(a, b)
    return one[0] + t * (one[1] - one[0])
