"""Taxes below the total, and amounts in words. What users say is in ``templates/*/taxes.toml``."""

from __future__ import annotations

from bandsmith.shared.edits.add_amount_in_words import AddAmountInWords
from bandsmith.shared.edits.add_tax import AddTax
from bandsmith.shared.language import Language

from ...sentence_templates import Slots, listed, matches
from ...view_elements import TableColumn
from ..column_choice import amount_column
from ..reading import Clause, ClauseReading, refused, templated
from .columns import add

_WHICH = "language.which_column"
PHRASES = frozenset({"contained"})
"""Sentences of the files that are labels of a tax, and no requests."""
_DEFAULT_NAMES = frozenset({"Tax", "税额"})
"""Names of a tax that need not be repeated on the page."""


def _amounts(clause: Clause, words: str) -> TableColumn | ClauseReading | None:
    """Return the column that words name; words for the total mean the only column of amounts."""
    is_total = bool(words) and listed("taxes", "total", words) is not None
    if is_total and not isinstance(clause.column(words), TableColumn):
        words = ""
    return amount_column(clause, words, _WHICH)


def tax(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _taxed(clause, slots, included=False)


def tax_included(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _taxed(clause, slots, included=True)


def tax_column(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“再加一栏税额，按13个点算”, “add a VAT column at 20%”: the tax of each row, as a share of its amount."""
    heading = clause.words(slots["heading"])
    if listed("taxes", "tax", heading) is None or slots["computed"] not in ("", "yes"):
        return None
    column = _amounts(clause, slots["name"])
    if not isinstance(column, TableColumn):
        return column
    return add(clause, Slots({"heading": heading, "computation": f"{column.label} * {slots['rate']}%"}))


def _taxed(clause: Clause, slots: Slots, included: bool) -> ClauseReading | None:
    column = _amounts(clause, slots["name"])
    if not isinstance(column, TableColumn):
        return column
    name = slots["tax"] if slots["tax"] not in _DEFAULT_NAMES else None
    return ClauseReading([AddTax(field=column.field, rate=slots["rate"], name=name or None, included=included)])


def contained_tax(clause: Clause, label: str, below: str) -> ClauseReading | None:
    """Return the tax that a new label below a total names: “of which 20% VAT” is no line without its amount."""
    slots = next(matches("taxes", "contained", label.strip(" :：")), None)
    if slots is None or listed("taxes", "total", below) is None:
        return None
    return _taxed(clause, Slots({"tax": slots["tax"], "rate": slots["rate"], "name": below}), included=True)


def no_rate(clause: Clause, slots: Slots) -> ClauseReading | None:
    return refused("language.which_rate")


def amount_in_words(clause: Clause, slots: Slots) -> ClauseReading | None:
    if slots["whole"] and listed("taxes", "total", slots["whole"]) is None:
        return None  # the values of a column, rather than their total
    column = _amounts(clause, slots["name"] or slots["whole"])
    if not isinstance(column, TableColumn):
        return column
    languages: dict[str, Language] = {"en": "en", "zh": "zh"}
    language = languages.get(slots["language"])
    return ClauseReading([AddAmountInWords(field=column.field, language=language, currency=slots["currency"])])


RULES = tuple(templated("taxes", rule) for rule in (tax_column, tax, tax_included, no_rate, amount_in_words))
