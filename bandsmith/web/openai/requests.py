"""What a request says: its session, its text and its files.

The session is named by a header or in the metadata; else it is that of the last answer which the request sends back,
whose last link names it; else it is new.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

from pydantic import BaseModel, Field, ValidationError
from starlette.requests import Request

from bandsmith.attachments import Attachment
from bandsmith.shared.errors import BadInput

from ..conversation import new_session
from ..inline_files import file_of_data_url
from ..problems import NotFound
from ..turns import MAX_FILES

MODEL = "bandsmith"
SESSION_HEADERS = ("x-bandsmith-session", "x-openwebui-chat-id")
"""Open WebUI sends the second one if it is set to forward its headers."""
MAX_MESSAGES = 5000
RESPONSE_ID = "resp_"
_Request = TypeVar("_Request", "ChatRequest", "ResponseRequest")
_SESSION_LINK = re.compile(r"/#([A-Za-z0-9_-]+)\)")


class Url(BaseModel):
    url: str = ""


class File(BaseModel):
    file_data: str = ""
    filename: str = ""


class Part(BaseModel):
    """A part of a message, as either interface writes it."""

    type: str
    text: str = ""
    image_url: Url | str | None = None
    file: File | None = None
    file_data: str = ""
    filename: str = ""


class RequestMessage(BaseModel):
    role: str = ""
    content: str | list[Part] | None = None

    @property
    def text(self) -> str:
        if isinstance(self.content, str):
            return self.content
        return "\n".join(part.text for part in self.content or [] if part.text)


class StreamOptions(BaseModel):
    include_usage: bool = False


class ChatRequest(BaseModel):
    """A request of ``/v1/chat/completions``; what concerns models only is ignored."""

    model: str
    messages: list[RequestMessage] = Field(max_length=MAX_MESSAGES)
    stream: bool = False
    stream_options: StreamOptions | None = None
    metadata: dict[str, object] | None = None


class ResponseRequest(BaseModel):
    """A request of ``/v1/responses``."""

    model: str
    input: str | list[RequestMessage]
    stream: bool = False
    previous_response_id: str | None = None
    metadata: dict[str, object] | None = None

    @property
    def messages(self) -> list[RequestMessage]:
        return [RequestMessage(role="user", content=self.input)] if isinstance(self.input, str) else self.input


def last_message(messages: Sequence[RequestMessage]) -> RequestMessage:
    """Return the last message of the user. Raises ``BadInput`` if there is none."""
    found = next((message for message in reversed(messages) if message.role == "user"), None)
    if found is None:
        raise BadInput.of("turn.refused.empty")
    return found


def session_of(
    request: Request,
    metadata: dict[str, object] | None,
    messages: Sequence[RequestMessage],
    previous: str | None = None,
) -> str:
    """Return the id of the session that a request continues, or a new one."""
    if previous:
        return previous.removeprefix(RESPONSE_ID).rpartition(".")[0]
    for header in SESSION_HEADERS:
        if session := request.headers.get(header, ""):
            return session
    if metadata and (session := str(metadata.get("session", ""))):
        return session
    for message in reversed(messages):
        if message.role == "assistant" and (links := _SESSION_LINK.findall(message.text)):
            return str(links[-1])
    return new_session()


def attachments_of(message: RequestMessage) -> list[Attachment]:
    """Return the files of a message. Raises ``BadInput`` for one that is not accepted."""
    found = []
    for part in message.content if isinstance(message.content, list) else []:
        file = part.file or File(file_data=part.file_data, filename=part.filename)
        if part.image_url is not None:
            file = File(file_data=part.image_url.url if isinstance(part.image_url, Url) else part.image_url)
        if part.type in ("image_url", "input_image", "file", "input_file"):
            found.append(file_of_data_url(file.file_data, file.filename))
    if len(found) > MAX_FILES:
        raise BadInput.of("web.error.files", code="files", limit=MAX_FILES)
    return found


async def read_request(request: Request, kind: type[_Request]) -> _Request:
    """Return the body of a request. Raises ``BadInput``, or ``NotFound`` for a model that is not ours."""
    try:
        found = kind.model_validate_json(await request.body())
    except ValidationError as error:
        field = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise BadInput.of("web.error.field", code="request", field=field or "body") from None
    check_model(found.model)
    return found


def check_model(name: str) -> None:
    """Raises ``NotFound`` for a model that is not ours."""
    if name != MODEL:
        raise NotFound.of("web.error.model", code="model_not_found", model=MODEL)
