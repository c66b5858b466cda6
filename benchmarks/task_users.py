"""The users of the measured tasks: one who gives the answers of a file, and one who is a person."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from bandsmith.shared.model.base import Value

YES = frozenset({
    *("yes", "y", "ok", "okay", "sure", "go ahead", "yes please", "do it", "fine"),
    *("是", "是的", "好", "好的", "可以", "行", "同意", "确认", "没问题", "对", "嗯"),
})  # fmt: skip
"""The answers by which a user agrees; every other one counts as none."""
ALL = frozenset({"yes to all", "yes to everything", "全部同意", "都同意", "全部可以"})
"""The answers by which a user also agrees to all further changes of the task."""
POLL_S = 0.5


class Said(Value):
    """What was said in a conversation."""

    who: str
    text: str


class User(Protocol):
    async def answer(self, number: int, wanted: str, conversation: Sequence[Said]) -> str:
        """Return the answer to the question that the conversation ends with."""
        ...


class ListedUser:
    """Gives the answers of the file in their order; the last one again and again."""

    def __init__(self, answers: Sequence[str]) -> None:
        self._left = list(answers)

    async def answer(self, number: int, wanted: str, conversation: Sequence[Said]) -> str:
        return self._left.pop(0) if len(self._left) > 1 else self._left[0]


class PersonAsUser:
    """Writes each question to ``in/NNNN.json``, as the messages of a chat, and waits for ``out/NNNN.txt``."""

    def __init__(self, folder: Path) -> None:
        self._questions, self._answers = folder / "in", folder / "out"
        for made in (self._questions, self._answers):
            made.mkdir(parents=True, exist_ok=True)
        self._asked = 0

    async def answer(self, number: int, wanted: str, conversation: Sequence[Said]) -> str:
        self._asked += 1
        name = f"{self._asked:04d}"
        told = f"You are the user of task {number}. What you want: {wanted}\nAnswer the last message."
        said = [{"role": "user" if one.who == "user" else "assistant", "content": one.text} for one in conversation]
        messages = [{"role": "system", "content": told}, *said]
        text = json.dumps({"messages": messages, "parameters": {}}, ensure_ascii=False, indent=1)
        (self._questions / f"{name}.json").write_text(text, "utf-8")
        file = self._answers / f"{name}.txt"
        while not file.exists():  # noqa: ASYNC110 - a person writes it
            await asyncio.sleep(POLL_S)
        return file.read_text("utf-8").strip()


def is_yes(answer: str) -> bool:
    return _plain(answer) in YES | ALL


def is_yes_to_all(answer: str) -> bool:
    return _plain(answer) in ALL


def _plain(answer: str) -> str:
    return answer.strip(" \n.。!！").casefold()
