"""``bandsmith analyse``: a question about data, answered in several steps and written as a report.

The session is kept, so that a plan that waits for approval can be answered later, and an analysis that was interrupted
goes on.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
from collections.abc import AsyncGenerator
from datetime import datetime
from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown

from bandsmith.output_folder import update_files
from bandsmith.shared.bus.base import Bus, Delta
from bandsmith.shared.events import Message, TurnFinished
from bandsmith.shared.llm.stream_guard import printable
from bandsmith.shared.model.source import Asking
from bandsmith.shared.settings import HomeSettings
from bandsmith.shared.sources import TOGETHER

from ..client import Client
from ..session_view import SessionView, session_id
from .ask import INCOMPLETE, SERVICES
from .chat_commands import session_or_empty
from .messages import message, quiet_log
from .progress import Progress
from .turns import end_of


def analyse(
    question: str, sources: list[str], session: str, out: Path | None, as_json: bool, verbose: bool, *,
    review: bool, overwrite: bool,
) -> int:  # fmt: skip
    """Analyse a question and return the exit code. Raises ``TerminalError`` when the turn fails."""
    quiet_log()
    name = session or f"analysis-{datetime.now():%Y-%m-%d-%H%M}-{secrets.token_hex(2)}"
    session_id(name)  # checks the name
    asking = Asking(source=TOGETHER.join(sources), analyse=True, review=review)
    run = AnalysisConversation(
        name, out or Path("out") / name, Console(stderr=as_json), as_json, verbose, overwrite=overwrite
    )
    return asyncio.run(run.run(question, asking))


class AnalysisConversation:
    """One analysis in a session: the plan, what the user says to it, and the report."""

    def __init__(
        self, name: str, folder: Path, console: Console, as_json: bool, verbose: bool, *, overwrite: bool
    ) -> None:
        self._name, self._folder, self._console = name, folder, console
        self._json, self._verbose, self._overwrite = as_json, verbose, overwrite
        self._client: Client
        self._session: SessionView

    async def run(self, question: str, asking: Asking) -> int:
        from ..local import local  # noqa: PLC0415 - slow; the first line of output comes before it

        async with local(SERVICES, store=HomeSettings().bus, before=self._load):
            if self._session.requests:  # it was interrupted: it goes on, whatever was typed now
                end = await self._watch(self._client.follow(self._name, self._session.requests[0].turn))
            else:
                is_answer = self._session.pending is not None
                end = await self._turn(question, None if is_answer else asking)
            while end.asks is not None and sys.stdin.isatty() and not self._json:
                self._print(end)
                end = await self._turn(await asyncio.to_thread(input, "> "), None)
            return await self._finish(end)

    async def _load(self, bus: Bus) -> None:
        """Load the session before the services start: they may finish its turn while they do."""
        self._client = Client(bus)
        self._session = await session_or_empty(self._client, self._name)

    async def _turn(self, text: str, asking: Asking | None) -> TurnFinished:
        return await self._watch(self._client.turn(self._name, text, asking=asking))

    async def _watch(self, turn: AsyncGenerator[Message | Delta]) -> TurnFinished:
        """Show a turn until it ends. Raises ``TerminalError`` if it fails."""
        with Progress(self._console, verbose=self._verbose) as progress:
            end = await end_of(turn, progress.show, progress.stream)
            progress.end(failed=not end.complete and end.asks is None)
            return end

    async def _finish(self, end: TurnFinished) -> int:
        files = await self._client.files(end.files)
        written = update_files(self._folder, files, overwrite=self._overwrite) if files else []
        if self._json:
            result = end.model_dump(mode="json", include={"status", "complete", "reply", "notes", "asks", "usage"})
            result |= {"session": self._name, "files": [str(path) for path in written]}
            print(json.dumps(result, ensure_ascii=False))
        else:
            self._print(end)
            for path in written:
                self._say(message("cli.ask.written", path=path))
            if end.asks is not None:
                self._say(message("cli.analyse.waits", session=self._name))
        return 0 if end.complete else INCOMPLETE

    def _print(self, end: TurnFinished) -> None:
        reply = printable(end.reply)
        self._console.print(
            Markdown(reply) if self._console.is_terminal else reply, markup=False, highlight=False, soft_wrap=True
        )
        for note in end.notes:
            self._say(f"  {note}")

    def _say(self, words: str) -> None:
        self._console.print(printable(words), highlight=False, markup=False, soft_wrap=True)
