"""Spelling: a request with its slips of the pen mended, by what one can ask for and what the report is worded with."""

from __future__ import annotations

import re

from rapidfuzz.distance import OSA

from .template_view import TemplateView

_WORDS = frozenset(
    re.findall(
        r"\w+",
        "about above add after align amount and average background bigger black blue bold border both bottom center "
        "change colour color column columns count data date decimal decimals delete drop field font footer format from "
        "front green grey group header heading height hide highlight italic landscape larger last left letters line "
        "logo make margin margins move name narrower number numbers order orientation over page paper percent place "
        "portrait remove rename replace report right rows separator show size smaller sort subtitle subtotal subtotals "
        "sum swap table than text that the then third title top total totals underline value values wider width with "
        "without",
    )
)
_PLAIN = {"teh": "the", "hte": "the", "adn": "and", "nad": "and", "ot": "to", "fo": "of", "mkae": "make"}
_QUOTES = "“\"「'"
_WORD = re.compile(r"“[^”]*”|\"[^\"]*\"|「[^」]*」|'[^']*'|(?<![\w.-])[A-Za-z]+(?![\w.-])")
_LONG = 8
"""From so many letters on a word may have two slips."""


def mended(text: str, view: TemplateView) -> str:
    """The text with each English word that is no word of its own, but nearly one of these, in its right spelling."""
    there = {word for piece in view.texts for word in re.findall(r"[a-z]+", piece.words.casefold())}
    known = _WORDS | there

    def right(found: re.Match[str]) -> str:
        word = found[0].casefold()
        if word in known or word in _PLAIN:
            return _PLAIN.get(word, found[0])
        most = 2 if len(word) >= _LONG else 1
        near = sorted((OSA.distance(word, one, score_cutoff=most), one) for one in known if len(one) > 3)
        best = [one for distance, one in near if distance == near[0][0] and distance <= most]
        return best[0] if len(best) == 1 and len(word) > 3 else found[0]

    return _WORD.sub(lambda found: found[0] if found[0][0] in _QUOTES else right(found), text)
