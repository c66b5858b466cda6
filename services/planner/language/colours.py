"""Colours by their English and Chinese names."""

from __future__ import annotations

import colorsys
import re

# Named after what people mean: the dark grey of CSS, #A9A9A9, is lighter than its grey.
_NAMES = {
    "#FF0000": "red|红",
    "#0000FF": "blue|蓝",
    "#008000": "green|绿",
    "#FFFF00": "yellow|黄",
    "#FFA500": "orange|橙|橘黄|橘",
    "#808080": "gr[ea]y|灰",
    "#000000": "black|黑",
    "#FFFFFF": "white|白",
    "#800080": "purple|紫",
    "#FFC0CB": "pink|粉红|粉",
    "#A52A2A": "brown|棕|褐",
    "#008080": "teal|青",
    "#000080": "navy(?: blue)?|藏青|藏蓝|海军蓝",
    "#800000": "maroon|暗红",
    "#FFD700": "gold|金(?=色)",
    "#8B0000": "dark[ -]?red|深红",
    "#00008B": "dark[ -]?blue|深蓝",
    "#006400": "dark[ -]?green|深绿|墨绿",
    "#404040": "dark[ -]?gr[ea]y|深灰",
    "#ADD8E6": "light[ -]?blue|sky ?blue|浅蓝|淡蓝|天蓝",
    "#90EE90": "light[ -]?green|浅绿|淡绿",
    "#D3D3D3": "light[ -]?gr[ea]y|浅灰|淡灰",
    "#FFFFE0": "light[ -]?yellow|浅黄|淡黄",
    "#FFB6C1": "light[ -]?red|浅红|淡红",
}
# Light and dark shades come first, and longer names before shorter ones: "dark blue" is not "blue".
_ORDERED = sorted(_NAMES.items(), key=lambda item: ("light" not in item[1] and "dark" not in item[1], -len(item[1])))
COLOUR = r"(?:#[0-9a-f]{6}\b|" + "|".join(f"(?:{names})" for _, names in _ORDERED) + r")(?:颜色|色)?"
"""Pattern of one colour."""


def colour(words: str) -> str | None:
    """Return a colour by its name or its code, as ``#RRGGBB``; None for any other words."""
    words = re.sub(r"(?:颜色|色)$", "", words.strip(), flags=re.IGNORECASE) + ("色" if "金" in words else "")
    if re.fullmatch(r"#[0-9a-f]{6}", words, re.IGNORECASE):
        return words.upper()
    for value, names in _ORDERED:
        if re.fullmatch(f"(?:{names})色?", words, re.IGNORECASE):
            return value
    return None


_HUES = (0.0, 0.09, 0.16, 0.39, 0.53, 0.64, 0.79, 0.92)
"""Where people see red, orange, yellow, green, teal, blue, purple and pink on the colour wheel, from 0 to 1."""
MIN_SATURATION = 0.2
"""Paler colours are shades of grey."""


def is_shade_of(code: str, named: str) -> bool:
    """Whether ``#RRGGBB`` is what a user calls by the name of another colour: dark, bright and slightly other shades.

    White, black and grey have no shades: they are the very colour.
    """
    if not re.fullmatch("#[0-9A-Fa-f]{6}", code):
        return False
    (hue, _, saturation), (named_hue, _, named_saturation) = _hue(code), _hue(named)
    if named_saturation < MIN_SATURATION or saturation < MIN_SATURATION:
        return code.upper() == named.upper()
    return _nearest(hue) == _nearest(named_hue)


def _nearest(hue: float) -> float:
    return min(_HUES, key=lambda other: min(abs(hue - other), 1 - abs(hue - other)))


def _hue(code: str) -> tuple[float, float, float]:
    red, green, blue = (int(code[n : n + 2], 16) / 255 for n in (1, 3, 5))
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    return hue, value, saturation
