"""Tab completion in ``bandsmith chat``: slash commands, files to attach, versions, and the report's files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from prompt_toolkit.completion import CompleteEvent, Completer, Completion, PathCompleter
from prompt_toolkit.document import Document

from ..attachments import MEDIA_TYPES


class ChatCompleter(Completer):
    """Completes slash commands and their arguments; a request is left as it is."""

    def __init__(self, commands: Sequence[str], versions: Callable[[], Sequence[int]], folder: Path) -> None:
        self._commands = commands
        self._versions = versions
        self._folder = folder
        self._paths = PathCompleter(file_filter=_can_be_attached, expanduser=True)

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        line = document.text_before_cursor.lstrip()
        command, space, argument = line.partition(" ")
        if not command.startswith("/"):
            return
        if not space:
            yield from _beginning_with(command, self._commands)
        elif command == "/attach":
            yield from self._paths.get_completions(Document(argument.lstrip()), complete_event)
        elif command in ("/restore", "/diff"):
            yield from _beginning_with(argument.rpartition(" ")[2], [str(number) for number in self._versions()])
        elif command == "/open":
            yield from _beginning_with(argument, _names(self._folder))


def _beginning_with(typed: str, choices: Iterable[str]) -> Iterable[Completion]:
    return (Completion(choice, start_position=-len(typed)) for choice in choices if choice.startswith(typed))


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*") if path.is_file()) if folder.is_dir() else []


def _can_be_attached(name: str) -> bool:
    path = Path(name)
    return path.is_dir() or path.suffix.lower() in MEDIA_TYPES
