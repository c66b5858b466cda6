"""Name the fields of a document that is a template itself as its placeholders are called."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bandsmith.shared.fields.identifiers import name_for
from bandsmith.shared.template_markers import text_parts

_PROGRAM_NAME = re.compile(r"[A-Za-z]\w{0,59}", re.ASCII)
"""A name that a program's data may have; it is kept as it is."""


def own_name(texts: Sequence[str | None]) -> str:
    """Return the name of the placeholder that these values are; empty where they are none, or not all the same."""
    names = {_name_in(text) for text in texts if text}
    name = names.pop() if len(names) == 1 else ""
    return name if _PROGRAM_NAME.fullmatch(name) else name_for(name, "", ())


def _name_in(text: str) -> str:
    parts = text_parts(text.strip())
    return parts[0].name if len(parts) == 1 else ""
