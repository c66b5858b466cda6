"""Texts that a reader saw before a change, and does not see after it although their elements are still there."""

from __future__ import annotations

import orjson

from bandsmith.shared.jrxml.bands import named_elements
from bandsmith.shared.xml import parse

from .engine import SeenPages

MAX_TEXTS = 10


def vanished_texts(before: bytes | None, after: SeenPages | None, template: bytes) -> list[str]:
    """Return the texts that were seen `before`, a JSON object by key, of elements of `template` that now show nothing.

    Elements that were deleted are not among them: the edits name these.
    """
    if before is None or after is None:
        return []
    seen = {str(key): str(text) for key, text in orjson.loads(before).items()}
    remaining = {name for name, _ in named_elements(parse(template))}
    vanished = [text for key, text in seen.items() if key not in after.texts and key in remaining]
    return list(dict.fromkeys(vanished))[:MAX_TEXTS]
