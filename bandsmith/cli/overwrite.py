"""Ask a user at a terminal before a file of theirs is replaced."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from bandsmith.output_folder import check_users_files
from bandsmith.shared.errors import BadInput
from bandsmith.written_files import users_files

from .messages import message

YES = frozenset(("y", "yes", "是", "好", "好的", "可以", "覆盖"))
"""Answers that allow a file to be replaced."""


def may_overwrite(folder: Path, names: Iterable[str], *, as_json: bool = False) -> bool:
    """Ask a user at a terminal whether their own files may be replaced. Return False if there are none.

    Raises ``BadInput`` after a no, and where there is no one to ask.
    """
    theirs = users_files(folder, names)
    if not theirs:
        return False
    if as_json or not (sys.stdin.isatty() and sys.stderr.isatty()):
        check_users_files(folder, names)
    question = message("cli.output.overwrite", folder=folder, names=", ".join(theirs))
    print(question, end=" ", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in YES:
        raise BadInput.of("cli.output.kept", code="output", folder=folder)
    return True
