"""Totals, averages and counts of columns, beneath the rows or beneath each group."""

from __future__ import annotations

import re

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_group import AddGroup
from bandsmith.shared.edits.add_total import AddTotal
from bandsmith.shared.edits.base import Calculation
from bandsmith.shared.jrxml.tables import humanize

from ...reference_resolver import Missing
from ...template_view import TableColumn, TemplateView
from ..reading import Clause, ClauseReading, refused

_UNSUMMED = re.compile(
    r"\b(?:prices?|rates?|ratio|percent(?:age)?|numbers?|no|id|code|year|month|day|age|level|score|cost per|phone"
    r"|line)\b"
    r"|单价|税率|折扣率|比率|百分比|序号|编号|编码|年龄|电话",
    re.IGNORECASE,
)
_SUMMED = re.compile(r"\b(?:sub-?)?total\b|\bamount\b|金额|总价|小计", re.IGNORECASE)
_CALCULATIONS: tuple[tuple[Calculation, str], ...] = (
    ("Average", r"average|mean|avg|平均值?|均值"),
    ("Highest", r"highest|maximum|max|largest|biggest|最大值?|最高值?"),
    ("Lowest", r"lowest|minimum|min|smallest|最小值?|最低值?"),
    ("Count", r"count|number|个数|计数|条数|行数|笔数"),
    ("Sum", r"(?:grand |overall )?(?:totals?|sums?)|合计|总计|总和|求和|汇总|总数|总额"),
)
_WHAT = "|".join(f"(?:{words})" for _, words in _CALCULATIONS)
_AT = (
    r"(?:\s*(?:,?\s*(?:at|on|to|in) the (?:very )?(?:bottom|end|foot)(?: of the (?:table|report|page|list"
    r"|rows))?|below(?: the (?:table|rows))?|"
    r"underneath(?: the (?:table|rows))?|beneath(?: the (?:table|rows))?|under the (?:table|rows)|after the rows))?"
)
_ADD = r"(?:add|append|insert|include|show|put|print|display|give me|give|calculate|compute|create|i want)\s+(?:up\s+)?"
_PLACE_ZH = (
    r"(?:在)?(?:报表|表格|表|页面)?(?:的)?(?:最?底部|最?下面|最下方|下方|末尾|最后(?:一行)?|最后面|结尾)?(?:再|来)?"
)
_ADD_ZH = r"(?:加上|加入|增加|添加|新增|插入|加|显示|计算|统计|求|算出|算)"

_EACH = r"(?:每个|每一个|每种|各个?|按照?)"


def subtotal(clause: Clause) -> ClauseReading | None:
    found = clause.match(
        rf"{_ADD}(?:the |a )?sub-?totals?(?: (?:of|for) (?P<names>.+?))?\s*,?\s*(?:per|by|for each|for "
        rf"every|of each|for)\s+(?:the )?(?P<group>.+)",
        rf"(?:{_ADD})?(?:the |a )?(?:totals?|sums?)(?: (?:of|for) (?P<names>.+?))? (?:per|by|for each|"
        rf"for every) (?:the )?(?P<group>.+)",
        r"sub-?totals?(?: (?:of|for) (?P<names>.+?))? (?:per|by|for each|for every) (?P<group>.+)",
        rf"(?:给|对|为)?{_EACH}(?P<group>.+?)(?:都|分别|来)?{_ADD_ZH}(?:一行"
        rf"|一个)?(?:(?P<names>.+?)的?)?(?:小计行?|分类合计|合计)",
        rf"(?:给|对|为)?{_EACH}(?P<group>.+?)(?:的)?(?:小计行?|分类合计|合计)",
        rf"{_ADD}(?:the |a )?sub-?totals?(?: rows?| lines?)?(?:(?: of| for) (?P<names>.+))?(?P<group>)",
        rf"{_ADD_ZH}(?:上|一行|一个)?(?P<names>)小计行?(?P<group>)",
        rf"(?:在)?(?:每一?个?|各)(?:分)?组(?:里|内|下面|后面|末尾)?(?:都|要|有|{_ADD_ZH})*(?:一个|一行)?(?P<names>)(?:的)?"
        r"小计行?(?P<group>)",
        rf"(?:{_ADD})?(?:the |an? )?(?P<what>average|mean|highest|lowest|maximum|minimum|total) (?:of )?(?:the )?"
        r"(?P<names>.+?) (?:per|by|for each|for every|of each) (?P<group>.+)",
        rf"(?:{_ADD_ZH})?(?:每个?|各个?)(?P<group>.+?)的(?P<what>平均|最大|最高|最小|最低)(?P<names>.+)",
    )
    if not found:
        return None
    view = clause.view
    edits: list[AnyEdit] = []
    if found["group"]:
        group = clause.column(found["group"])
        if isinstance(group, Missing):
            return clause.absent(group)
        if not isinstance(group, TableColumn):
            return None
        field = group.field
        if field not in view.groups:
            edits.append(AddGroup(field=field))
    else:
        fields = [clause.before.group] if clause.before and clause.before.group else view.groups
        if len(fields) != 1:
            return None
        field = str(fields[0])
    summed = _summed(clause, found.groupdict().get("names"))
    if isinstance(summed, ClauseReading) or summed is None:
        return summed
    what = found.groupdict().get("what") or "total"
    edits += [AddTotal(field=one.field, group=field, calculation=_calculation(what)) for one in summed]
    return ClauseReading(edits, group=field)


