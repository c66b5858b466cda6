"""Find an amount in words in a report: what 大写金额 and “the amount in words” mean where no label says so."""

from __future__ import annotations

import re

from .language.sentence_templates import phrases
from .language.template_view import TemplateView, ViewElement

_SPELLED = re.compile(r"[零〇壹贰叁肆伍陆柒捌玖拾佰仟万亿圆元角分整正]{4,}")


def matches_words(words: str) -> bool:
    """Whether words mean an amount in words."""
    return bool(phrases("references", "spelled_amount", words))


def spelled_amounts(view: TemplateView) -> list[ViewElement]:
    """Return the texts that print an amount in words."""
    return [piece for piece in view.texts if _SPELLED.search(view.printed(piece))]
