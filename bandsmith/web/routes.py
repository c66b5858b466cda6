"""The table of routes: the server and its OpenAPI document are made from it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from bandsmith.shared.model.knowledge import KnowledgeEntry
from bandsmith.shared.model.schedule import Schedule

from . import ag_ui, calendars, files, mcp, sessions, turns, uploads, user
from .bodies import Agreement, NewName, NewShare
from .calendars import CalendarEntry
from .identity import Role
from .openai import completions, responses
from .openai.requests import ChatRequest, ResponseRequest
from .template_views import DataTable
from .views import (
    Change,
    RunEntry,
    SessionDetails,
    SessionEntry,
    ShareLink,
    SourceEntry,
    UploadedFile,
    UserDetails,
    VersionDetails,
    VersionEntry,
)

Handler = Callable[[Request], Awaitable[Response]]


class Endpoint(NamedTuple):
    """One method of one path. The handler's docstring says what it does."""

    method: str
    path: str
    handler: Handler
    status: int
    """Status of a success."""
    answer: type[BaseModel] | None = None
    is_list: bool = False
    media: str = "application/json"
    body: dict[str, Any] | type[BaseModel] | None = None
    """What the request's body holds: a model of JSON, or schemas by media type."""
    query: dict[str, str] = {}
    """Types of the parameters behind the path, by name; each is required."""
    is_public: bool = False
    """Whether it is answered to everyone."""
    role: Role | None = None
    """The role that it takes, where that is not the one of its method."""

    @property
    def needs(self) -> Role | None:
        """The role that it takes."""
        if self.is_public:
            return None
        if self.role:
            return self.role
        return "reader" if self.method == "GET" else "editor"


TURN = {
    "multipart/form-data": {
        "type": "object",
        "properties": {
            "text": {"type": "string", "maxLength": 8000},
            "file": {"type": "array", "items": {"type": "string", "format": "binary"}, "maxItems": turns.MAX_FILES},
            "selection": {"type": "string", "description": "A JSON list with the keys of selected elements."},
            "edits": {"type": "string", "description": "A JSON list of edits of the report, in place of a text."},
            "action": {"type": "string", "description": 'As JSON: {"do": "undo"}, redo, restore or export.'},
            "asking": {"type": "string", "description": 'The text asks data; as JSON: {"source": "shop"}.'},
            "planning": {"type": "string", "description": 'The text asks to plan work; as JSON: {"calendar": "main"}.'},
            "filling": {
                "type": "string",
                "description": 'Fill the report; as JSON: {"source": "shop", "period": "last month", "review": true}. '
                "Without a source, with the file. Also parameters, by name, and formats.",
            },
            "language": {"type": "string", "enum": ["en", "zh"]},
        },
    }
}
UPLOAD = {
    "multipart/form-data": {
        "type": "object",
        "properties": {"file": {"type": "string", "format": "binary"}},
        "required": ["file"],
    }
}
JSON_OBJECT = {"application/json": {"type": "object", "description": "As the protocol defines it."}}
WORDS = {"words": "string"}
SESSION = "/api/sessions/{session}"
VERSION = SESSION + "/versions/{number:int}"

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint("GET", "/api/sessions", sessions.list_sessions, 200, SessionEntry, is_list=True),
    Endpoint("POST", "/api/sessions", sessions.create_session, 201),
    Endpoint("GET", SESSION, sessions.show_session, 200, SessionDetails),
    Endpoint("PATCH", SESSION, sessions.rename_session, 202, body=NewName),
    Endpoint("POST", SESSION + "/share", sessions.share_session, 201, ShareLink, body=NewShare),
    Endpoint("DELETE", SESSION + "/share", sessions.unshare_session, 202),
    Endpoint("DELETE", SESSION, sessions.delete_session, 204),
    Endpoint("POST", SESSION + "/turns", turns.start_turn, 202, body=TURN),
    Endpoint("DELETE", SESSION + "/turns/{turn}", turns.cancel_turn, 202),
    Endpoint("POST", SESSION + "/answer", turns.answer_question, 202, body=Agreement),
    Endpoint("GET", SESSION + "/events", turns.stream_events, 200, media="text/event-stream"),
    Endpoint("GET", SESSION + "/versions", sessions.list_versions, 200, VersionEntry, is_list=True),
    Endpoint("GET", VERSION, sessions.show_version, 200, VersionDetails),
    Endpoint("GET", VERSION + "/diff", sessions.diff_versions, 200, Change, is_list=True, query={"to": "integer"}),
    Endpoint("GET", VERSION + "/data", sessions.show_data, 200, DataTable),
    Endpoint("GET", VERSION + "/jrxml7", sessions.download_jrxml7, 200, media="application/octet-stream"),
    Endpoint("POST", VERSION + "/restore", sessions.restore_version, 202),
    Endpoint("POST", "/api/files", uploads.upload_file, 201, UploadedFile, body=UPLOAD),
    Endpoint("POST", "/mcp", mcp.serve_mcp, 200, body=JSON_OBJECT),
    Endpoint("POST", "/ag-ui", ag_ui.run_agent, 200, media="text/event-stream", body=JSON_OBJECT),
    Endpoint("GET", "/v1/models", completions.list_models, 200),
    Endpoint("GET", "/v1/models/{model}", completions.show_model, 200),
    Endpoint("POST", "/v1/chat/completions", completions.complete_chat, 200, body=ChatRequest),
    Endpoint("POST", "/v1/responses", responses.create_response, 200, body=ResponseRequest),
    Endpoint("GET", "/api/me", user.show_user, 200, UserDetails),
    Endpoint("GET", "/api/sources", user.list_sources, 200, SourceEntry, is_list=True),
    Endpoint("GET", "/api/runs", user.list_runs, 200, RunEntry, is_list=True),
    Endpoint("GET", "/api/calendars", calendars.list_calendars, 200, CalendarEntry, is_list=True, role="editor"),
    Endpoint("GET", "/api/calendars/{calendar}", calendars.show_calendar, 200, Schedule, role="editor"),
    Endpoint(
        "GET", "/api/knowledge", user.search_knowledge, 200, KnowledgeEntry, is_list=True, query=WORDS, role="admin"
    ),
    Endpoint("GET", "/api/files/{token}/{name}", files.download, 200, media="application/octet-stream", is_public=True),
    Endpoint("GET", "/api/texts/{language}", files.texts, 200, is_public=True),
)
