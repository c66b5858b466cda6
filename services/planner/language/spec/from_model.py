"""What becomes of a report spec that a model wrote: it is bounded, and accounted for against the request."""

from __future__ import annotations

from collections.abc import Callable

from bandsmith.shared.language import Language
from bandsmith.shared.llm.answers.report import IntentAnswer, SpecAnswer
from bandsmith.shared.llm.ask import Review
from bandsmith.shared.model.spec import ReportSpec
from bandsmith.shared.replies import text
from bandsmith.shared.turns.request import ReportRequest

from ..quotations import quotations
from .account import OUTSIDE, Account, account, quoted_parts
from .bounds import bounded
from .rule_reader import assumptions, quoted

Answer = SpecAnswer | IntentAnswer


def from_model(request: str, answer: Answer, language: Language) -> ReportRequest:
    """Return a model's spec, as far as it may be built, with what of the request it does not hold.

    What the model quotes, and what it forgot, is tried as a change of the finished report. What it says cannot be done,
    and names that are nowhere, the user is told.
    """
    assert answer.spec is not None, "a message that describes no report makes none"
    spec = bounded(answer.spec)
    found = _account(request, answer, spec)
    left = quoted_parts(request, answer.not_held)[0]
    unread = [*left, *(clause for clause in found.features if clause not in left)]
    undone = [text("language.model_undone", language, reason=reason)] if (reason := _one_line(answer.undone)) else []
    names = [name for name in found.missing if name not in found.features]
    undone += [text("language.not_in_report", language, clauses=quoted(names))] if names else []
    return ReportRequest(spec=spec, unread=unread, undone=undone, notes=assumptions(spec, language))


def reviewer(request: str) -> Callable[[Answer], Review]:
    """Return what says which parts of a request a model's spec and its quotations do not account for."""

    def review(answer: Answer) -> Review:
        if answer.spec is None:
            return Review(answer.left_out)
        found = _account(request, answer, bounded(answer.spec))
        objections = [
            f"not_held: “{clause}” is not in the spec; say it there, or quote it here" for clause in found.features
        ]
        objections += [
            f"not_held: nothing of “{name}” is in the spec; say it there, or quote it here, or in in_other_words if it"
            " asks for nothing or the spec says it in other words"
            for name in found.names
        ]
        objections += [
            f"not_held: “{part}” does not stand in the request; quote its words as they are"
            for part in quoted_parts(request, answer.not_held)[1]
        ]
        return Review([*answer.left_out, *objections])

    return review


def _account(request: str, answer: Answer, spec: ReportSpec) -> Account:
    besides = OUTSIDE if answer.undone.strip() else frozenset[str]()
    declined = quoted_parts(request, quotations(answer.undone))[0]  # the user is told of these
    held_elsewhere = [*quoted_parts(request, answer.not_held)[0], *declined]
    return account(request, spec, held_elsewhere, answer.in_other_words, besides)


def _one_line(words: str) -> str:
    return " ".join(words.split())
