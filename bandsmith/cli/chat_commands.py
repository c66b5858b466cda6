"""The slash commands of ``bandsmith chat``: attachments, files, versions, differences."""

from __future__ import annotations

import asyncio
import re
import shutil
from pathlib import Path

from rich.console import Console
from rich.text import Text

from bandsmith.shared.errors import BadInput
from bandsmith.shared.llm.stream_guard import printable
from bandsmith.shared.model.run import RUN_NAME

from ..attachments import Attachment, attachment
from ..client import Client
from ..session_view import NO_SESSION, SessionView, session_id
from .messages import message, sentence
from .sessions import versions_table

OPENERS = ("xdg-open", "open", "wslview")
"""Programs that open a file with the application of its type, on Linux, macOS and WSL."""
COMMANDS = ("/ask", "/attach", "/diff", "/files", "/help", "/open", "/quit", "/restore", "/runs", "/sql",
            "/task", "/versions")  # fmt: skip
_SPOKEN = {
    "/help": ("help", "help me", "?", "h", "帮助", "命令"),
    "/quit": ("/exit", "exit", "quit", "bye", "q", ":q", "退出", "离开", "再见"),
}
"""What users type instead of a command, and nothing else with it."""


class ChatCommands:
    """Runs slash commands, and keeps the files that wait for the next turn."""

    def __init__(self, session: str, folder: Path, attached: list[Attachment], console: Console) -> None:
        self.console = console
        self.attached = attached
        self._session = session
        self._folder = folder
        self._client: Client
        self._versions: list[int] = []

    def connect(self, client: Client) -> None:
        self._client = client

    def take_attached(self) -> list[Attachment]:
        """Return the files for the next turn, and forget them."""
        taken, self.attached = self.attached, []
        return taken

    @property
    def versions(self) -> list[int]:
        """Numbers of the versions that Tab completes, as far as they are known."""
        return self._versions

    async def refresh_versions(self) -> None:
        """Look up the versions that Tab completes."""
        session = await session_or_empty(self._client, self._session)
        self._versions = [version.number for version in session.versions]

    async def request_to_restore(self, argument: str) -> str:
        """Return the request that restores a version. Raises ``BadInput`` for one that the session does not have."""
        session = await session_or_empty(self._client, self._session)
        if argument not in {str(version.number) for version in session.versions}:
            raise BadInput.of("cli.chat.restore_which", code=BadInput.code)
        return message("cli.chat.restore", number=argument)

    def request_about_runs(self, argument: str) -> str:
        """Return the request that lists the scheduled runs or changes one. Raises ``BadInput`` for any other change."""
        action, _, name = argument.partition(" ")
        if not argument:
            return message("cli.chat.runs.list")
        if action not in ("pause", "resume", "now", "cancel") or not re.fullmatch(RUN_NAME, name.strip()):
            raise BadInput.of("cli.chat.runs.what", code=BadInput.code)
        return message(f"cli.chat.runs.{action}", name=name.strip())

    async def run(self, command: str, argument: str) -> None:
        """Run a slash command. Raises ``BadInput`` for one that does not exist or whose argument is wrong."""
        match command:
            case "/help":
                self._print(message("cli.chat.help").strip())
            case "/attach":
                self._attach(argument)
            case "/files":
                self._list_files()
            case "/versions":
                await self._list_versions()
            case "/diff":
                await self._diff(argument.split())
            case "/open":
                await self._open(argument)
            case _:
                raise BadInput.of("cli.chat.unknown_command", code=BadInput.code)

    def _attach(self, name: str) -> None:
        if not name:
            raise BadInput.of("cli.chat.attach_what", code=BadInput.code)
        path = Path(name)
        if not path.exists():  # a terminal quotes the name of a file that is dropped on it
            path = Path(name.strip("'\"").replace("\\ ", " ")).expanduser()
        self.attached.append(named_attachment(path))
        self._print(message("cli.chat.attached", names=", ".join(file.name for file in self.attached)))

    def _list_files(self) -> None:
        paths = sorted(path for path in self._folder.glob("[!.]*") if path.is_file()) if self._folder.is_dir() else []
        for path in paths:
            self._print(f"{path}  {path.stat().st_size:,} B")
        if not paths:
            self._print(message("cli.chat.no_files"))

    async def _list_versions(self) -> None:
        session = await session_or_empty(self._client, self._session)
        if session.versions:
            self.console.print(versions_table(session))
        else:
            self._print(message("cli.chat.no_versions"))

    async def _diff(self, numbers: list[str]) -> None:
        from bandsmith.shared.jrxml.diff import diff  # noqa: PLC0415 - slow to import

        session = await session_or_empty(self._client, self._session)
        versions = {str(version.number): version for version in session.versions}
        if len(versions) < 2:
            raise BadInput.of("cli.chat.one_version", code=BadInput.code)
        if not all(number in versions for number in numbers) or len(numbers) > 2:
            raise BadInput.of("cli.chat.diff_which", code=BadInput.code)
        last_two = [str(version.number) for version in session.versions[-2:]]
        old, new = {0: last_two, 1: [*numbers, last_two[-1]], 2: numbers}[len(numbers)]
        before, after = [await self._client.fetch(versions[number].template) for number in (old, new)]
        changes = await asyncio.to_thread(diff, before, after)
        for change in changes:
            self._print(f"  {sentence(change)}")
        if not changes:
            self._print(message("cli.chat.same"))

    async def _open(self, name: str) -> None:
        path = self._folder / (name or "page-1.png")
        if name != Path(name).name or not path.is_file():
            raise BadInput.of("cli.chat.no_such_file", code=BadInput.code)
        opener = next((program for program in OPENERS if shutil.which(program)), None)
        self._print(str(path))
        if opener and self.console.is_terminal:
            nowhere = asyncio.subprocess.DEVNULL
            await asyncio.create_subprocess_exec(
                opener, str(path.resolve()), stdin=nowhere, stdout=nowhere, stderr=nowhere, start_new_session=True
            )

    def _print(self, text: str) -> None:
        self.console.print(Text(printable(text)), soft_wrap=True)


def command_in(line: str) -> tuple[str, str]:
    """Return the slash command of a line and its argument; an empty command for a request."""
    word = line.strip().rstrip("!！。.").casefold()
    for command, words in _SPOKEN.items():
        if word in words:
            return command, ""
    command, _, argument = line.partition(" ")
    return (command, argument.strip()) if command.startswith("/") else ("", "")


async def session_or_empty(client: Client, name: str) -> SessionView:
    """Return the session of that name; an empty one if it does not exist yet."""
    try:
        return await client.session(name)
    except BadInput as error:
        if error.code != NO_SESSION:
            raise
        return SessionView(id=session_id(name), name=name)


def named_attachment(path: Path) -> Attachment:
    """Read a file. Raises ``BadInput`` with the file's name before the reason."""
    try:
        return attachment(path)
    except BadInput as error:
        raise BadInput(f"{path}: {error.message}", message_zh=f"{path}：{error.message_zh}", code=error.code) from None
