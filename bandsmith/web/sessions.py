"""Handlers of sessions and their versions."""

from __future__ import annotations

import asyncio
import secrets

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from bandsmith.shared.errors import BadInput
from bandsmith.shared.jrxml.diff import diff
from bandsmith.shared.jrxml.jrxml7 import to_jrxml7
from bandsmith.shared.model.action import Action
from bandsmith.shared.model.session_parts import Version

from .access import turn_id
from .bodies import NewName, NewShare, body_of
from .door import door_of, identity_of, session_key
from .problems import NotFound, language_of_request
from .views import (
    Change,
    ShareLink,
    session_details,
    session_entry,
    version_data,
    version_details,
    version_entry,
)


async def list_sessions(request: Request) -> Response:
    """Return the owner's sessions, the last changed first."""
    door, identity = door_of(request), identity_of(request)
    sessions = await door.client.sessions(identity.prefix)
    entries = [session_entry(session, identity.session(session.id), door.access) for session in sessions]
    return JSONResponse([entry.model_dump(mode="json") for entry in entries])


async def create_session(request: Request) -> Response:
    """Return the id for a new session, which its first turn begins."""
    return JSONResponse({"id": secrets.token_hex(8)}, 201)


async def show_session(request: Request) -> Response:
    """Return a session with its conversation and versions."""
    door, key = door_of(request), session_key(request)
    session = await door.client.session(key)
    return as_json(session_details(session, request.path_params["session"], door.access))


async def rename_session(request: Request) -> Response:
    """Give a session another name: ``{"name": "March"}``. It shows a moment later."""
    client, key = door_of(request).client, session_key(request)
    new = await body_of(request, NewName)
    await client.session(key)  # there must be one
    await client.rename(key, new.name)
    return Response(status_code=202)


async def share_session(request: Request) -> Response:
    """Return a link that shows the session, for so many days, to everyone who has it: ``{"days": 7}``."""
    door, key = door_of(request), session_key(request)
    days = (await body_of(request, NewShare)).days
    await door.client.session(key)  # there must be one
    link = f"/shared#{door.access.share(key, days)}"
    return as_json(ShareLink(link=f"{door.origin}{link}", days=days), 201)


async def unshare_session(request: Request) -> Response:
    """Revoke every link to the session that was made so far."""
    client, key = door_of(request).client, session_key(request)
    await client.session(key)  # there must be one
    await client.unshare(key)
    return Response(status_code=202)


async def delete_session(request: Request) -> Response:
    """Delete a session and its history."""
    await door_of(request).client.delete(session_key(request))
    return Response(status_code=204)


async def list_versions(request: Request) -> Response:
    """Return the versions of a session, the newest last."""
    door = door_of(request)
    session = await door.client.session(session_key(request))
    return JSONResponse([version_entry(one, door.access).model_dump(mode="json") for one in session.versions])


async def show_version(request: Request) -> Response:
    """Return a version with its pages, its elements and its files."""
    door = door_of(request)
    return as_json(await version_details(await _version(request), door.client, door.access))


async def diff_versions(request: Request) -> Response:
    """Return what is different in a version from an earlier one, ``?to=`` its number."""
    client, version = door_of(request).client, await _version(request)
    other = await _version(request, _number(request.query_params.get("to", "")))
    if version.template is None or other.template is None:
        raise NotFound.of("web.error.version", code="version", number=version.number)
    before, after = await client.fetch(other.template), await client.fetch(version.template)
    changes = await asyncio.to_thread(diff, before, after)
    chinese = language_of_request(request) == "zh"
    return JSONResponse(
        [
            Change(kind=one.kind, message=one.message_zh if chinese else one.message, element=one.element).model_dump()
            for one in changes
        ]
    )


async def show_data(request: Request) -> Response:
    """Return the data that fill a version, as a table of its rows and the values beside them."""
    client, language = door_of(request).client, language_of_request(request)
    return as_json(await version_data(await _version(request), client, language))


async def download_jrxml7(request: Request) -> Response:
    """Return the template of a version as JasperReports 7 reads it."""
    version = await _version(request)
    template = await asyncio.to_thread(to_jrxml7, await door_of(request).client.fetch(version.template))
    headers = {"content-disposition": 'attachment; filename="report-7.jrxml"'}
    return Response(template, media_type="application/octet-stream", headers=headers)


async def restore_version(request: Request) -> Response:
    """Start a turn that makes a version the report again."""
    version, language = await _version(request), language_of_request(request)
    turn = await door_of(request).client.start(
        session_key(request),
        language=language,
        action=Action(do="restore", version=version.number),
        turn=turn_id(request.headers.get("idempotency-key", "")),
    )
    return JSONResponse({"turn": turn}, 202)


async def _version(request: Request, number: int | None = None) -> Version:
    """Return the version of that number, by default the one that the path names. Raises ``NotFound``."""
    session = await door_of(request).client.session(session_key(request))
    number = request.path_params["number"] if number is None else number
    for version in session.versions:
        if version.number == number:
            return version
    raise NotFound.of("web.error.version", code="version", number=number)


def _number(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise BadInput.of("web.error.request")
    return int(text)


def as_json(view: BaseModel, status: int = 200) -> Response:
    return Response(view.model_dump_json(), status, media_type="application/json")