def _calculation(what: str) -> Calculation:
    """The calculation that a word for one means."""
    return next(name for name, words in _CALCULATIONS if re.fullmatch(f"(?:{words})(?: of)?", what, re.IGNORECASE))


def total(clause: Clause) -> ClauseReading | None:
    found = clause.match(
        rf"{_ADD}(?:the |a |an |another )?(?P<what>{_WHAT})(?: row| line| field)?s?(?: (?:for|of|to|on"
        rf"|over) (?:the )?(?P<names>.+?))?{_AT}",
        rf"{_ADD}(?:the |a |an |another )?(?P<what>total|average|mean|highest|lowest|maximum|minimum|count "
        rf"of|number of)\s+(?:the )?(?P<names>.+?){_AT}",
        rf"{_ADD}(?:the |a |an )?(?P<names>.+?)\s+(?P<what>totals?|sum|average|count){_AT}",
        rf"(?P<what>sum|total|count|average)(?: up| of)?\s+(?:the )?(?P<names>.+?){_AT}",
        rf"{_PLACE_ZH}{_ADD_ZH}(?:一|1)?(?:个|行|条|栏)?(?P<what>{_WHAT})(?:行|栏|一行)?",
        r"(?:对|把|将|给)?(?P<names>.+?)(?:列)?(?:也)?(?:要|需要|进行|做|加|"
        r"加上|加个|求|算)*(?P<what>合计|求和|总计|汇总)",
        rf"{_PLACE_ZH}{_ADD_ZH}(?:一行|一个)?(?P<names>.+?)(?:列)?的?(?P<what>{_WHAT})(?:行|栏)?",
        rf"{_PLACE_ZH}(?:{_ADD_ZH})?(?:一行|一个)?(?:出)?(?P<what>平均|最大|最高|最小|最低|合计|总计|汇总)(?:的)?(?P<names>[^行栏值].*?)(?:行|栏)?",
    )
    if not found:
        return None
    calculation = _calculation(found["what"])
    names = found.groupdict().get("names")
    if calculation == "Count" and (
        not names or re.fullmatch(r"rows|items|lines|entries|records|行|记录|明细", names.strip(), re.IGNORECASE)
    ):
        counted = _counted(clause, names or "")
        return counted if isinstance(counted, ClauseReading) else _reading(counted, calculation)
    if re.match(r"(?:by|per|for each|for every|按|每)", names or "", re.IGNORECASE):
        return None
    if not names and calculation not in ("Sum", "Average"):
        return None
    summed = _summed(clause, names)
    if summed is None or isinstance(summed, ClauseReading):
        return summed
    if calculation != "Count":
        for column in summed:
            if not column.numeric:
                return refused(f"language.text_has_no_total.{calculation.lower()}", column=column.label)
    return _reading(summed, calculation)


def _reading(columns: list[TableColumn], calculation: Calculation) -> ClauseReading:
    return ClauseReading([AddTotal(field=one.field, calculation=calculation) for one in columns])


def _counted(clause: Clause, names: str) -> list[TableColumn] | ClauseReading:
    """The column whose values are counted: the named one, else the first that holds words."""
    columns = clause.view.columns
    if not columns:
        return _no_rows()
    named = clause.column(names) if names else None
    if isinstance(named, TableColumn):
        return [named]
    words = [column for column in columns if not column.numeric]
    return (words or columns)[:1]


def _summed(clause: Clause, names: str | None) -> list[TableColumn] | ClauseReading | None:
    if not clause.view.columns:
        return _no_rows()
    if names and not re.fullmatch(
        r"(?:all |every )?(?:the )?(?:numeric |number )?columns|(?:所有|全部)?(?:数字)?列|rows|it|the table|表格",
        names.strip(),
        re.IGNORECASE,
    ):
        columns = clause.columns(names)
        if isinstance(columns, Missing):
            return clause.absent(columns)
        return columns if isinstance(columns, list) else None
    found = summable(clause.view)
    return found or refused("language.nothing_to_add_up")


def _no_rows() -> ClauseReading:
    return refused("language.no_rows_to_add_up")


def summable(view: TemplateView) -> list[TableColumn]:
    """The columns whose sum means something: numbers, but no prices, rates or codes."""
    return [column for column in view.columns if column.numeric and _adds_up(column)]


def _adds_up(column: TableColumn) -> bool:
    names = f"{humanize(column.field)}\n{column.label}"
    return _SUMMED.search(names) is not None or _UNSUMMED.search(names) is None


RULES = (subtotal, total)
