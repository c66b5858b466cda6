"""The patterns that a template prints its values with."""

from __future__ import annotations

import re

from lxml import etree

from .dom import content_of
from .expressions import sole_reference


def printed_patterns(root: etree._Element, scope: str) -> dict[str, str]:
    """Return the pattern of each field (scope ``F``) or parameter (``P``) that a text prints alone, by its name."""
    found: dict[str, str] = {}
    for node in root.iter("{*}textField"):
        alone = sole_reference(content_of(node), scope)
        if alone and (pattern := node.get("pattern")):
            found.setdefault(alone[1], pattern)
    return found


def shows_time_only(pattern: str) -> bool:
    """Whether a pattern of dates prints hours and minutes, and no day."""
    letters = set(re.sub("'[^']*'", "", pattern))
    return bool(letters & set("HhKk")) and not letters & set("GyYMLwWDdFEu")
