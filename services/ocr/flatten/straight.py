"""Measure how far a page is still skewed, from its ruling lines or else from its lines of text."""

from __future__ import annotations

import math

import cv2
import numpy as np

WORK_SIDE_PX = 1600
_MAX_SKEW = math.radians(12)
"""A segment that is steeper is not a skewed rule."""
_MIN_CORRECTION = math.radians(0.08)
"""A smaller correction is less than a pixel across the page and is not made."""

_MIN_WORDS = 3
"""Fewer words, or lines whose words run together, say nothing about the page."""
_MAX_WORD_DEVIATION = 0.03
"""Typical difference of a word's slope from the page's: 0.005 for print. Where it is larger, these are no words."""
_MANY_WORDS = 12
"""So many words that are skewed alike are better evidence than long lines."""
_MIN_TAPER_WORDS = 30
"""So many words show whether lines run together towards one side."""
_MIN_TAPER = 0.015
"""Difference of the slopes of words between the middle and the end of a page that is more than their scatter."""
_CROOKED, _CROOKED_TAPER = 0.02, 0.04
"""Slope of the words of a page, and its difference between top and bottom, from which one sees that it is crooked."""
_MAX_INK_PX = 60_000


def find_straightening(pixels: np.ndarray) -> np.ndarray | None:
    """Return the homography (3, 3; the size stays) that straightens the page; None if it is straight."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    scale = min(1.0, WORK_SIDE_PX / max(grey.shape))
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else grey
    half = max(small.shape) / 2
    middle = np.array([small.shape[1] / 2, small.shape[0] / 2])
    words = _word_slopes(_ink(small))
    change = _by_rules(small, middle, half)
    if change is None or _words_contradict(words, change):
        change = _by_taper(words, middle, half)
        if change is None:
            slope = _by_text(small, words[:, 0])
            change = np.array([[1, slope, 0], [-slope, 1, 0], [0, 0, 1]])
    if np.abs(change - np.eye(3)).max() < _MIN_CORRECTION:
        return None
    # From the picture's pixels to coordinates around its centre, about -1 to 1, and back.
    ratio = half / scale
    to = np.array([[1 / ratio, 0, -middle[0] / half], [0, 1 / ratio, -middle[1] / half], [0, 0, 1]])
    return np.linalg.inv(to) @ change @ to


def is_crooked(pixels: np.ndarray) -> bool:
    """Whether the lines of text on a page are clearly not level, or run together towards one side."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    scale = min(1.0, WORK_SIDE_PX / max(grey.shape))
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else grey
    words = _word_slopes(_ink(small))
    if len(words) < _MANY_WORDS:
        return False
    order = np.argsort(words[:, 2])
    parts = [words[part, 0] for part in np.array_split(order, 3)]
    if any(np.median(np.abs(part - np.median(part))) > _MAX_WORD_DEVIATION for part in parts):
        return False  # these are no words
    medians = [float(np.median(part)) for part in parts]
    return abs(float(np.median(words[:, 0]))) > _CROOKED or max(medians) - min(medians) > _CROOKED_TAPER


def _by_taper(words: np.ndarray, middle: np.ndarray, half: float) -> np.ndarray | None:
    """Return the homography that makes lines of text level that run together towards one side; None where none do.

    The slope of a line is a linear function of y, as for rules. Words scatter more than rules, so many have to agree.
    """
    if len(words) < _MIN_TAPER_WORDS:
        return None
    at = (words[:, 2] - middle[1]) / half
    terms, trust, fit = np.stack([np.ones_like(at), at], axis=1), np.ones(len(at)), np.zeros(2)
    for _ in range(15):
        root = np.sqrt(trust)[:, None]
        fit, *_ = np.linalg.lstsq(terms * root, words[:, 0] * root[:, 0], rcond=None)
        off = np.abs(words[:, 0] - terms @ fit)
        trust = 1 / np.maximum(off / 0.005, 1.0) ** 2
    before = np.median(np.abs(words[:, 0] - np.median(words[:, 0])))
    if abs(fit[1]) < _MIN_TAPER or np.median(off) > 0.7 * before or np.ptp(at) < 0.8:
        return None
    return np.array([[1, fit[0], 0], [-fit[0], 1, 0], [fit[1], 0, 1]])


def _by_rules(small: np.ndarray, middle: np.ndarray, half: float) -> np.ndarray | None:
    """Return the homography that makes long segments horizontal and vertical; None when there are few.

    To first order, [[1, b, 0], [d, 1, 0], [g, h, 1]] maps a horizontal line's slope s = -d + g y and a vertical line's
    t = -b + h x to zero: two straight-line fits.
    """
    segments = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD).detect(small)[0]
    if segments is None:
        return None
    ends = segments.reshape(-1, 2, 2).astype(np.float64)
    along = ends[:, 1] - ends[:, 0]
    length = np.linalg.norm(along, axis=1)
    long = length > 0.05 * max(small.shape)
    ends, along, length = ends[long], along[long], length[long]
    at = (ends.mean(axis=1) - middle) / half
    level = np.abs(along[:, 1]) < np.abs(along[:, 0]) * math.tan(_MAX_SKEW)
    plumb = np.abs(along[:, 0]) < np.abs(along[:, 1]) * math.tan(_MAX_SKEW)
    d, g = _slopes(along[level, 1] / along[level, 0], at[level, 1], length[level])
    b, h = _slopes(along[plumb, 0] / along[plumb, 1], at[plumb, 0], length[plumb])
    enough = 0.8 * max(small.shape)
    seen_level, seen_plumb = length[level].sum() > enough, length[plumb].sum() > enough
    if not seen_level and not seen_plumb:
        return None
    if not seen_level:
        d, g = -b, 0.0
    if not seen_plumb:
        b, h = -d, 0.0
    return np.array([[1, b, 0], [d, 1, 0], [g, h, 1]])


