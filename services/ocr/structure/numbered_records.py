"""Find where records begin that the first column counts, and that have several lines of figures each.

A tax or a schedule below each item looks like a record of its own. Where every counted record has as many of them, they
are its further lines; where only some have, they may be items without a number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from .row_groups import Cells

MIN_RECORDS = 2


def numbered_starts(rows: Sequence[Cells], is_full: Callable[[Cells], bool]) -> list[int]:
    """Return the indices of the text rows with a record's number, or nothing where the first column does not count.

    `is_full` tells whether a text row has what makes a record.
    """
    starts = [index for index, cells in enumerate(rows) if 0 in cells]
    numbers = [" ".join(line.text for line in rows[index][0]).strip(" .") for index in starts]
    if len(starts) < MIN_RECORDS or starts[0] != 0 or numbers != [str(n) for n in range(1, len(numbers) + 1)]:
        return []
    further = [sum(map(is_full, rows[start + 1 : end])) for start, end in pairwise([*starts, len(rows)])]
    return starts if further[0] and len(set(further)) == 1 and all(is_full(rows[start]) for start in starts) else []
