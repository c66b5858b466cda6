"""``bandsmith chat``: a conversation on a terminal, or line by line through a pipe."""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
import uuid
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, aclosing
from datetime import datetime
from pathlib import Path

import structlog
from rich.console import Console
from rich.text import Text

from bandsmith.output_folder import update_files
from bandsmith.shared.bus.base import Bus, Delta
from bandsmith.shared.errors import BandsmithError
from bandsmith.shared.events import Message, TurnFailed, TurnFinished, TurnQueued
from bandsmith.shared.events.turn import MAX_TEXT_CHARS
from bandsmith.shared.llm.stream_guard import printable
from bandsmith.shared.message_refusals import empty_message, long_message
from bandsmith.shared.model.source import Asking
from bandsmith.shared.model.task import Planning
from bandsmith.shared.settings import HomeSettings
from bandsmith.shared.telemetry import log

from ..client import Client
from ..locale import user_language
from ..session_view import SessionView, session_id
from .chat_commands import COMMANDS, ChatCommands, command_in, named_attachment, session_or_empty
from .messages import exit_code, first_line, message, quiet_log, sentence, unexpected
from .progress import Progress
from .recap import recap
from .terminal import LinePrompt, echo_off, interrupts, piped_lines

INTERRUPTED = 130
"""Exit code of a program that Ctrl-C ended."""
INCOMPLETE = 1
"""Exit code of a conversation in which something that was asked for was not done."""
CANCELLED = "cancelled"
"""Error code of a turn that was cancelled."""


def chat(
    session: str,
    attached: list[Path],
    messages: list[str],
    out: Path | None,
    as_json: bool,
    verbose: bool = False,
    *,
    overwrite: bool = False,
) -> int:
    """Run a conversation and return the exit code.

    Raises ``BadInput`` for a wrong argument, ``MissingPart`` for a missing component.
    """
    quiet_log()
    name = session or f"{datetime.now():%Y-%m-%d-%H%M}-{secrets.token_hex(2)}"
    session_id(name)  # checks the name
    attachments = [named_attachment(path) for path in attached]
    if any(not text.strip() for text in messages[1 if attachments else 0 :]):
        raise empty_message()
    if any(len(text) > MAX_TEXT_CHARS for text in messages):
        raise long_message()
    folder = out or Path("out") / name
    commands = ChatCommands(name, folder, attachments, Console(stderr=as_json))
    conversation = Conversation(name, folder, commands, as_json, verbose, overwrite=overwrite)
    return asyncio.run(conversation.run(messages))


