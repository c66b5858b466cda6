"""Languages: whether something is said in Chinese or English, in another language, or in none."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

_TABLE = tomllib.loads(Path(__file__).with_name("languages.toml").read_text(encoding="utf-8"))
_ENGLISH = frozenset(_TABLE["english"].split())
_FOREIGN = [frozenset(words.split()) for words in _TABLE["foreign"].values()]
_JAPANESE = re.compile(r"[ぁ-ゖァ-ヺー]")
_CHINESE = re.compile(r"[\u3400-\u9fff]")


def is_foreign(letters: str, text: str) -> bool:
    """Whether it is for sure in a language that is neither Chinese nor English.

    `text` is in lower case without quotations, `letters` are those of it.
    """
    kana = len(_JAPANESE.findall(letters))
    chinese = len(_CHINESE.findall(letters))
    if kana:
        return kana >= 2 and kana * 4 >= len(letters)
    words = re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)?", text)
    english = sum(word in _ENGLISH for word in words)
    other = sum(not _is_latin(letter) for letter in letters) - chinese
    if other:
        return other >= 2 and other * 2 >= len(letters) and english < 2 and chinese < 3
    if chinese:
        return False
    known = max(sum(word in common for word in words) for common in _FOREIGN)
    accented = sum(not word.isascii() for word in words)
    return known >= 1 and known + accented >= 2 and known + accented > english + 1


def _is_latin(letter: str) -> bool:
    return ord(letter) < 0x250 or 0x1E00 <= ord(letter) < 0x1F00
