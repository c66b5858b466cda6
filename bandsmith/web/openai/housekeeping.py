"""Prompts that chat programs send for themselves: for a title, tags, or suggestions of what to ask next.

They come from the same user to the same model as a request, and quote the conversation, so they would build and change
reports. They are recognised by their shape, which no request of a person has, and answered without a turn.
"""

from __future__ import annotations

import json

from bandsmith.shared.language import language_of
from bandsmith.shared.replies import text
from bandsmith.shared.shortening import shortened

OPEN_WEBUI_START = "### Task:"
OPEN_WEBUI_HISTORY = ("<chat_history>", "### Chat History:")
OPEN_WEBUI_LISTS = ("follow_ups", "tags", "queries")
"""Keys of the JSON that Open WebUI asks for; an empty list is an answer that it accepts."""
LIBRECHAT_STARTS = (
    "Provide a concise, 5-word-or-less title for the conversation",
    "Please generate a concise, 5-word-or-less title for the conversation",
    "Analyze this conversation and provide:\n1. The detected language of the conversation\n2. A concise title",
    "Please generate a concise title (max 40 characters) for a conversation",
)
MAX_TITLE_CHARS = 40


def housekeeping_answer(prompt: str) -> str | None:
    """Return the answer to a prompt that a program sends for itself; None for a request."""
    prompt = prompt.strip()
    if prompt.startswith(LIBRECHAT_STARTS):
        return _title(prompt)
    if not prompt.startswith(OPEN_WEBUI_START) or not any(mark in prompt for mark in OPEN_WEBUI_HISTORY):
        return None
    instructions = min((prompt.partition(mark)[0] for mark in OPEN_WEBUI_HISTORY), key=len)
    for key in OPEN_WEBUI_LISTS:
        if f'"{key}"' in instructions:
            return json.dumps({key: []})
    if '"title"' in instructions:
        return json.dumps({"title": _title(prompt)}, ensure_ascii=False)
    return json.dumps({"text": ""}) if '"text"' in instructions else _title(prompt)


def _title(prompt: str) -> str:
    """Return the first words of the user in the conversation that a prompt quotes."""
    for line in prompt.splitlines():
        role, _, words = line.strip().partition(":")
        if role.casefold() == "user" and words.strip():
            return shortened(words.strip(), MAX_TITLE_CHARS)
    return text("web.chat.title", language_of(prompt))
