"""The look of a word that is named as a word: “make the word Amount red”, 把合计两个字加粗.

It is the text that reads so, without the values of its column or beside it. A part of a text has no look of its own.
"""

from __future__ import annotations

from ...fuzzy_match import normal
from ...references import Target
from ...sentence_templates import matches
from ...view_elements import ViewElement
from ..reading import Clause, ClauseReading, refused


def word_itself(clause: Clause, name: str) -> Target | ClauseReading | None:
    """Return the text that a word is; a refusal where it is only a part of one, None where no word is named."""
    for slots in matches("style", "word_of", name.strip()):
        found, words = clause.find(slots["spelled"]), clause.words(slots["spelled"])
        if not isinstance(found, Target):
            continue
        head = found.column.head if found.column is not None else None
        texts = [head] if head is not None else [*found.texts]
        if same := [one for one in texts if _reads(one, words)]:
            return Target(words, tuple(same), alone=True)
        if len(texts) == 1 and normal(words) in normal(texts[0].words):
            return refused("language.part_has_no_look", words=words)
    return None


def _reads(one: ViewElement, words: str) -> bool:
    """Whether a fixed text consists of some words, with or without a colon behind them."""
    return one.tag == "staticText" and normal(one.words.rstrip(" :：")) == normal(words.rstrip(" :："))
