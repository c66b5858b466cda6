"""Handlers of what is no session's: the user's role, sources and scheduled runs, and the knowledge base."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from bandsmith.shared.errors import BadInput
from bandsmith.shared.settings import SourceSettings
from bandsmith.shared.sources import sources_of

from .door import door_of, identity_of
from .sessions import as_json
from .views import SourceEntry, UserDetails, run_entry

MAX_WORDS_CHARS = 1000


async def show_user(request: Request) -> Response:
    """Return the role of the user, by which the page shows what they may do."""
    return as_json(UserDetails(role=identity_of(request).role))


async def list_sources(request: Request) -> Response:
    """Return the sources of data that the user may ask."""
    sources = await asyncio.to_thread(sources_of, identity_of(request).digest, SourceSettings().file)
    entries = [SourceEntry(name=one.name, dialect=one.dialect) for one in sources.values()]
    return JSONResponse([entry.model_dump() for entry in entries])


async def list_runs(request: Request) -> Response:
    """Return the scheduled runs of the user. A turn changes them: its text is, for example, ``pause the run NAME``."""
    prefix = identity_of(request).prefix
    states = await door_of(request).client.runs(prefix)
    return JSONResponse([run_entry(state, prefix).model_dump(mode="json") for state in states])


async def search_knowledge(request: Request) -> Response:
    """Return the entries of the knowledge base that ``?words=`` finds; all of them where it is empty."""
    words = request.query_params.get("words", "")
    if len(words) > MAX_WORDS_CHARS:
        raise BadInput.of("web.error.request")
    entries = await door_of(request).client.knowledge(words)
    return JSONResponse([entry.model_dump(mode="json") for entry in entries])
