"""Describe to the user, in a sentence or two, what edits did to a template."""

from __future__ import annotations

from collections.abc import Sequence

from ..edits import AnyEdit
from ..edits.add import Add
from ..edits.add_column import AddColumn
from ..edits.base import EditClause
from ..jrxml.draft import Draft
from ..jrxml.expressions import sole_reference
from ..jrxml.labels import TemplateLabels, list_names
from ..jrxml.refusals import ALREADY_DONE
from ..language import Language
from ..replies import text
from .outcome import EditOutcome

MAX_CLAUSES = 6
MAX_REASONS = 3


def summarize(outcomes: Sequence[EditOutcome], language: Language, before: bytes) -> str:
    """Describe what was done, and what was not done and why; `before` is the template before the edits.

    Raises ``BadInput`` if the template cannot be read.
    """
    edits = _described(outcomes)
    labels = TemplateLabels(Draft(before), language, _new_columns(edits))
    done = _clauses([edit.describe(labels) for edit in edits], language)
    vain = [outcome.edit for outcome in outcomes if outcome.code == ALREADY_DONE] if done else []
    without_effect = _clauses([edit.describe(labels) for edit in vain], language)
    refused = [
        outcome.reason
        for outcome in outcomes
        if not outcome.changed and outcome.reason is not None and outcome.edit not in vain
    ]
    reasons = list(dict.fromkeys(reason.in_language(language) for reason in refused))[:MAX_REASONS]
    separator, parts = text("edits.summary.clause_separator", language), []
    if done:
        sentence = text("edits.summary.sentence", language, clauses=separator.join(done))
        parts.append(sentence[:1].upper() + sentence[1:])
    if without_effect:
        parts.append(text("edits.summary.without_effect", language, clauses=separator.join(without_effect)))
    if reasons:
        code = "edits.summary.partly_refused" if done else "edits.summary.refused"
        parts.append(text(code, language, reasons=_sentences(reasons, language)))
    return _sentences(parts, language) or text("edits.summary.nothing", language)


def _described(outcomes: Sequence[EditOutcome]) -> list[AnyEdit]:
    """Return the edits that were asked for, without edits that only complete another one."""
    edits = [outcome.edit for outcome in outcomes if outcome.changed]
    added = frozenset(edit.key for edit in edits if isinstance(edit, Add))
    return [edit for edit in edits if not edit.follows(added)] or edits


def _new_columns(edits: Sequence[AnyEdit]) -> dict[str, str]:
    """Return the headings of the columns that edits add, by the field or variable that they print."""
    added = [edit for edit in edits if isinstance(edit, AddColumn)]
    printed = [(alone[1], edit.label) for edit in added if (alone := sole_reference(edit.expression or ""))]
    return dict([*printed, *((edit.field, edit.label) for edit in added)])


def _clauses(clauses: Sequence[EditClause], language: Language) -> list[str]:
    """Return one clause for all edits that did the same, with everything they were done to."""
    subjects: dict[tuple[str, tuple[tuple[str, object], ...]], list[str]] = {}
    for clause in clauses:
        subjects.setdefault((clause.code, tuple(clause.values.items())), []).append(clause.subject)
    found = [
        text(code, language, subject=list_names(names, language), **dict(values))
        for (code, values), names in subjects.items()
    ]
    if len(found) > MAX_CLAUSES:
        omitted = len(found) - MAX_CLAUSES
        found = [*found[:MAX_CLAUSES], text("edits.summary.more_clauses", language, count=omitted)]
    return found


def _sentences(sentences: Sequence[str], language: Language) -> str:
    return ("" if language == "zh" else " ").join(sentences)
