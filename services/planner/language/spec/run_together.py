"""Names that are written without anything between them: 语文数学英语, "mon to fri".

They are told from one long name by the vocabulary: every part is a known name of its own, and the whole is not.
"""

from __future__ import annotations

import re
from functools import lru_cache

from bandsmith.shared.fields.column_kinds import meaning
from bandsmith.shared.fields.vocabulary import COLUMN_TERMS

MAX_CHARS = 60
"""Longer words are not looked at: a report has no more names than that."""
_CHINESE = re.compile("[\u3400-\u9fff]+")
_NUMERIC = ("money", "number", "integer", "percent")
_TOTALS = frozenset({"合计", "总计", "小计", "总额", "总数", "单位", "号码", "时间", "状态", "类型", "说明", "备注"})
"""What ends a longer name as often as it is one: 数量合计."""
_MEASURES = frozenset({"数量", "金额", "单价", "价格", "重量", "费用", "工资", "比例", "比率", "占比", "百分比"})
"""What says of one other name what is measured: 实发数量."""
_ATTRIBUTES = frozenset({"姓名", "日期", "序号", "编号", "学号", "工号", "性别", "年龄"})
"""Names that no other name follows as a part of it."""
_DAYS = {
    "en": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
    "zh": ("周一", "周二", "周三", "周四", "周五", "周六", "周日"),
}
_DAY = r"(mon|tue|wed|thu|fri|sat|sun)(?:day|sday|nesday|rsday|urday|s|rs)?"
_SEQUENCES = (
    frozenset(day.casefold() for day in _DAYS["en"]),
    frozenset(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]),
    frozenset(["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"]),
    frozenset(["q1", "q2", "q3", "q4"]),
    frozenset(f"{word}{day}" for word in ("周", "星期") for day in "一二三四五六日天"),
)
"""Names that follow each other in a calendar; several of them without marks between are a column each."""
MIN_RUN = 2
_CHINESE_DAY = re.compile(r"(?:周|星期)[一二三四五六日天]")
_CHINESE_DAY_RUN = re.compile(r"(?:(?:周|星期)[一二三四五六日天])+")
_ENGLISH_DAYS = re.compile(rf"(?:from )?{_DAY}\s*(?:to|till|until|through|thru|-|–)\s*{_DAY}", re.IGNORECASE)
_CHINESE_DAYS = re.compile(r"(?:周|星期|礼拜)([一二三四五六])(?:到|至|-|~|—)(?:周|星期|礼拜)?([二三四五六日天])")


def separated(part: str) -> list[str]:
    """Return the names in a part of a list: itself, or several where it is several names without marks between."""
    return _days(part.strip()) or _sequence(part.strip()) or _terms(part.strip()) or [part]


def is_run_of_names(words: str) -> bool:
    """Whether Chinese words begin with two known names, of which the first has no longer form: 学号姓名家长电话."""
    first = next((name for name in _ATTRIBUTES if words.startswith(name)), "")
    rest = words[len(first) :]
    return bool(first) and any(rest.startswith(name) for name in _ATTRIBUTES)


def _days(part: str) -> list[str]:
    """Return the days of "mon to fri" and 周一到周五."""
    if found := _ENGLISH_DAYS.fullmatch(part):
        names = [day.casefold() for day in _DAYS["en"]]
        first, last = (names.index(found[group][:3].casefold()) for group in (1, 2))
        return list(_DAYS["en"][first : last + 1])
    if found := _CHINESE_DAYS.fullmatch(part):
        first, last = "一二三四五六日".index(found[1]), "一二三四五六日".index(found[2].replace("天", "日"))
        return list(_DAYS["zh"][first : last + 1])
    return []


def _sequence(part: str) -> list[str]:
    """Return the names of a run of days, months or quarters: `Mon Tue Wed`, `Q1/Q2/Q3/Q4`, 周一周二周三."""
    words = _CHINESE_DAY.findall(part) if _CHINESE_DAY_RUN.fullmatch(part) else re.split(r"[ /]+", part)
    is_run = len(words) >= MIN_RUN and any(all(word.casefold() in known for word in words) for known in _SEQUENCES)
    return words if is_run else []


def _terms(part: str) -> list[str]:
    """Return the known names that Chinese words consist of, where they are several beyond doubt."""
    if len(part) > MAX_CHARS or not _CHINESE.fullmatch(part) or part in COLUMN_TERMS:
        return []
    terms = _segmented(part)
    if len(terms) < 2 or terms[-1] in _TOTALS or (len(terms) == 2 and terms[-1] in _MEASURES):
        return []
    numeric = [term for term in terms if meaning(term).kind in _NUMERIC]
    are_several = len(numeric) == len(terms) or (len(terms) > 2 and len(numeric) > 1) or terms[0] in _ATTRIBUTES
    return list(terms) if are_several else []


@lru_cache(256)
def _segmented(words: str) -> tuple[str, ...]:
    """Return words as known names, the longest first; none where they are anything else."""
    if not words:
        return ()
    for end in range(len(words), 1, -1):
        if words[:end] in COLUMN_TERMS:
            rest = _segmented(words[end:])
            if end == len(words) or rest:
                return (words[:end], *rest)
    return ()
