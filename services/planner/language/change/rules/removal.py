"""Taking out columns, texts, pictures, lines, the foot."""

from __future__ import annotations

import re

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.base import Calculation
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.edits.delete_column import DeleteColumn
from bandsmith.shared.edits.delete_total import DeleteTotal

from ...reference_resolver import Missing, Target
from ...template_view import TemplateView, ViewElement
from ..reading import Clause, ClauseReading, refused

_TOTALS = r"(?:grand |sub-?|overall )?totals?|sums?|summary|averages?|counts?"
_TOTALS_ZH = r"(?:所有|全部)?(?:的)?(?:合计|总计|总和|汇总|小计|分类合计|求和|平均值?|计数)"
_AT_END = r"(?:last|bottom|final)"
_WHERE = (
    r"(?:at|in|on|from|under) (?:the )?(?:very )?(?:bottom|end|foot|each|every)?"
    r"(?: group| of the (?:table|report|page))?"
)
_WHERE_ZH = r"(?:最?底部|最?下面|最下方|末尾|最后|表格|报表|每组|各组|组|分组)(?:的)?"
_KINDS: tuple[tuple[Calculation, str], ...] = (("Average", "average|平均"), ("Count", "count|计数"))
_VERB_ZH = r"(?:删除掉?|删掉|删去|删了|删|去掉|去除|移除|拿掉|隐藏|取消|不显示|清除|撤掉)"


def remove(clause: Clause) -> ClauseReading | None:
    found = clause.match(
        r"(?:delete|remove|drop|hide|erase|get rid of|take (?:out|away)|cut|eliminate|omit|strip)\s+(?P<name>.+?)"
        r"(?:\s+(?:entirely|completely|away|from the (?:report|table|page|form)))?",
        r"(?:i )?(?:do not|don'?t|don’t|no longer) (?:need|want|show|print)\s+(?P<name>.+?)(?:\s+(?:any ?more"
        r"|at all))?",
        r"(?:no|without(?: an?)?)\s+(?P<name>(?:footer|logo|picture|page numbers?|line|title|header).*)",
        rf"(?:把|将)?{_VERB_ZH}(?:了|一下)?(?P<name>.+)",
        rf"(?:把|将)?(?P<name>.+?)(?:全部|都|也)?{_VERB_ZH}(?:了|一下)?",
        r"(?P<name>.+?)(?:这一?列|这个)?(?:不要|不需要|不用)了?",
        rf"(?:不要|不需要|不再需要|不用)(?!{_VERB_ZH}|改|动|变|移|加|用|再)(?P<name>.+?)了?",
    )
    if not found:
        return None
    name = re.sub(r"(?<=[列栏])(?:都|也)$", "", found["name"].strip())
    targets = clause.targets(name)
    if isinstance(targets, Missing):
        return clause.absent(targets)
    if not isinstance(targets, list) or any(
        target.role in ("everything", "table", "rows", "header", "title") and target.role != "title"
        for target in targets
    ):
        return None
    edits: list[AnyEdit] = []
    for target in targets:
        if target.column is not None:
            edits.append(DeleteColumn(field=target.column.field))
        else:
            edits += [Delete(element=piece.key) for piece in _with_value(clause.view, target, clause)]
    return ClauseReading(edits, target=targets[-1])


def totals(clause: Clause) -> ClauseReading | None:
    """“Remove the total row”: what is reckoned beneath the rows, with its label; words that only say so are words."""
    found = clause.match(
        rf"(?:delete|remove|drop|hide|erase|get rid of|take (?:out|away)|cut|omit|no|without|i? ?(?:do not|don'?t|no "
        rf"longer) (?:need|want|show|print))\s+(?:the |all |any |a |these |those )*(?:{_AT_END} )?(?P<what>{_TOTALS})"
        rf"(?: rows?| lines?)?(?: (?:of|for|under) (?P<names>.+?))?(?:\s+{_WHERE})?(?: any ?more| completely)?",
        rf"(?:delete|remove|drop|hide)\s+(?:the )?(?P<names>.+?)(?:'s)? (?P<what>{_TOTALS})(?: rows?| lines?)?",
        rf"(?:把|将)?(?:{_VERB_ZH}|不要|不需要|不用)(?:了|一下)?(?:{_WHERE_ZH})?(?:(?P<names>.+?)的)?"
        rf"(?P<what>{_TOTALS_ZH})(?:那|这)?(?:一)?(?:行|栏)?(?:吧|了)?",
        rf"(?:把|将)?(?:{_WHERE_ZH})?(?:(?P<names>.+?)的)?(?P<what>{_TOTALS_ZH})(?:那|这)?(?:一)?(?:行|栏)?(?:全部|都|也)?"
        rf"(?:{_VERB_ZH}|不要|不需要|不用)(?:了|一下|吧)?",
    )
    if not found:
        return None
    view = clause.view
    grouped = [field for field in view.groups if _printed(view, DeleteTotal(group=field))]
    ends = [DeleteTotal()] if _printed(view, DeleteTotal()) else []
    each: list[DeleteTotal] = [DeleteTotal(group=field) for field in grouped]
    what = found["what"]
    if re.match(r"sub|小计|分类", what, re.IGNORECASE):
        wanted = each or ([] if not re.match("小计", what) else ends)
    elif re.search(r"totals$|^all|所有|全部", what, re.IGNORECASE) and not re.match(r"grand|总", what, re.IGNORECASE):
        wanted = [*each, *ends]
    else:
        wanted = ends or each
    if not wanted:
        label = remove(clause)  # a total may be no more than words and a value
        return label if label and label.edits else refused("language.no_such_total")
    kind = next((name for name, words in _KINDS if re.search(words, what, re.IGNORECASE)), None)
    changed: list[AnyEdit] = []
    for one in wanted:
        if found["names"]:
            columns = clause.columns(found["names"])
            if isinstance(columns, Missing):
                return clause.absent(columns)
            if not isinstance(columns, list):
                return None
            changed += [one.model_copy(update={"field": column.field, "calculation": kind}) for column in columns]
        else:
            changed.append(one.model_copy(update={"calculation": kind}))
    return ClauseReading(
        [edit for edit in changed if isinstance(edit, DeleteTotal) and _printed(view, edit)] or changed
    )


def _printed(view: TemplateView, edit: DeleteTotal) -> bool:
    return bool(edit.removes(view.editor.draft))


def _with_value(view: TemplateView, target: Target, clause: Clause) -> list[ViewElement]:
    """A label goes with the value beside it, unless its own words were quoted."""
    pieces = list(target.pieces)
    if len(pieces) != 1 or target.role or re.search("[\ue000-\ue0ff]", clause.text):
        return pieces
    return with_value(view, pieces[0])


def with_value(view: TemplateView, label: ViewElement) -> list[ViewElement]:
    """A label, and the value that stands right of it where there is one."""
    pieces = [label]
    if label.tag != "staticText" or not re.search(r"[:：]$", label.words):
        return pieces
    beside = [
        piece
        for piece in view.texts
        if piece.band == label.band and piece.tag == "textField" and abs(piece.y - label.y) <= label.height / 2
        and 0 <= piece.x - (label.x + label.width) <= 60
    ]  # fmt: skip
    return pieces + sorted(beside, key=lambda piece: piece.x)[:1]


RULES = (totals, remove)
