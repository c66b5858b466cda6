"""Compare each page of a filled report with its page of the form; the worst one decides.

Page 1 of the form is compared with page 1 of the report. The form's later pages follow, each as a page of its own:
where page 1 has rows, after all the pages that the rows take.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.replies import Text
from bandsmith.shared.turns.verdict import Finding, Grade, Likeness, Printed

from .checks import grading, likeness
from .checks.likeness import PageComparison
from .engine import Printout
from .engine.client import PrintedElement
from .evidence import collect
from .pictures import PagePicture
from .settings import ValidatorSettings

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
    numbers = pages_of_form(printout.pages, len(forms), after_rows=layout.whole.repeat is not None)
    printed = [PagePicture.of_png(printout.pictures[one]) for one in numbers if one < len(printout.pictures)]
    listed = [printout.elements, *printout.later]
    elements = [listed[one] for one in numbers if one < len(listed)]
    found: list[tuple[Likeness, Grade]] = []
    findings: list[Finding] = []
    for number, (one, own) in enumerate(zip(forms, [layout, *layout.later], strict=True)):
        is_printed = number < len(printed)
        page = printed[number] if is_printed else PagePicture(np.full_like(one.pixels, 255))
        items = measured(elements[number], page) if is_printed and number < len(elements) else []
        compared = PageComparison(one, page, own, items, template, settings)
        similarity, differences = likeness.compare(compared)
        evidence = collect(compared, similarity, printout.pages if number == 0 else 1)
        # A later page may be wording alone, as terms are, without being worse for it.
        grade, reasons = grading.judge(evidence._replace(fixed=0.0) if number else evidence)
        found.append((similarity, grade))
        on_form = layout.pages - len(layout.later) + number
        findings += [_on_page(one, on_form) if number else one for one in (*differences, *reasons)]
    grade = max((grade for _, grade in found), key=lambda grade: _SEVERITY[grade])
    alike = min((one for one, _ in found), key=lambda one: (one.texts, one.ssim))
    pages = [page.on_canvas(forms[0].shape) for page in printed]
    picture = printed[0] if len(forms) == 1 else PagePicture(np.vstack([page.pixels for page in pages]))
    return ComparedPages(alike, grade, findings, picture)


def pages_of_form(pages: int, count: int, *, after_rows: bool) -> list[int]:
    """Return the index of the printed page for each page of a form: of `pages` that are printed, for `count`.

    Pages `after_rows` are the last ones that are printed.
    """
    skipped = max(0, pages - count) if after_rows else 0
    return [0, *(skipped + number for number in range(1, count))]


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