def _slopes(slopes: np.ndarray, at: np.ndarray, weights: np.ndarray) -> tuple[float, float]:
    """Return -intercept and gradient of a robust fit of slopes over positions; gradient 0 where they cluster."""
    if len(slopes) < 3:
        return 0.0, 0.0
    spread = len(slopes) >= 8 and np.percentile(at, 90) - np.percentile(at, 10) > 0.5
    terms = np.stack([np.ones_like(at), at], axis=1)[:, : 2 if spread else 1]
    trust = weights.copy()
    fit = np.zeros(terms.shape[1])
    for _ in range(15):
        root = np.sqrt(trust)[:, None]
        fit, *_ = np.linalg.lstsq(terms * root, slopes * root[:, 0], rcond=None)
        off = np.abs(slopes - terms @ fit)
        trust = weights / np.maximum(off / 0.002, 1.0) ** 2
    agree = weights[off < 0.006].sum() / weights.sum()
    if agree < 0.5:
        return 0.0, 0.0
    return -float(fit[0]), float(fit[1]) if spread else 0.0


def _ink(small: np.ndarray) -> np.ndarray:
    return np.asarray(
        cv2.adaptiveThreshold(small, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 31, 15), np.uint8
    )


def _words_contradict(words: np.ndarray, change: np.ndarray) -> bool:
    """Whether many words have clearly another slope than the lines by which the page would be straightened.

    Such lines belong to a watermark, a picture or a pen.
    """
    if len(words) < _MANY_WORDS:
        return False
    slope = float(np.median(words[:, 0]))
    alike = float(np.median(np.abs(words[:, 0] - slope))) < _MAX_WORD_DEVIATION / 2
    return alike and abs(slope + change[1, 0]) > _MAX_WORD_DEVIATION


def _by_text(small: np.ndarray, slopes: np.ndarray) -> float:
    """Return the slope (rise over run, y down) by which lines of text are skewed; 0 where they do not say.

    Each word gives a rough slope. Near the words' median, the slope is the one at which the rows of the page alternate
    most clearly between lines of text and the gaps between them. Searched for among all slopes, that alone would join
    texts of different columns to false lines, or follow a watermark.
    """
    if len(slopes) < _MIN_WORDS:
        return 0.0
    best = float(np.median(slopes))
    if np.median(np.abs(slopes - best)) > _MAX_WORD_DEVIATION:
        return 0.0
    ys, xs = np.nonzero(_ink(small))
    if len(ys) > _MAX_INK_PX:
        keep = np.random.default_rng(0).choice(len(ys), _MAX_INK_PX, replace=False)
        ys, xs = ys[keep], xs[keep]
    xs = xs - small.shape[1] / 2
    for step, reach in ((0.002, 0.03), (0.0002, 0.002)):
        finer = best + np.arange(-reach, reach + step / 2, step)
        best = float(finer[int(np.argmax([_row_sharpness(xs, ys, slope) for slope in finer]))])
    # Only a clear gain counts: a page of few words has no direction worth rotating it for.
    return best if _row_sharpness(xs, ys, best) > 1.15 * _row_sharpness(xs, ys, 0.0) else 0.0


def _word_slopes(ink: np.ndarray) -> np.ndarray:
    """Return each word's slope, that of the straight line through its ink, and its middle: (n, 3)."""
    joined = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((1, 9), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined)
    slopes = []
    for n in range(1, count):
        x, y, width, height, _ = stats[n]
        # Longer and flatter than a letter, and not as thin as a rule or as large as a picture.
        if not (width >= 20 and 5 <= height <= 90 and width > 2.5 * height):
            continue
        rows, columns = np.nonzero(labels[y : y + height, x : x + width] == n)
        columns = columns - columns.mean()
        slope = float((columns * (rows - rows.mean())).sum() / (columns**2).sum())
        slopes.append((slope, x + width / 2, y + height / 2))
    return np.array(slopes).reshape(-1, 3)


def _row_sharpness(xs: np.ndarray, ys: np.ndarray, slope: float) -> float:
    """Return how much the ink differs between neighbouring rows along a slope."""
    rows = np.round(ys - slope * xs).astype(int)
    counts = np.bincount(rows - rows.min()).astype(np.float64)
    return float((np.diff(counts) ** 2).sum())
