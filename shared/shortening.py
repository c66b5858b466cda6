"""Texts that are quoted in messages and titles, as far as there is room for them."""

from __future__ import annotations


def shortened(text: str, max_chars: int) -> str:
    """Return a text that has at most so many characters, the last of which stands for the rest."""
    return text if len(text) <= max_chars else f"{text[: max_chars - 1]}…"
