"""What a database's error message is about, as far as it decides what is tried next."""

from __future__ import annotations

from bandsmith.shared.model.binding import ErrorClass

_MARKS: tuple[tuple[ErrorClass, tuple[str, ...]], ...] = (
    ("permission", ("permission denied", "not authorized", "prohibited", "access denied", "command denied")),
    ("unknown_name", ("no such column", "no such table", "does not exist", "not found in from", "unknown column",
                      "doesn't exist", "binder error", "catalog error")),
    ("syntax", ("syntax error", "parser error", "near \"")),
    ("connection", ("unable to open", "could not connect", "can't connect", "can't create a connection",
                    "connection refused", "not a database", "connection reset", "lost connection", "network error",
                    "server has gone away", "server closed the connection", "terminating connection",
                    "starting up", "shutting down", "in recovery mode", "database is locked", "io error", "timed out",
                    "no such file")),
)  # fmt: skip
"""Words of database error messages, by the class of the error."""
_WENT_AWAY = (
    "network error", "connection reset", "lost connection", "server has gone away", "server closed the connection",
    "terminating connection", "starting up", "shutting down", "in recovery mode",
)  # fmt: skip
"""What is said by or of a server that was there, and is likely to come back."""


def error_class(reason: str) -> ErrorClass:
    """Return the subject of a database's error message."""
    said = reason.casefold()
    return next((kind for kind, marks in _MARKS if any(mark in said for mark in marks)), "refused")


def went_away(reason: str) -> bool:
    """Whether a database's error message says that its server went away while it was asked, or is just coming back."""
    return any(mark in reason.casefold() for mark in _WENT_AWAY)
