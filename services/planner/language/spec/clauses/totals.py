"""What is added up, averaged or counted beneath the table."""

from __future__ import annotations

import re

from ..labels import listed
from .base import EN, END, LINE, ZH, SpecClauses

_LEAD = (
    r"(?:please |and |with |also |show |shows |showing |include |includes |including |add |plus |have |finally |then |"
    r"at the end ){0,4}(?:a |an |the |their )?"
)
_PLACE = (
    r"(?:\s*(?:(?:at|on|in)(?: the)?(?: very)? (?:bottom|end|foot|last row|last page)|below|underneath|beneath)"
    r"(?: the table| of (?:the )?(?:table|page|report|it))?)"
)
_IN_GROUPS = r"(?: (?:for|in|per) (?:each|every|the) group)"
_LAST = r"(?:最后(?:一行)?|最下面|底部|末尾|表尾|下方|结尾)"
_SAY = r"(?:要|需要|需|应)?(?:有|显示|加上?|做|列出|给出|打印|带|算)?(?:上|出)?"
_TOTAL = r"(?:小计|合计|总计|总合计|汇总|总额)(?:[和与及、](?:小计|合计|总计|总合计|汇总))*"

_NONE = (
    r"(?:with |and )?(?:no|without)(?: any)? (?:grand )?(?:sub-?)?totals?(?: row)?"
    r"|(?:不要|不需要|不用|无需?)(?:合计|总计|汇总|小计)"
)
_AVERAGES = (
    rf"{_LEAD}(?:average|mean)(?: of)?(?: the)? ({EN})(?:{_PLACE}{END}|(?= per | for each | by ))",
    rf"(?:with|show|shows|and|include) the average ({EN}){END}",
    rf"{_LEAD}({EN}) averages?{_PLACE}{END}",
    rf"{_LAST}?(?:计算|显示|求)?({ZH})(?:的|求)?平均(?:值|数|分)?(?=[,;。\n]|$)",
    rf"{_LAST}(?:计算|显示|求)?平均({ZH})(?=[,;。\n]|$)",
)
_SUMS = (
    rf"{LINE}(?:totals?|sums?|合计|求和|汇总|总计)\s*:\s*([^\n;。]{{1,80}})",
    rf"{_LEAD}(?:sums?|sub-?totals?|totals?|grand total)(?: row)? (?:of|for)(?: the| all(?: the)?)? "
    rf"({EN}(?:,? and {EN})?)(?:{_IN_GROUPS}|{_PLACE})?(?:{END}|(?= and a ))",
    rf"{_LEAD}sum(?: up)? (?:the )?({EN}){_PLACE}{END}",
    rf"(?<![、\w])({ZH})(?:都)?(?:要|需要|需|做|进行)(?:合计|求和|汇总|总计)",
    rf"(?:(?<=[,;。\n])|{_LAST},?)\s*{_SAY}(?:合计|总计|汇总|求和)(?!行|栏|值|数|一)({ZH})(?=[,;。\n]|$)",
)
_COUNTS = (
    rf"{_LEAD}(?:count|number) of ({EN}){_PLACE}?{END}",
    r"(?:并|且|,)?(?:显示|统计|计算|要有?|列出)(?:总)?(?:人数|条数|个数|总数|笔数)",
)
_SOME = (
    rf"(?<=[,;.\n\s]){_LEAD}(?:grand totals?|sub-?totals|totals|total (?:row|line)|summary row)"
    r"(?: and (?:a |the )?(?:grand )?totals?)?(?: (?:for|of) (?:all|the)? ?amounts)?"
    rf"{_IN_GROUPS}?{_PLACE}?(?:{END}|(?= and a ))",
    rf"{_LEAD}(?:grand )?(?:sub-?)?total(?: amount)?{_PLACE}{END}",
    rf"(?<=\s)(?:and |with |plus )(?:a |an |the )?grand total{END}",
    rf"(?:{_LAST},?\s*{_SAY}|(?<=[,;。\n\s])\s*(?:并|且|还)?{_SAY}){_TOTAL}(?:行|栏|一行)?(?=[,;。\n]|$)",
    rf"(?:要|需要|显示|加上?)(?:有)?{_TOTAL}(?:行|栏)?",
)
_EVERY = frozenset({"amounts", "all amounts", "all columns", "numbers", "all", "everything", "columns"})


def read(said: SpecClauses) -> None:
    def none(_: re.Match[str]) -> str:
        said.no_totals = True
        return ", "

    def averages(found: re.Match[str]) -> str:
        said.averaged += listed(found[1])
        return ", "

    def sums(found: re.Match[str]) -> str:
        said.wants_totals = True
        said.summed += [label for label in listed(found[1]) if label.casefold() not in _EVERY]
        return ", "

    def counts(_: re.Match[str]) -> str:
        said.counted = True
        return ", "

    def some(_: re.Match[str]) -> str:
        said.wants_totals = True
        return ", "

    def sums_of_named(found: re.Match[str]) -> str | None:
        """`金额合计` at the end of it all is a total where 金额 is named before, else it may be a column."""
        return sums(found) if found[1] in found.string[: found.start()] else None

    said.take(_NONE, none)
    said.take(rf"(?<=[,;。\n])(?:最后)?({ZH})(?:的)?(?:合计|求和|汇总|总计)(?=\s*(?:[。\n]|$))", sums_of_named)
    for patterns, use in ((_AVERAGES, averages), (_SUMS, sums), (_COUNTS, counts), (_SOME, some)):
        for pattern in patterns:
            said.take(pattern, use)
