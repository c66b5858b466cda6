"""Which of our type families a font is most like, by its name."""

from __future__ import annotations

_LIKE = {
    "DejaVu Serif": ("dejavu serif", "dejavuserif"),
    "DejaVu Sans": ("dejavu", "verdana"),
    "Liberation Mono": ("courier", "mono", "consolas", "menlo"),
    "Liberation Sans Narrow": ("narrow", "condensed"),
    "Liberation Sans": ("sans", "arial", "helvetica", "calibri", "tahoma", "hei", "yahei", "gothic"),
    "Liberation Serif": ("times", "serif", "georgia", "garamond", "cambria", "song", "sun", "ming", "宋", "roman"),
}


def family_like(name: str, *, serif: bool = False, fixed: bool = False) -> str:
    """One of ``bandsmith.shared.fonts.FAMILIES``; `serif` and `fixed` are what the font says of itself."""
    lower = name.lower()
    for family, known in _LIKE.items():
        if any(part in lower for part in known):
            return family
    if fixed:
        return "Liberation Mono"
    return "Liberation Serif" if serif else "Liberation Sans"
