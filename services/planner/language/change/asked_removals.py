"""The elements that a sentence asks to have removed: removed by the edits that rules read, or named in the sentence.

A model's edits may remove nothing else (``shared/editing/content_guard.py``). A word such as "remove" is not enough:
the clause that has it must also name what an edit of the model removes, by its wording, its field or its kind, and must
not forbid it. ``templates/*/asked_removals.toml`` says how sentences are worded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.jrxml.draft import Draft

from ..request_clauses import SplitRequest
from ..sentence_templates import phrases
from ..template_view import TemplateView
from ..view_elements import ViewElement

SUBJECT = "asked_removals"
RULES = frozenset({"wish", "forbids", "only", "all", "kind"})
_TAGS = {"line": {"line"}, "border": {"line", "rectangle"}, "rectangle": {"rectangle"}, "image": {"image"}}
"""The tags of the elements that a kind stands for."""
_SECTIONS = {
    "footer": {"pageFooter", "lastPageFooter", "columnFooter"},
    "header": {"pageHeader"},
    "column_header": {"columnHeader"},
    "title": {"title"},
    "summary": {"summary"},
    "group_footer": {"groupFooter"},
    "group": {"groupHeader", "groupFooter"},
}
"""The sections whose elements a kind stands for."""
MIN_LABEL_CHARS = 2


def asked_removals(
    sentence: str, view: TemplateView, by_rules: Iterable[AnyEdit], by_model: Sequence[AnyEdit]
) -> list[str]:
    """Return the names of the elements whose removal a sentence asks for."""
    draft = view.editor.draft
    asked = {name for edit in by_rules for name in _removed(edit, draft)}
    if by_model:
        for clause in _wishes(sentence):
            asked |= _named_in(clause, view)
    return sorted(asked)


def _removed(edit: AnyEdit, draft: Draft) -> set[str]:
    return {draft.name_of(node) for node in (*edit.removes(draft), *edit.removes_along(draft))}


def _wishes(sentence: str) -> list[str]:
    """Return the clauses that ask to have something removed, with their quotations."""
    split = SplitRequest(sentence)
    clauses, wish = [], False
    for number, part in enumerate(split.parts):
        clause = split.with_quotations(split.clause(number, number))[0]
        # "Remove the date and the amount": what an "and" joins goes on with the wish before it.
        wish = bool(phrases(SUBJECT, "wish", clause)) or (part.weak and wish)
        if wish and not phrases(SUBJECT, "forbids", clause):
            clauses.append(clause)
    return clauses


def _named_in(clause: str, view: TemplateView) -> set[str]:
    """Return the names of the elements that a clause names; of what is to be kept alone, those of all others."""
    words = f" {clause.casefold()} "
    kinds = {phrase.slots["kind"] for phrase in phrases(SUBJECT, "kind", clause)}
    named = {piece.key for piece in view.pieces if _mentions(words, piece.words) or _is_of(piece, kinds)}
    for column in view.columns:
        if _mentions(words, column.label) or _mentions(words, column.field.replace("_", " ")):
            named |= {piece.key for piece in column.pieces}
            named |= {piece.key for piece in view.pieces if _adds_up(piece, column.field)}
    if phrases(SUBJECT, "only", clause):
        return {piece.key for piece in view.pieces} - named if named else set()
    return {piece.key for piece in view.pieces} if phrases(SUBJECT, "all", clause) else named


def _is_of(piece: ViewElement, kinds: set[str]) -> bool:
    """Whether an element is of one of the kinds."""
    if "page_number" in kinds and "PAGE_NUMBER" in piece.expression:
        return True
    return any(piece.tag in _TAGS.get(kind, ()) or piece.section in _SECTIONS.get(kind, ()) for kind in kinds)


def _mentions(words: str, label: str) -> bool:
    """Return whether the label, or its only long word, is among the words of a clause."""
    label = " ".join(label.casefold().strip(" :：*-").split())
    if len(label) < MIN_LABEL_CHARS:
        return False
    if label.isascii():
        return re.search(rf"(?<![a-z0-9]){re.escape(label)}(?:s|es)?(?![a-z0-9])", words) is not None
    return label in words


def _adds_up(piece: ViewElement, field: str) -> bool:
    """Return whether an element prints a total of a field."""
    return any(letter == "V" and field in name for letter, name in piece.references)
