"""The lines below the table: net total, tax, gross total, cash given, the amount in words, and other lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from bandsmith.shared.fields.column_kinds import meaning
from bandsmith.shared.model.spec import Column, HeaderField, SummaryLine

from ..sentence_templates import Slots, matches
from .item import Item
from .labels import is_label, printed

SUBJECT = "spec_summary"
KINDS = ("net", "tax", "gross", "last", "words", "value")
RULES = frozenset({*KINDS, "total", "signature", "summed", "sum_of_others"})


_RATE, _TAX = "税率", "税额"
"""`税率13%` names the rate, and the line prints the tax."""


@dataclass
class Closing:
    """What stands below the table."""

    summary: list[SummaryLine] = field(default_factory=list)
    wants_total: bool = False
    totals: list[Item] = field(default_factory=list)
    """The columns that are to be added up."""
    fields: list[HeaderField] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    signatures: list[str] = field(default_factory=list)


def stands_below(label: str) -> bool:
    """Whether a name can only be an amount below the table: a total, a tax, the cash given."""
    return _kind_of(label) is not None or summed_column(label) is not None


def is_summary_line(label: str, has_total: bool = True) -> bool:
    """Whether a name is an amount below the table wherever it stands, such as the cash given."""
    return any(
        True for rule in (*(("value",) if has_total else ()), "tax", "words") for _ in matches(SUBJECT, rule, label)
    )


def is_tax(label: str) -> bool:
    """Whether a name is a tax or a charge with its rate: 税率13%, `service charge 10%`."""
    return any(bool(slots["number"]) for slots in matches(SUBJECT, "tax", label))


def is_amount(label: str) -> bool:
    """Whether a name is an amount that the table has to add up to."""
    return any(True for rule in ("net", "tax", "gross", "words") for _ in matches(SUBJECT, rule, label))


def is_sum_of_others(label: str) -> bool:
    """Whether a column or a line of this name is the sum of the amounts before it."""
    return any(True for rule in ("total", "sum_of_others") for _ in matches(SUBJECT, rule, label))


def is_total(label: str) -> bool:
    """Whether a name is only a word for a total."""
    return any(True for rule in ("total", "net", "gross") for _ in matches(SUBJECT, rule, label))


def is_signature(label: str) -> bool:
    """Whether a name is a place to sign: `signature of the account holder`."""
    return any(True for _ in matches(SUBJECT, "signature", label))


def closing_of(items: Iterable[Item]) -> Closing:
    """Return what the names below the table stand for."""
    closing = Closing()
    for item in items:
        found = _kind_of(item.label)
        if found is None:
            summed = summed_column(item.label)
            if summed:
                closing.totals.append(Item(summed, None, item.clause))
            else:
                closing.fields.append(_field(item))
            continue
        kind, slots = found
        if kind == "total":
            closing.wants_total = True
            is_taxed = any(line.kind == "tax" for line in closing.summary)
            closing.summary.append(SummaryLine(label=item.label, kind="gross" if is_taxed else "net"))
        elif kind == "signature":
            closing.signatures.append(item.label)
        else:
            closing.summary.append(_line(item.label, kind, slots))
    return _without_lone_total(closing)


def _kind_of(label: str) -> tuple[str, Slots] | None:
    for rule in (*KINDS, "total", "signature"):
        for slots in matches(SUBJECT, rule, label):
            if not slots["column"] or is_label(slots["column"]):
                return rule, slots
    return None


def summed_column(label: str) -> str | None:
    """Return the column of a total: `overall cost` is the sum of the costs, and `line total` an amount of each row."""
    if meaning(label).name == "amount":
        return None
    return next((slots["column"] for slots in matches(SUBJECT, "summed", label) if is_label(slots["column"])), None)


def _line(label: str, kind: str, slots: Slots) -> SummaryLine:
    percent = Decimal(slots["number"]) if slots["number"] else Decimal(0)
    if kind == "tax":
        label = label.replace(_RATE, _TAX)
    return SummaryLine.model_validate({
        "label": label, "kind": kind, "percent": percent,
        "column": slots["column"] if kind == "last" else None,
    })  # fmt: skip


def _field(item: Item) -> HeaderField:
    return HeaderField(label=printed(item.label), type=meaning(item.label).kind, value=item.value)


def with_known_columns(closing: Closing, columns: Sequence[Column]) -> Closing:
    """Make a line of the last value of a column that does not exist a line of its own: 最后下单时间.

    An amount that is called like a column is that column's total: `运费，运费要合计`.
    """
    known = {column.label.casefold() for column in columns}
    summed = {column.label.casefold() for column in columns if column.total != "none"}
    closing.summary = [line for line in closing.summary if line.kind != "value" or line.label.casefold() not in summed]
    unknown = [line for line in closing.summary if line.kind == "last" and (line.column or "").casefold() not in known]
    named = ((line.label if line.label.isascii() else line.column or line.label, line.label) for line in unknown)
    closing.fields += [_field(Item(label, None, clause)) for label, clause in named]
    closing.summary = [line for line in closing.summary if line not in unknown]
    return closing


def _without_lone_total(closing: Closing) -> Closing:
    """A total alone belongs below its column; a block of lines is printed only where there are several."""
    if all(line.kind == "net" for line in closing.summary) and len(closing.summary) == 1:
        closing.summary, closing.wants_total = [], True
    return closing
