"""The pages after the first one of a document, each read only when it is asked for."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from bandsmith.shared.errors import BadInput

from .page import MAX_PAGES, Page
from .page_marks import PageMarks

MAX_LATER_PAGES_S = 90.0
"""Time in seconds after which no further page of a document is read. The pages left out are named in the reply."""


class LaterPage(NamedTuple):
    """A page after the first one."""

    page: Page
    marks: PageMarks

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing on it."""
        return self.marks.are_none


class LaterPages:
    """Reads pages by number, and keeps the last one that was read."""

    def __init__(self, count: int, read: Callable[[int], LaterPage]) -> None:
        """`count` is the number of pages of the document. `read` raises ``BadInput`` for a page that it cannot read."""
        self._last, self._read = min(count, MAX_PAGES), read
        self._kept: tuple[int, LaterPage] | None = None
        self._started = time.monotonic()

    def marks(self) -> Iterator[PageMarks]:
        """Yield the marks of page after page, up to a blank one."""
        number = 2
        while (page := self.page(number)) is not None and not page.is_blank:
            yield page.marks
            number += 1

    def page(self, number: int) -> LaterPage | None:
        """Return the page of this number; None where there is none, it cannot be read, or the time is over."""
        if self._kept and self._kept[0] == number:
            return self._kept[1]
        if number > self._last or time.monotonic() - self._started > MAX_LATER_PAGES_S:
            return None
        try:
            page = self._read(number)
        except BadInput:  # a damaged page
            return None
        self._kept = number, page
        return page
