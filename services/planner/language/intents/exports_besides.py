"""The files that a message asks for beside a change of the report: "undo that, and send me the PDF".

They are made of the report that the rest of the message leads to. So the clauses at the end that ask for files and for
nothing else are taken off, and the rest is read alone.
"""

from __future__ import annotations

from typing import NamedTuple

from bandsmith.shared.model.session_parts import ExportFormat

from ..request_clauses import SplitRequest
from ..sentence_templates import phrases
from .rules import Guess, classify

SUBJECT = "exports_besides"
RULES = frozenset({"sends", "adds_wording"})
TAKES_BACK = frozenset({"undo_modification", "redo_modification", "restore_version"})


class BesideExport(NamedTuple):
    """A message without the files that it asks for at its end, and their formats."""

    rest: str
    formats: tuple[ExportFormat, ...]
    """PDF and the template come with every change, so they may be missing here."""


def export_besides(text: str) -> BesideExport | None:
    """Return what a message asks for besides files; None where it asks for no files, or for nothing else."""
    request = SplitRequest(text)
    for number in range(1, len(request.parts)):
        rest = text_before(request, number)
        files = classify(request.as_written(request.text[request.parts[number].start :]), has_template=True)
        if files.sure and files.intent.startswith("export_") and _stands_beside(rest, files, request, number):
            return BesideExport(rest, files.formats or ((files.format,) if files.format else ()))
    return None


def text_before(request: SplitRequest, number: int) -> str:
    """Return the parts before one, as the user wrote them."""
    return request.as_written(request.text[: request.parts[number - 1].end])


def _stands_beside(rest: str, files: Guess, request: SplitRequest, number: int) -> bool:
    """Whether the rest is a request of its own, of which the names of the formats are no part."""
    before = classify(rest, has_template=True)
    if before.intent in TAKES_BACK:
        return before.sure
    asks = phrases(SUBJECT, "sends", request.text[request.parts[number].start :])
    return before.intent == "modify_report" and bool(asks) and not phrases(SUBJECT, "adds_wording", rest)
