"""Handlers of files, of texts for the page, and of the page itself."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response

from bandsmith.shared.language import LANGUAGES
from bandsmith.shared.replies import catalogue, text

from .access import COOKIE_S
from .authentication import check_origin, cookie_name, identify, of_token
from .door import Door, door_of
from .problems import BandsmithError, NotFound, Unauthorized, language_of_request

STATIC = Path(__file__).parent / "static"
MAX_KEY_BYTES = 1024
PAGE_TEXTS = "web.page."
"""Prefix of the codes of the page's texts."""
PICTURES = {".png": "image/png", ".jpg": "image/jpeg"}
"""Types that a browser may show; any other file is downloaded."""
ENTRANCE = """<!doctype html>
<html lang="{language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Bandsmith</title><link rel="icon" href="/static/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/static/style.css"><link rel="stylesheet" href="/static/enter.css">
<main class="enter"><h1>Bandsmith</h1><p>{sentence}</p>
<form method="post" action="/enter">
<label>{key} <input name="key" type="password" required autocomplete="current-password"></label>
<button class="primary">{enter}</button></form></main></html>
"""


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
    """Return the page, or for an unknown browser a form that lets in who has a key."""
    with suppress(Unauthorized):
        if await identify(request):
            return _page()
    return _entrance(request)


def _entrance(request: Request, error: BandsmithError | None = None) -> Response:
    """Return the form for a key, with what was wrong with the last one."""
    language = language_of_request(request)
    words = {name: text(f"web.enter.{name}", language) for name in ("sentence", "key", "enter")}
    if error:
        sentence = error.message_zh if language == "zh" else error.message
        words["sentence"] = f'<span role="alert">{sentence}</span>'
    # Without this, a browser would hide the form's origin, which is checked when it is sent.
    headers = {"referrer-policy": "same-origin"}
    return HTMLResponse(ENTRANCE.format(language=language, **words), 401, headers)


async def shared_page(request: Request) -> Response:
    """Return the page to everyone: a link to a session names it behind the #, and nothing else is shown."""
    return _page()


async def icon(request: Request) -> Response:
    """Return the page's icon to programs that ask for it at its usual address without reading the page."""
    return FileResponse(STATIC / "icon.svg", headers={"cache-control": "public, max-age=86400"})


async def enter(request: Request) -> Response:
    """Let a browser in, by a one-time link or by a key: it gets a cookie and is led to the page."""
    if request.method == "POST":
        return await _enter_by_key(request)
    door = door_of(request)
    try:
        cookie = door.access.redeem(request.query_params.get("key", ""))
    except BandsmithError:
        if await identify(request) is None:
            raise
        return RedirectResponse("/", 303)
    session = request.query_params.get("session", "")
    return _let_in(door, cookie, f"/#{session}" if session.isalnum() else "/")


async def _enter_by_key(request: Request) -> Response:
    check_origin(request)
    door = door_of(request)
    async with request.form(max_files=0, max_fields=1, max_part_size=MAX_KEY_BYTES) as form:
        key = form.get("key", "")
    try:
        identity = await of_token(door, key.strip() if isinstance(key, str) else "")
        if not identity.api_key:  # a token of the issuer ends sooner than a cookie
            raise Unauthorized.of("web.error.key", code="key")
    except Unauthorized as error:
        return _entrance(request, error)
    return _let_in(door, door.access.cookie(identity.owner, identity.role, identity.api_key), "/")


async def leave(request: Request) -> Response:
    """Take the cookie from a browser."""
    check_origin(request)
    door = door_of(request)
    response = RedirectResponse("/", 303)
    response.delete_cookie(cookie_name(door), path="/", secure=door.is_secure, httponly=True, samesite="lax")
    return response


def _page() -> Response:
    return FileResponse(STATIC / "index.html", headers={"cache-control": "no-cache"})


def _let_in(door: Door, cookie: str, address: str) -> Response:
    response = RedirectResponse(address, 303)
    response.set_cookie(
        cookie_name(door), cookie, max_age=COOKIE_S, httponly=True, samesite="lax", secure=door.is_secure, path="/"
    )
    return response
