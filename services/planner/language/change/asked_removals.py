"""The elements that a sentence asks to have removed: removed by the edits that rules read, or named in the sentence.

A model's edits may remove nothing else (``shared/editing/content_guard.py``). A word such as "remove" is not enough:
the clause that has it must also name what an edit of the model removes, by its wording, its field or its kind, and must
not forbid it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.jrxml.draft import Draft

from ..template_view import TemplateView, ViewElement
from .clauses import SplitRequest

_WISH = re.compile(
    r"\b(?:delet\w*|remov\w*|drop(?:ped|ping)?|hid(?:e|den|ing)|eras\w*|get(?:ting)? rid of|take (?:out|away|off)|"
    r"leav(?:e|ing) out|omit\w*|skip\w*|exclud\w*|strip\w*|clear\w*|cut|lose|without|kill|throw (?:out|away)|"
    r"(?:no|not) (?:longer )?need\w*|no (?:more |longer )?use for|"
    r"don'?t (?:need|want|show|print)|doesn'?t need|no more|superfluous|redundant|"
    r"only (?:keep|show|print|leave)|keep (?:only|just)|nothing but)\b"
    r"|删|去掉|去除|移除|拿掉|隐藏|清空|清除|清掉|取消|省略|省掉|不要|不需要|不用|用不着|不显示|不打印|多余|没用|"
    r"只保留|只留|只要|只显示|仅保留|精简掉|抹掉|擦掉",
    re.IGNORECASE,
)
_FORBIDS = re.compile(
    r"\b(?:do not|don'?t|never|without|not|must not|mustn'?t) (?:\w+ ){0,2}?"
    r"(?:delet\w*|remov\w*|drop\w*|hid\w*|eras\w*|los\w*|chang\w*|touch\w*)\b"
    r"|(?:不要|别|不能|不可以?|勿|请勿|不许)(?:再|去|把|随便|乱)?(?:删|去掉|去除|移除|拿掉|隐藏|清|动|改)",
    re.IGNORECASE,
)
_ONLY = re.compile(
    r"\b(?:only (?:keep|show|print|leave)|keep (?:only|just)|nothing but)\b|只保留|只留|只要|只显示|仅保留",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\b(?:everything|all of it|all (?:the )?elements|the whole (?:page|report))\b|全部内容|所有内容|一切",
    re.IGNORECASE,
)
_KINDS: tuple[tuple[str, str, str], ...] = (
    (r"\b(?:rules?|lines?|borders?|separators?)\b|线|边框", "tag", "line"),
    (r"\b(?:box|boxes|frames?|rectangles?)\b|框", "tag", "rectangle"),
    (r"\b(?:logos?|images?|pictures?|photos?|stamps?)\b|图标|徽标|图片|照片|印章", "tag", "image"),
    (r"\b(?:page )?footers?\b|页脚|表尾", "section", "pageFooter|lastPageFooter|columnFooter"),
    (r"\b(?:page )?headers?\b|页眉", "section", "pageHeader"),
    (r"\b(?:column headers?|headings?|table head)\b|表头|列头", "section", "columnHeader"),
    (r"\btitles?\b|标题", "section", "title"),
    (r"\b(?:summary|totals?|sums?|grand total)\b|合计|总计|汇总", "section", "summary"),
    (r"\b(?:subtotals?|group footers?)\b|小计", "section", "groupFooter"),
    (r"\b(?:group headers?|groups?|grouping)\b|分组", "section", "groupHeader|groupFooter"),
    (r"\b(?:page numbers?|page count)\b|页码", "words", "PAGE_NUMBER"),
)
"""Words for a kind of element, and by what it is told: its tag, its section, or what it prints."""
MIN_LABEL_CHARS = 2


def asked_removals(
    sentence: str, view: TemplateView, by_rules: Iterable[AnyEdit], by_model: Sequence[AnyEdit]
) -> list[str]:
    """Return the names of the elements whose removal a sentence asks for."""
    draft = view.editor.draft
    asked = {name for edit in by_rules for name in _removed(edit, draft)}
    if by_model:
        for clause in _wishes(sentence):
            asked |= _named_in(clause, view)
    return sorted(asked)


def _removed(edit: AnyEdit, draft: Draft) -> set[str]:
    return {draft.name_of(node) for node in (*edit.removes(draft), *edit.removes_along(draft))}


def _wishes(sentence: str) -> list[str]:
    """Return the clauses that ask to have something removed, with their quotations."""
    split = SplitRequest(sentence)
    clauses, wish = [], False
    for number, part in enumerate(split.parts):
        clause = split.with_quotations(split.clause(number, number))[0]
        # "Remove the date and the amount": what an "and" joins goes on with the wish before it.
        wish = bool(_WISH.search(clause)) or (part.weak and wish)
        if wish and not _FORBIDS.search(clause):
            clauses.append(clause)
    return clauses


def _named_in(clause: str, view: TemplateView) -> set[str]:
    """Return the names of the elements that a clause names; of what is to be kept alone, those of all others."""
    words = f" {clause.casefold()} "
    named = {piece.key for piece in view.pieces if _is_named(piece, words)}
    for column in view.columns:
        if _mentions(words, column.label) or _mentions(words, column.field.replace("_", " ")):
            named |= {piece.key for piece in column.pieces}
            named |= {piece.key for piece in view.pieces if _adds_up(piece, column.field)}
    if _ONLY.search(clause):
        return {piece.key for piece in view.pieces} - named if named else set()
    return {piece.key for piece in view.pieces} if _ALL.search(clause) else named


def _is_named(piece: ViewElement, words: str) -> bool:
    if _mentions(words, piece.words):
        return True
    told_by = {"tag": piece.tag, "section": piece.section, "words": piece.expression}
    return any(
        re.search(pattern, words) and re.search(f"(?:{value})", told_by[about]) for pattern, about, value in _KINDS
    )


def _mentions(words: str, label: str) -> bool:
    """Return whether the label, or its only long word, is among the words of a clause."""
    label = " ".join(label.casefold().strip(" :：*-").split())
    if len(label) < MIN_LABEL_CHARS:
        return False
    if label.isascii():
        return re.search(rf"(?<![a-z0-9]){re.escape(label)}(?:s|es)?(?![a-z0-9])", words) is not None
    return label in words


def _adds_up(piece: ViewElement, field: str) -> bool:
    """Return whether an element prints a total of a field."""
    return any(letter == "V" and field in name for letter, name in piece.references)
