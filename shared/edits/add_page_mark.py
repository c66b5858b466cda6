"""Print the page number, the date of printing or who printed the report on every page."""

from __future__ import annotations

import re
from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.clone_style import set_alignment
from ..jrxml.dom import content_of, insert_child, new_node
from ..jrxml.draft import Draft
from ..jrxml.element_box import ElementBox
from ..jrxml.expressions import blank_if_null, reference, references
from ..jrxml.java_literals import java_string
from ..jrxml.labels import TemplateLabels
from ..jrxml.new_text import text_like
from ..jrxml.placement import Align, free_box
from ..jrxml.refusals import EditRefused
from ..language import Language
from ..replies import Text, text
from .base import Edit, EditClause, KnownNames

_NUMBER, _COUNT = "888", "888"
"""What page numbers have room for."""
_NUMBERS = re.compile(r"\{(pages?)\}")
_WIDEST = {"date": "2026-12-28", "time": "2026-12-28 08:08", "user": "8888888888"}


class AddPageMark(Edit):
    """Print on every page its number, with or without the number of pages, or who printed it, or when."""

    do: Literal["page_mark"] = "page_mark"
    what: Literal["page", "page_of_pages", "date", "time", "user"]
    band: Literal["pageHeader", "pageFooter"] = "pageFooter"
    align: Align = "Center"
    wording: str | None = None
    """How the number is worded, with {page}, and with {pages} for page_of_pages: "第{page}页/共{pages}页"."""
    user: str | None = None
    """Who printed it; null makes it a parameter of the report."""

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        band = draft.ensure_band(self.band)
        language: Language = "zh" if draft.is_chinese() else "en"
        if self.what in ("page", "page_of_pages"):
            if any(("V", "PAGE_NUMBER") in references(content_of(node)) for node in draft.elements()):
                raise EditRefused("already", Text.of("edits.add_page_mark.already"))
            self._number(draft, band, language)
            return True
        label = text(f"edits.add_page_mark.label.{self.what}", language)
        if self.what == "user" and self.user:
            node = text_like(draft, band, label + self.user)
            sample = label + self.user
        else:
            node = text_like(draft, band, expression=f"{java_string(label)} + {self._value(draft)}")
            sample = label + _WIDEST[self.what]
        self._put(draft, band, [(node, sample, f"printed_{self.what}")])
        return True

    def _value(self, draft: Draft) -> str:
        """Return the expression of a date, a time, or the name of who prints."""
        if self.what == "user":
            name = "printed_by"
            if draft.declared("parameter", name) is None:
                insert_child(draft.root, new_node("parameter", name=name, **{"class": "java.lang.String"}))
            return blank_if_null(reference("P", name))
        pattern = "yyyy-MM-dd" if self.what == "date" else "yyyy-MM-dd HH:mm"
        return f"new java.text.SimpleDateFormat({java_string(pattern)}).format(new java.util.Date())"

    def _number(self, draft: Draft, band: etree._Element, language: Language) -> None:
        """Add the page number. That of all pages is a second field, as it is known only at the end."""
        if self.wording is not None:
            self._put(draft, band, self._worded(draft, band, self.wording))
            return
        words = {
            name: text(f"edits.add_page_mark.number.{name}", language) for name in ("before", "of", "count", "after")
        }
        if self.what == "page":
            last = text("edits.add_page_mark.number.end", language)
            node = text_like(draft, band, expression=_joined(words["before"], last))
            self._put(draft, band, [(node, words["before"] + _NUMBER + last, "page_number")])
            return
        number = text_like(draft, band, expression=_joined(words["before"], words["of"]))
        count = text_like(draft, band, expression=_joined(words["count"], words["after"]))
        count.set("evaluationTime", "Report")
        set_alignment(number, "Right")
        parts = [
            (number, words["before"] + _NUMBER + words["of"], "page_number"),
            (count, words["count"] + _COUNT + words["after"], "page_count"),
        ]
        self._put(draft, band, parts)

    def _worded(self, draft: Draft, band: etree._Element, wording: str) -> list[tuple[etree._Element, str, str]]:
        """Return the texts of a wording of one's own, one for each number."""
        lead, *rest = _NUMBERS.split(wording)
        names, texts = rest[::2], rest[1::2]
        if sorted(names) != (["page"] if self.what == "page" else ["page", "pages"]):
            raise EditRefused("value", Text.of(f"edits.add_page_mark.wording.{self.what}"))
        parts = []
        for number, name in enumerate(names):
            # A blank at the end of a text is not printed, so that it begins the next one.
            before = lead if number == 0 else texts[0][len(texts[0].rstrip()) :]
            after = texts[number] if number == len(names) - 1 else texts[number].rstrip()
            node = text_like(draft, band, expression=_joined(before, after))
            if name == "pages":
                node.set("evaluationTime", "Report")
            if number < len(names) - 1:
                set_alignment(node, "Right")
            parts.append((node, before + _NUMBER + after, "page_number" if name == "page" else "page_count"))
        return parts

    def _put(self, draft: Draft, band: etree._Element, parts: list[tuple[etree._Element, str, str]]) -> None:
        """Add texts side by side to the band, as one, at the edit's side."""
        widths = [draft.style_of(node).width_of(sample) for node, sample, _ in parts]
        height = max(draft.style_of(node).height_of("合Tg", draft.page_width) for node, _, _ in parts)
        box = free_box(draft, band, min(sum(widths), draft.band_width(band)), height, self.align)
        x = box.left
        for (node, _, key), width in zip(parts, widths, strict=True):
            if len(parts) == 1:
                set_alignment(node, self.align)
            draft.add_element(band, node, key)
            draft.set_box(node, ElementBox(x, box.top, x + width, box.bottom))
            x += width

    def unseen(self) -> str:
        return "edits.unseen.covered"

    def describe(self, labels: TemplateLabels) -> EditClause:
        subject = text(f"edits.add_page_mark.what.{self.what}", labels.language)
        return EditClause("edits.add_page_mark.done", subject, {"section": labels.section(self.band)})

    def is_known(self, names: KnownNames) -> bool:
        return True


def _joined(before: str, after: str) -> str:
    """Return an expression of the page number between two texts."""
    parts = [java_string(before), "$V{PAGE_NUMBER}", *([java_string(after)] if after else [])]
    return " + ".join(parts)
