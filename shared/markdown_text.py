"""Text from elsewhere in a reply, which programs show as Markdown.

A picture in Markdown is loaded from its address as soon as it is shown. A value of a database, or a name that a model
made up, could so send what it contains to a server of somebody else. Links and HTML are read as text for the same
reason.
"""

from __future__ import annotations

import re

_ACTIVE = re.compile(r"(?<=\])\(|\\*<(?=[A-Za-z/!?])")


def unlinked(words: str) -> str:
    """Return words without a link, a picture or HTML that Markdown would read in them."""
    return _ACTIVE.sub(lambda found: f"{found[0][:-1] * 2}\\{found[0][-1]}", words)
