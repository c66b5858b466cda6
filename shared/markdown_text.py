"""Text from elsewhere in a reply, which programs show as Markdown.

A picture in Markdown is loaded from its address as soon as it is shown. A value of a database, or a name that a model
made up, could so send what it contains to another person's server. Links and HTML are read as text for the same
reason.
"""

from __future__ import annotations

import re

DIGITS = 15
"""Significant digits of a floating-point number that are shown; a file has all of them."""
_ACTIVE = re.compile(r"(?<=\])\(|\\*<(?=[A-Za-z/!?])")


def unlinked(words: str) -> str:
    """Return words without a link, a picture or HTML that Markdown would read in them."""
    return _ACTIVE.sub(lambda found: f"{found[0][:-1] * 2}\\{found[0][-1]}", words)


def cell_text(value: object, max_chars: int) -> str:
    """Return a value as a cell of a table: on one line, a long text cut, a number without what only binary adds."""
    value = float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value  # not 7488.1100000000015
    words = "" if value is None else " ".join(str(value).split())
    return unlinked(words if len(words) <= max_chars else words[: max_chars - 1] + "…").replace("|", "\\|")
