"""Compare each page of a filled report with its page of the form; the worst one decides.

Page 1 of the form is compared with page 1 of the report, and each later page with the page on which its band is
printed, which is a later one where the rows, or a list of a page before it, have grown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from lxml import etree

from bandsmith.shared.jrxml.dom import J
from bandsmith.shared.jrxml.further_pages import further_pages
from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.stacked_pages import stacked
from bandsmith.shared.replies import Text
from bandsmith.shared.turns.verdict import Finding, Grade, Likeness, Printed

from .checks import grading, likeness
from .checks.likeness import PageComparison
from .engine import Printout
from .engine.client import PrintedElement
from .evidence import collect, document_shares
from .pictures import PagePicture
from .settings import ValidatorSettings

_OF_DOCUMENT = frozenset({grading.Code.FIXED, grading.Code.UNNAMED})
"""Reasons that are judged over the texts of all pages, and said once."""
_SEVERITY: dict[Grade, int] = {"keep": 0, "small_edits": 1, "start_over": 2}


class ComparedPages(NamedTuple):
    """How the pages of a report compare with those of its form."""

    likeness: Likeness
    grade: Grade
    findings: list[Finding]
    picture: PagePicture
    """The pages that were compared, below each other."""


def compare_pages(
    form: PagePicture, layout: Layout, printout: Printout, template: Template, settings: ValidatorSettings
) -> ComparedPages:
    """Compare a report with its form, which shows all pages below each other."""
    forms = _split(form, 1 + len(layout.later))
    printed = [PagePicture.of_png(png) for png in printout.pictures]
    elements = [printout.elements, *printout.later]
    of_document = document_shares(stacked(layout, layout.later))
    found: list[tuple[Likeness, Grade]] = []
    findings: list[Finding] = []
    shown: list[PagePicture] = []
    places = pages_of_form(template.root, printout, len(forms))
    for number, (one, own, at) in enumerate(zip(forms, [layout, *layout.later], places, strict=True)):
        if at is None:
            continue
        page = printed[at] if at < len(printed) else PagePicture(np.full_like(one.pixels, 255))
        shown += [page] if at < len(printed) else []
        items = measured(elements[at], page) if at < min(len(printed), len(elements)) else []
        compared = PageComparison(one, page, own, items, template, settings)
        similarity, differences = likeness.compare(compared)
        evidence = collect(compared, similarity, printout.pages if number == 0 else 1)
        # A page may be wording alone, as covers and terms are, without being worse for it.
        grade, reasons = grading.judge(evidence._replace(fixed=of_document.fixed, unnamed=of_document.unnamed))
        found.append((similarity, grade))
        if number:
            on_form = layout.pages - len(layout.later) + number
            reasons = [_on_page(one, on_form) for one in reasons if one.code not in _OF_DOCUMENT]
            differences = [_on_page(one, on_form) for one in differences]
        findings += [*differences, *reasons]
    grade = max((grade for _, grade in found), key=lambda grade: _SEVERITY[grade])
    alike = min((one for one, _ in found), key=lambda one: (one.texts, one.ssim))
    pages = [page.on_canvas(forms[0].shape) for page in shown]
    picture = printed[0] if len(forms) == 1 else PagePicture(np.vstack([page.pixels for page in pages]))
    return ComparedPages(alike, grade, findings, picture)


def pages_of_form(root: etree._Element, printout: Printout, count: int) -> list[int | None]:
    """Return on which page of the report each page of a form begins, from 0 on; None where that is beyond the listed.

    A list that grows takes pages of its own, so a page is found by what its band prints. A page without elements
    follows the one before it. What is not printed at all has the number after the last page.
    """
    listed = [{element.key for element in page} for page in (printout.elements, *printout.later)]
    bands = further_pages(root)
    found: list[int | None] = [0]
    last = 0
    for number in range(1, count):
        band = bands[number - 1] if number <= len(bands) else None
        nodes = band.iter(f"{J}reportElement") if band is not None else ()
        keys = {key for node in nodes if (key := node.get("key")) and not key.endswith("_break")}
        at = next((page for page in range(last + 1, len(listed)) if keys & listed[page]), None)
        if at is None and keys:
            found.append(None if printout.pages > len(listed) else printout.pages)
            continue
        last = last + 1 if at is None else at
        found.append(last)
    return found


def measured(elements: Sequence[PrintedElement], page: PagePicture) -> list[Printed]:
    """Return what is printed on a page, with the ink of its texts measured on its picture."""
    return [
        Printed(
            key=element.key,
            box=element.box,
            text=element.text,
            ink=page.ink_in(element.box) if (element.text or "").strip() else None,
            row=element.row,
        )
        for element in elements
    ]


def _split(form: PagePicture, count: int) -> list[PagePicture]:
    """Return the pages of a form."""
    return [form] if count == 1 else [PagePicture(page) for page in np.split(form.pixels, count)]


def _on_page(finding: Finding, number: int) -> Finding:
    """Return a finding that says on which page it is."""
    said = Text.of("validator.on_page", page=number, finding=Text(finding.message, finding.message_zh))
    return finding.model_copy(update={"message": said.en, "message_zh": said.zh})
