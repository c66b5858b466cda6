"""The sources that a command queries, one or several together; the owner of the session must have access to each."""

from __future__ import annotations

import asyncio
import re
from typing import NamedTuple

from bandsmith.shared.errors import BadInput
from bandsmith.shared.joined_sources import JOINED_DIALECT, joined
from bandsmith.shared.model.source import Dialect, SourceSchema
from bandsmith.shared.semantic_layer import SemanticLayer, applied, evidence, layer_file, read_layer
from bandsmith.shared.settings import SourceSettings
from bandsmith.shared.sources import TOGETHER, Source, names_of, sources_of

from .inferred_keys import with_inferred_keys
from .row_rules import rules_of_user
from .source_process import describe

MAX_TOGETHER = 8
"""Sources that are asked together."""


_NAMED = re.compile(r"\s*(?P<names>[A-Za-z][\w-]*(?:\s*\+\s*[A-Za-z][\w-]*)*)\s*[:：]\s*(?P<question>\S.*)", re.DOTALL)
"""A question that begins with the names of its sources."""


class AskedSources(NamedTuple):
    """One source, or several that are asked together."""

    name: str
    """As commands and files name them: several in alphabetical order, joined by ``+``."""
    dialect: Dialect
    sources: list[Source]


class SeenSources(NamedTuple):
    """What an owner's sessions can see of the sources that are asked."""

    schema: SourceSchema
    evidence: list[str]
    """The metrics of their semantic layers."""


def named_source(name: str, owner: str) -> Source:
    """Return the source with that name, or the only one, among the sources that an owner's sessions may ask.

    Raises ``BadInput`` if there is none; another user's source is not mentioned.
    """
    sources = sources_of(owner, SourceSettings().file)
    names = ", ".join(sources)
    if not sources:
        raise BadInput.of("data.no_source", code="source")
    if not name and len(sources) > 1:
        raise BadInput.of("data.which_source", code="source", names=names)
    if name and name not in sources:
        raise BadInput.of("data.unknown_source", code="source", name=name, names=names)
    return sources[name] if name else next(iter(sources.values()))


def asked_sources(name: str, owner: str) -> AskedSources:
    """Return the sources whose names are joined by ``+``, or the one source. Raises what ``named_source`` raises."""
    names = sorted({one.strip() for one in names_of(name)} - {""}) if TOGETHER in name else [name]
    if len(names) > MAX_TOGETHER:
        raise BadInput.of("data.too_many_sources", code="source", limit=MAX_TOGETHER)
    sources = [named_source(one, owner) for one in names or [""]]
    if len(sources) == 1:
        return AskedSources(sources[0].name, sources[0].dialect, sources)
    return AskedSources(TOGETHER.join(names), JOINED_DIALECT, sources)


def named_in_question(text: str, owner: str) -> tuple[str, str]:
    """Return the sources that a question begins with (``shop+crm: how many ...?``) and the question; else no source."""
    found = _NAMED.match(text)
    known = sources_of(owner, SourceSettings().file) if found else {}
    if found and all(one.strip() in known for one in names_of(found["names"])):
        return found["names"].strip(), found["question"]
    return "", text


async def seen_schema(source: Source, owner: str) -> tuple[SourceSchema, SemanticLayer]:
    """Return what an owner's sessions can see of a source, and its semantic layer. Raises ``BadInput``."""
    layer = rules_of_user(await layer_of(source), source.dialect, owner)
    return with_inferred_keys(applied(await describe(source, layer.rules), layer)), layer


async def seen_sources(asked: AskedSources, owner: str) -> SeenSources:
    """Return what an owner's sessions can see of the sources, as one. Raises ``BadInput``."""
    found = await asyncio.gather(*(seen_schema(source, owner) for source in asked.sources))
    if len(found) == 1:
        schema, layer = found[0]
        return SeenSources(schema, evidence(layer))
    schema = with_inferred_keys(joined([schema for schema, _ in found]))
    lines = [
        f"{line} (in {source.name}, {source.dialect})"
        for source, (_, layer) in zip(asked.sources, found, strict=True)
        for line in evidence(layer)
    ]
    return SeenSources(schema, lines)


async def layer_of(source: Source) -> SemanticLayer:
    """Return the semantic layer of a source. Raises ``BadInput``."""
    return await asyncio.to_thread(read_layer, layer_file(SourceSettings().file, source.name))
