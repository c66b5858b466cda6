"""The validator's actor: imports templates, renders drafts, validates and exports."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import orjson
import structlog

from bandsmith.shared.actor import Store
from bandsmith.shared.confined import FatalRequests
from bandsmith.shared.errors import TerminalError
from bandsmith.shared.events import (
    AnalysisRendered,
    BindingChecked,
    CheckBinding,
    CheckQuery,
    Command,
    DraftRendered,
    Event,
    ExportReport,
    FillReport,
    PythonRun,
    QueryChecked,
    ReadTemplate,
    RenderAnalysis,
    RenderDraft,
    ReportExported,
    ReportFilled,
    RunPython,
    TemplateRead,
    TemplateValidated,
    ValidateTemplate,
)
from bandsmith.shared.jrxml.further_pages import further_pages
from bandsmith.shared.model.analysis import AnalysisDocument
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.plan import Data
from bandsmith.shared.model.source import SourceSchema
from bandsmith.shared.model.stacked_pages import moved_down
from bandsmith.shared.replies import message_in, text
from bandsmith.shared.turns.verdict import Printed

from .analysis.markdown import as_markdown, preview
from .analysis.printout import template_and_rows
from .analysis.web_page import as_web_page
from .checks.engine_run import ENGINE_ERRORS, engine_findings
from .checks.printout import Code as PrintoutCode
from .compare_pages import measured, pages_of_form
from .engine import EngineLane, Printout, ReportEngine
from .exports import export, export_filled
from .import_template import import_template
from .pictures import PagePicture
from .refusals import refusal
from .settings import ValidatorSettings
from .validate import (
    ExpectedPage,
    Upload,
    Validation,
    parse_template,
    placed_elements,
    validate,
    with_side_effects,
)
from .vanished_texts import vanished_texts

log = structlog.get_logger(__name__)
MAX_CHART_PAGES = 3
"""Pages of an analysis with charts that become pictures."""


class ValidatorActor:
    """Prints templates of ours and foreign ones in lanes of their own, so that ours never wait for a foreign one."""

    def __init__(self, store: Store, settings: ValidatorSettings | None = None) -> None:
        self._store = store
        self._settings = settings or ValidatorSettings()
        self._fatal = FatalRequests()
        self._own = EngineLane("own", self._engine, kept=1)
        self._foreign = EngineLane("foreign", self._engine, kept=0)

    async def start(self) -> None:
        """Start the JVM. Raises ``MissingPart`` when the engine is not set up."""
        await self._own.start()

    async def stop(self) -> None:
        await asyncio.gather(self._own.stop(), self._foreign.stop())

    async def handle(self, command: Command) -> Event:
        """Raises ``TerminalError`` when a check or the engine refuses to draft, export or import a template."""
        match command:
            case RenderDraft():
                return await self._render(command)
            case ValidateTemplate():
                return await self._validate(command)
            case ExportReport():
                return await self._export(command)
            case FillReport():
                return await self._fill(command)
            case ReadTemplate():
                return await self._import(command)
            case CheckQuery():
                return await self._check_query(command)
            case CheckBinding():
                return await self._check_binding(command)
            case RunPython():
                return await self._run_python(command)
            case RenderAnalysis():
                return await self._render_analysis(command)
        raise TerminalError.of("validator.unknown_command", code="failed", kind=command.kind())

    async def _render(self, command: RenderDraft) -> DraftRendered:
        content, raw = await asyncio.gather(self._store.get(command.template), self._store.get(command.data))
        data = Data.model_validate_json(raw)
        printout, elements = await self._own.run(lambda engine: _draft(engine, content, data))
        page, items = await asyncio.gather(
            self._store.put(printout.pictures[0], "image/png"),
            self._store.put(_as_json(elements), "application/json"),
        )
        return DraftRendered(page=page, printed=items)

    async def _validate(self, command: ValidateTemplate) -> TemplateValidated:
        refs = (command.template, command.data, command.layout, command.form, command.before, command.upload)
        content, raw, layout, form, before, uploaded = await asyncio.gather(*(self._get(ref) for ref in refs))
        assert content is not None and raw is not None
        expected = ExpectedPage(form, Layout.model_validate_json(layout)) if form and layout else None
        data = Data.model_validate_json(raw)
        upload = Upload(uploaded, command.strict) if uploaded is not None else None
        language = command.language
        done = await self._lane(uploaded).run(
            lambda engine: validate(engine, self._settings, content, data, expected, before, upload, language)
        )
        seen_before = await self._get(command.seen_before)
        old, elements = await asyncio.gather(self._get(command.template_before), self._get(command.elements_before))
        if old and elements and done.printout:
            done = await asyncio.to_thread(with_side_effects, done, content, old, elements)
        return await self._answer(done, vanished_texts(seen_before, done.seen, content))

    async def _answer(self, done: Validation, vanished: list[str]) -> TemplateValidated:
        put, printout = self._store.put, done.printout
        verdict = await put(done.verdict.model_dump_json().encode(), "application/json")
        pages = [await put(picture, "image/png") for picture in printout.pictures] if printout else []
        elements = await put(_as_json(placed_elements(printout)), "application/json") if printout else None
        seen = await put(orjson.dumps(done.seen.texts), "application/json") if done.seen else None
        return TemplateValidated(
            passed=not done.verdict.has_errors,
            findings=done.verdict.findings,
            likeness=done.verdict.likeness,
            grade=done.verdict.grade,
            pdf=await put(done.pdf, "application/pdf") if done.pdf else None,
            pages=pages,
            elements=elements,
            page_count=done.verdict.pages,
            compare=await put(done.compare, "image/png") if done.compare else None,
            verdict=verdict,
            look=done.seen.digest if done.seen else "",
            seen=seen,
            vanished=vanished,
        )

    async def _export(self, command: ExportReport) -> ReportExported:
        refs = (command.template, command.data, command.upload)
        content, raw, upload = await asyncio.gather(*(self._get(ref) for ref in refs))
        assert content is not None and raw is not None
        data = Data.model_validate_json(raw)
        done = await self._lane(upload).run(lambda engine: export(engine, content, data, command.format, upload))
        files = [await self._store.put(file, done.media) for file in done.files]
        return ReportExported(
            format=command.format,
            files=files,
            pages=done.pages,
            missing_texts=done.missing,
            missing_shapes=done.missing_shapes,
        )

    async def _fill(self, command: FillReport) -> ReportFilled:
        refs = (command.template, command.rows, command.upload)
        content, rows, upload = await asyncio.gather(*(self._get(ref) for ref in refs))
        assert content is not None and rows is not None
        done = await self._lane(upload).run(lambda engine: export_filled(engine, content, rows, command.format, upload))
        files = [await self._store.put(file, done.media) for file in done.files]
        notes = [message_in(note, command.language) for note in done.notes]
        return ReportFilled(
            format=command.format,
            name=command.name,
            files=files,
            pages=done.pages,
            notes=notes,
            missing_texts=done.missing,
            missing_shapes=done.missing_shapes,
        )

    async def _import(self, command: ReadTemplate) -> TemplateRead:
        content = await self._store.get(command.document.content)
        done = await asyncio.to_thread(import_template, content, command.document.name)
        self._foreign.warm_up()
        template, data = await asyncio.gather(
            self._store.put(done.template, "application/xml"),
            self._store.put(done.data.model_dump_json().encode(), "application/json"),
        )
        notes = [note.in_language(command.language) for note in done.notes]
        return TemplateRead(template=template, data=data, upload=template, notes=notes)

    async def _check_query(self, command: CheckQuery) -> QueryChecked:
        from bandsmith.shared.sensitive_queries import names_sensitive_column  # noqa: PLC0415 - slow to import

        from .query.check import QueryRefused, check  # noqa: PLC0415 - as above, and needed by few turns
        from .query.parts import query_parts  # noqa: PLC0415 - as above

        schema = SourceSchema.model_validate_json(await self._store.get(command.database))
        try:
            query = await asyncio.to_thread(check, command.query, schema, command.question)
            parts = await asyncio.to_thread(query_parts, query, schema) if schema.members else []
        except QueryRefused as refused:
            reason = refused.reason
            return QueryChecked(query=command.query, problem=reason.in_language(command.language), reason=reason.en)
        statement = await self._store.put(f"{query.permitted}\n".encode(), "application/sql")
        is_sensitive = await asyncio.to_thread(names_sensitive_column, query.sql, schema)
        return QueryChecked(
            query=query.sql,
            permitted=query.permitted,
            query_parts=parts,
            statement=statement,
            is_sensitive=is_sensitive,
        )

    async def _check_binding(self, command: CheckBinding) -> BindingChecked:
        from .query.check_binding import check_binding  # noqa: PLC0415 - as above

        schema = SourceSchema.model_validate_json(await self._store.get(command.database))
        checked = await asyncio.to_thread(check_binding, command.work, schema, command.inputs, command.language)
        return BindingChecked(name=command.work.name, checked=checked)

    async def _run_python(self, command: RunPython) -> PythonRun:
        from .python.run import run_step  # noqa: PLC0415 - as above

        return await run_step(self._store, command, self._settings.python_rows)

    async def _render_analysis(self, command: RenderAnalysis) -> AnalysisRendered:
        document = AnalysisDocument.model_validate_json(await self._store.get(command.analysis))
        markdown, page = as_markdown(document, command.language), as_web_page(document, command.language)
        template, rows = template_and_rows(document, command.language)
        printout, pages, notes = None, [], []
        has_charts = any(section.chart for section in document.sections)
        try:
            done = await self._own.run(lambda engine: export_filled(engine, template, rows, "pdf"))
            printout = await self._store.put(done.files[0], done.media)
            if has_charts:
                drawn = await self._own.run(lambda engine: export_filled(engine, template, rows, "png"))
                pages = [await self._store.put(one, drawn.media) for one in drawn.files[:MAX_CHART_PAGES]]
        except TerminalError as error:  # the other files are whole
            log.warning("analysis.not_printed", code=error.code)
            notes.append(text("data.analysis.not_printed", command.language))
        return AnalysisRendered(
            markdown=await self._store.put(markdown.encode(), "text/markdown"),
            web_page=await self._store.put(page.encode(), "text/html"),
            preview=preview(document),
            printout=printout,
            printout_pages=pages,
            notes=notes,
        )

    async def _get(self, ref: Ref | None) -> bytes | None:
        return None if ref is None else await self._store.get(ref)

    def _lane(self, upload: bytes | None) -> EngineLane:
        """Return where a template is printed: one that comes from a user's own file beside others of this kind only."""
        return self._own if upload is None else self._foreign

    def _engine(self) -> ReportEngine:
        return ReportEngine(limit=self._settings.limit, heap_mb=self._settings.heap_mb, fatal=self._fatal)


