"""Telling: what was done to a template, in a sentence or two for the user."""

from __future__ import annotations

from collections.abc import Sequence

from lxml import etree

from ..jrxml.dom import content_of, local_name, tag
from ..jrxml.draft import Draft
from ..jrxml.expressions import references
from ..jrxml.labels import element_label, list_names, quote, section_label
from ..jrxml.refusals import EditRefused
from ..jrxml.tables import column_label, main_table
from ..language import Language
from ..model.edits import (
    Add,
    AddColumn,
    AddGroup,
    AddTotal,
    AnyEdit,
    Declare,
    Delete,
    DeleteColumn,
    DeleteGroup,
    DeleteTotal,
    Highlight,
    Move,
    MoveColumn,
    RenameField,
    ReplaceBand,
    Resize,
    ResizeBand,
    ResizeColumn,
    SetExpression,
    SetPage,
    SetProperty,
    SetReport,
    SetText,
    SortBy,
)
from .outcome import EditOutcome

_PROPERTIES = {
    ("isBold", "true"): ("made {} bold", "把{}加粗"),
    ("isBold", "false"): ("made {} regular", "取消了{}的加粗"),
    ("isItalic", "true"): ("made {} italic", "把{}设为斜体"),
    ("isItalic", "false"): ("made {} upright", "取消了{}的斜体"),
    ("isUnderline", "true"): ("underlined {}", "给{}加了下划线"),
    ("isUnderline", "false"): ("took the underline off {}", "取消了{}的下划线"),
    ("textAlignment", "Left"): ("aligned {} left", "把{}左对齐"),
    ("textAlignment", "Center"): ("centred {}", "把{}居中"),
    ("textAlignment", "Right"): ("aligned {} right", "把{}右对齐"),
}
_NAMED = {
    "fontSize": ("set the font size of {} to {value}", "把{}的字号改为 {value}"),
    "fontName": ("set the font of {} to {value}", "把{}的字体改为 {value}"),
    "forecolor": ("coloured {} {value}", "把{}的颜色改为 {value}"),
    "backcolor": ("gave {} the background {value}", "把{}的背景色改为 {value}"),
    "pattern": ("set the format of {} to {value}", "把{}的格式改为 {value}"),
}
_CALCULATIONS = {
    "Sum": ("the total", "合计"),
    "Average": ("the average", "平均值"),
    "Count": ("the count", "计数"),
    "Lowest": ("the lowest value", "最小值"),
    "Highest": ("the highest value", "最大值"),
    "Nothing": ("the value", "值"),
}
_COMPARISONS = {"==": "=", "!=": "≠", ">=": "≥", "<=": "≤", ">": ">", "<": "<"}
_SIDES = {"left": "左", "right": "右", "top": "上", "bottom": "下"}
_MOST = 6
"""Clauses of one sentence; what is more is counted."""


def tell(outcomes: Sequence[EditOutcome], language: Language, before: bytes) -> str:
    """What was done and what was not, and why, for the user; `before` is the template as it was.

    Raises ``BadInput`` when the template cannot be read.
    """
    speaker = _Speaker(Draft(before), language)
    done = _clauses([speaker.said(edit) for edit in _worth([one.edit for one in outcomes if one.changed])], language)
    refused = [outcome for outcome in outcomes if not outcome.changed]
    reasons = list(dict.fromkeys(one.reason if language == "en" else one.reason_zh for one in refused))
    if language == "zh":
        parts = ["已" + "；".join(done) + "。"] if done else []
        parts += [("未改动：" if done else "没有任何改动：") + "".join(reasons[:3])] if reasons else []
        return "".join(parts) or "没有任何改动。"
    sentence = "; ".join(done)
    parts = [sentence[:1].upper() + sentence[1:] + "."] if done else []
    parts += [("Not done: " if done else "Nothing was changed: ") + " ".join(reasons[:3])] if reasons else []
    return " ".join(parts) or "Nothing was changed."


def _worth(edits: Sequence[AnyEdit]) -> list[AnyEdit]:
    """What was asked for: not how what is new was given its place and look, nor the borders of what was coloured."""
    new = {edit.key for edit in edits if isinstance(edit, Add)}

    def follows(edit: AnyEdit) -> bool:
        if isinstance(edit, SetProperty) and ("Pen." in edit.name or edit.name == "mode"):
            return True
        if getattr(edit, "element", None) in new:
            return True
        return bool(new) and isinstance(edit, Move | Resize | ResizeBand)

    return [edit for edit in edits if not follows(edit)] or list(edits)


