"""Handler of files that are uploaded before they are used."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from bandsmith.shared.errors import BadInput

from .door import door_of, identity_of
from .sessions import as_json
from .turns import read_files
from .views import UploadedFile


async def upload_file(request: Request) -> Response:
    """Store a file for a day, and return the key by which tools name it."""
    async with request.form(max_files=1, max_fields=0) as form:
        files = await read_files(form)
    if not files:
        raise BadInput.of("web.error.request")
    stored, door = await door_of(request).client.store(files[0]), door_of(request)
    key = door.access.upload_key(identity_of(request).owner, stored.name, stored.content)
    return as_json(UploadedFile(key=key, name=stored.name, size=stored.content.size), 201)