def _as_json(elements: Sequence[Printed]) -> bytes:
    return orjson.dumps([element.model_dump() for element in elements])


def _draft(engine: ReportEngine, content: bytes, data: Data) -> tuple[Printout, list[Printed]]:
    """Print the first page of a draft, and its further pages, and measure their elements, as if all were one page.

    Raises ``TerminalError`` when a check or the engine refuses it.
    """
    printable, findings = parse_template(content)
    if printable is None or findings:
        raise refusal(findings)
    try:
        root = printable.template.root
        count = 1 + len(further_pages(root))
        printout = engine.print(printable.content, data, pages=count, listed=count)
        if count > 1 and printout.pages > count:  # rows, or a list, take pages between those of the form
            printout = engine.print(printable.content, data, pages=printout.pages, listed=printout.pages)
    except ENGINE_ERRORS as error:
        raise refusal(engine_findings(error, printable.template)) from None
    if not printout.pictures:
        raise TerminalError.of("validator.empty_draft", code=PrintoutCode.EMPTY)
    found = list[Printed]()
    pages = list(zip([printout.elements, *printout.later], printout.pictures, strict=False))
    for number, at in enumerate(pages_of_form(root, printout, count)):
        if at is not None and at < len(pages):
            elements, picture = pages[at]
            items = measured(elements, PagePicture.of_png(picture))
            found += moved_down(items, number * printout.size.height)
    return printout, found
