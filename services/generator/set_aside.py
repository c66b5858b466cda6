"""Say which of a model's statements about a form are not used, and what on the form speaks against each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal

from bandsmith.shared.fields.notation import Notation
from bandsmith.shared.fields.stated_types import stated_type
from bandsmith.shared.model.plan import Data
from bandsmith.shared.replies import Text

from .named_parts import NamedPart, Parts, Value
from .stated_formulas import computed, decimals_of, in_words, number_of, operands_of

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


def about_unused(data: Data, parts: Parts, formulas: Mapping[str, str]) -> list[Text]:
    """Say which formulas are not used, each with what it gives where the form has another value, or with its texts."""
    shown = [
        in_words(number, formula, parts) + (f" ({reason})" if (reason := _reason(data, parts, number, formula)) else "")
        for number, formula in formulas.items()
    ]
    return [Text.of("generator.unused_formulas", count=len(shown), formulas="; ".join(shown))] if shown else []


def _reason(data: Data, parts: Parts, number: str, formula: str) -> str:
    texts = [
        f"{parts[one].name}: “{text[:MAX_TEXT_CHARS]}”"
        for one in (*operands_of(formula), number)
        if one in parts and (text := _text_of(data, parts[one]))
    ]
    target = parts[number]
    wanted = number_of(data.parameters.get(target.name)) if target.scope == "parameter" else None
    if texts or wanted is None:
        return ", ".join(dict.fromkeys(texts))
    found = computed(data, parts, number, formula)
    places = Decimal(1).scaleb(-decimals_of(data, target))
    return f"{found.quantize(places, ROUND_HALF_UP):f} ≠ {wanted.quantize(places):f}" if found is not None else ""


def _text_of(data: Data, part: NamedPart) -> str:
    """Return a text of a value or column where a number is needed; empty where there is none."""
    if part.scope == "list":
        return ""
    if part.scope == "parameter":
        values: list[Value] = [data.parameters.get(part.name)]
    else:
        rows = data.lists.get(part.table, []) if part.table else data.rows
        values = [row.get(part.name) for row in rows]
    return next((value for value in values if isinstance(value, str) and value), "")
