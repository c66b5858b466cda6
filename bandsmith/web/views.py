"""What clients of the HTTP interface see of sessions, versions and events."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter

from bandsmith.client import Client
from bandsmith.session_view import PendingTurn, SessionView
from bandsmith.shared.bus.base import LoggedEvent
from bandsmith.shared.events import TurnFinished
from bandsmith.shared.language import Language
from bandsmith.shared.model.base import Ref, Value
from bandsmith.shared.model.plan import Data
from bandsmith.shared.model.run import RunState
from bandsmith.shared.model.run_request import RunView
from bandsmith.shared.model.session_parts import Pending, TurnRecord, Version
from bandsmith.shared.model.source import Dialect
from bandsmith.shared.runs.store import view_of
from bandsmith.shared.turns.verdict import Finding, Grade, Printed, Verdict

from .access import Access
from .identity import Role
from .template_views import DataTable, ElementView, data_table, elements_of

_PRINTED: TypeAdapter[list[Printed]] = TypeAdapter(list[Printed])
PAGE_DPI = 150
"""Dots per inch of the pictures of pages and forms."""


class SessionEntry(Value):
    """A session in the list of sessions."""

    id: str
    name: str
    status: str
    changed: datetime | None = None
    version: int | None = None
    page: str | None = None
    """Link to the picture of page 1."""


class VersionEntry(Value):
    """A version in the list of a session's versions."""

    number: int
    request: str
    time: datetime
    passed: bool | None
    page: str | None = None
    """Link to the picture of page 1."""


class UploadedFile(Value):
    """A file that tools can use for a day."""

    key: str
    name: str
    size: int
    """In bytes."""


class ShareLink(Value):
    """A link that shows a session to everyone who has it."""

    link: str
    """Below the page's address, where that is not configured."""
    days: int
    """Days for which it is valid."""


class Change(Value):
    """One difference between two versions."""

    kind: str
    message: str
    element: str | None = None
    """Key of the element, if it is about one."""


class TurnEntry(Value):
    """A turn that is over."""

    turn: str
    text: str
    files: list[str]
    """Names of the attached files."""
    reply: str
    notes: list[str]
    failed: str
    version: int | None
    query: str = ""
    """The SQL query that a question about data was answered by."""
    results: dict[str, str] = {}
    """Links to the files that were asked for, by name."""
    time: datetime


class SessionDetails(Value):
    """A session with its conversation and versions."""

    id: str
    name: str
    status: str
    current: int | None = None
    """Number of the version that is the report now."""
    versions: list[VersionEntry] = []
    turns: list[TurnEntry] = []
    pending: list[PendingTurn] = []
    """The turns that have not ended: the running one first, then the waiting ones."""
    question: Pending | None = None
    """What the session waits to have answered."""
    can_undo: bool = False
    can_redo: bool = False


class UserDetails(Value):
    """Who sends a request."""

    role: Role


class SourceEntry(Value):
    """A source of data, without its address."""

    name: str
    dialect: Dialect


class RunEntry(RunView):
    """A scheduled run in the list of the user's runs."""

    told: str = ""
    """What was said of the last time: the reply of the turn, or why it failed."""


class VersionDetails(Value):
    """A version with its pages, its elements and its files."""

    number: int
    request: str
    time: datetime
    passed: bool | None
    pages: list[str]
    """Links to pictures of its first pages."""
    page_count: int
    """Number of its pages; the pictures may be of the first ones only."""
    dpi: int = PAGE_DPI
    form: str | None = None
    """Link to the picture that it was built from."""
    compare: str | None = None
    """Link to the picture of its first page with the differences marked."""
    elements: list[ElementView] = []
    grade: Grade | None = None
    """What a person would do with it, where it was compared with a form; the findings ``grade.*`` say why."""
    findings: list[Finding] = []
    files: dict[str, str] = {}
    """Links to its files, by name."""


def session_entry(session: SessionView, id: str, access: Access) -> SessionEntry:
    report = session.report
    return SessionEntry(
        id=id,
        name=session.name,
        status=session.status,
        changed=session.changed,
        version=report.number if report else None,
        page=_link(access, "page-1.png", report.page if report else None),
    )


def run_entry(state: RunState, prefix: str) -> RunEntry:
    told = state.results[-1].told if state.results else ""
    return RunEntry(**view_of(state, prefix).model_dump(), told=told)


def session_details(session: SessionView, id: str, access: Access) -> SessionDetails:
    return SessionDetails(
        id=id,
        name=session.name,
        status=session.status,
        current=session.report.number if session.report else None,
        versions=[version_entry(version, access) for version in session.versions],
        turns=[_turn_entry(turn, access) for turn in session.turns],
        pending=session.requests,
        question=session.pending,
        can_undo=bool(session.undo),
        can_redo=bool(session.redo),
    )


def _turn_entry(turn: TurnRecord, access: Access) -> TurnEntry:
    results = {name: access.file_path(name, ref) for name, ref in turn.results.items()}
    return TurnEntry.model_validate(turn.model_dump() | {"results": results})


def version_entry(version: Version, access: Access) -> VersionEntry:
    return VersionEntry(
        number=version.number,
        request=version.request,
        time=version.time,
        passed=version.passed,
        page=_link(access, "page-1.png", version.page),
    )


async def version_details(version: Version, client: Client, access: Access) -> VersionDetails:
    """Raises ``BadInput`` when its files have expired."""
    pages = version.pages or ([version.page] if version.page else [])
    elements: list[ElementView] = []
    if version.elements:
        everything = _PRINTED.validate_json(await client.fetch(version.elements))
        printed = [one for one in everything if one.page == 1]  # the preview shows this page
        elements = await asyncio.to_thread(elements_of, await client.fetch(version.template), printed)
    verdict = Verdict.model_validate_json(await client.fetch(version.verdict)) if version.verdict else None
    files = {"report.pdf": version.pdf, "report.jrxml": version.template, "data.json": version.data}
    return VersionDetails(
        number=version.number,
        request=version.request,
        time=version.time,
        passed=version.passed,
        pages=[access.file_path(f"page-{number}.png", ref) for number, ref in enumerate(pages, 1)],
        page_count=max(version.page_count, len(pages)),
        form=_link(access, "form.png", version.form),
        grade=verdict.grade if verdict else None,
        compare=_link(access, "compare.png", version.compare),
        elements=elements,
        findings=verdict.findings if verdict else [],
        files={name: access.file_path(name, ref) for name, ref in files.items() if ref},
    )


async def version_data(version: Version, client: Client, language: Language) -> DataTable:
    """Return the data that fill a version. Raises ``BadInput`` when they have expired."""
    template, content = await asyncio.gather(client.fetch(version.template), client.fetch(version.data))
    return await asyncio.to_thread(data_table, template, Data.model_validate_json(content), language)


def event_view(entry: LoggedEvent, access: Access) -> dict[str, Any]:
    """Return an event with links in place of references to files."""
    payload = dict(entry.event.payload)
    if entry.event.kind == TurnFinished.kind():
        refs = {name: Ref.model_validate(ref) for name, ref in payload.get("files", {}).items()}
        payload["files"] = {name: access.file_path(name, ref) for name, ref in refs.items()}
    return {"turn": entry.event.turn, "time": entry.event.time.isoformat(), **payload}


def _link(access: Access, name: str, ref: Ref | None) -> str | None:
    return access.file_path(name, ref) if ref else None
