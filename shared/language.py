"""The languages that Bandsmith reads and writes, and which of them a text is in."""

from __future__ import annotations

import re
from typing import Literal

Language = Literal["zh", "en"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")


def language_of(text: str) -> Language:
    """Return the language to reply in: Chinese for text with Chinese characters and no kana, else English."""
    return "zh" if _HAN.search(text) and not _KANA.search(text) else "en"
