"""Ask a model what a message wants of scheduled runs, where rules do not account for all of it."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from bandsmith.shared.events import ReadRunRequest
from bandsmith.shared.language import ENGLISH_NAMES
from bandsmith.shared.llm import Model, Usage, ask
from bandsmith.shared.llm.answers.work import RunAnswer
from bandsmith.shared.model.run import RUN_NAME, Delivery
from bandsmith.shared.model.run_request import RunDraft, RunRequest
from bandsmith.shared.model.session_parts import HistoryEntry
from bandsmith.shared.replies import text
from bandsmith.shared.runs.times import zone_of
from bandsmith.shared.settings import SourceSettings
from bandsmith.shared.sources import sources_of

from .local_zone import local_zone

MAX_BEFORE_ENTRIES, MAX_BEFORE_CHARS = 6, 400
"""Entries of the conversation that the prompt holds, and characters of each."""


async def ask_for_run_request(command: ReadRunRequest, model: Model) -> tuple[RunRequest | None, Usage]:
    """Return what a model reads, and what it cost; None where it finds nothing about runs. Raises ``ModelFailed``."""
    zone, source_names = local_zone(), list(sources_of(command.owner, SourceSettings().file))
    values: dict[str, object] = {
        "runs": [run.model_dump(mode="json", include={"name", "rule", "paused"}) for run in command.known_runs],
        "known": command.run_request.model_dump(mode="json", exclude_defaults=True) if command.run_request else "",
        "now": f"{datetime.now(zone_of(zone)):%Y-%m-%d %H:%M %A} {zone}",
        "language": ENGLISH_NAMES[command.language],
        "text": command.text,
        "sources": ", ".join(source_names) or "none",
        "before": "\n".join(f"{entry.role}: {entry.text[:MAX_BEFORE_CHARS]}" for entry in _before(command)),
    }
    answer, usage = await ask(model, "run_request", values, RunAnswer, allowance=command.allowance)
    if command.run_request is not None and command.run_request.do != answer.action:
        is_correction = {command.run_request.do, answer.action} <= {"add", "change"}
        if not is_correction:
            return None, usage
        answer = answer.model_copy(update={"action": command.run_request.do})
    return (None if answer.action == "none" else _request(command, answer)), usage


def _before(command: ReadRunRequest) -> list[HistoryEntry]:
    return command.history[-MAX_BEFORE_ENTRIES:]


def _request(command: ReadRunRequest, answer: RunAnswer) -> RunRequest | None:
    """Return the answer as a request, on top of what was known before the question."""
    known = command.run_request.draft if command.run_request else RunDraft()
    known = known.model_copy(update={part: RunDraft.model_fields[part].default for part in answer.dropped})
    said = _said_by_user(command)
    given: dict[str, Any] = {
        "name": answer.name if re.fullmatch(RUN_NAME, answer.name) else "",
        "rule": answer.rule,
        "source": answer.source,
        "period": answer.period,
        "each": answer.each,
        "formats": answer.formats,
        "folder": answer.folder if answer.folder.strip("/").casefold() in said else "",
        "excluded": answer.excluded,
        "paused": answer.paused,
        "mail": _said(answer.mail, said),
        "tell": _said(answer.tell, said),
    }
    news: dict[str, object] = {name: value for name, value in given.items() if value}
    # An address that the user did not give is asked for.
    news["mails_user"] = not (given["mail"] or known.mail) and (answer.mails_user or bool(answer.mail))
    news["tells_user"] = not (given["tell"] or known.tell) and (answer.tells_user or bool(answer.tell))
    try:
        draft = RunDraft.model_validate(known.model_dump() | news)
        names = answer.runs or (command.run_request.names if command.run_request else [])
        undone = answer.undone or _kept(command, answer)
        return RunRequest(do=answer.action, names=names, draft=draft, undone=undone)  # type: ignore[arg-type]
    except ValidationError:
        return None


def _kept(command: ReadRunRequest, answer: RunAnswer) -> str:
    """Return that nothing can be taken out of a run that there is, if that is wanted; only the change can be less."""
    shown = command.run_request.draft if command.run_request else RunDraft()
    is_more = answer.action == "change" and any(not getattr(shown, part) for part in answer.dropped)
    return text("runs.talk.not_taken_out", command.language) if is_more else ""


def _said_by_user(command: ReadRunRequest) -> str:
    """Return the user's own words: addresses and folders count only if they stand in them."""
    earlier = [entry.text for entry in _before(command) if entry.role == "user"]
    return "\n".join([*earlier, command.text]).casefold()


def _said(addresses: list[str], said: str) -> list[str]:
    """Return the addresses that stand in what the user said."""
    found = []
    for address in addresses:
        try:
            found += Delivery(mail=[address]).mail if address.casefold() in said else []
        except ValidationError:
            continue
    return found
