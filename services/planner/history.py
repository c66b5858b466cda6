"""History: what was said in a session, held below a limit: older entries become one summary, the newest stay whole."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import TypeAdapter

from bandsmith.shared.actor import Store
from bandsmith.shared.events import CompressHistory, HistoryCompressed
from bandsmith.shared.llm import Model, ModelFailed, Usage, ask
from bandsmith.shared.llm.answers import SummaryAnswer
from bandsmith.shared.llm.tokens import estimate
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.session import HistoryEntry

from .settings import HistorySettings

NEWEST = 2
"""Entries that are never summed up: the last request and its reply."""
MAX_ENTRY_CHARS = 100
"""Characters of one entry in a summary made by rules."""
_HISTORY = TypeAdapter(list[HistoryEntry])

Count = Callable[[str], int]


async def compress(
    command: CompressHistory, store: Store, model: Model | None, settings: HistorySettings
) -> HistoryCompressed:
    """The history as it is where it fits, else with its older part summed up and the whole of it archived."""
    history, count = command.history, model.count_tokens if model else estimate
    older, newest = split(history, settings.tokens, count)
    if not older:
        return HistoryCompressed(history=history, archive=command.archive)
    archive = await _archive(store, command.archive, history)
    text, usage = await _summary(command, older, model, settings.tokens // 2, count)
    summary = HistoryEntry(number=older[-1].number, role="summary", text=text, time=older[-1].time)
    return HistoryCompressed(history=[summary, *newest], archive=archive, usage=usage)


def split(history: list[HistoryEntry], limit: int, count: Count) -> tuple[list[HistoryEntry], list[HistoryEntry]]:
    """The older entries, none where all fit into `limit` tokens, and the newest: half of it, and at least two."""
    sizes = [count(said.text) for said in history]
    if sum(sizes) <= limit:
        return [], history
    kept, room = 0, limit // 2
    for size in reversed(sizes):
        room -= size
        if room < 0 and kept >= NEWEST:
            break
        kept += 1
    return history[: len(history) - kept], history[len(history) - kept :]


def extract(older: list[HistoryEntry], limit: int, count: Count) -> str:
    """By rule: the beginning of what was asked and of what was answered, an entry a line; the oldest lines go first."""
    lines = [line for said in older for line in _lines(said)]
    sizes = [count(line) + 1 for line in lines]
    first, room = 0, limit
    for place in range(len(lines) - 1, -1, -1):
        room -= sizes[place]
        if room < 0:
            first = place + 1
            break
    return "\n".join(["…", *lines[first:]] if first else lines)


def _lines(said: HistoryEntry) -> list[str]:
    if said.role == "summary":
        return [line for line in said.text.splitlines() if line.strip("… ")]
    text = " ".join(said.text.split())
    short = text if len(text) <= MAX_ENTRY_CHARS else text[:MAX_ENTRY_CHARS].rstrip() + "…"
    return [f"- {short}" if said.role == "user" else f"  > {short}"] if short else []


async def _summary(
    command: CompressHistory, older: list[HistoryEntry], model: Model | None, limit: int, count: Count
) -> tuple[str, Usage]:
    """By the model where there is one and it can, else by rule."""
    usage = Usage()
    if model and command.allowance.calls:
        values = {
            "history": [{"role": said.role, "text": said.text} for said in older],
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
    """Everything that was ever said: what the archive has, and the entries that came since."""
    said = _HISTORY.validate_json(await store.get(archive)) if archive else []
    last = said[-1].number if said else 0
    said += [entry for entry in history if entry.role != "summary" and entry.number > last]
    return await store.put(_HISTORY.dump_json(said), "application/json")
