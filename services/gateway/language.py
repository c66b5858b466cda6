"""The language of a reply: Chinese to who writes Chinese, English to everyone else."""

from __future__ import annotations

import re

from shared.model.session import Language

_CHINESE = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")


def language_of(text: str) -> Language:
    return "zh" if _CHINESE.search(text) and not _KANA.search(text) else "en"
