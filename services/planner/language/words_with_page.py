"""What the words beside a picture ask for besides building a report from it: "leave out the price columns"."""

from __future__ import annotations

import re

from .change.clauses import SplitRequest

_BUILD = re.compile(
    r"(?:\W|(?<![a-z])(?:please|pls|just|now|then|so|and|also|hi|hello|ok|okay|thanks|thank you|for me|from it|of it|"
    r"can|could|would|will|you|i|we|want|need|like|have|get|give|me|us|my|our|let|lets|to|be|is|are|here|here's|"
    r"build|make|create|generate|turn|convert|transform|recreate|rebuild|reproduce|replicate|copy|clone|digiti[sz]e|"
    r"scan|read|recogni[sz]e|ocr|redraw|trace|imitate|use|take|do|start|design|prepare|produce|draft|set up|import|"
    r"this|that|it|these|the|a|an|one|attached|following|exactly|exact|same|new|as is|"
    r"report|reports|form|forms|template|templates|document|page|paper|layout|jrxml|jasper\w*|"
    r"picture|photo|image|scan|screenshot|pdf|file|attachment|drawing|sketch|invoice|slip|receipt|sheet|"
    r"from|into|out of|of|in|on|with|for|by|based on|according to|after|following|matching|looks?|looking)(?![a-z])|"
    r"请|麻烦|帮我|帮忙|给我|我们?|想要?|需要|要|把|将|用|按照?|照着?|根据|依照?|参照|参考|仿照?|模仿|复刻|还原|"
    r"识别|扫描|读取|转换?|变|做|制作|生成|设计|画|建|创建|弄|搞|来|出|成|为|一下|一?[个张份]|"
    r"这|那|此|它|的|了|吧|样式?|样子|格式|同样|相同|一样|图片?|照片|图像|表单?|单据|报表|报告|模板|文件|附件|扫描件|页|张)+",
    re.IGNORECASE,
)
"""Words that say nothing but: make a report of this."""
_PAGE = re.compile(
    r"(?<![a-z])(?:this|it|that|attached|pictures?|photo|image|scan|form)(?![a-z])|这|图|照片|表单|它", re.IGNORECASE
)
_WITHOUT = re.compile(r"^(?:with(?:out)|不要有?|不带|不含)\b\s*", re.IGNORECASE)
_LEAD = re.compile(r"^(?:(?:but|only|and|then|with)\b|但是?|不过|只是|并且?|然后|另外|同时)[\s,，]*", re.IGNORECASE)


def words_besides_building(text: str) -> str:
    """Return the clauses of a sentence that do not only ask for a report like the page beside it."""
    split = SplitRequest(text)
    wishes = ""
    for number, part in enumerate(split.parts):
        wish = _wish(split.as_written(split.clause(number, number)))
        if wish:
            joint = "" if not wishes else " and " if part.weak else "; "
            wishes += joint + wish
    return wishes


def _wish(clause: str) -> str:
    """Return a clause without a part that only asks for building: ``build this without the price``."""
    building = _BUILD.match(clause)
    if building and building.end() == len(clause):
        return ""
    if building and _PAGE.search(building[0]):
        clause = clause[building.end() :]
    return _WITHOUT.sub("leave out " if clause.isascii() else "去掉", _LEAD.sub("", clause.strip()))
