"""Quotations: what is quoted is content, a name or new wording, and never a request."""

from __future__ import annotations

_PAIRS = ("“”", "「」", "『』", "《》", "‘’", '""', "``", "«»")


def quotation_pattern(min_chars: int, max_chars: int) -> str:
    """Return a pattern of one quotation with so many characters inside; its first and last characters are the marks."""
    inside = f"{{{min_chars},{max_chars}}}"
    pairs = [f"{pair[0]}[^{pair[1]}]{inside}{pair[1]}" for pair in _PAIRS]
    apostrophes = rf"(?<!\w)'[^']{inside}'(?!\w)"  # not the one of "don't"
    opened_twice = f"“[^“”]{inside}“"
    return "|".join([*pairs, apostrophes, opened_twice])