def _clauses(said: Sequence[tuple[str, str]], language: Language) -> list[str]:
    """One clause for all that was done alike, with what it was done to."""
    subjects: dict[str, list[str]] = {}
    for clause, subject in said:
        subjects.setdefault(clause, []).append(subject)
    found = [clause.replace("{}", list_names(names, language)) for clause, names in subjects.items()]
    if len(found) > _MOST:
        more = len(found) - _MOST
        found = [*found[:_MOST], f"{more} more changes" if language == "en" else f"另有 {more} 处改动"]
    return found


class _Speaker:
    """Says single edits as a clause with ``{}`` in the place of what it was done to."""

    def __init__(self, draft: Draft, language: Language) -> None:
        self._draft, self._language = draft, language
        self._zh = language == "zh"
        self._labels: dict[str, str] = {}

    def said(self, edit: AnyEdit) -> tuple[str, str]:
        english, chinese, subject = self._clause(edit)
        return (chinese if self._zh else english), subject

    def _clause(self, edit: AnyEdit) -> tuple[str, str, str]:
        match edit:
            case Move() | Resize() | Delete() | SetProperty() | SetExpression() | SetText():
                return self._of_element(edit)
            case AddColumn() | DeleteColumn() | MoveColumn() | ResizeColumn() | AddTotal() | AddGroup() | SortBy():
                return self._of_rows(edit)
            case DeleteGroup():
                return "stopped grouping the rows by {}", "取消了按{}分组", self._label(edit.field)
            case DeleteTotal():
                return self._of_totals(edit)
            case Highlight():
                condition = f"{self._label(edit.field)} {_COMPARISONS[edit.comparison]} {edit.value}"
                what = ("rows", "行") if edit.row else ("values", "值")
                return (
                    f"highlighted {what[0]} with {{}} in {edit.colour}",
                    f"用 {edit.colour} 突出显示{{}} 的{what[1]}",
                    condition,
                )
            case Add():
                where = section_label(edit.band, self._language)
                return f"added {{}} to {where}", f"在{where}添加了{{}}", self._added(edit)
            case RenameField():
                return f"renamed {{}} to {edit.to}", f"把{{}} 改名为 {edit.to}", edit.name
            case Declare():
                return f"declared the {edit.scope} {{}}", "声明了{}", edit.name
            case SetPage():
                return self._of_page(edit)
            case ResizeBand():
                return (
                    f"made {{}} {edit.height} points high",
                    f"把{{}}的高度改为 {edit.height} 点",
                    section_label(edit.band, self._language),
                )
            case ReplaceBand():
                return "rewrote {}", "重写了{}", section_label(edit.band, self._language)
            case SetReport():
                return f"set {{}} to {edit.value}", f"把{{}} 改为 {edit.value}", edit.name

    def _of_element(self, edit: Move | Resize | Delete | SetProperty | SetExpression | SetText) -> tuple[str, str, str]:
        node = self._draft.element(edit.element)
        subject = self._subject(node) if node is not None else edit.element
        match edit:
            case Move():
                return "moved {}", "移动了{}", subject
            case Resize():
                return "resized {}", "调整了{}的大小", subject
            case Delete():
                return "deleted {}", "删除了{}", subject
            case SetText():
                new = quote(edit.text, self._language)
                return f"changed {{}} to {new}", f"把{{}}改为{new}", subject
            case SetExpression():
                new = quote(edit.expression, self._language)
                return f"let {{}} print {new}", f"让{{}}显示{new}", subject
            case SetProperty():
                phrase = _PROPERTIES.get((edit.name, edit.value)) or _NAMED.get(
                    edit.name, (f"set {edit.name} of {{}} to {{value}}", f"把{{}}的 {edit.name} 改为 {{value}}")
                )
                return phrase[0].replace("{value}", edit.value), phrase[1].replace("{value}", edit.value), subject

    def _subject(self, node: etree._Element) -> str:
        """An element by what it says; a value of the rows as its column is called."""
        used = references(content_of(node)) if local_name(node) == "textField" and '"' not in content_of(node) else []
        if len(used) != 1:
            return element_label(node, self._language)
        (letter, name), label = used[0], self._label(used[0][1])
        if (letter, name) == ("V", "PAGE_NUMBER"):
            return "页码" if self._zh else "the page number"
        variable = self._draft.declared("variable", name) if letter == "V" else None
        if variable is not None and (what := _CALCULATIONS.get(variable.get("calculation", ""))):
            of = references(variable.findtext(tag("variableExpression")) or "")
            label = self._label(of[0][1]) if of else label
            return f"{label}{what[1]}" if self._zh else f"{what[0]} of {label}"
        return quote(label, self._language) if label != name else element_label(node, self._language)

    def _of_rows(
        self, edit: AddColumn | DeleteColumn | MoveColumn | ResizeColumn | AddTotal | AddGroup | SortBy
    ) -> tuple[str, str, str]:
        label = self._label(edit.field)
        match edit:
            case AddColumn():
                return "added the column {}", "添加了「{}」列", edit.label
            case DeleteColumn():
                return "deleted the column {}", "删除了「{}」列", label
            case MoveColumn() if edit.after:
                after = self._label(edit.after)
                return f"moved the column {{}} behind {after}", f"把「{{}}」列移到「{after}」之后", label
            case MoveColumn():
                return "moved the column {} to the front", "把「{}」列移到最前", label
            case ResizeColumn():
                return (
                    f"made the column {{}} {edit.width} points wide",
                    f"把「{{}}」列的宽度改为 {edit.width} 点",
                    label,
                )
            case AddTotal():
                what = _CALCULATIONS[edit.calculation]
                of = (
                    (f" for each {self._label(edit.group)}", f"每个{self._label(edit.group)}的")
                    if edit.group
                    else ("", "")
                )
                return f"added {what[0]} of {{}}{of[0]}", f"添加了{of[1]}「{{}}」{what[1]}", label
            case AddGroup():
                return "grouped the rows by {}", "按{}分组", edit.label or label
            case SortBy():
                down = (" from the highest down", "从大到小") if edit.descending else ("", "")
                return f"sorted the rows by {{}}{down[0]}", f"按{{}}{down[1]}排序", label

    def _of_page(self, edit: SetPage) -> tuple[str, str, str]:
        margins = {name: value for name in _SIDES if (value := getattr(edit, name)) is not None}
        if margins:
            every = len(margins) == len(_SIDES)
            which = "" if every else f"{' and '.join(margins)} "
            which_zh = "页" if every else "、".join(_SIDES[name] for name in margins)
            wide = "、".join(dict.fromkeys(str(value) for value in margins.values()))
            return f"made the {which}margins {{}} points wide", f"把{which_zh}边距改为 {{}} 点", wide
        turned = ("landscape", "横向") if edit.width > edit.height else ("portrait", "纵向")
        return (
            f"made the page {turned[0]}, {{}} points",
            f"把页面改为{turned[1]} {{}} 点",
            f"{edit.width} x {edit.height}",
        )

    def _added(self, edit: Add) -> str:
        expression = edit.expression or ""
        if "$V{PAGE_NUMBER}" in expression:
            return "页码" if self._zh else "the page number"
        if expression == "new java.util.Date()":
            return "打印日期" if self._zh else "the date of printing"
        return quote(edit.text or expression, self._language)

    def _of_totals(self, edit: DeleteTotal) -> tuple[str, str, str]:
        whose = self._label(edit.field) if edit.field else ""
        under = self._label(edit.group) if edit.group else ""
        what, zh = _CALCULATIONS[edit.calculation] if edit.calculation else ("the totals", "合计")
        english = f"deleted {what}" + (" of {}" if whose else "{}") + (f" for each {under}" if under else "")
        chinese = f"删除了{f'每个{under}的' if under else ''}" + ("「{}」" if whose else "{}") + zh
        return english, chinese, whose

    def _label(self, field: str) -> str:
        """What the report calls a field: its column's header."""
        if field not in self._labels:
            try:
                self._labels[field] = column_label(self._draft, main_table(self._draft), field)
            except EditRefused:
                self._labels[field] = field
        return self._labels[field]
