"""What words refer to in a template: one thing, several, something that is missing, or nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bandsmith.shared.replies import Text, text
from bandsmith.shared.replies import listed as as_list

from .numbers import number_of
from .sentence_templates import matches
from .template_view import TemplateView
from .view_elements import TableColumn, ViewElement

MAX_LISTED_COLUMNS = 12

Role = str
"""A value of the list ``role``."""


@dataclass(frozen=True)
class Target:
    """What words refer to: elements, and the column if they are a whole column."""

    words: str
    pieces: tuple[ViewElement, ...] = ()
    column: TableColumn | None = None
    role: Role = ""
    """``row`` for a line of the page."""
    alone: bool = False
    """Whether a label is meant without its value: the word itself is named."""

    @property
    def texts(self) -> list[ViewElement]:
        return [piece for piece in self.pieces if piece.is_text]


@dataclass(frozen=True)
class Missing:
    """Words that name something that does not exist."""

    words: str
    kind: str = "element"
    """``column`` if the words ask for a column."""


@dataclass(frozen=True)
class Several:
    """Words that are ambiguous."""

    words: str
    choices: tuple[str, ...] = ()
    """What they may mean, as the user sees it."""
    is_described: bool = False
    """Whether they describe how something looks or where it stands, so that no other rule could make more of them."""


Reference = Target | Missing | Several | None
"""None for words that are not a name."""


def column_target(column: TableColumn, words: str) -> Target:
    return Target(words, tuple(column.pieces), column)


def with_value(view: TemplateView, target: Target) -> Target:
    """Return a target with the value that belongs to it, where it is a label and no word says that it stands alone."""
    if target.alone or target.role or target.column is not None or len(target.pieces) != 1:
        return target
    value = view.value_beside(target.pieces[0]) or formula_beside(view, target.pieces[0])
    if value is None:
        return target
    return replace(target, pieces=(*target.pieces, value, *_other_totals(view, value)))


def formula_beside(view: TemplateView, label: ViewElement) -> ViewElement | None:
    """Return what a formula writes behind a label, such as an amount in words."""
    if not label.words.rstrip().endswith((":", "：")) or label.references:
        return None
    right = [one for one in view.line_of(label) if one.x >= label.x + label.width - 1]
    return right[0] if right and right[0].expression.startswith("$") else None


def with_label(view: TemplateView, target: Target) -> Target:
    """Return a label with its value, and a value with its label: what is moved or taken away together."""
    whole = with_value(view, target)
    if whole is not target or target.alone or target.role or target.column is not None or len(target.pieces) != 1:
        return whole
    label = view.label_beside(target.pieces[0])
    return target if label is None else replace(target, pieces=(label, *target.pieces))


def _other_totals(view: TemplateView, value: ViewElement) -> list[ViewElement]:
    """Return the other figures of a line of totals: the label “Total” before the first is the label of them all.

    An amount in words has a label of its own.
    """
    if not prints_total(value) or is_formula(value):
        return []
    return [
        one
        for one in view.texts
        if one is not value and one.band == value.band and abs(one.y - value.y) < value.height / 2
        and prints_total(one) and not is_formula(one) and view.label_beside(one) is None
    ]  # fmt: skip


def is_formula(piece: ViewElement) -> bool:
    """Whether a text computes what it prints by a formula, whose texts are no words of the page."""
    return bool(piece.words) and piece.expression.startswith("$")


def prints_total(piece: ViewElement) -> bool:
    """Whether a text prints what the report adds up."""
    return any(scope == "V" for scope, _ in piece.references)


def column_number(words: str) -> int | None:
    """Return the number of a column that words count: 1 for the first, -1 for the last; None where they count none."""
    for rule, side in (("column_from_left", 1), ("column_from_right", -1)):
        for slots in matches("references", rule, words.strip()):
            return side * int(number_of(slots["ordinal"] or slots["whole_number"] or "1") or 0)
    return None


def which_one(found: Several) -> Text:
    """Return the question which of several things words mean."""
    en, zh = (as_list([f"“{choice}”" for choice in found.choices], language) for language in ("en", "zh"))
    question = Text.of("language.which_one", words=found.words, choices="\0")
    return Text(question.en.replace("\0", en), question.zh.replace("\0", zh))


def missing(found: Missing, view: TemplateView) -> Text:
    """Return the refusal for a reference to something that does not exist."""
    if found.kind != "column":
        return Text.of("language.no_such_element", words=found.words)
    if not view.columns:
        return Text.of("language.no_rows_no_columns")
    labels = [column.label.replace("\n", " ") for column in view.columns][:MAX_LISTED_COLUMNS]
    code = "language.no_such_column" if column_number(found.words) is None else "language.no_such_column_number"
    return Text(
        text(code, "en", words=found.words, count=len(view.columns), columns=", ".join(labels)),
        text(code, "zh", words=found.words, count=len(view.columns), columns="、".join(labels)),
    )
