"""Map a font's name to the most similar of our font families."""

from __future__ import annotations

_NAME_PARTS = {
    "DejaVu Serif": ("dejavu serif", "dejavuserif"),
    "DejaVu Sans": ("dejavu", "verdana"),
    "Liberation Mono": ("courier", "mono", "consolas", "menlo"),
    "Liberation Sans Narrow": ("narrow", "condensed"),
    "Liberation Sans": ("sans", "arial", "helvetica", "calibri", "tahoma", "hei", "yahei", "gothic"),
    "Liberation Serif": ("times", "serif", "georgia", "garamond", "cambria", "song", "sun", "ming", "宋", "roman"),
}


def match_family(name: str, *, serif: bool = False, fixed: bool = False) -> str:
    """Return one of ``bandsmith.shared.fonts.FAMILIES``; `serif` and `fixed` are what the font says about itself."""
    lower = name.lower()
    for family, known in _NAME_PARTS.items():
        if any(part in lower for part in known):
            return family
    if fixed:
        return "Liberation Mono"
    return "Liberation Serif" if serif else "Liberation Sans"
