"""Say which of a model's statements about a form are not used, and what on the form speaks against each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from bandsmith.shared.fields.notation import Notation
from bandsmith.shared.fields.stated_types import NUMBER, stated_type
from bandsmith.shared.model.plan import Data
from bandsmith.shared.replies import Text

from .named_parts import NamedPart, Parts, Value
from .stated_formulas import computed, decimals_of, in_words, operands_of, rounded_to

MAX_TEXT_CHARS = 40


def about_unread(parts: Sequence[NamedPart], kinds: Sequence[str], notation: Notation) -> list[Text]:
    """Say which values and columns stay texts though a kind is stated, each with a text that cannot be of it."""
    names = [
        f"{part.name} (“{text}”)" if (text := _unlike(part.values, kind, notation)) else part.name
        for part, kind in zip(parts, kinds, strict=True)
    ]
    return [Text.of("generator.untyped_by_model", count=len(names), names=", ".join(names))] if names else []


def _unlike(values: Sequence[Value], kind: str, notation: Notation) -> str:
    """Return the first text that is not of a kind; empty where each alone is."""
    texts = [value for value in values if isinstance(value, str) and value]
    return next((text[:MAX_TEXT_CHARS] for text in texts if stated_type([text], kind, notation) is None), "")


def about_unused(data: Data, parts: Parts, formulas: Mapping[str, str], notation: Notation) -> list[Text]:
    """Say which formulas are not used, each with what it gives where the form has another value, or with its texts."""
    shown = []
    for number, formula in formulas.items():
        texts = [
            f"{parts[one].name}: “{text}”"
            for one in (*operands_of(formula), number)
            if one in parts and (text := _text_of(data, parts[one], notation))
        ]
        reason = ", ".join(dict.fromkeys(texts)) or _difference(data, parts, number, formula)
        shown.append(in_words(number, formula, parts) + (f" ({reason})" if reason else ""))
    return [Text.of("generator.unused_formulas", count=len(shown), formulas="; ".join(shown))] if shown else []


def _difference(data: Data, parts: Parts, number: str, formula: str) -> str:
    """Return the first value that a formula gives and the form does not have, with that of the form."""
    places = decimals_of(data, parts[number])
    for found, wanted in computed(data, parts, number, formula):
        if rounded_to(found, places) != wanted:
            return f"{_in_digits(found, places)} ≠ {_in_digits(wanted, places)}"
    return ""


def _in_digits(number: Decimal, places: int) -> str:
    """Return a number with so many decimals, or its first digits and its size where it is too long for them."""
    rounded = rounded_to(number, places)
    return f"{number:.6g}" if rounded is None else f"{rounded:f}"


def _text_of(data: Data, part: NamedPart, notation: Notation) -> str:
    """Return a text of a value or column where a number is needed, one that is none if there is one."""
    if part.scope == "list":
        return ""
    rows = data.lists.get(part.table, []) if part.table else data.rows
    holders = [data.parameters] if part.scope == "parameter" else rows
    values = [one.get(part.name) for one in holders]
    first = next((value[:MAX_TEXT_CHARS] for value in values if isinstance(value, str) and value), "")
    return first and (_unlike(values, NUMBER, notation) or first)
