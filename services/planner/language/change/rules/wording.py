"""Wording: what is printed is called something else."""

from __future__ import annotations

import re

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.rename_field import RenameField
from bandsmith.shared.edits.set_expression import SetExpression
from bandsmith.shared.edits.set_text import SetText
from bandsmith.shared.fields.identifiers import name_for

from ...reference_resolver import Missing, Target
from ...template_view import ViewElement
from ..reading import Clause, ClauseReading
from .removal import with_value

_ZH = (
    r"(?:改成|改为|换成|换为|替换成|替换为|改名为|改名叫|改名成|重命名为|更名为"
    r"|命名为|叫做|叫|写成|写为|改叫|变成|变为|设为|更改为|修改为)"
)
_NOT_NEW = re.compile(
    r"(?:to |the )?(?:left|right|top|bottom|end|front|uppercase|lowercase|bold|italics?|landscape|portrait"
    r"|a chart|chart|"
    r"spanish|english|chinese|french|german)|(?:大|小)写.*|.*(?:图表|透视表|"
    r"格式|号字|磅|颜色|色|对齐|格式的|图|小数|千分位|百分比|一点"
    r"|一些|页码)|(?:英文|中文|横向|纵向|粗体|斜体)|[\d.]+",
    re.IGNORECASE,
)


_MORE = re.compile(
    r"\band (?:then )?(?:make|set|turn|put|add|delete|remove|move|align|cent(?:er|re)|colou?r|change|show|hide|sort"
    r"|group)\b"
    r"|[,，;；。\n]|[并且](?:加粗|居中|放大|缩小|标红|把|将|设|加|删)",
    re.IGNORECASE,
)
"""Words behind a new wording that ask for something else."""


def rename(clause: Clause) -> ClauseReading | None:
    found = clause.match(
        r"(?:rename|relabel|retitle)\s+(?:the (?:column|field|label|text)\s+)?(?P<name>.+?)\s+(?:to|as"
        r"|into)\s+(?P<new>.+)",
        r"(?:change|set|update|correct|edit)\s+(?:the (?:text|wording|label|name|words|content) (?:of "
        r")?)?(?P<name>.+?)\s+(?:to read|to say|to|into)\s+(?P<new>.+)",
        r"(?:replace|exchange|substitute)\s+(?P<name>.+?)\s+(?:with|by|for)\s+(?P<new>.+)",
        r"(?P<name>.+?)\s+(?:should|must|shall|has to)\s+(?:be (?:called|named|labelled)|read|say)\s+(?P<new>.+)",
        r"call\s+(?P<name>.+?)\s+(?P<new>[\ue000-\ue0ff])",
        r"(?:the )?(?P<name>title|heading|标题)\s*[:：]?\s*(?P<new>[\ue000-\ue0ff])",
        rf"(?:把|将)?(?P<name>.*?)(?P<kind>(?:的)?(?:名称|名字|文字|内容|标签"
        rf"|表头|字样|这几个字|标题)|){_ZH}(?P<new>.+)",
    )
    if not found and clause.before and clause.before.wording:
        found = clause.match(r"(?P<name>.+?) to (?P<new>.+)")
    if not found:
        return None
    marked = re.fullmatch(r"[\ue000-\ue0ff]", found["new"].strip()) is not None
    new = clause.words(found["new"])
    if not marked and (
        re.search(rf"\bto\b|{_ZH}|[,，;；。\n]", new) or _MORE.search(new) or clause.has_quotes(found["new"])
    ):
        return None
    if not new or len(new) > 200 or (not marked and (_NOT_NEW.fullmatch(new) or len(new.split()) > 6 or len(new) > 40)):
        return None
    target = clause.find(found["name"])
    kind = found.groupdict().get("kind")
    if kind:
        # What ends like a kind of thing may be a name: 客户名称.
        named = clause.find(found["name"] + kind)
        target = named if isinstance(named, Target) else target
    if isinstance(target, Missing):
        return _field(clause, found["name"], new) or clause.absent(target)
    if not isinstance(target, Target):
        return None
    changes = re.match(r"change|set|update|correct|edit", clause.text, re.IGNORECASE) or not re.search(
        r"改名|命名|更名|叫|rename|relabel|call|replace|say|read", clause.text
    )
    if changes and not re.search("[\ue000-\ue0ff]", found["name"]) and _has_value(clause, target):
        return None  # whether the label or its value shall change, nobody can tell
    edits = reworded(target, new)
    return ClauseReading(edits, target=target, wording=not marked) if edits else None


def reworded(target: Target, new: str) -> list[AnyEdit]:
    """The edits that give what is meant other words; none where it has no words of its own."""
    if target.role not in ("", "title"):
        return []
    if target.column is not None:
        head = target.column.head
        return [_text(head, new)] if head is not None and head.tag == "staticText" else []
    if len(target.pieces) != 1:
        return []
    piece = target.pieces[0]
    if piece.tag == "staticText":
        return [_text(piece, new)]
    literals = re.findall(r'"(?:\\.|[^"\\])*"', piece.expression)
    if len(literals) != 1:
        return []
    inside = literals[0][1:-1]
    old = target.words if target.words in inside else re.sub(r"\s*[:：]?\s*$", "", inside)
    changed = inside.replace(old, _java(new), 1)
    return [SetExpression(element=piece.key, expression=piece.expression.replace(literals[0], f'"{changed}"', 1))]


def _has_value(clause: Clause, target: Target) -> bool:
    """Whether what is named is printed with a value of its own."""
    if target.column is not None or len(target.pieces) != 1:
        return False
    piece = target.pieces[0]
    return piece.tag == "textField" or len(with_value(clause.view, piece)) > 1


def _field(clause: Clause, name: str, new: str) -> ClauseReading | None:
    """A field or parameter that is printed without wording may be renamed by its own name."""
    words = clause.words(name)
    declared = [node for node in clause.view.root if node.get("name") == words and isinstance(node.tag, str)]
    scope = next((kind for node in declared for kind in ("field", "parameter") if node.tag.endswith("}" + kind)), None)
    if scope is None:
        return None
    taken = {node.get("name", "") for node in clause.view.root if isinstance(node.tag, str)}
    return ClauseReading(
        [RenameField.model_validate({"scope": scope, "name": words, "to": name_for(new, words, taken)})]
    )


def _text(piece: ViewElement, new: str) -> SetText:
    """The edit that keeps a colon which stands behind the old wording."""
    end = re.search(r"\s*[:：]$", piece.words)
    return SetText(element=piece.key, text=new + (end[0] if end and not re.search(r"[:：]$", new) else ""))


def _java(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")


RULES = (rename,)
