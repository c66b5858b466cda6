"""What a returning user sees of a session: its report, the last request, and what is still open."""

from __future__ import annotations

from bandsmith.shared.errors import BandsmithError

from ..client import Client
from ..locale import user_language
from ..session_view import SessionView
from .messages import first_line, message


async def recap(client: Client, session: SessionView) -> list[str]:
    """Return the lines of the recap; none for a new session."""
    lines = []
    if report := session.report:
        time = f"{report.time.astimezone():%Y-%m-%d %H:%M}"
        status = message(f"cli.status.{session.status}")
        lines.append(message("cli.recap.version", number=report.number, time=time, status=status))
        lines += await _contents(client, session)
    requests = [entry.text for entry in session.history if entry.role == "user" and entry.text]
    if requests:
        lines.append(message("cli.recap.last_request", request=first_line(requests[-1])))
    if session.pending:
        lines.append(message("cli.recap.open_question", question=session.pending.text))
    elif failure := session.pending_failure_context:
        lines.append(message("cli.recap.unfinished", reason=first_line(failure.error)))
    return lines


async def _contents(client: Client, session: SessionView) -> list[str]:
    """Describe the report; nothing where its file has expired or cannot be read."""
    from bandsmith.services.planner.report_summary import contents  # noqa: PLC0415 - slow to import

    assert session.report is not None
    try:
        template = await client.fetch(session.report.template)
        return [f"  {line}" for line in contents(template, user_language()).splitlines()]
    except BandsmithError:
        return []
