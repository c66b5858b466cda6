"""Handle the planner's commands about filling a report from a source."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import date

from bandsmith.shared.actor import Store
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import (
    BindingsStored,
    BindingTried,
    ColumnsRead,
    Event,
    FetchRows,
    GetColumns,
    PlaceholdersRead,
    ReadPlaceholders,
    RowsFetched,
    StoreBindings,
    TryBinding,
)
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.binding import BindingWork
from bandsmith.shared.model.filling import JSON_LINES
from bandsmith.shared.model.source import SourceSchema
from bandsmith.shared.replies import text
from bandsmith.shared.semantic_layer import evidence
from bandsmith.shared.sensitive_queries import names_sensitive_column

from ..data.asked_sources import named_source, seen_schema
from ..data.questions import stored_schema
from ..data.recall import recalled_tables
from ..settings import DataSettings
from .binding_file import changed_columns, read_binding_file, write_binding_file
from .placeholders import TemplatePlaces, inputs_of, works_of
from .query_template import with_query
from .run_binding import fetch_rows, try_binding
from .shown_bindings import shown_bindings

BindingCommand = ReadPlaceholders | GetColumns | TryBinding | StoreBindings | FetchRows


async def handle_binding(store: Store, command: BindingCommand) -> Event:
    match command:
        case ReadPlaceholders():
            return await _placeholders(store, command)
        case GetColumns():
            return await _columns(store, command)
        case TryBinding():
            source, seconds = named_source(command.source, command.owner), DataSettings().seconds
            trial = await try_binding(command.work, source, command.inputs, seconds, command.language)
            return BindingTried(name=command.work.name, trial=trial)
        case StoreBindings():
            return await _store_bindings(store, command)
        case FetchRows():
            return await _fetch(store, command)


async def _placeholders(store: Store, command: ReadPlaceholders) -> PlaceholdersRead:
    """Return what the source has to fill. Raises ``BadInput`` for parameters that do not fit."""
    template, sample, saved = await asyncio.gather(
        store.get(command.template), _get(store, command.sample), _get(store, command.bindings)
    )
    known = read_binding_file(saved) if saved is not None else None
    source = named_source(command.filling.source or (known.source if known else ""), command.owner)
    if known is not None and known.source != source.name:
        known = None  # queries of another source
    schema, layer = await seen_schema(source, command.owner)
    places = await asyncio.to_thread(TemplatePlaces, template, sample)
    inputs = inputs_of(command.filling, places, known, date.today())
    works = works_of(places, command.filling, known, schema, inputs)
    if not works:
        raise BadInput.of("data.binding.nothing_to_fill", code="template")
    changed = list(changed_columns(known, schema)) if known else []
    notes = [text("data.binding.changed", command.language, names=", ".join(changed[:8]))] if changed else []
    if known is not None and not known.reviewed and not command.filling.review:  # in a review they are shown
        notes.append(text("data.binding.not_reviewed", command.language))
    return PlaceholdersRead(
        source=source.name,
        database=await stored_schema(store, schema),
        works=works,
        inputs=inputs.bound,
        evidence=evidence(layer),
        shown_tables=await asyncio.to_thread(recalled_tables, schema, _texts(works)),
        is_reviewed=known.reviewed if known else False,
        filling=command.filling.model_copy(update={"parameters": inputs.printed}),
        notes=notes,
    )


def _texts(works: Sequence[BindingWork]) -> list[str]:
    """Return the words of a report's placeholders."""
    fields = [field for work in works for field in work.placeholder.fields]
    return [text for field in fields for text in (field.label, field.name, field.sample)]


async def _columns(store: Store, command: GetColumns) -> ColumnsRead:
    try:
        schema, _ = await seen_schema(named_source(command.source, command.owner), command.owner)
    except BadInput:  # it is tried again, and left after some tries
        return ColumnsRead()
    return ColumnsRead(columns=await stored_schema(store, schema))


async def _store_bindings(store: Store, command: StoreBindings) -> BindingsStored:
    schema = SourceSchema.model_validate_json(await store.get(command.database))
    template = await store.get(command.template)
    content = write_binding_file(command.works, command.source, schema, command.inputs, is_reviewed=command.is_reviewed)
    own_query = await asyncio.to_thread(with_query, template, command.works, command.inputs, schema.dialect)
    queries = [work.query for work in command.works if work.query]
    return BindingsStored(
        bindings=await store.put(content, "application/yaml"),
        query_template=await store.put(own_query, "application/xml") if own_query else None,
        bindings_shown=shown_bindings(command.works, schema.dialect, command.language),
        is_sensitive=any([await asyncio.to_thread(names_sensitive_column, query, schema) for query in queries]),
    )


async def _fetch(store: Store, command: FetchRows) -> RowsFetched:
    works = [work for work in command.works if work.state == "bound"]
    source, seconds = named_source(command.source, command.owner), DataSettings().seconds
    table, notes = await fetch_rows(works, source, command.inputs, seconds)
    return RowsFetched(
        table=await store.put(table, JSON_LINES), notes=[note.in_language(command.language) for note in notes]
    )


async def _get(store: Store, ref: Ref | None) -> bytes | None:
    return None if ref is None else await store.get(ref)
