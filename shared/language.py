"""The languages that Bandsmith reads and writes, and which of them a text is in."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

Language = Literal["zh", "en"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")
ENGLISH_NAMES: dict[Language, str] = {"en": "English", "zh": "Chinese"}
"""What prompts call them."""

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_HAN_RUN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+")
_KANA = re.compile(r"[\u3040-\u30ff]")
_QUOTED = re.compile('“[^”]*”|「[^」]*」|『[^』]*』|《[^》]*》|"[^"]*"')
_ENGLISH_WORD = re.compile(r"(?<![A-Za-z0-9])[A-Za-z][a-z']*(?![A-Za-z0-9])")
_SENTENCE_WORDS = frozenset({
    "a", "an", "the", "this", "that", "these", "those", "it", "its", "is", "are", "was", "be", "been", "am", "do",
    "does", "did", "not", "no", "and", "or", "but", "of", "to", "in", "on", "at", "for", "from", "with", "by", "as",
    "into", "below", "above", "under", "after", "before", "between", "than", "then", "now", "only", "also", "too",
    "please", "can", "could", "should", "would", "must", "will", "shall", "has", "have", "had", "i", "we", "you",
    "my", "our", "your", "me", "us", "he", "she", "they", "his", "her", "their", "what", "which", "who", "where",
    "when", "why", "how", "there", "here", "each", "every", "all", "any", "some",
})  # fmt: skip
"""Words that hold an English sentence together: a name of a product or of a person hardly has them."""
_REQUEST_START = re.compile(
    r"\W*(?:please\s+)?(?:make|change|move|add|delete|remove|set|put|rename|sort|group|hide|show|print|center|centre|"
    r"align|replace|insert|swap|rotate|highlight|underline|enlarge|give|use|leave|keep|call|total|sum)\s",
    re.IGNORECASE,
)
"""How an English request begins, which may have none of these words: `make 制单 bold`."""
_CHINESE_SENTENCE = re.compile(
    "[把将请改删了吗呢吧这那我你您帮让没的]|不要|需要|加[一上到个]|放到|放在|换成|怎么|什么|多少"
)
"""What a Chinese sentence has and a label hardly."""
MIN_SENTENCE_WORDS = 2
MIN_WORDS_FOR_EACH_NAME = 2
"""English words for each run of Chinese characters in a message that is English apart from labels and names."""
MAX_NAME_HAN = 6
"""Chinese characters of a label or a name."""


def normalized_characters(text: str) -> str:
    """Return a text with one form of each character: full-width letters and digits, for example, as usual ones."""
    return unicodedata.normalize("NFKC", text)


def letters_of(words: str) -> str:
    """Return words in comparable letters: without spaces, marks, case and widths."""
    return re.sub(r"[\W_]+", "", normalized_characters(words)).casefold()


def language_of(text: str) -> Language:
    """Return the language to reply in: Chinese for text with Chinese characters and no kana, else English.

    An English sentence may hold Chinese labels, names and quotations. A Chinese one may hold Latin names, also long
    titles.
    """
    if not _HAN.search(text) or _KANA.search(text):
        return "en"
    return "en" if _is_english_around(text) else "zh"


def _is_english_around(text: str) -> bool:
    """Whether words around Chinese labels, names and quotations are an English sentence."""
    unquoted = _QUOTED.sub(" ", text)
    runs = _HAN_RUN.findall(unquoted)
    words = _ENGLISH_WORD.findall(unquoted)
    small = sum(word.lower() in _SENTENCE_WORDS for word in words)
    return (
        (small >= MIN_SENTENCE_WORDS or _REQUEST_START.match(unquoted) is not None)
        and not any(map(_CHINESE_SENTENCE.search, runs))
        and len(words) >= MIN_WORDS_FOR_EACH_NAME * len(runs)
        and all(len(run) <= MAX_NAME_HAN for run in runs)
        and len(words) > sum(map(len, runs)) / 2
    )
