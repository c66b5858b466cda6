"""Compress a session's history: older entries become one summary, the newest stay whole."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import TypeAdapter

from bandsmith.shared.actor import Store
from bandsmith.shared.events import CompressHistory, HistoryCompressed
from bandsmith.shared.llm import Model, ModelFailed, Usage, ask
from bandsmith.shared.llm.answers.report import SummaryAnswer
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.session_parts import HistoryEntry
from bandsmith.shared.tokens import estimate

from .settings import HistorySettings

MIN_NEWEST_ENTRIES = 2
"""Entries that are never summarised: the last request and its reply."""
MAX_ENTRY_CHARS = 100
"""Maximum length of one entry in a summary made by rules."""
_HISTORY = TypeAdapter(list[HistoryEntry])

Count = Callable[[str], int]


async def compress(
    command: CompressHistory, store: Store, model: Model | None, settings: HistorySettings
) -> HistoryCompressed:
    """Return the history unchanged if it fits; otherwise archive it all and summarise its older part."""
    history, count = command.history, model.count_tokens if model else estimate
    older, newest = split(history, settings.tokens, count)
    if not older:
        return HistoryCompressed(history=history, archive=command.archive)
    archive = await _archive(store, command.archive, history)
    text, usage = await _summary(command, older, model, settings.tokens // 2, count)
    summary = HistoryEntry(number=older[-1].number, role="summary", text=text, time=older[-1].time)
    return HistoryCompressed(history=[summary, *newest], archive=archive, usage=usage)


def split(history: list[HistoryEntry], limit: int, count: Count) -> tuple[list[HistoryEntry], list[HistoryEntry]]:
    """Split a history into its older and its newest entries.

    The older part is empty if everything fits into `limit` tokens. Otherwise the newest fill half of the limit, and are
    at least the last request and its reply.
    """
    sizes = [count(entry.text) for entry in history]
    if sum(sizes) <= limit:
        return [], history
    kept, budget = 0, limit // 2
    for size in reversed(sizes):
        budget -= size
        if budget < 0 and kept >= MIN_NEWEST_ENTRIES:
            break
        kept += 1
    return history[: len(history) - kept], history[len(history) - kept :]


def extract(older: list[HistoryEntry], limit: int, count: Count) -> str:
    """Summarise by rules: the beginning of each request and reply, one a line. The oldest lines are dropped first."""
    lines = [line for entry in older for line in _lines(entry)]
    sizes = [count(line) + 1 for line in lines]
    first, budget = 0, limit
    for index in range(len(lines) - 1, -1, -1):
        budget -= sizes[index]
        if budget < 0:
            first = index + 1
            break
    return "\n".join(["…", *lines[first:]] if first else lines)


def _lines(entry: HistoryEntry) -> list[str]:
    if entry.role == "summary":
        return [line for line in entry.text.splitlines() if line.strip("… ")]
    text = " ".join(entry.text.split())
    short = text if len(text) <= MAX_ENTRY_CHARS else text[:MAX_ENTRY_CHARS].rstrip() + "…"
    return [f"- {short}" if entry.role == "user" else f"  > {short}"] if short else []


async def _summary(
    command: CompressHistory, older: list[HistoryEntry], model: Model | None, limit: int, count: Count
) -> tuple[str, Usage]:
    """Ask the model for a summary; without one, or if it fails, make it by rules."""
    usage = Usage()
    if model and command.allowance.calls:
        values = {
            "history": [{"role": entry.role, "text": entry.text} for entry in older],
            "language": command.language,
            "words": limit // 2,
        }
        try:
            answer, usage = await ask(model, "compress_history", values, SummaryAnswer, allowance=command.allowance)
            if count(answer.summary) <= limit:
                return answer.summary, usage
        except ModelFailed as failed:
            usage = failed.usage
    return extract(older, limit, count), usage


async def _archive(store: Store, archive: Ref | None, history: list[HistoryEntry]) -> Ref:
    """Store the whole conversation: the archive and all newer entries."""
    entries = _HISTORY.validate_json(await store.get(archive)) if archive else []
    last = entries[-1].number if entries else 0
    entries += [entry for entry in history if entry.role != "summary" and entry.number > last]
    return await store.put(_HISTORY.dump_json(entries), "application/json")
