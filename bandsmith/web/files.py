"""Handlers of files, of texts for the page, and of the page itself."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response

from bandsmith.shared.language import LANGUAGES
from bandsmith.shared.replies import catalogue, text

from .access import COOKIE_S
from .door import door_of
from .problems import BandsmithError, NotFound, language_of_request

STATIC = Path(__file__).parent / "static"
COOKIE = "bandsmith"
PAGE_TEXTS = "web.page."
"""Prefix of the codes of the page's texts."""
PICTURES = {".png": "image/png", ".jpg": "image/jpeg"}
"""Types that a browser may show; any other file is downloaded."""


async def download(request: Request) -> Response:
    """Return the file that a signed link leads to."""
    door, params = door_of(request), request.path_params
    file = door.access.file(params["token"], params["name"])
    content = await door.client.fetch(file.content)
    media = PICTURES.get(Path(file.name).suffix)
    headers = {"cache-control": "private, max-age=3600, immutable", "content-security-policy": "sandbox"}
    if media is None:
        headers["content-disposition"] = f'attachment; filename="{file.name}"'
    return Response(content, media_type=media or "application/octet-stream", headers=headers)


async def texts(request: Request) -> Response:
    """Return the texts of the page in a language, by code."""
    language = next((one for one in LANGUAGES if one == request.path_params["language"]), None)
    if language is None:
        raise NotFound.of("web.error.language", code="language")
    entries = catalogue(language).items()
    return JSONResponse({code.removeprefix(PAGE_TEXTS): one for code, one in entries if code.startswith(PAGE_TEXTS)})


async def page(request: Request) -> Response:
    """Return the page, or for an unknown browser a sentence that says how to get in."""
    door, language = door_of(request), language_of_request(request)
    if door.access.identity(request.cookies.get(COOKIE, "")) is None:
        sentence = text("web.error.login", language)
        return HTMLResponse(f"<!doctype html><html lang={language}><title>Bandsmith</title><p>{sentence}</p>", 401)
    return FileResponse(STATIC / "index.html", headers={"cache-control": "no-cache"})


async def enter(request: Request) -> Response:
    """Let a browser in by a one-time link: it gets a cookie and is led to the page."""
    door = door_of(request)
    try:
        cookie = door.access.redeem(request.query_params.get("key", ""))
    except BandsmithError:
        if door.access.identity(request.cookies.get(COOKIE, "")) is None:
            raise
        return RedirectResponse("/", 303)
    session = request.query_params.get("session", "")
    response = RedirectResponse(f"/#{session}" if session.isalnum() else "/", 303)
    response.set_cookie(
        COOKIE, cookie, max_age=COOKIE_S, httponly=True, samesite="lax", secure=door.is_secure, path="/"
    )
    return response
