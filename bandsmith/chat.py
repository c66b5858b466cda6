"""`bandsmith chat`: a conversation in a terminal, or line by line through a pipe."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import aclosing
from datetime import datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table

from shared import log
from shared.bus.base import Delta
from shared.errors import BadInput, BandsmithError
from shared.events import TurnFailed, TurnFinished, TurnQueued
from shared.settings import HomeSettings

from .client import Attachment, Client, attachment, session_id
from .live import Progress
from .output import put
from .words import chinese, exit_code, language, sentence

HELP = """\
/attach FILE   a file for the next request: a picture, PDF, DOCX, XLSX, text or JRXML
/files         the report's files, and where they are
/versions      every version, who wrote it, and what was found
/diff [A [B]]  what is different between two versions; between the last two
/open [FILE]   open a file with its program; without a name, the page
/quit          leave; the session stays
Anything else is said to Bandsmith: "make the title larger", "undo", "export pdf", "what is $F?"."""
HELP_ZH = """\
/attach 文件    下一个请求的附件：图片、PDF、DOCX、XLSX、文本或 JRXML
/files          报表的文件及其位置
/versions       所有版本、由哪一步写成、发现的问题数
/diff [A [B]]   两个版本的差异；默认为最近两个
/open [文件]    用相应程序打开文件；不写文件名则打开页面图片
/quit           离开；会话会保留
其他内容都是对 Bandsmith 说的话：“把标题改大”、“撤销”、“导出 PDF”、“$F 是什么？”。"""


def chat(session: str, attached: list[Path], messages: list[str], out: Path | None, as_json: bool) -> int:
    """Talk until there is no more to say; the exit code.

    Raises ``BadInput`` for what is wrong from the start, ``MissingPart``.
    """
    log.configure()
    name = session or f"{datetime.now():%Y-%m-%d-%H%M%S}"
    session_id(name)
    files = [attachment(path) for path in attached]
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
        self._client: Client
        self._code = 0

    async def run(self, messages: list[str]) -> int:
        from .local import local  # noqa: PLC0415 - the first line stands before the slow imports

        terminal = sys.stdin.isatty() and not messages
        self._say(
            _words(
                f"Session {self._name}; the files go to {self._folder}/",
                f"会话 {self._name}；文件保存到 {self._folder}/",
            )
        )
        began = time.monotonic()
        with Progress(self._console) as progress:
            progress.begin("start")
            host = local(store=HomeSettings().bus)
            bus = await host.__aenter__()
            progress.end("start", time.monotonic() - began)
        try:
            self._client = Client(bus)
            if terminal:
                self._say(_words("/help shows the commands; /quit leaves.", "输入 /help 查看命令，/quit 离开。"))
                await self._lines()
            else:
                for message in messages or _piped(self._attached):
                    if not await self._one(message):
                        break
        finally:
            await host.__aexit__(None, None, None)
        return self._code

    async def _lines(self) -> None:
        import readline  # noqa: F401, PLC0415 - gives input() its history and editing

        while True:
            try:
                line = await asyncio.to_thread(input, "> ")
            except EOFError:
                return
            if not await self._one(line):
                return

    async def _one(self, line: str) -> bool:
        """What one line asks for; whether the talk goes on."""
        command, _, rest = line.strip().partition(" ")
        if not command and not self._attached:
            return True
        try:
            match command:
                case "/quit" | "/exit":
                    return False
                case "/help":
                    self._say(HELP_ZH if chinese() else HELP)
                case "/attach":
                    self._attach(Path(rest.strip()))
                    self._say(_words("It goes with your next request.", "将随下一个请求一起发送。"))
                case "/files":
                    await self._files()
                case "/versions":
                    await self._versions()
                case "/diff":
                    await self._diff(rest.split())
                case "/open":
                    self._open(rest.strip())
                case _ if command.startswith("/"):
                    raise BadInput(
                        "There is no such command; /help shows them.", message_zh="没有这个命令；输入 /help 查看。"
                    )
                case _:
                    await self._turn(line.strip())
        except BandsmithError as error:
            self._fail(error)
        return True

    def _attach(self, path: Path) -> None:
        self._attached.append(attachment(path.expanduser()))

    # --- a turn ---

    async def _turn(self, text: str) -> None:
        attached, self._attached = self._attached, []
        spoken = False
        turn = self._client.turn(self._name, text, attached, None if text else language())
        with Progress(self._console) as progress:
            async with aclosing(turn) as events:
                async for event in events:
                    match event:
                        case Delta():
                            if not spoken:
                                progress.pause()
                            spoken = True
                            self._console.print(event.text, end="", highlight=False, markup=False, soft_wrap=True)
                        case TurnQueued():
                            self._say(
                                _words(
                                    f"It waits: {event.before} before it.", f"已排队：前面还有 {event.before} 个请求。"
                                )
                            )
                        case TurnFailed():
                            self._fail(BandsmithError(event.message, message_zh=event.message_zh, code=event.code))
                        case TurnFinished():
                            end = event
                            if spoken:
                                self._console.print()
                            await self._end(end, spoken)
                        case _:
                            progress.watch(event)

    async def _end(self, end: TurnFinished, spoken: bool) -> None:
        written = []
        if end.files:
            files = await self._client.files(end.files)
            written = await asyncio.to_thread(put, self._folder, files)
        if self._json:
            about = end.model_dump(mode="json", exclude={"files"})
            print(json.dumps(about | {"files": [str(path) for path in written]}, ensure_ascii=False), flush=True)
            return
        if not spoken:
            self._say(end.reply)
        for note in end.notes:
            self._say(f"  {note}", style="yellow")
        if written:
            self._say(f"  {self._folder}: {' '.join(path.name for path in written)}", style="dim")

    # --- commands ---

    async def _files(self) -> None:
        found = sorted(path for path in self._folder.glob("*") if path.is_file()) if self._folder.is_dir() else []
        for path in found:
            self._say(f"{path}  {path.stat().st_size:,} B")
        if not found:
            self._say(_words("There are no files yet.", "还没有文件。"))

    async def _versions(self) -> None:
        session = await self._client.session(self._name)
        table = Table(box=None, pad_edge=False, header_style="bold")
        for name in _words("version,written by,at,findings,request", "版本,由,时间,问题,请求").split(","):
            table.add_column(name)
        for version in session.versions:
            found = "✓" if version.passed else "✗" if version.passed is False else "?"
            now = "*" if session.saved and version.number == session.saved.number else " "
            table.add_row(
                f"{now}{version.number}",
                version.author,
                f"{version.time.astimezone():%m-%d %H:%M:%S}",
                f"{found} {version.findings}",
                version.request.splitlines()[0][:50] if version.request else "",
            )
        self._console.print(table)

    async def _diff(self, numbers: list[str]) -> None:
        from services.generator.diff import diff  # noqa: PLC0415

        session = await self._client.session(self._name)
        known = {str(version.number): version for version in session.versions}
        if not all(number in known for number in numbers) or len(numbers) > 2 or len(known) < 2:
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
            self._say(_words("They are the same.", "两个版本相同。"))

    def _open(self, name: str) -> None:
        path = self._folder / (name or "page-1.png")
        if name != Path(name).name or not path.is_file():
            raise BadInput("There is no such file; /files shows them.", message_zh="没有这个文件；输入 /files 查看。")
        opener = next((program for program in ("xdg-open", "open", "wslview") if shutil.which(program)), None)
        self._say(str(path))
        if opener and self._console.is_terminal:
            subprocess.Popen([opener, str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    # --- words ---

    def _say(self, text: str, style: str = "") -> None:
        self._console.print(text, style=style or None, highlight=False, markup=False, soft_wrap=True)

    def _fail(self, error: BandsmithError) -> None:
        self._code = max(self._code, exit_code(error))
        if self._json:
            about = {"status": "failed", "error": {"code": error.code, "message": sentence(error)}}
            print(json.dumps(about, ensure_ascii=False), flush=True)
        else:
            print(sentence(error), file=sys.stderr)


def _words(english: str, chinese_words: str) -> str:
    return chinese_words if chinese() else english


def _piped(attached: list[Attachment]) -> Iterable[str]:
    """The lines of standard input; files that come without any are a request of their own."""
    lines = [line for line in sys.stdin.read().splitlines() if line.strip()] if not sys.stdin.isatty() else []
    return lines or ([""] if attached else [])
