"""Prepare a call of a tool of reports, data or runs: hold it against what there is, and show what it would do."""

from __future__ import annotations

from datetime import UTC, datetime

from pydantic import ValidationError

from bandsmith.shared.actor import Store
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import ErrandPrepared, PrepareErrand
from bandsmith.shared.llm.ask import fault_of
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.binding import BindingFile
from bandsmith.shared.model.source_text import schema_text
from bandsmith.shared.replies import message_in, text
from bandsmith.shared.tools import ERRANDS
from bandsmith.shared.tools.errand import ErrandContext, OpenReport

from ..binding.binding_file import read_binding_file, yaml_of
from ..data.asked_sources import asked_sources, named_source, seen_sources
from ..delivery import DeliverySettings
from ..delivery.folder import allowed_folder
from ..report_summary import contents
from ..runs.local_zone import local_zone

MAX_TABLES_CHARS = 12_000
"""Characters of a source's tables that a call states."""


async def prepare_errand(store: Store, command: PrepareErrand) -> ErrandPrepared:
    """Return what the call does and what is shown of it, or why it is refused. Nothing has been done yet."""
    call, language = command.work_call, command.language
    kind = ERRANDS[call.name]
    if f"{kind.domain}.{kind.pack}" not in command.work_packs:
        refusal = text("errands.not_offered", language, name=call.name, domain=kind.domain)
        return ErrandPrepared(work_outcome="refused", work_result=refusal)
    try:
        tool = kind.model_validate(call.arguments)
        prepared = tool.prepare(await _context(store, command))
        if prepared.described:
            seen = await seen_sources(asked_sources(prepared.described, command.owner), command.owner)
            prepared = prepared._replace(answer=schema_text(seen.schema)[:MAX_TABLES_CHARS])
    except ValidationError as error:
        problem = text("schedule.tools.unknown_arguments", language, name=call.name, problem=fault_of(error))
        return ErrandPrepared(work_outcome="refused", work_result=problem)
    except BadInput as refused:
        return ErrandPrepared(work_outcome="refused", work_result=message_in(refused, language))
    if prepared.answer:
        return ErrandPrepared(work_outcome="read", work_result=prepared.answer)
    if not tool.writes:
        errand = prepared.errand.model_copy(update={"reads": True})
        return ErrandPrepared(work_outcome="ready", work_errand=errand)
    if prepared.errand.looks_up:
        return ErrandPrepared(work_outcome="ready", work_errand=prepared.errand)
    return ErrandPrepared(work_outcome="shown", work_errand=prepared.errand, work_shown=prepared.shown)


async def _context(store: Store, command: PrepareErrand) -> ErrandContext:
    report = None
    if (saved := command.saved) is not None:
        bindings, queries = await _queries(store, command)
        shown = contents(await store.get(saved.template), command.language)
        report = OpenReport(command.run_title, saved, shown, bindings, queries)
    return ErrandContext(
        language=command.language,
        report=report,
        source=lambda name: named_source(name, command.owner).name,
        sources=lambda name: asked_sources(name, command.owner).name,
        folder=lambda folder: _folder(command.owner, folder),
        zone=local_zone(),
        now=datetime.now(UTC),
    )


async def _queries(store: Store, command: PrepareErrand) -> tuple[Ref | None, BindingFile | None]:
    """Return the queries of the report, as they are once the user has agreed to what is shown."""
    if command.bindings is None:
        return None, None
    queries = read_binding_file(await store.get(command.bindings))
    if not command.bindings_are_shown:
        return command.bindings, queries
    reviewed = queries.model_copy(update={"reviewed": True})
    return await store.put(yaml_of(reviewed), "application/yaml"), reviewed


def _folder(owner: str, folder: str) -> str:
    """Return a folder as it is written to. Raises ``BadInput`` for one that is not allowed.

    A user of the web may name a folder only where the settings say below which. The person at this machine sees its
    whole path.
    """
    settings = DeliverySettings()
    if owner and "delivery_folder" not in settings.model_fields_set:
        raise BadInput.of("runs.talk.no_folder", code="run")
    path = allowed_folder(settings.delivery_folder, folder)
    return folder if owner else str(path)
