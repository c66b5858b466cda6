"""Find an amount in words in a report: what 大写金额 and “the amount in words” mean where no label says so."""

from __future__ import annotations

import re
from decimal import Decimal

from bandsmith.shared.jrxml.amount_words import spells_amount

from .language.numbers import number_of
from .language.sentence_templates import phrases
from .language.template_view import TemplateView
from .language.view_elements import ViewElement

_SPELLED = re.compile(r"[零〇壹贰叁肆伍陆柒捌玖拾佰仟万亿圆元角分整正]{4,}")
_NUMERAL = "[壹贰叁肆伍陆柒捌玖]"
_AMOUNT = re.compile(
    f"(?P<whole>[零〇壹贰叁肆伍陆柒捌玖拾佰仟万亿]+)[圆元](?:零?(?P<tenth>{_NUMERAL})角)?(?:零?(?P<cent>{_NUMERAL})分)?"
)


def matches_words(words: str) -> bool:
    """Whether words mean an amount in words."""
    return bool(phrases("references", "spelled_amount", words))


def spelled_amounts(view: TemplateView) -> list[ViewElement]:
    """Return the texts that print an amount in words."""
    return [piece for piece in view.texts if _SPELLED.search(view.printed(piece)) or spells_amount(piece.expression)]


def spelled_value(words: str) -> Decimal | None:
    """Return the first amount that words spell out: 2653.60 of 贰仟陆佰伍拾叁元陆角整."""
    found = _AMOUNT.search(words)
    if found is None:
        return None
    whole, tenths, cents = (Decimal(int(number_of(found[name] or "零") or 0)) for name in ("whole", "tenth", "cent"))
    return whole + tenths / 10 + cents / 100
