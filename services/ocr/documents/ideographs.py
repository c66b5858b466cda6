"""Unify the ideographs of a PDF: radicals and compatibility forms that look like ordinary ones.

Many fonts draw an ideograph and the radical of the same shape with one glyph, and the map from glyphs to Unicode of a
PDF then names the radical: U+2F47 for U+65E5. It looks the same, but no label is recognised, and few fonts print it.
"""

from __future__ import annotations

from bandsmith.shared.language import normalized_characters

_RADICALS = range(0x2E80, 0x2FE0)
_COMPATIBILITY = range(0xF900, 0xFB00)
_SUPPLEMENT = dict(
    zip(
        "⺠⺩⺮⻁⻄⻅⻆⻉⻊⻋⻑⻓⻔⻗⻘⻙⻚⻛⻜⻝⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲",
        "民王竹虎西见角贝足车長长门雨青韦页风飞食马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀",
        strict=True,
    )
)
"""Radicals that Unicode itself does not decompose."""


def unified(char: str) -> str:
    """Return the ordinary ideograph of a radical or a compatibility form; any other character as it is."""
    code = ord(char[0]) if char else 0
    if code not in _RADICALS and code not in _COMPATIBILITY:
        return char
    return _SUPPLEMENT.get(char) or normalized_characters(char)
