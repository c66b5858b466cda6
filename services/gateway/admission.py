"""Turns that never begin: what is asked for cannot be taken, and one sentence says what to do."""

from __future__ import annotations

from collections import Counter

from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import StartTurn
from bandsmith.shared.model.document import MEDIA, MOST_BYTES, TEMPLATES, TEXTS

from .state import SessionState

LONGEST_TEXT = 8000
"""Characters of a turn."""
LONGEST_NAME = 64
"""Characters of a session's name."""
MOST_ATTACHMENTS = 8
MOST_WAITING = 8
"""Turns of a session that may wait."""


def refusal(session: SessionState, start: StartTurn) -> BadInput | None:
    """Why this turn cannot begin, or None."""
    kinds = Counter(document.kind for document in start.attachments)
    if not start.text.strip() and not start.attachments:
        return nothing_said()
    if len(start.text) > LONGEST_TEXT:
        return too_long()
    if len(start.name) > LONGEST_NAME:
        return no_name()
    if kinds[None] or any(document.content.size > MOST_BYTES for document in start.attachments):
        known = ", ".join(suffix[1:] for suffix in (*MEDIA, *TEMPLATES, *TEXTS))
        return BadInput(
            f"An attachment cannot be read: attach one of {known}, of at most {MOST_BYTES // 1024 // 1024} MB.",
            message_zh=f"附件无法读取：支持 {known}，且不超过 {MOST_BYTES // 1024 // 1024} MB。",
            code="suffix",
        )
    if kinds["page"] > 1 or kinds["template"] > 1 or len(start.attachments) > MOST_ATTACHMENTS:
        return BadInput(
            f"Attach one form and one template at a time, and at most {MOST_ATTACHMENTS} files.",
            message_zh=f"每次请只附一张表单和一个模板，文件总数不超过 {MOST_ATTACHMENTS} 个。",
            code="attachments",
        )
    if len(session.waiting) >= MOST_WAITING:
        return BadInput(
            "Too many requests wait in this session: wait until some are done.",
            message_zh="该会话中等待的请求过多：请等其中一些完成。",
            code="busy",
        )
    return None


def nothing_said() -> BadInput:
    return BadInput(
        "Nothing was said: type what you want, or attach a file.",
        message_zh="没有内容：请输入您的要求，或附上文件。",
        code="empty",
    )


def too_long() -> BadInput:
    return BadInput(
        f"That is more than {LONGEST_TEXT} characters: say it shorter, or attach the text as a file.",
        message_zh=f"内容超过 {LONGEST_TEXT} 个字符：请精简，或将文字作为附件。",
        code="long",
    )


def no_name() -> BadInput:
    return BadInput(
        f"A session's name has 1 to {LONGEST_NAME} characters, none of them / \\ : * ? \" < > |, and no dot first.",
        message_zh=f'会话名称为 1 到 {LONGEST_NAME} 个字符，不含 / \\ : * ? " < > |，且不以点开头。',
        code="name",
    )
