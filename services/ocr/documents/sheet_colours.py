"""Colours of a worksheet as #RRGGBB."""

from __future__ import annotations

import colorsys
from typing import Any

from openpyxl.styles.colors import COLOR_INDEX

_THEME_COLOURS = ("FFFFFF", "000000", "EEECE1", "1F497D", "4F81BD", "C0504D", "9BBB59", "8064A2", "4BACC6", "F79646")
"""Colours of the default theme, by index."""


def hex_colour(colour: Any) -> str | None:
    """Return a colour as #RRGGBB; None for the automatic colour."""
    if colour is None:
        return None
    if colour.type == "rgb" and isinstance(colour.rgb, str) and len(colour.rgb) >= 6:
        return _tinted(colour.rgb[-6:], colour.tint)
    if colour.type == "theme" and 0 <= colour.theme < len(_THEME_COLOURS):
        return _tinted(_THEME_COLOURS[colour.theme], colour.tint)
    if colour.type == "indexed" and 0 <= colour.indexed < 64:
        return f"#{COLOR_INDEX[colour.indexed][-6:]}"
    return None


def _tinted(rgb: str, tint: float) -> str:
    """Lighten a colour (tint above 0) or darken it (below 0)."""
    red, green, blue = (int(rgb[i : i + 2], 16) / 255 for i in (0, 2, 4))
    hue, light, saturation = colorsys.rgb_to_hls(red, green, blue)
    light = light * (1 + tint) if tint < 0 else light * (1 - tint) + tint
    return "#" + "".join(f"{round(part * 255):02X}" for part in colorsys.hls_to_rgb(hue, min(1.0, light), saturation))
