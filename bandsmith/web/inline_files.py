"""Files within a JSON request, in base64."""

from __future__ import annotations

import base64
import binascii
import re
from pathlib import PurePath

from bandsmith.attachments import MEDIA_TYPES, Attachment, check_name_and_size
from bandsmith.shared.errors import BadInput

_DATA_URL = re.compile(r"data:([\w.+/-]+)(?:;[\w=-]+)*;base64,", re.ASCII)
_SUFFIXES = {media: suffix for suffix, media in reversed(MEDIA_TYPES.items())}


def file_of_data_url(url: str, name: str = "") -> Attachment:
    """Read a file from a ``data:`` URL; what other addresses lead to is not fetched. Raises ``BadInput``."""
    match = _DATA_URL.match(url)
    if match is None:
        raise BadInput.of("web.error.data_url", code="url")
    return file_of_base64(url[match.end() :], match[1], name)


def file_of_base64(data: str, media: str, name: str = "") -> Attachment:
    """Read a file whose type follows from its name, or else from its media type. Raises ``BadInput``."""
    try:
        content = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise BadInput.of("web.error.data_url", code="url") from None
    name = PurePath(name.replace("\\", "/")).name or f"form{_SUFFIXES.get(media.lower(), '')}"
    check_name_and_size(name, len(content))
    return Attachment(name=name, content=content)
