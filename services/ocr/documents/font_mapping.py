"""Map a font to the most similar of our font families: by its name, else by the widths of its characters."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean

from bandsmith.shared.fonts import measure

_NAME_PARTS = {
    "DejaVu Serif": ("dejavu serif", "dejavuserif"),
    "DejaVu Sans": ("dejavu", "verdana"),
    "Liberation Mono": ("courier", "mono", "consolas", "menlo"),
    "Liberation Sans Narrow": ("narrow", "condensed"),
    "Liberation Sans": ("sans", "arial", "helvetica", "calibri", "tahoma", "hei", "yahei", "gothic"),
    "Liberation Serif": ("times", "serif", "georgia", "garamond", "cambria", "song", "sun", "ming", "宋", "roman"),
}


_WIDTH_SHARES = {"calibri": 0.9, "carlito": 0.9, "candara": 0.92, "segoe": 0.97}
"""Fonts that are narrower than the family that takes their place."""
_MEASURED = ("Liberation Sans", "Liberation Serif", "Liberation Mono", "Liberation Sans Narrow", "DejaVu Sans")
"""Families that are told apart by the widths of characters, the likelier ones first."""
MIN_CHARACTERS = 8
"""Number of different characters whose widths tell families apart."""


def match_family(name: str, *, serif: bool = False, fixed: bool = False) -> str:
    """Return one of ``bandsmith.shared.fonts.FAMILIES``; `serif` and `fixed` are what the font says about itself."""
    if known := family_by_name(name):
        return known
    if fixed:
        return "Liberation Mono"
    return "Liberation Serif" if serif else "Liberation Sans"


def family_by_name(name: str) -> str | None:
    """Return the family that the name of a font tells; None for any other name."""
    lower = name.lower()
    return next((family for family, known in _NAME_PARTS.items() if any(part in lower for part in known)), None)


def width_share(name: str) -> float:
    """Return how wide a font is next to the family that takes its place, at the same size."""
    lower = name.lower()
    return next((share for part, share in _WIDTH_SHARES.items() if part in lower), 1.0)


def family_by_widths(widths: Mapping[str, float], bold: bool) -> str | None:
    """Return the family whose characters are as wide as a font's; None where too few are known.

    `widths` are in font sizes. What a font says about itself is often wrong: programs that embed one set its flags
    at random.
    """
    if len(widths) < MIN_CHARACTERS:
        return None

    def error(family: str) -> float:
        return fmean(abs(measure(char, family, 1.0, bold).advance - width) for char, width in widths.items())

    return min(_MEASURED, key=error)
