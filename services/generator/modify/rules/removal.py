"""Taking out columns, texts, pictures, lines, the foot."""

from __future__ import annotations

import re

from shared.model.edits import AnyEdit, Delete, DeleteColumn

from ..names import Missing, Target
from ..reading import Clause, Reading
from ..view import Piece, View

_VERB_ZH = r"(?:删除掉?|删掉|删去|删了|删|去掉|去除|移除|拿掉|隐藏|取消|不显示|清除|撤掉)"


def remove(clause: Clause) -> Reading | None:
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
    return Reading(edits, target=targets[-1])


def _with_value(view: View, target: Target, clause: Clause) -> list[Piece]:
    """A label goes with the value beside it, unless its own words were quoted."""
    pieces = list(target.pieces)
    if len(pieces) != 1 or target.role or re.search("[\ue000-\ue0ff]", clause.text):
        return pieces
    return with_value(view, pieces[0])


def with_value(view: View, label: Piece) -> list[Piece]:
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


RULES = (remove,)
