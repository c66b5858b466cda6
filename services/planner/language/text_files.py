"""Decode the text files that come with a sentence."""

from __future__ import annotations

import codecs
import re
from contextlib import suppress

from bandsmith.shared.errors import BadInput

MAX_BYTES = 512 * 1024
"""Only the beginning of a file is read: a report's sample needs no more."""
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_CONTROL_CHARACTER = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


def decoded(content: bytes) -> str:
    """Return the beginning of a text file. Raises ``BadInput`` for a file that is no text."""
    beginning = content[:MAX_BYTES]
    for encoding in ("utf-16",) if content.startswith(_UTF16) else ("utf-8-sig", "gb18030"):
        with suppress(UnicodeDecodeError):
            text = codecs.getincrementaldecoder(encoding)().decode(beginning, final=len(beginning) == len(content))
            if not _CONTROL_CHARACTER.search(text):
                return text
    raise BadInput.of("language.no_text_file", code="content")
