"""Clauses that are read whole: "a grand total at the end", 留20个空行, "a place for the manager to sign"."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from bandsmith.shared.fonts import is_cjk

from ..numbers import number_of
from ..sentence_templates import Slots, matches
from .column_names import means
from .item import Item
from .labels import cleaned, is_label, split
from .sections import STATEMENTS, SUBJECT, Section, Sections
from .signers import signers_in
from .titles import is_form

_FLAGS = {
    "no_totals": "no_totals", "no_grand_total": "no_grand_total", "all_averages": "all_averages", "letter": "is_letter",
}  # fmt: skip
"""The attribute of `Sections` that a statement sets, by its rule."""
MAX_BLANK_ROWS = 60
MAX_STATEMENT_CHARS = 160
"""Longer words hold more than one statement. Each of hundreds of joints begins some, so trying all takes a minute."""
ItemOf = Callable[[str, str | None], Item]
"""Makes an item of a label and its value."""


def statement_in(words: str, section: Section | None) -> tuple[str | None, Slots]:
    """Return the rule that reads words as a whole, and its slots.

    Behind a lead for what stands below the table, words for a total are the name of a line there.
    """
    rule, values = _read_whole(words, section) if len(words) <= MAX_STATEMENT_CHARS else (None, {})
    return rule, Slots(values)


@lru_cache(256)  # the end of a clause is tried again for each of its beginnings
def _read_whole(words: str, section: Section | None) -> tuple[str | None, Mapping[str, str]]:
    rules = [rule for rule in STATEMENTS if rule != "all_totals" or section != "below"]
    found = ((rule, slots) for rule in rules for slots in matches(SUBJECT, rule, words) if _names_labels(slots))
    return next(((rule, slots.values) for rule, slots in found), (None, {}))


def note(found: Sections, rule: str, slots: Slots, section: Section | None, item: ItemOf) -> None:
    """Note what a statement says."""
    if rule in _FLAGS:
        setattr(found, _FLAGS[rule], True)
    elif rule in ("all_totals", "in_figures_and_words"):
        found.all_totals = True
        if rule == "in_figures_and_words":
            found.in_words = found.in_words or item("", None).clause
        if rule == "all_totals":
            found.columns_before_total = len(found.lists["columns"])
            found.expected_totals = item(slots["count"], None) if slots["count"] else None
    elif rule == "taxed_total":
        found.all_totals, found.columns_before_total = True, len(found.lists["columns"])
        is_chinese = any(map(is_cjk, item("", None).clause))
        found.lists["below"].append(
            item(f"增值税{slots['number']}%" if is_chinese else f"VAT {slots['number']}%", None)
        )
    elif rule == "last_totals":
        found.lists["totals"] += [item(label, None) for label in _last_columns(found, int(slots["count"]), item)]
    elif rule == "blank_rows":
        found.blank_rows = min(MAX_BLANK_ROWS, int(number_of(slots["number"]) or 0))
    elif rule == "box_for":  # on forms, which have lines for columns
        found.lists["columns"].append(item(cleaned(slots["label"]), None))
    elif rule == "choice":
        _note_choice(found, slots, section, item)
    elif rule == "sign_places":
        word = _signers("sign_place", slots, item("", None).clause)[0]
        found.lists["signatures"] += [item(f"{word} {n}", None) for n in range(1, int(slots["count"]) + 1)]
    elif rule in ("stamp", "signs", "signer_signs", "signature_of", "sign_place"):
        found.lists["signatures"] += [item(each, None) for each in _signers(rule, slots, item("", None).clause)]
    else:
        _note_column(found, rule, slots, item)


def _last_columns(found: Sections, count: int, item: ItemOf) -> list[str]:
    """Return the last of the columns that were listed; the words themselves, which name none, where there are fewer."""
    columns = found.labels("columns")
    return columns[-count:] if count <= len(columns) else [item("", None).clause]


def _note_choice(found: Sections, slots: Slots, section: Section | None, item: ItemOf) -> None:
    """Note a line with boxes to tick; in a table's list of columns, a column that says between what is chosen."""
    label, choices = cleaned(slots["label"]), slots["choices"]
    if section in (None, "columns") and found.lists["columns"] and not is_form(found.name):
        found.lists["columns"].append(item(f"{label} ({choices})", None))
    else:
        found.lists["header" if section == "header" else "below"].append(item(label, boxes(choices.split("/"))))


def _note_column(found: Sections, rule: str, slots: Slots, item: ItemOf) -> None:
    match rule:
        case "count_and_total":
            found.all_totals, found.columns_before_total = True, len(found.lists["columns"])
            found.counted.append(item(cleaned(slots["label"]), None))
        case "count":
            found.counted.append(item(cleaned(slots["label"]), None))
        case "share":
            found.shares[cleaned(slots["label"])] = item(slots["column"], None)
        case "runs":
            named = [item(cleaned(label), None) for label in split(slots["label"])]
            found.running += named[-1:]
            known = found.labels("columns")
            found.lists["columns"] += [
                one for one in named if known and not any(means(one.label, each) for each in known)
            ]
        case "sum_of":
            _note_sum(found, cleaned(slots["label"]), item(slots["count"], None), item)
        case "decimals":
            found.decimals.append((int(slots["count"]), item(cleaned(slots["label"]), None)))
        case "currency":
            found.currency = item(slots["currency"], None)
        case "blank_column":
            found.lists["columns"].append(item(cleaned(slots["label"]), None))
        case "worked_out":
            found.lists["columns"].append(item(cleaned(slots["label"]), None))
            found.calculated.append(item(cleaned(slots["label"]), None))
        case "calculates":
            labels = split(slots["label"]) or found.labels("columns")[-1:]
            found.calculated += [item(cleaned(label), None) for label in labels]


def _note_sum(found: Sections, label: str, count: Item, item: ItemOf) -> None:
    """Note which column adds up as many before it; a total at the end of the list was no total below it then."""
    if label not in found.labels("columns") and found.columns_before_total == len(found.lists["columns"]):
        found.lists["columns"].append(item(label, None))
        found.all_totals, found.columns_before_total = False, None
    found.sums[label] = count


def _signers(rule: str, slots: Slots, clause: str) -> list[str]:
    if rule == "sign_place":
        return ["签字" if any(map(is_cjk, clause)) else "Signature"]
    if rule == "stamp":
        return ["(盖章)" if any(map(is_cjk, clause)) else "Stamp"]
    signers = signers_in(slots["signer"])
    return [f"{signer} signature" for signer in signers] if rule == "signature_of" else signers


def _names_labels(slots: Slots) -> bool:
    """Whether the names in a statement can be names."""
    signers = signers_in(slots["signer"]) if slots["signer"] else []
    return all(map(is_label, signers)) and all(is_label(cleaned(label)) for label in split(slots["label"]))


def boxes(choices: Sequence[str]) -> str:
    """Return choices with a box to tick before each."""
    return "   ".join(f"□ {choice.strip()}" for choice in choices)
