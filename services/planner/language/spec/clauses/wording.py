"""Title, footer, page numbers, language."""

from __future__ import annotations

import re

from .base import LINE, QUOTED, SpecClauses

_FOOTERS = (
    rf"(?:a |the )?footer(?: text)?\s*(?:[:=]|is|says?|saying|reading|with|of)?\s*{QUOTED}",
    r"(?:a |the )?footer(?: text)?\s*(?::|=| says?| reading)\s*([^\n;.,]{2,120})",
    rf"页脚(?:处|要|上)?(?:写着?|为|是|显示|注明|:)?\s*{QUOTED}",
    r"页脚(?:处|要|上)?(?:写着?|为|是|显示|注明|:)\s*([^,;。\n]{1,60})",
)
_TITLES = (
    rf"(?:titled|entitled|called|named|(?:with |and )?(?:the |a )?title(?: is| of)?:?)\s*{QUOTED}",
    rf"{LINE}title\s*:\s*([^\n,;.]{{2,80}})",
    rf"(?:标题|题目|表名|名称|名字)(?:为|是|叫|写)?:?\s*{QUOTED}",
    r"(?:标题|题目|表名)(?:为|是|叫做?|写|:)\s*([^,;。\n]{2,40})",
    rf"(?:名为|题为|叫做?|命名为)\s*{QUOTED}|《([^》\n]{{2,60}})》",
)
_UNNUMBERED = (
    r"(?:with )?(?:no|without|omit|skip)(?: any)? page ?(?:numbers?|numbering)",
    r"(?:不要|不需要|不用|无需?|去掉)(?:显示)?页码",
)
_NUMBERED = r"(?:with |and |show |include ){0,4}page ?numbers?|(?:要有?|加上?|显示|带)页码"
_LANGUAGES = (
    r"\b(?:in|use) (?:english|chinese)\b",
    r"(?:用|使用)?(?:英文|中文)版?的?(?=报表|报告|表|单)|(?:用|使用)(?:英文|中文)",
)


def read(said: SpecClauses) -> None:
    def title(found: re.Match[str]) -> str:
        said.title = said.title or next(part for part in found.groups() if part).strip()
        return " "

    def footer(found: re.Match[str]) -> str:
        said.footer = said.footer or found[1].strip()
        return " "

    def unnumbered(_: re.Match[str]) -> str:
        said.page_numbers = False
        return " "

    def language(found: re.Match[str]) -> str:
        said.language = "en" if re.search("english|英文", found[0], re.IGNORECASE) else "zh"
        return " "

    for pattern in _FOOTERS:
        said.take(pattern, footer)
    for pattern in _TITLES:
        said.take(pattern, title)
    for pattern in _UNNUMBERED:
        said.take(pattern, unnumbered)
    said.take(_NUMBERED, lambda _: " ")
    for pattern in _LANGUAGES:
        said.take(pattern, language)
