"""Restore the spaces that recognisers omit: beside Chinese characters, `冲击钻头 10mm`, `销 售 单`, and wide ones.

Between a currency sign and its amount, where they read one at random, the ink alone decides.
"""

from __future__ import annotations

import re
import unicodedata

from bandsmith.shared.fonts import is_cjk

from .gaps import LETTER_GAP_EM, em_of, locate_gaps, wide_gaps
from .line_segmentation import Components, TextSegment

MIN_GAP_EM = 0.34
"""Minimum width of a gap that may hold a space, beside a Chinese character."""
MIN_IDEOGRAPH_GAP_EM = 0.8
"""Minimum width of a gap between two ideographs of a text that holds spaces for certain: 名  称："""
MIN_LATIN_GAP_EM = 0.5
"""Minimum width of a gap between letters or digits that holds a space for certain."""
MIN_LOCATED_GAP_EM = 0.22
"""Minimum width of a gap in Latin text that helps to tell before which character the others stand."""
SPACE_EM = 0.28
"""Width of one space."""
_ENDS_IN_NUMBER = re.compile(r"\d[-/.,:'’]?$")
_ENDS_IN_DECIMALS = re.compile(r"\.\d\d$")
_YEAR_AFTER_COMMA = re.compile(r",\d{4}(?!\d)")
_TIME = re.compile(r"\d\d:\d\d")
MAX_SPACES = 8
"""Maximum number of spaces that one gap stands for."""


def restore_spaces(segment: TextSegment, text: str, parts: Components) -> str:
    """Return the text with spaces wherever the ink leaves room for one that the recogniser did not write."""
    em = em_of(segment)
    is_chinese = any(map(is_cjk, text))
    gaps = wide_gaps(segment, parts, (MIN_GAP_EM if is_chinese else MIN_LOCATED_GAP_EM) * em)
    plain, spaces = _without_spaces(text)
    if not gaps and not spaces:
        return text
    places = locate_gaps(gaps, plain, segment)
    # If every character stands alone, gaps lie between all of them; otherwise a gap may be off by one character.
    spread = len(gaps) >= len(plain) - 1
    for n, (_, width) in zip(places, gaps, strict=True):
        if not n:
            continue
        if is_chinese and _allows_space(plain[n - 1], plain[n], spread or width >= MIN_IDEOGRAPH_GAP_EM * em):
            spaces[n] = min(MAX_SPACES, max(1, round((width - LETTER_GAP_EM * em) / (SPACE_EM * em))))
        is_written = spaces.keys() & {n - 1, n, n + 1}  # a gap may be off by one character
        if not is_chinese and not spread and not is_written and width >= MIN_LATIN_GAP_EM * em:
            spaces |= {n: 1} if may_begin_word(plain, n) else {}
    for n in filter(lambda n: _is_after_sign(plain, n), range(1, len(plain))):
        spaces[n] = int(bool({n - 1, n, n + 1} & set(places)))
    return "".join(" " * spaces.get(n, 0) + char for n, char in enumerate(plain))


def _is_after_sign(plain: str, n: int) -> bool:
    """Whether an amount begins here behind its currency sign, where recognisers see spaces at random."""
    return unicodedata.category(plain[n - 1]) == "Sc" and plain[n].isdigit()


def may_begin_word(plain: str, n: int) -> bool:
    """Whether a word may begin at a character: within a number or a date none does, whatever the gap.

    A year may follow a comma, a time a date, and any number one with two decimals.
    """
    before, after = plain[:n], plain[n:]
    if not after[0].isalnum():
        return False
    if after[0].isdigit() and _ENDS_IN_NUMBER.search(before):
        is_time = before[-1].isdigit() and _TIME.match(after)
        return bool(is_time or _YEAR_AFTER_COMMA.match(before[-1] + after) or _ENDS_IN_DECIMALS.search(before))
    return True


def _without_spaces(text: str) -> tuple[str, dict[int, int]]:
    """Return the text's characters, and the number of spaces before each."""
    plain = ""
    spaces: dict[int, int] = {}
    for char in text:
        if char.isspace():
            spaces[len(plain)] = spaces.get(len(plain), 0) + 1
        else:
            plain += char
    return plain, spaces


def _allows_space(left: str, right: str, spread: bool) -> bool:
    """Whether a space may stand between two characters; punctuation has space of its own.

    Between two ideographs one stands only where the text, or the gap, is `spread`.
    """
    marks = any(unicodedata.category(char).startswith("P") for char in (left, right))
    return not marks and (spread or is_cjk(left) != is_cjk(right))
