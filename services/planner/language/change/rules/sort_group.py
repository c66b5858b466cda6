"""The order of the rows, and their groups."""

from __future__ import annotations

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_group import AddGroup
from bandsmith.shared.edits.add_total import AddTotal
from bandsmith.shared.edits.delete_group import DeleteGroup
from bandsmith.shared.edits.sort_by import SortBy
from bandsmith.shared.replies import Text

from ...reference_resolver import Missing
from ...template_view import Column
from ..reading import Clause, Reading, refused
from .totals import summable

_DOWN = (
    r"(?:in )?desc(?:ending)?(?: order)?|(?:from )?(?:the )?(?:high(?:est)?|large(?:st)?|big(?:gest)?|"
    r"new(?:est)?|late(?:st)?) (?:to|first)"
    r"(?: (?:the )?(?:low|small|old|earl)\w*)?|from z to a|z[ -]a|reversed?|"
    r"倒序|降序|逆序|从大到小|从高到低|从新到旧|从晚到早|由大到小|由高到低|递减"
)
_WITH = (
    r"(?:,? (?:and )?(?:with|showing|including|plus|show|add) (?:a |the )?(?:sub-?totals?|totals?)"
    r"(?: (?:of|for|per|under|in) .*)?)"
)
_UP = (
    r"(?:in )?asc(?:ending)?(?: order)?|(?:from )?(?:the )?(?:low(?:est)?|small(?:est)?|old(?:est)?|earl"
    r"(?:y|iest)) (?:to|first)"
    r"(?: (?:the )?(?:high|large|big|new|late)\w*)?|from a to z|a[ -]z|alphabetically|升序|正序|顺序|从小到大|从低到高"
    r"|从旧到新|从早到晚|由小到大|由低到高|递增"
)


def sort(clause: Clause) -> Reading | None:
    found = clause.match(
        rf"(?:sort|order|arrange|rank)(?:ed)?(?: (?:the )?(?:rows|table|data|list|it|them|entries|records"
        rf"|report|lines))?\s+(?:(?P<down1>{_DOWN})|{_UP})?\s*(?:by|on|according to)\s+(?:the )?(?P<name>.+?)"
        rf"(?:\s*,?\s*\(?(?:(?P<down>{_DOWN})|{_UP})\)?)?",
        rf"(?:把|将)?(?:明细|行|数据|表格)?(?:按照?|根据|依照?)(?P<name>.+?)"
        rf"(?:列)?(?:的)?(?:(?P<down>{_DOWN})|{_UP})(?:来)?"
        rf"(?:进行)?(?:排序|排列|排)?",
        r"(?:把|将)?(?:明细|行|数据|表格)?(?:按照?|根据|依照?)(?P<name>.+?)(?:来)?(?:进行)?(?:排序|排列|排)",
        rf"(?P<name>.+?)(?:列)?(?:按|用)?(?:(?P<down>{_DOWN})|{_UP})(?:排序|排列|排)",
    )
    then = False
    if clause.before and clause.before.edits and isinstance(clause.before.edits[-1], SortBy):
        follows = clause.match(
            rf"(?:by )?(?:the )?(?P<name>.+?)(?:\s*(?:(?P<down>{_DOWN})|{_UP}))?",
            rf"(?:再)?按(?:照)?(?P<name>.+?)(?:的)?(?:(?P<down>{_DOWN})|{_UP})?(?:排序|排列|排)?",
        )
        then = follows is not None and (found is None or clause.text.startswith(("再", "按")))
        found = follows if then else found
    if not found:
        return None
    columns = clause.columns(found["name"])
    if isinstance(columns, Missing):
        return clause.absent(columns)
    if not isinstance(columns, list):
        return None
    groups = found.groupdict()
    down = bool(groups.get("down") or groups.get("down1"))
    return Reading([SortBy(field=one.field, descending=down, then=then or n > 0) for n, one in enumerate(columns)])


def group(clause: Clause) -> Reading | None:
    found = clause.match(
        r"(?:group|bundle|break down)(?: (?:the )?(?:rows|table|data|list|it|them|entries|records|report"
        rf"|everything|lines))?\s+(?:by|on|per|according to)\s+(?:the )?(?P<name>.+?)(?P<sub>{_WITH})?",
        rf"(?:add|create|insert) (?:a )?(?:group|grouping) (?:by|on|for) (?P<name>.+?)(?P<sub>{_WITH})?",
        r"(?:把|将)?(?:明细|行|数据|表格)?(?:按照?|根据|依照?|以)(?P<name>.+?)(?:列)?(?:来|进行|做|字段)?"
        r"(?:分组|归类|分类|分组显示)(?:显示)?(?P<sub>[,，]?(?:并|再|且)?(?:要有?|带|加上?|显示|算)(?:每组|各组)?(?:的)?(?:小计|合计))?",
    )
    if not found:
        return None
    columns = clause.columns(found["name"])
    if isinstance(columns, Missing):
        return clause.absent(columns)
    if not isinstance(columns, list):
        return None
    edits: list[AnyEdit] = [AddGroup(field=column.field) for column in columns]
    refusals: list[Text] = []
    if found["sub"]:
        summed = summable(clause.view) or [one for one in clause.view.columns if one.numeric]
        edits += [AddTotal(field=one.field, group=column.field) for column in columns for one in summed]
        refusals = [] if summed else [Text.of("language.nothing_to_add_up")]
    return Reading(edits, refusals, group=columns[-1].field)


def ungroup(clause: Clause) -> Reading | None:
    found = clause.match(
        r"(?:ungroup|un-group)(?: (?:the )?(?:rows|table|data|report|it|them|everything))?(?: by (?P<name>.+))?",
        r"(?:remove|delete|drop|undo|cancel|clear|no|without|stop|don'?t|do not)(?: the| all| any)* (?:group(?:ing|s)?)"
        r"(?: (?:the )?(?:rows|it|them))?(?: (?:by|on|of) (?P<name>.+))?",
        r"(?:remove|delete|drop) (?:the )?(?P<name>.+?) group(?:ing)?",
        r"(?:取消|去掉|删除|不要|删掉|移除|不再|不用)(?:掉|了)?(?:所有|全部)?(?:的)?(?:(?:按照?|根据)?(?P<name>.+?)(?:的)?)??分组(?:了|吧)?",
        r"(?:把|将)?(?:(?:按照?|根据)?(?P<name>.+?)(?:的)?)??分组(?:都|全部)?(?:取消|去掉|删除|不要|删掉|移除)(?:掉|了|吧)?",
    )
    if not found:
        return None
    grouped = clause.view.groups
    if not found["name"]:
        edits: list[AnyEdit] = [DeleteGroup(field=field) for field in grouped]
        return Reading(edits) if edits else refused("language.rows_not_grouped")
    column = clause.column(found["name"])
    field = (
        column.field
        if isinstance(column, Column)
        else next((one for one in grouped if one == clause.words(found["name"])), None)
    )
    if field is None:
        return clause.absent(column) if isinstance(column, Missing) else None
    if field not in grouped:
        label = clause.words(found["name"])
        return refused("language.rows_not_grouped_by", column=label)
    return Reading([DeleteGroup(field=field)])


RULES = (ungroup, group, sort)
