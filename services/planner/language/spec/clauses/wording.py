"""Title, company, footer, page numbers and language. What users say is in ``templates/*/spec_wording.toml``."""

from __future__ import annotations

from typing import Literal, cast

from bandsmith.shared.fonts import is_cjk

from ...sentence_templates import Slots
from ..labels import is_label, split
from ..titles import names_report
from .base import Builder, SpecClauses


def greeting(clauses: SpecClauses, slots: Slots) -> str | None:
    """`Dear Bandsmith,` at the beginning."""
    return "" if not clauses.before.strip(" \n") else None


def courtesy(clauses: SpecClauses, slots: Slots) -> str | None:
    """`..., with a total please`."""
    return "" if clauses.before.strip() and not clauses.after.strip(" .!。！\n") else None


def sign_off(clauses: SpecClauses, slots: Slots) -> str | None:
    """`Kind regards, Margaret` at the end."""
    is_name = all(word[:1].isupper() for word in slots["name"].split())
    return "" if is_name and not clauses.after.strip(" .!\n") and clauses.before.strip() else None


def footer(clauses: SpecClauses, slots: Slots) -> str:
    clauses.footer = clauses.footer or clauses.description.filled(slots["text"] or slots["quoted"])
    return ", "


def company(clauses: SpecClauses, slots: Slots) -> str | None:
    """The first text of the head is who sends it; the one after it is the title."""
    if clauses.company:
        return None
    name = clauses.description.filled(slots["quoted"] or slots["name"])
    if not slots["then"] and not clauses.title and names_report(name):
        clauses.title = name  # 抬头“入库单”
        return ", "
    clauses.company = name
    if slots["then"]:
        clauses.title = clauses.title or clauses.description.filled(slots["then"])
    return ", "


def headed(clauses: SpecClauses, slots: Slots) -> str | None:
    """`抬头收据`, `heading Phone message`: the title is what a report is called, or words that begin with a capital."""
    words = slots["text"]
    if (
        clauses.title
        or not is_label(words)
        or len(split(words)) > 1
        or not (names_report(words) or words[:1].isupper())
    ):
        return None
    clauses.title = clauses.description.filled(slots["text"])
    return ", "


def title(clauses: SpecClauses, slots: Slots) -> str | None:
    if clauses.title:
        return None
    clauses.title = clauses.description.filled(slots["text"] or slots["quoted"])
    return ", "


def named(clauses: SpecClauses, slots: Slots) -> str | None:
    """`titled Sales 7 with customer and amount`."""
    return _named(clauses, slots, " with ")


def named_before(clauses: SpecClauses, slots: Slots) -> str | None:
    """`..., titled Sales 7`."""
    return _named(clauses, slots, ", ")


def _named(clauses: SpecClauses, slots: Slots, between: str) -> str | None:
    if clauses.title:
        return None
    clauses.title = clauses.description.filled(slots["name"])
    return between


def title_place(clauses: SpecClauses, slots: Slots) -> str | None:
    """`'PURCHASE ORDER' big on the right`."""
    if clauses.title:
        return None
    clauses.title = clauses.description.filled(slots["quoted"])
    clauses.title_align = cast("Literal['left', 'center', 'right']", slots["side"])
    return ", "


def closing_text(clauses: SpecClauses, slots: Slots) -> str:
    clauses.closing_texts.append(clauses.description.filled(slots["quoted"]))
    return ", "


def no_page_numbers(clauses: SpecClauses, slots: Slots) -> str:
    clauses.page_numbers = False
    return ", "


def page_marks(clauses: SpecClauses, slots: Slots) -> str:
    """`页脚有页码和打印日期`: page numbers are usual, and the date is a change of the finished report."""
    is_chinese = any(map(is_cjk, clauses.phrase))
    clauses.changes.append("页脚显示打印日期" if is_chinese else "show the print date in the footer")
    return ", "


def page_numbers(clauses: SpecClauses, slots: Slots) -> str:
    """Page numbers are usual: nothing is to be noted."""
    return ", "


def in_english(clauses: SpecClauses, slots: Slots) -> str:
    clauses.language = "en"
    return " "


def in_chinese(clauses: SpecClauses, slots: Slots) -> str:
    clauses.language = "zh"
    return " "


BUILDERS: tuple[Builder, ...] = (
    greeting, courtesy, sign_off, no_page_numbers, page_marks, page_numbers, footer, company, headed, title, named,
    named_before, title_place, closing_text, in_english, in_chinese,
)  # fmt: skip
