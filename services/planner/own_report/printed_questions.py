"""Questions about what stands beside a label or is written on the page: “what is the phone number?”, “who signed?”

What users say is in ``language/templates/*/printed_questions.toml``.
"""

from __future__ import annotations

from collections.abc import Callable

from bandsmith.shared.replies import listed

from ..language.fuzzy_match import term_of
from ..language.questions import PRINTED
from ..language.references import Target, prints_total, with_value
from ..language.sentence_templates import Slots, phrases
from ..language.view_elements import ViewElement
from .printed_values import printed_number, printed_text
from .report import OwnReport, written
from .row_questions import aggregate, altogether, rows_said, with_note
from .row_table import MAX_NAMED_ROWS, RowTable
from .row_values import cells_of, row_list, row_value

SUBJECT = PRINTED
MAX_TOTALS = 5
"""Sums below the rows that an answer lists."""
PHRASES = frozenset({"sign_words", "tax_words", "the_total"})
"""Words on a page that such questions are about."""


def label_value(report: OwnReport, slots: Slots) -> str | None:
    """“What's the phone number on it?”: what is printed beside a label, or in a column."""
    target = report.target(slots["label"])
    if target is None:
        return None
    if target.column is not None:
        return _values_of_column(report, target)
    pieces = with_value(report.view, target).texts
    if not pieces or target.role or _is_only_in_value(report, pieces[0], slots["label"]):
        return None
    return _beside(report, pieces)


def _is_only_in_value(report: OwnReport, piece: ViewElement, words: str) -> bool:
    """Whether words stand only behind the colon of a label and its value: the 仓库 of 送货地址：2 号仓库."""
    label, colon, value = printed_text(report, piece).replace("：", ":").partition(":")
    return bool(colon) and words not in label and words in value


def pays_when(report: OwnReport, slots: Slots) -> str | None:
    """“When does Mrs Ashdown have to pay?”: each word of the name has to be printed in one text of the report."""
    words = slots["payer"].casefold().split()
    texts = [printed_text(report, piece).casefold().split() for piece in report.view.texts]
    is_printed = any(all(word in text for word in words) for text in texts)
    return known_value(report, Slots({"wanted": "due_date payment_date"})) if is_printed else None


def row_contents(report: OwnReport, slots: Slots) -> str | None:
    """“K-203是什么？”: everything in the one row that a code names."""
    table = RowTable(report)
    rows = table.holding(slots["row"])
    if len(rows) != 1 or not any(char.isdigit() for char in slots["row"]):
        return None
    return with_note(report, cells_of(table, rows[0], [one for one in table.columns if table.shown(one, rows[0])]))


def asked_label(report: OwnReport, slots: Slots) -> str | None:
    """“Who is the contact?”, “日期是哪天？”: such words are always a question."""
    return label_value(report, slots)


def _values_of_column(report: OwnReport, target: Target) -> str | None:
    """Return the value of each row in a column."""
    table, column = RowTable(report), target.column
    assert column is not None
    if column == table.naming:
        return rows_said(table, table.all)
    if not 0 < len(table.rows) <= MAX_NAMED_ROWS or not any(table.shown(column, row) for row in table.all.rows):
        return None
    values = [
        report.say("row_value", row=table.name(row), value=table.shown(column, row) or report.say("no_value"))
        for row in table.all.rows
    ]
    return report.say("column_values", column=column.label, values=report.say("semicolon").join(values))


def _beside(report: OwnReport, pieces: list[ViewElement]) -> str | None:
    """Return a label with what is printed beside it; None for a text that is no label."""
    label, values = pieces[0], pieces[1:]
    shown = [printed_text(report, piece) for piece in values]
    words = printed_text(report, label) or label.words
    if not values:
        has_value = bool(label.references)
        if has_value and words:
            return report.say("printed", text=words)
        return report.say("printed_blank", label=words.rstrip(":： ")) if words.rstrip().endswith((":", "：")) else None
    if any(not one and not _is_empty(report, piece) for one, piece in zip(shown, values, strict=True)):
        return None  # computed in a way that is not known here
    text, name = listed([one for one in shown if one], report.language), words.rstrip(":： ")
    return report.say("beside", label=name, value=text) if text else report.say("printed_blank", label=name)


