"""Requests that follow each other, and what the last of them is read as."""

from __future__ import annotations

from datetime import UTC, datetime

from bandsmith.services.planner.language.change.conversation import PastChange
from bandsmith.services.planner.language.change.follow_up import read_follow_up
from bandsmith.services.planner.language.change.rule_parser import RequestReading, read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.session_parts import Version

from .templates import ALL

REF = Ref(key="0" * 64, media="application/xml", size=1)


def said(form: str, *requests: str) -> RequestReading | None:
    """Return what the last of several requests is read as, after the others were carried out."""
    template, data = ALL[form]()
    past: list[PastChange] = []
    for number, request in enumerate(requests[:-1], 1):
        edits = read_request(request, TemplateView(Editor(template), data)).edits
        version = Version(
            number=number, template=REF, data=REF, author="x", time=datetime(2026, 1, 1, tzinfo=UTC),
            edits=REF if past else None,
        )  # fmt: skip
        past.insert(0, PastChange(request, edits, version, template, data))
        editor = Editor(template)
        editor.carry_out(edits)
        template = editor.bytes()
    return read_follow_up(requests[-1], TemplateView(Editor(template), data), past)


def values(edits: list[AnyEdit]) -> list[tuple[str, ...]]:
    found = []
    for edit in edits:
        content = edit.model_dump(exclude_defaults=True)
        content.pop("do", None)
        found.append(tuple(str(value) for value in content.values()))
    return found
