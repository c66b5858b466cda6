"""Quotations in a sentence. Quoted text is content, such as a name or new wording, and never a command."""

from __future__ import annotations

import re

MAX_QUOTED_CHARS = 300
"""Characters of a quotation that is looked for in a text."""
_PAIRS = ("“”", "「」", "『』", "《》", "‘’", '""', "``", "«»")


def quotation_pattern(min_chars: int, max_chars: int) -> str:
    """Return a pattern of one quotation, with its marks, that holds between `min_chars` and `max_chars` characters."""
    inside = f"{{{min_chars},{max_chars}}}"
    pairs = [f"{pair[0]}[^{pair[1]}]{inside}{pair[1]}" for pair in _PAIRS]
    apostrophes = rf"(?<!\w)'[^']{inside}'(?!\w)"  # not the apostrophe of "don't"
    opened_twice = f"“[^“”]{inside}“"
    return "|".join([*pairs, apostrophes, opened_twice])


def quotations(text: str) -> list[str]:
    """Return what stands between quotation marks in a text, without the marks."""
    return [found[0][1:-1] for found in re.finditer(quotation_pattern(1, MAX_QUOTED_CHARS), text)]