def _is_empty(report: OwnReport, piece: ViewElement) -> bool:
    return all(scope == "P" and report.view.parameter(name) in (None, "") for scope, name in piece.references)


def known_value(report: OwnReport, slots: Slots) -> str | None:
    """“When is it due?”, “卖给谁的？”: what has one of the names that the words may mean."""
    names = slots["wanted"].split()
    found = [text for piece in report.view.texts if (text := _called(report, piece, names)) is not None]
    return "\n".join(dict.fromkeys(found)) if 0 < len(found) <= 2 else None


def _called(report: OwnReport, piece: ViewElement, names: list[str]) -> str | None:
    """Return a text with its label if its parameter or its label is called one of these names."""
    label = report.view.label_beside(piece)
    if report.view.value_beside(piece) is not None:
        return None  # its value is called so
    own = {name for scope, name in piece.references if scope == "P"}
    is_label = piece.words.rstrip().endswith((":", "："))
    own |= {term_of((label or piece).words)} if label is not None or piece.references or is_label else set()
    if not own & set(names):
        return None
    return _beside(report, [label, piece] if label is not None else [piece])


def signed(report: OwnReport, slots: Slots) -> str | None:
    """“Who signed?”: what is printed at each place where people sign or are named for it."""
    places = []
    for piece in report.view.texts:
        if not phrases(SUBJECT, "sign_words", piece.words) or not piece.words.rstrip().endswith((":", "：")):
            continue
        value = report.view.value_beside(piece)
        if (said := _beside(report, [piece, value] if value else [piece])) is not None:
            places.append(said)
    return "\n".join([*places, report.say("signatures")]) if places else report.say("no_signatures")


def grand_total(report: OwnReport, slots: Slots) -> str | None:
    """“How much is it altogether?”: every sum below the rows; where none is printed, the sum of the amounts."""
    pieces = [piece for piece in report.view.in_sections("summary", "columnFooter") if piece.is_text]
    sums = [piece for piece in pieces if prints_total(piece) and printed_number(report, piece) is not None]
    if not sums:
        return aggregate(report, Slots({"name": report.say("amount")}))
    labels = [report.view.label_beside(piece) for piece in sums]
    if len(sums) > MAX_TOTALS or (len(sums) > 1 and None in labels):
        return None
    return "\n".join(
        _beside(report, [label, piece]) or "" if label else report.say("printed", text=printed_text(report, piece))
        for label, piece in zip(labels, sums, strict=True)
    )


def tax_included(report: OwnReport, slots: Slots) -> str | None:
    """“Is VAT included?”: what the page says about taxes, and the total that contains one."""
    view = report.view
    found = [piece for piece in view.texts if phrases(SUBJECT, "tax_words", printed_text(report, piece) or piece.words)]
    if not found:
        return report.say("no_tax")
    lines = []
    for piece in found:
        value = view.value_beside(piece)
        said = _beside(report, [piece, value] if value else [piece])
        lines.append(said or report.say("printed", text=printed_text(report, piece) or piece.words))
        if value is not None and (total := _total_with(report, value)) is not None:
            lines.append(total)
    return "\n".join(dict.fromkeys(lines))


def _total_with(report: OwnReport, tax: ViewElement) -> str | None:
    """Return which amount is the sum of another one and a tax."""
    added = printed_number(report, tax)
    others = [piece for piece in report.view.in_sections("summary", "columnFooter") if piece != tax]
    numbers = [(piece, number) for piece in others if (number := printed_number(report, piece)) is not None]
    for total, whole in numbers:
        for _, part in numbers:
            if added is not None and part + added == whole:
                label = report.view.label_beside(total)
                name = label.words.rstrip(":： ") if label else written(whole)
                return report.say("tax_in_total", total=name, net=written(part), tax=written(added), sum=written(whole))
    return None


RULES: tuple[Callable[[OwnReport, Slots], str | None], ...] = (
    signed, tax_included, grand_total, pays_when, known_value, asked_label, row_contents, altogether, row_value,
    row_list, label_value,
)  # fmt: skip
