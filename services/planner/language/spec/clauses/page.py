"""Size of the paper, and which way it lies."""

from __future__ import annotations

import re

from .base import Clauses

_PAPER = r"(?:[- ]?(?:size|sized|paper|page|format)|纸张?|尺寸|大小)"
_SIZES = (
    rf"(?:on |in |use |用|使用)?(?<![0-9A-Za-z])(A[345])(?![0-9A-Za-z]){_PAPER}?的?",
    rf"(?:on |in |us )*\b(letter|legal){_PAPER}",
)
_ORIENTATIONS = (
    r"(?:in |use |with )?(?:a )?\b(?:landscape|portrait)(?:[- ](?:mode|format|orientation|layout|page))?",
    r"(?:页面|纸张|纸)?(?:用|为|采用|要)?(?:横向|横版|横排|横着|纵向|竖向|竖版|竖排)(?:打印|显示|页面|排版)?的?",
)


def read(said: Clauses) -> None:
    def size(found: re.Match[str]) -> str:
        name = found[1].upper() if found[1][0] in "aA" else found[1].title()
        said.paper = said.paper.model_copy(update={"size": name})
        return " "

    def orientation(found: re.Match[str]) -> str:
        wide = re.search(r"landscape|横", found[0], re.IGNORECASE)
        said.paper = said.paper.model_copy(update={"orientation": "landscape" if wide else "portrait"})
        return " "

    for pattern in _SIZES:
        said.take(pattern, size)
    for pattern in _ORIENTATIONS:
        said.take(pattern, orientation)
