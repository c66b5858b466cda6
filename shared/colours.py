"""Colours as templates write them: #1C3E6E."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=4096)
def channels(colour: str) -> tuple[int, int, int]:
    """Return the red, green and blue of a colour, each from 0 to 255. Raises ``ValueError`` for other digits."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue
