"""The application: every request passes the checks here before its handler is called."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .authentication import admit
from .cors import Cors
from .door import Door
from .files import STATIC, enter, icon, leave, page, shared_page
from .hub import Hub
from .identity import Role
from .limits import BodyLimit
from .openapi import document
from .problems import Forbidden, handle_error, problem
from .routes import ENDPOINTS, Handler

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
HEADERS = {
    b"content-security-policy": b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    b"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"permissions-policy": b"camera=(self), microphone=(), geolocation=()",
    b"cache-control": b"no-store",
}
"""Headers of every response, unless it sets its own."""


def application(door: Door) -> Starlette:
    """Return the application of one web process."""
    routes = [
        *(Route(one.path, _guarded(one.handler, one.needs), methods=[one.method]) for one in ENDPOINTS),
        Route("/api/openapi.json", _openapi),
        Route("/enter", _guarded(enter), methods=["GET", "POST"]),
        Route("/leave", _guarded(leave), methods=["POST"]),
        Route("/shared", shared_page),
        Route("/", _guarded(page)),
        Route("/favicon.ico", icon),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(Health, hub=door.hub),
            Middleware(KnownHosts, origin=door.origin),
            Middleware(Cors, origins=door.cors),
            Middleware(BodyLimit),
        ],
        exception_handlers={HTTPException: handle_error, Exception: handle_error},
    )
    app.state.door = door
    return app


async def _openapi(request: Request) -> Response:
    return JSONResponse(document())


def _guarded(handler: Handler, role: Role | None = None) -> Handler:
    """Return a handler that only those with a role reach, and whose errors are answered."""

    async def handle(request: Request) -> Response:
        try:
            if role:
                await admit(request, role)
            return await handler(request)
        except HTTPException:
            raise
        except Exception as error:
            return await handle_error(request, error)

    return handle


class SecurityHeaders:
    """Adds the headers that every response has."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(header for header in HEADERS.items() if header[0] not in present),
                ]
            await send(message)

        await self._app(scope, receive, send_with_headers if scope["type"] == "http" else send)


class Health:
    """Answers the probes of a cluster, which do not know the host's name: ``/livez`` whether the process works,
    ``/healthz`` whether it follows the log too."""

    def __init__(self, app: ASGIApp, hub: Hub) -> None:
        self._app = app
        self._hub = hub

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] not in ("/livez", "/healthz"):
            await self._app(scope, receive, send)
            return
        is_well = scope["path"] == "/livez" or self._hub.is_following
        await PlainTextResponse("ok" if is_well else "no bus", 200 if is_well else 503)(scope, receive, send)


class KnownHosts:
    """Refuses requests for any other host: a page of another site may have made its name point here."""

    def __init__(self, app: ASGIApp, origin: str) -> None:
        self._app = app
        self._hosts = {urlsplit(origin).hostname} if origin else LOOPBACK

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            request = Request(scope)
            if urlsplit(f"//{request.headers.get('host', '')}").hostname not in self._hosts:
                await problem(request, Forbidden.of("web.error.host", code="host"))(scope, receive, send)
                return
        await self._app(scope, receive, send)
