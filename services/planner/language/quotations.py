"""Quotations in a sentence. Quoted text is content, such as a name or new wording, and never a command."""

from __future__ import annotations

_PAIRS = ("“”", "「」", "『』", "《》", "‘’", '""', "``", "«»")


def quotation_pattern(min_chars: int, max_chars: int) -> str:
    """Return a pattern of one quotation, with its marks, that holds between `min_chars` and `max_chars` characters."""
    inside = f"{{{min_chars},{max_chars}}}"
    pairs = [f"{pair[0]}[^{pair[1]}]{inside}{pair[1]}" for pair in _PAIRS]
    apostrophes = rf"(?<!\w)'[^']{inside}'(?!\w)"  # not the apostrophe of "don't"
    opened_twice = f"“[^“”]{inside}“"
    return "|".join([*pairs, apostrophes, opened_twice])
