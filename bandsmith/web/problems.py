"""Errors as ``application/problem+json`` (RFC 9457), in the language that the request asks for."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, ClassVar

import structlog
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from bandsmith.session_view import NO_SESSION
from bandsmith.shared.errors import BadInput, BandsmithError, RetryableError
from bandsmith.shared.language import LANGUAGES, Language
from bandsmith.shared.replies import Text
from bandsmith.shared.telemetry import log as telemetry_log

log = structlog.get_logger(__name__)

STATUS = {NO_SESSION: HTTPStatus.NOT_FOUND, "gone": HTTPStatus.GONE}
"""Statuses of errors of the client, by code."""
OPENAI_PATHS = "/v1/"
"""Beginning of the paths whose errors are written as OpenAI's are."""
CODES = {404: "web.error.path", 405: "web.error.method"}
"""Texts for errors that the server finds itself, by status."""


class WebError(BandsmithError):
    """An error with its own HTTP status."""

    status: ClassVar[HTTPStatus]


class Unauthorized(WebError):
    status = HTTPStatus.UNAUTHORIZED


class Forbidden(WebError):
    status = HTTPStatus.FORBIDDEN


class NotFound(WebError):
    status = HTTPStatus.NOT_FOUND


class Gone(WebError):
    status = HTTPStatus.GONE


class TooLarge(WebError):
    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE


class TooSlow(WebError):
    status = HTTPStatus.REQUEST_TIMEOUT


class TooMany(WebError):
    """The user sent more requests than are allowed."""

    status = HTTPStatus.TOO_MANY_REQUESTS

    def __init__(self, seconds: int) -> None:
        found = Text.of("web.error.many", seconds=seconds)
        super().__init__(found.en, message_zh=found.zh, code="many")
        self.seconds = seconds


def language_of_request(request: Request) -> Language:
    """Return the language that a request asks for: by ``?language=``, else by the browser's settings."""
    wanted = [request.query_params.get("language", ""), *request.headers.get("accept-language", "").split(",")]
    for one in wanted:
        tag = one.partition(";")[0].strip().lower().partition("-")[0]
        for language in LANGUAGES:
            if tag == language:
                return language
    return "en"


def problem(request: Request, error: BandsmithError, status: HTTPStatus | None = None) -> Response:
    """Return an error as a response; its status follows from its kind where none is given."""
    status = status or _status(error)
    if request.url.path.startswith(OPENAI_PATHS):
        headers = _headers(error) | {"x-should-retry": "false"}  # its clients send again what may have begun a turn
        return JSONResponse(openai_error(request, error, status), status, headers)
    sentence = _sentence(request, error)
    body = {"type": "about:blank", "title": status.phrase, "status": status, "code": error.code, "detail": sentence}
    return JSONResponse(body, status, _headers(error), media_type="application/problem+json")


def openai_error(request: Request, error: BandsmithError, status: HTTPStatus | None = None) -> dict[str, Any]:
    """Return an error as clients of OpenAI's interface expect it."""
    kind = "server_error" if (status or _status(error)) >= HTTPStatus.INTERNAL_SERVER_ERROR else "invalid_request_error"
    return {"error": {"message": _sentence(request, error), "type": kind, "code": error.code, "param": None}}


def _sentence(request: Request, error: BandsmithError) -> str:
    return error.message_zh if language_of_request(request) == "zh" else error.message


def _headers(error: BandsmithError) -> dict[str, str]:
    """Return the headers that belong to an error."""
    if isinstance(error, TooMany):
        return {"retry-after": str(error.seconds)}
    return {"www-authenticate": "Bearer"} if isinstance(error, Unauthorized) else {}


async def handle_error(request: Request, error: Exception) -> Response:
    """Answer a request whose handler failed."""
    if isinstance(error, BandsmithError):
        return problem(request, error)
    if isinstance(error, HTTPException):
        found = BandsmithError.of(CODES.get(error.status_code, "web.error.request"))
        return problem(request, found, HTTPStatus(error.status_code))
    log.error("web.failed", error=type(error).__name__, where=telemetry_log.error_locations(error))
    return problem(request, BandsmithError.of("web.error.unexpected", code=BandsmithError.code))


def _status(error: BandsmithError) -> HTTPStatus:
    if isinstance(error, WebError):
        return error.status
    if error.code in STATUS:
        return STATUS[error.code]
    if isinstance(error, RetryableError):
        return HTTPStatus.SERVICE_UNAVAILABLE
    return HTTPStatus.BAD_REQUEST if isinstance(error, BadInput) else HTTPStatus.INTERNAL_SERVER_ERROR