class Conversation:
    """A session on a console: sends turns, shows their progress and results, and runs slash commands."""

    def __init__(
        self, name: str, folder: Path, commands: ChatCommands, as_json: bool, verbose: bool, *, overwrite: bool = False
    ) -> None:
        """With `overwrite`, files of the user in `folder` may be replaced."""
        self._name = name
        self._overwrite = overwrite
        self._folder = folder
        self._commands = commands
        self._console = commands.console
        self._json = as_json
        self._verbose = verbose
        self._output = sys.stdout
        self._client: Client
        self._session: SessionView
        self._exit_code = 0
        self._interactive = False
        """Whether a user is at the prompt."""
        self._interrupted = False
        """Whether the last key was Ctrl-C."""
        self._left_behind = False
        """Whether the user left while a turn was running."""

    async def run(self, messages: list[str]) -> int:
        """Send `messages`, or what standard input provides. Raises ``MissingPart``, ``HostGone``."""
        from ..local import local  # noqa: PLC0415 - slow; the first line of output comes before it

        self._print(message("cli.chat.started", session=self._name, folder=self._folder))
        self._interactive = sys.stdin.isatty() and not messages
        async with AsyncExitStack() as stack:
            with Progress(self._console, verbose=self._verbose) as progress:
                progress.begin_start()
                services = local(store=HomeSettings().bus, before=self._load_session, warm_up=self._interactive)
                await stack.enter_async_context(services)
                progress.end_start()
            await self._resume()
            if self._interactive:
                await self._prompt()
                self._exit_code = 0  # the user has seen every error
            elif not self._interrupted:
                await self._send_all(messages)
            if self._left_behind:
                self._print(message("cli.chat.continues_later", session=self._name))
        return self._exit_code

    async def _load_session(self, bus: Bus) -> None:
        """Load the session before the services start: they may finish its pending turns while they do."""
        self._client = Client(bus)
        self._commands.connect(self._client)
        self._session = await session_or_empty(self._client, self._name)

    async def _resume(self) -> None:
        """Show the status of the session, and follow its pending turns to their ends."""
        for line in await recap(self._client, self._session):
            self._print(line, style="dim")
        for pending in self._session.requests:
            self._print(message("cli.chat.resuming", request=first_line(pending.text)))
            turn = self._client.follow(self._name, pending.turn)
            if not await self._watch(turn, pending.turn, pending.text, resumed=True):
                return

    async def _prompt(self) -> None:
        """Prompt for one line after another until the user leaves."""
        from .completion import ChatCompleter  # noqa: PLC0415 - slow, and not needed for a pipe

        completer = ChatCompleter(COMMANDS, lambda: self._commands.versions, self._folder)
        prompt = LinePrompt(HomeSettings().home / "history", completer)
        self._print(message("cli.chat.hint"))
        while not self._left_behind:
            await self._commands.refresh_versions()
            try:
                line = await prompt.line()
            except EOFError:
                return
            except KeyboardInterrupt:
                if self._interrupted:
                    return
                self._interrupted = True
                self._print(message("cli.chat.ctrl_c_again"))
                continue
            self._interrupted = False
            if (line.strip() or self._commands.attached) and not await self._handle(line.strip()):
                return

    async def _send_all(self, messages: list[str]) -> None:
        """Send a turn for each message, or each line from the pipe; a single one without text if there are none."""
        sent = False
        async for line in _lines(messages):
            if not line and not messages:
                continue
            sent = True
            if line:
                self._print(f"> {first_line(line)}", style="bold")
            if not await self._handle(line) or self._interrupted:
                return
        if not sent:
            await self._handle("")

    async def _handle(self, line: str) -> bool:
        """Run one line, a slash command or a request; return whether the conversation continues."""
        command, argument = command_in(line)
        if command == "/quit":
            return False
        try:
            if command == "/restore":
                await self._turn(await self._commands.request_to_restore(argument))
            elif command == "/runs":
                await self._turn(self._commands.request_about_runs(argument))
            elif command in ("/ask", "/sql"):
                await self._turn(argument, Asking(only_query=command == "/sql"))
            elif command == "/task":
                await self._turn(argument, planning=Planning())
            elif command:
                await self._commands.run(command, argument)
            else:
                await self._turn(line)
        except BandsmithError as error:
            self._fail(error)
        except Exception as error:
            structlog.get_logger(__name__).debug(
                "chat.failed", error=type(error).__name__, where=log.error_locations(error)
            )
            self._fail(unexpected())
        return True

    # --- turns --------------------------------------------------------------------------------------------------------

    async def _turn(self, text: str, asking: Asking | None = None, planning: Planning | None = None) -> None:
        attached, turn = self._commands.take_attached(), uuid.uuid4().hex
        language = None if text else user_language()
        events = self._client.turn(
            self._name, text, attached, language, turn, is_retried=False, asking=asking, planning=planning
        )
        await self._watch(events, turn, text)

    async def _watch(
        self, events: AsyncGenerator[Message | Delta], turn: str, text: str, *, resumed: bool = False
    ) -> bool:
        """Show a turn until it ends. Ctrl-C cancels it, and again leaves it; return False if it was left."""
        progress = Progress(self._console, verbose=self._verbose)
        showing = asyncio.create_task(self._show(events, text, progress, resumed=resumed))
        try:
            with interrupts() as pressed, echo_off(), progress:
                if await _ended(showing, pressed):
                    return True
                if not self._interactive:
                    self._interrupted, self._exit_code = True, INTERRUPTED
                progress.begin(message("cli.chat.cancelling"))
                pressed.clear()
                await self._client.cancel(self._name, turn)
                if await _ended(showing, pressed):
                    return True
                progress.mute()
            self._left_behind = True
            return False
        finally:
            showing.cancel()
            await asyncio.gather(showing, return_exceptions=True)

    async def _show(
        self, turn: AsyncGenerator[Message | Delta], text: str, progress: Progress, *, resumed: bool
    ) -> None:
        try:
            async with aclosing(turn) as events:
                async for event in events:
                    match event:
                        case Delta():
                            progress.stream(event.text)
                        case TurnQueued() if not resumed:
                            self._print(message("cli.chat.queued", count=event.before))
                        case TurnFailed(code=code) if code == CANCELLED:
                            self._cancelled(event, text, progress)
                        case TurnFailed():
                            raise BandsmithError(event.message, message_zh=event.message_zh, code=event.code)
                        case TurnFinished():
                            progress.close()
                            progress.end(failed=not event.complete and event.asks is None)
                            await self._finish(event, text, progress.streamed, resumed=resumed)
                        case _:
                            progress.show(event)
        except BandsmithError as error:
            progress.close()
            progress.end(failed=True)
            self._fail(error, text)

    def _cancelled(self, event: TurnFailed, text: str, progress: Progress) -> None:
        progress.close()
        if self._json:
            self._print_json({"status": CANCELLED, "session": self._name, "request": text})
        else:
            self._print(sentence(event))

    async def _finish(self, end: TurnFinished, text: str, streamed: str, *, resumed: bool) -> None:
        """Write the files of a finished turn, and print what of its reply has not been streamed."""
        if not end.complete:
            self._exit_code = max(self._exit_code, INCOMPLETE)
        written = []
        if end.files:
            files = await self._client.files(end.files)
            written = await asyncio.to_thread(update_files, self._folder, files, overwrite=self._overwrite)
        if self._json:
            result = end.model_dump(mode="json", exclude={"files"})
            paths = [str(path) for path in written]
            self._print_json(result | {"session": self._name, "request": text, "again": resumed, "files": paths})
            return
        reply, streamed = printable(end.reply).strip(), streamed.strip()
        if streamed and reply.startswith(streamed):
            reply = reply[len(streamed) :].strip()
        if reply:
            self._print(reply)
        for note in end.notes:
            self._print(f"  {note}", style="yellow")
        if written:
            self._print(f"  {self._folder}/: {' '.join(path.name for path in written)}", style="dim")
        if end.intent == "preview_report" and written and self._interactive:
            self._print(f"  {message('cli.chat.open_hint')}", style="dim")

    # --- output -------------------------------------------------------------------------------------------------------

    def _print(self, text: str, style: str = "") -> None:
        self._console.print(Text(printable(text)), style=style or None, soft_wrap=True)

    def _print_json(self, result: dict[str, object]) -> None:
        print(json.dumps(result, ensure_ascii=False), file=self._output, flush=True)

    def _fail(self, error: BandsmithError, text: str = "") -> None:
        self._exit_code = max(self._exit_code, exit_code(error))
        if self._json:
            details = {"code": error.code, "message": sentence(error, text)}
            self._print_json({"status": "failed", "session": self._name, "request": text, "error": details})
        else:
            print(printable(sentence(error, text)), file=sys.stderr)


async def _ended(showing: asyncio.Task[None], pressed: asyncio.Event) -> bool:
    """Wait for the end of a turn, or for Ctrl-C; return whether it was the end."""
    stopping = asyncio.create_task(pressed.wait())
    try:
        await asyncio.wait([showing, stopping], return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopping.cancel()
    if showing.done():
        await showing
    return showing.done()


async def _lines(messages: list[str]) -> AsyncIterator[str]:
    if messages or sys.stdin.isatty():
        for text in messages:
            yield text.strip()
        return
    async for line in piped_lines():
        yield line
