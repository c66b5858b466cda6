"""The lines above the table."""

from __future__ import annotations

import re

from ..labels import listed
from .base import SpecClauses

_TOP = (
    r"(?:(?:shown )?(?:on|at|in)(?: the)? (?:very )?(?:top|header|head)(?: of (?:the page|it))?|above(?: the table)?"
    r"|as header(?: fields?)?)"
)
_ABOVE = r"(?:表头|抬头|页眉|头部|表格?上方|顶部|上方|单头|主表)"
_STOP = r"(?=[;。\n]|,\s*(?:明细|表格|表体|下面|下方|列|然后|内容|正文)|$)"
_HEADS = (
    r"(?:showing|shows?|with|has|having|have|put|include|:|;)\s+"
    rf"((?:(?!\bwith\b|\bshowing\b)[^;.\n:]){{2,160}}?)\s+{_TOP}",
    r"(?:the )?header(?: fields?| lines?| section)?(?: should)?"
    r"(?: with| showing| shows?| has| have| contains?|:| of| are)+\s*([^;.\n]{2,200})",
    r"(?:要有|需要有|有|把|将|,|^)([^,;。\n]{2,60}?)(?:放|显示|写)?在(?:最?上面|最?上方|表头|顶部|抬头|最?前面)",
    rf"{_ABOVE}(?:部分|处|上)?(?:要|需要|应该?|须)?(?:有|显示|包括|包含|写上?|列出|放|为|是|:)+"
    rf"((?:(?!明细|表格).){{1,120}}?){_STOP}",
)


def read(said: SpecClauses) -> None:
    def heads(found: re.Match[str]) -> str | None:
        labels = listed(found[1])
        said.header += labels
        return "; " if labels else None

    for pattern in _HEADS:
        said.take(pattern, heads)
