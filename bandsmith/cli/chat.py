"""`bandsmith chat`: a conversation in a terminal, or line by line through a pipe."""

from __future__ import annotations

import asyncio
import json
import secrets
import shutil
import sys
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, aclosing
from datetime import datetime
from pathlib import Path

import structlog
from rich.console import Console
from rich.text import Text

from bandsmith.services.gateway.admission import MAX_TEXT_CHARS, empty_message, long_message
from bandsmith.shared.bus.base import Bus, Delta
from bandsmith.shared.errors import BadInput, BandsmithError
from bandsmith.shared.events import Message, TurnFailed, TurnFinished, TurnQueued
from bandsmith.shared.llm.stream_guard import printable
from bandsmith.shared.settings import HomeSettings
from bandsmith.shared.telemetry import log

from ..attachments import Attachment, attachment
from ..client import NO_SESSION, Client, Session, session_id
from .messages import UNFORESEEN, chinese, either, exit_code, first_line, language, quiet_log, sentence
from .output_folder import put
from .progress import Progress
from .sessions import versions
from .terminal import Prompt, interrupts, piped, unechoed

INTERRUPTED = 130
"""The exit code of a program that Ctrl-C ended."""
HELP = """\
/attach FILE   a file for the next request: a picture, PDF, DOCX, XLSX, text or JRXML
/files         the report's files, and where they are
/versions      every version, who wrote it, and what was found
/diff [A [B]]  what is different between two versions; between the last two
/open [FILE]   open a file with its program; without a name, the page
/quit          leave, as Ctrl-D does; the session stays
Anything else is said to Bandsmith: "make the title larger", "undo", "export pdf", "what is $F?"."""
HELP_ZH = """\
/attach 文件    下一个请求的附件：图片、PDF、DOCX、XLSX、文本或 JRXML
/files          报表的文件及其位置
/versions       所有版本、由哪一步写成、发现的问题数
/diff [A [B]]   两个版本的差异；默认为最近两个
/open [文件]    用相应程序打开文件；不写文件名则打开页面图片
/quit           离开（Ctrl-D 亦可）；会话会保留
其他内容都是对 Bandsmith 说的话：“把标题改大”、“撤销”、“导出 PDF”、“$F 是什么？”。"""


def chat(session: str, attached: list[Path], messages: list[str], out: Path | None, as_json: bool) -> int:
    """Talk until there is no more to say; the exit code.

    Raises ``BadInput`` for what is wrong from the start, ``MissingPart``.
    """
    quiet_log()
    name = session or f"{datetime.now():%Y-%m-%d-%H%M}-{secrets.token_hex(2)}"
    session_id(name)
    files = [_attachment(path) for path in attached]
    if any(not message.strip() for message in messages[1 if files else 0 :]):
        raise empty_message()
    if any(len(message) > MAX_TEXT_CHARS for message in messages):
        raise long_message()
    folder = out or Path("out") / name
    talk = Talk(name, folder, files, Console(stderr=as_json), as_json)
    return asyncio.run(talk.run(messages))


