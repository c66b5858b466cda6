"""Correct typing errors: in English by the words of requests and of the report, in Chinese by a list."""

from __future__ import annotations

import re

from rapidfuzz.distance import OSA

from bandsmith.shared.fields.vocabulary import COLUMN_TERMS

from .fuzzy_match import errors_in
from .quotations import quotation_pattern
from .template_view import TemplateView

_WORDS = frozenset(
    re.findall(
        r"\w+",
        "about above add after align amount and average background bigger black blue bold border both bottom center "
        "change colour color column columns count data date decimal decimals delete drop field font footer format from "
        "front green grey group header heading height hide highlight italic landscape larger last left letters line "
        "logo make margin margins move name narrower number numbers order orientation over page paper percent place "
        "portrait remove rename replace report right rows separator show size smaller sort subtitle subtotal subtotals "
        "sum swap table below dark dollars light shade should spell stand under words "
        " than text that the then third title top total totals underline value values wider width with "
        "without",
    )
)
_NAMES = frozenset(word for name in COLUMN_TERMS for word in re.findall(r"[a-z]+", name))
"""Words that columns are named with: none of them is a typing error of another."""
_OTHER_WORDS = frozenset(
    re.findall(
        r"\w+",
        "abode again alien alter block chance charge charger county court credit custom eight fiend "
        "formal foster frost greed greet greets grope growl grown headed healer heater later lager martin "
        "odder older pager paler pace palace plane plate please plain price pride prize quite quiet quota remade "
        "remote resort repost retort shame shape share shared shares shape smell shell spelt spill spend stack stage "
        "stain staff stood store strand tablet tilt tile tired tithe titled tonal udder valve wards wiser wilder "
        "woods works worms writer waiter state stale crate rates tales male mail",
    )
)
"""Words of their own that are one letter away from one of the others: “greet the customer” asks for no green."""
_CHINESE_TYPOS = {
    "大与": "大于", "小与": "小于", "等与": "等于", "大鱼": "大于", "小鱼": "小于", "标宏": "标红", "在大一": "再大一",
    "在小一": "再小一", "加醋": "加粗", "局中": "居中", "据中": "居中", "靠又": "靠右", "合记": "合计",
}  # fmt: skip
"""What an input method offers for a word of requests, and no request means."""
_COMMON_TYPOS = {
    "colum": "column",
    "colums": "columns",
    "collum": "column",
    "teh": "the",
    "hte": "the",
    "adn": "and",
    "nad": "and",
    "ot": "to",
    "fo": "of",
    "mkae": "make",
}
_WORD = re.compile(rf"(?P<quotation>{quotation_pattern(0, 4_000)})|(?<![\w.-])[A-Za-z]+(?![\w.-])")
_CHINESE_TYPO = re.compile(rf"(?P<quotation>{quotation_pattern(0, 4_000)})|{'|'.join(_CHINESE_TYPOS)}")
MIN_CORRECTED_CHARS = 4
"""Shorter words are neither corrected nor used as corrections."""


def corrected(text: str, view: TemplateView) -> str:
    """Return the text with each unknown English word replaced by its nearest known word.

    A word stays as it is where two known words are equally near, and inside quotations. A typing error keeps the first
    letter, and a word of four letters has only two of them swapped: “late” is not meant to be “date”.
    """
    known = (
        _WORDS | _NAMES | {word for element in view.texts for word in re.findall(r"[a-z]+", element.words.casefold())}
    )
    candidates = [word for word in known if len(word) >= MIN_CORRECTED_CHARS]

    def correct(found: re.Match[str]) -> str:
        word = found[0].casefold()
        if found["quotation"] or word in known or word in _OTHER_WORDS:
            return found[0]
        if word in _COMMON_TYPOS or len(word) < MIN_CORRECTED_CHARS:
            return _COMMON_TYPOS.get(word, found[0])
        max_errors = max(1, errors_in(word))
        distances = {
            known_word: OSA.distance(word, known_word, score_cutoff=max_errors)
            for known_word in candidates
            if word[0] == known_word[0] and (errors_in(word) or sorted(word) == sorted(known_word))
        }
        if not distances:
            return found[0]
        nearest = min(distances.values())
        best = [known_word for known_word, distance in distances.items() if distance == nearest <= max_errors]
        return best[0] if len(best) == 1 else found[0]

    text = _CHINESE_TYPO.sub(lambda found: found["quotation"] or _CHINESE_TYPOS[found[0]], text)
    return _WORD.sub(correct, text)
