"""Find the columns of a table in its records, where its headings do not stand over them.

Headings may be centred over numbers that are set to the right, may name nothing for a wide column, or several columns
at once. Then texts of two columns come to stand under one heading. What no rule divides is divided by the stretches
that hardly a text enters; the headings are matched with the columns in their order, so that most stand over theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from .column_split import split_heading
from .table_model import HeadedTable, Heading, crowded_share

MIN_CROWDED_SHARE = 0.1
"""Share of cells with texts side by side above which the headings do not tell the columns."""
MIN_RECORDS = 3
"""Fewer records do not show where columns are."""
MAX_ACROSS_SHARE = 0.15
"""Share of the records whose text may reach into the stretch between two columns."""
MAX_BESIDE_PT = 30.0
"""Distance up to which a heading may stand beside its column."""

Band = tuple[float, float]
"""The x's between which the texts of a column stand."""


def fitted_headings(table: HeadedTable) -> list[Heading] | None:
    """Return the headings with the columns that the records show; None where the headings tell the columns."""
    if len(table.records) < MIN_RECORDS or any(heading.ruled for heading in table.headings):
        return None
    if crowded_share(table) < MIN_CROWDED_SHARE:
        return None
    bands = _bands(table)
    headings = _without_shared_headings(table.headings, bands)
    matched = _matched(headings, bands)
    if len(matched) < 2 or not matched[0].lines:
        return None
    return _side_by_side(matched)


def _bands(table: HeadedTable) -> list[Band]:
    """Return the columns of the records from left to right."""
    boxes = [line.box for record in table.records for line in record.lines]
    limit = MAX_ACROSS_SHARE * len(table.records)
    left, right = int(min(box.x for box in boxes)), int(max(box.right for box in boxes)) + 1
    filled = [sum(box.x <= x <= box.right for box in boxes) > limit for x in range(left, right + 1)]
    edges = [left + n for n in range(len(filled)) if filled[n] != (n > 0 and filled[n - 1])]
    if len(edges) % 2:
        edges.append(right)
    bands = [(float(start), float(end)) for start, end in zip(edges[::2], edges[1::2], strict=True)]
    # Columns that few records fill.
    for box in sorted(boxes, key=lambda box: box.x):
        if all(_overlap((box.x, box.right), band) <= 0 for band in bands):
            bands.append((box.x, box.right))
    return sorted(bands)


def _overlap(one: Band, other: Band) -> float:
    return min(one[1], other[1]) - max(one[0], other[0])


def _without_shared_headings(headings: Sequence[Heading], bands: Sequence[Band]) -> list[Heading]:
    """Return the headings, those whose words stand over two columns divided."""
    found = []
    for heading in headings:
        rest = heading
        for left, right in pairwise(bands):
            over = (rest.left, rest.right)
            if rest.lines and _overlap(over, left) > 0 and _overlap(over, right) > 0:
                one, other = split_heading(rest, (left[1] + right[0]) / 2)
                if one.name and other.name:
                    found.append(one)
                    rest = other
        found.append(rest)
    return found


def _matched(headings: Sequence[Heading], bands: Sequence[Band]) -> list[Heading]:
    """Return a heading for each column and each heading, in their order, so that most headings stand over theirs."""
    # best[i][j]: what can be gained with the headings from i on and the columns from j on, and how.
    best = [[(0.0, "") for _ in range(len(bands) + 1)] for _ in range(len(headings) + 1)]
    for i in range(len(headings), -1, -1):
        for j in range(len(bands), -1, -1):
            options = [(0.0, "")]
            if i < len(headings):
                options.append((best[i + 1][j][0], "heading"))
            if j < len(bands):
                options.append((best[i][j + 1][0], "band"))
            if i < len(headings) and j < len(bands) and (gain := _gain(headings[i], bands[j])) > 0:
                options.append((gain + best[i + 1][j + 1][0], "both"))
            best[i][j] = max(options, key=lambda option: (option[0], option[1] != ""))
    found = list[Heading]()
    i = j = 0
    while i < len(headings) or j < len(bands):
        step = best[i][j][1]
        if step == "both":
            found.append(_over(headings[i], bands[j]))
        elif step == "heading":
            found.append(headings[i])
        else:
            found.append(Heading([], *bands[j]))
        i, j = i + (step != "band"), j + (step != "heading")
    return found


def _gain(heading: Heading, band: Band) -> float:
    """Return how much speaks for a heading as that of a column: most where one stands over the other."""
    over = _overlap((heading.left, heading.right), band)
    if over > 0:
        return 1 + over / min(heading.right - heading.left, band[1] - band[0])
    return 0.5 * (1 + over / MAX_BESIDE_PT)


def _over(heading: Heading, band: Band) -> Heading:
    return Heading(heading.lines, *band, name=heading.name)


def _side_by_side(headings: Sequence[Heading]) -> list[Heading]:
    """Return the headings, each as wide as the stretch up to the middle between its column and the next."""
    ordered = sorted(headings, key=lambda heading: heading.left)
    cuts = [(left.right + right.left) / 2 for left, right in pairwise(ordered)]
    edges = [ordered[0].left, *cuts, ordered[-1].right]
    return [
        Heading(heading.lines, left, right, ruled=True, name=heading.name)
        for heading, (left, right) in zip(ordered, pairwise(edges), strict=True)
    ]