class Talk:
    """One session on a console."""

    def __init__(self, name: str, folder: Path, attached: list[Attachment], console: Console, as_json: bool) -> None:
        self._name = name
        self._folder = folder
        self._attached = attached
        self._console = console
        self._json = as_json
        self._output = sys.stdout
        self._client: Client
        self._found: Session
        self._code = 0
        self._somebody = False
        """Whether a person is at the prompt."""
        self._interrupted = False
        self._behind: set[asyncio.Task[None]] = set()
        """Turns that were left to themselves."""

    async def run(self, messages: list[str]) -> int:
        """Say `messages`, or what comes on standard input. Raises ``MissingPart``, ``HostGone``."""
        from ..local import local  # noqa: PLC0415 - the first line stands before the slow imports

        self._say(
            either(
                f"Session {self._name}; the files go to {self._folder}/",
                f"会话 {self._name}；文件保存到 {self._folder}/",
            )
        )
        self._somebody = sys.stdin.isatty() and not messages
        began = time.monotonic()
        async with AsyncExitStack() as stack:
            with Progress(self._console) as progress:
                progress.begin("start")
                await stack.enter_async_context(local(store=HomeSettings().bus, before=self._look))
                progress.end("start", time.monotonic() - began)
            await self._go_on()
            if self._somebody:
                await self._converse()
                self._code = 0  # whoever was there has seen what went wrong
            elif not self._interrupted:
                await self._say_all(messages)
            await self._leave()
        return self._code

    async def _look(self, bus: Bus) -> None:
        """What the session was asked for and is not done: some of it will be while the services start."""
        self._client = Client(bus)
        self._found = await self._session()

    async def _go_on(self) -> None:
        """Say where the session stands; what it was asked for is done first."""
        if saved := self._found.report:
            self._say(either(f"It has version {saved.number}.", f"当前为第 {saved.number} 版。"))
        for request in self._found.requests:
            words = first_line(request.text)
            self._say(either(f"Finishing: {words}", f"继续完成：{words}"))
            if not await self._watch(self._client.follow(self._name, request.turn), request.text, again=True):
                return

    async def _converse(self) -> None:
        """Prompt for one line after the other, until the user leaves."""
        prompt = Prompt()
        self._say(either("/help shows the commands; /quit leaves.", "输入 /help 查看命令，/quit 离开。"))
        while True:
            try:
                line = await prompt.line()
            except EOFError:
                return
            except KeyboardInterrupt:
                if self._interrupted:
                    return
                self._interrupted = True
                self._say(either("Ctrl-C once more leaves.", "再按一次 Ctrl-C 离开。"))
                continue
            self._interrupted = False
            if (line.strip() or self._attached) and not await self._one(line.strip()):
                return

    async def _say_all(self, messages: list[str]) -> None:
        """One turn for each message, or for each line that comes through the pipe; for files alone, if none comes."""
        said = False
        async for line in _each(messages):
            if not line and not messages:
                continue
            said = True
            if line:
                self._say(f"> {first_line(line)}", style="bold")
            if not await self._one(line) or self._interrupted:
                return
        if not said:
            await self._one("")

    async def _leave(self) -> None:
        left = [task for task in self._behind if not task.done()]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        if left:
            self._say(
                either(
                    f"What is not done goes on when you come back: bandsmith chat --session {self._name}",
                    f"未完成的请求会在您回来时继续：bandsmith chat --session {self._name}",
                )
            )

    async def _one(self, line: str) -> bool:
        """What one line asks for; whether the talk goes on."""
        command, _, rest = line.partition(" ")
        try:
            match command:
                case "/quit" | "/exit":
                    return False
                case "/help":
                    self._say(HELP_ZH if chinese() else HELP)
                case "/attach":
                    self._attach(rest.strip())
                case "/files":
                    await self._files()
                case "/versions":
                    await self._versions()
                case "/diff":
                    await self._diff(rest.split())
                case "/open":
                    await self._open(rest.strip())
                case _ if command.startswith("/"):
                    raise BadInput(
                        "There is no such command; /help shows them.", message_zh="没有这个命令；输入 /help 查看。"
                    )
                case _:
                    await self._turn(line)
        except BandsmithError as error:
            self._fail(error)
        except Exception as error:
            structlog.get_logger(__name__).debug(
                "chat.failed", error=type(error).__name__, where=log.error_locations(error)
            )
            self._fail(UNFORESEEN)
        return True

    # --- a turn ---

    async def _turn(self, text: str) -> None:
        attached, self._attached = self._attached, []
        turn = self._client.turn(self._name, text, attached, None if text else language())
        await self._watch(turn, text)

    async def _watch(self, turn: AsyncGenerator[Message | Delta], text: str, *, again: bool = False) -> bool:
        """Show a turn until it is over; False when the user turned to something else, and it goes on behind."""
        progress = Progress(self._console)
        showing = asyncio.create_task(self._show(turn, text, progress, again=again))
        with interrupts() as pressed, unechoed(), progress:
            stopping = asyncio.create_task(pressed.wait())
            try:
                await asyncio.wait([showing, stopping], return_when=asyncio.FIRST_COMPLETED)
            except asyncio.CancelledError:
                showing.cancel()
                raise
            finally:
                stopping.cancel()
            if showing.done():
                await showing
                return True
            progress.mute()
        self._interrupted = True
        self._behind.add(showing)
        if self._somebody:
            self._say(
                either(
                    "It goes on, and its end is shown here; Ctrl-C once more leaves.",
                    "该请求继续进行，完成后会在此显示；再按一次 Ctrl-C 离开。",
                )
            )
        else:
            self._code = INTERRUPTED
        return False

    async def _show(self, turn: AsyncGenerator[Message | Delta], text: str, progress: Progress, *, again: bool) -> None:
        try:
            async with aclosing(turn) as events:
                async for event in events:
                    match event:
                        case Delta():
                            progress.say(event.text)
                        case TurnQueued() if not again:
                            count = event.before
                            self._say(either(f"It waits: {count} before it.", f"已排队：前面还有 {count} 个请求。"))
                        case TurnFailed():
                            raise BandsmithError(event.message, message_zh=event.message_zh, code=event.code)
                        case TurnFinished():
                            progress.close()
                            await self._end(event, text, progress.said, again=again)
                        case _:
                            progress.watch(event)
        except BandsmithError as error:
            progress.close()
            self._fail(error, text)

    async def _end(self, end: TurnFinished, text: str, said: str, *, again: bool) -> None:
        written = []
        if end.files:
            files = await self._client.files(end.files)
            written = await asyncio.to_thread(put, self._folder, files)
        if self._json:
            about = end.model_dump(mode="json", exclude={"files"})
            more = {"session": self._name, "request": text, "again": again, "files": [str(path) for path in written]}
            self._print(about | more)
            return
        # What was streamed is not said again.
        reply, said = printable(end.reply).strip(), said.strip()
        if rest := reply[len(said) :].strip() if said and reply.startswith(said) else reply:
            self._say(rest)
        for note in end.notes:
            self._say(f"  {note}", style="yellow")
        if written:
            self._say(f"  {self._folder}/: {' '.join(path.name for path in written)}", style="dim")
        if end.intent == "preview_report" and written and self._somebody:
            self._say(either("  /open shows it.", "  输入 /open 打开。"), style="dim")

    # --- commands ---

    def _attach(self, name: str) -> None:
        if not name:
            raise BadInput("Name the file: /attach FILE", message_zh="请写文件名：/attach 文件")
        path = Path(name)
        if not path.exists():  # as a terminal writes the name of a file that is dropped on it
            path = Path(name.strip("'\"").replace("\\ ", " ")).expanduser()
        self._attached.append(_attachment(path))
        names = ", ".join(one.name for one in self._attached)
        self._say(either(f"With your next request: {names}", f"将随下一个请求发送：{names}"))

    async def _files(self) -> None:
        found = sorted(path for path in self._folder.glob("*") if path.is_file()) if self._folder.is_dir() else []
        for path in found:
            self._say(f"{path}  {path.stat().st_size:,} B")
        if not found:
            self._say(either("There are no files yet.", "还没有文件。"))

    async def _versions(self) -> None:
        session = await self._session()
        if session.versions:
            self._console.print(versions(session))
        else:
            self._say(either("There are no versions yet.", "还没有版本。"))

    async def _diff(self, numbers: list[str]) -> None:
        from bandsmith.shared.jrxml.diff import diff  # noqa: PLC0415 - as all that is slow to load

        session = await self._session()
        known = {str(version.number): version for version in session.versions}
        if len(known) < 2:
            raise BadInput("There are no two versions yet.", message_zh="还没有两个版本。")
        if not all(number in known for number in numbers) or len(numbers) > 2:
            raise BadInput(
                "Name one or two of the versions that /versions shows.",
                message_zh="请写 /versions 中的一个或两个版本号。",
            )
        last = [str(version.number) for version in session.versions[-2:]]
        old, new = {0: last, 1: [*numbers, last[-1]], 2: numbers}[len(numbers)]
        before, after = [await self._client.fetch(known[number].template) for number in (old, new)]
        changes = await asyncio.to_thread(diff, before, after)
        for change in changes:
            self._say(f"  {sentence(change)}")
        if not changes:
            self._say(either("They are the same.", "两个版本相同。"))

    async def _open(self, name: str) -> None:
        path = self._folder / (name or "page-1.png")
        if name != Path(name).name or not path.is_file():
            raise BadInput("There is no such file; /files shows them.", message_zh="没有这个文件；输入 /files 查看。")
        opener = next((program for program in ("xdg-open", "open", "wslview") if shutil.which(program)), None)
        self._say(str(path))
        if opener and self._console.is_terminal:
            away = asyncio.subprocess.DEVNULL
            await asyncio.create_subprocess_exec(
                opener, str(path.resolve()), stdin=away, stdout=away, stderr=away, start_new_session=True
            )

    async def _session(self) -> Session:
        """As it stands; one that begins is empty."""
        try:
            return await self._client.session(self._name)
        except BadInput as error:
            if error.code != NO_SESSION:
                raise
            return Session(id=session_id(self._name), name=self._name)

    # --- words ---

    def _say(self, text: str, style: str = "") -> None:
        self._console.print(Text(printable(text)), style=style or None, soft_wrap=True)

    def _print(self, about: dict[str, object]) -> None:
        print(json.dumps(about, ensure_ascii=False), file=self._output, flush=True)

    def _fail(self, error: BandsmithError, text: str = "") -> None:
        self._code = max(self._code, exit_code(error))
        if self._json:
            problem = {"code": error.code, "message": sentence(error)}
            self._print({"status": "failed", "session": self._name, "request": text, "error": problem})
        else:
            print(printable(sentence(error)), file=sys.stderr)


async def _each(messages: list[str]) -> AsyncIterator[str]:
    if messages or sys.stdin.isatty():
        for message in messages:
            yield message.strip()
        return
    async for line in piped():
        yield line


def _attachment(path: Path) -> Attachment:
    """Raises ``BadInput`` with the file's name."""
    try:
        return attachment(path)
    except BadInput as error:
        raise BadInput(f"{path}: {error.message}", message_zh=f"{path}: {error.message_zh}", code=error.code) from None
