"""Read a message as the answer to a yes-or-no question. The words are in ``templates/*/confirmation.toml``."""

from __future__ import annotations

from .intents.normal_form import normalized
from .sentence_templates import phrase_at

SUBJECT = "confirmation"
FILLER = "filler"
RULES = frozenset({"yes", "no", "right", "drop", "all", FILLER})
MARKS = " \t\n,，.。!！;；:：~、"
"""What may stand between words and around them."""
MAX_ANSWER = 300
"""Characters of an answer: what is longer says more than yes or no."""


def says_right(text: str) -> bool:
    """Whether a message says that an answer was right, and nothing else. A mere "ok" does not."""
    return _says_only("right", text)


def says_all(text: str) -> bool:
    """Whether a message says yes to what is shown and to all that is like it, and nothing else."""
    return _says_only("all", text)


def says_stop(text: str) -> bool:
    """Whether a message says that nothing more is wanted, and nothing else. A mere "no" does not."""
    return _says_only("drop", text)


def read_confirmation(text: str) -> bool | None:
    """Return True for a yes, False for a no, None for anything that is not said in these words alone."""
    if _says_only("no", text):
        return False
    return True if _says_only("yes", text) or says_all(text) else None


def _says_only(rule: str, text: str) -> bool:
    """Whether a message consists of phrases of a rule, one at least, and of words that add nothing."""
    if len(text) > MAX_ANSWER:
        return False
    words, is_said = normalized(text).plain.strip(MARKS), False
    while words:
        said, filler = (phrase_at(SUBJECT, one, words) for one in (rule, FILLER))
        is_longer = said is not None and (filler is None or said.end >= filler.end)
        phrase = said if is_longer else filler
        if phrase is None or phrase.end == 0:
            return False
        is_said |= is_longer
        words = words[phrase.end :].lstrip(MARKS)
    return is_said
