"""Where words without quotation marks end: whether new wording or a new value goes on with a remark or a request."""

from __future__ import annotations

import re

from ..sentence_templates import listed, matches

ABBREVIATIONS = frozenset({
    "no", "nr", "art", "tel", "qty", "ltd", "co", "inc", "corp", "incl", "excl", "approx", "dept", "st", "rd", "ave",
    "mr", "mrs", "ms", "dr", "prof", "jr", "sr", "vol", "ext", "fl", "apt", "pty", "gmbh", "bros",
})  # fmt: skip
"""Words whose full stop ends no sentence."""
_SENTENCE_END = re.compile(r"[。！？；;!?]\s*\S|(?P<word>[^\s.]*)\.\s+\S")
_JOINT = re.compile(r"[,，、(（;；]|——|\s[-–—]{1,2}\s|(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])")
"""What may stand between a name or a value and a remark about it."""


def runs_on(words: str) -> bool:
    """Whether unquoted words go on after a sentence's end, or with a remark: "20-11-43 - please do it quickly".

    An address may have commas and a company brackets, so what follows those is judged by its own words.
    """
    if any((end["word"] or "").casefold() not in ABBREVIATIONS and not _is_initial(end["word"])
           for end in _SENTENCE_END.finditer(words)):  # fmt: skip
        return True
    if listed("wording", "goes_on", words):
        return True
    return any(_is_remark(part.strip(" )）。.")) for part in _JOINT.split(words)[1:])


def _is_initial(word: str | None) -> bool:
    """Whether a word is the first letter of a name: M. Delacroix."""
    return word is not None and len(word) == 1 and word.isupper()


def _is_remark(words: str) -> bool:
    return bool(words) and (listed("wording", "remark", words) is not None or any(matches("reasons", "reason", words)))
