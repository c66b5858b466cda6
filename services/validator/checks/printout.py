"""Check the filled report: it has pages, as many as the form, and every value is printed whole."""

from __future__ import annotations

from typing import NamedTuple

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.resize_band import ResizeBand
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.edits.set_report import SetReport
from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.model.plan import Data
from bandsmith.shared.turns.verdict import Finding

from .. import text_fit
from ..engine import Printout
from .base import Check, FindingCode, Stage, element_name


class Code(FindingCode):
    EMPTY = "fill.empty"
    PAGES = "fill.pages"
    NUMBER = "fill.number"
    CUT = "fill.cut"
    NULL = "fill.null"


class FilledReport(NamedTuple):
    """A filled report with what it was filled from."""

    template: Template
    data: Data
    printout: Printout
    one_page: bool
    """Whether it has to fit on one page, as its form does."""
    form_pages: int = 0
    """Number of pages of a form whose pages are each a page of the report; 0 where it has one, or rows on several."""


def check(report: FilledReport) -> list[Finding]:
    return [*_check_pages(report), *_check_cut_values(report), *_check_nulls(report)]


def _check_pages(report: FilledReport) -> list[Finding]:
    if report.printout.pages == 0:
        return [Finding.of(Code.EMPTY, edits=[SetReport(name="whenNoDataType", value="AllSectionsNoDetail")])]
    if report.form_pages and report.printout.pages != report.form_pages:
        pages, count = report.printout.pages, report.form_pages
        return [Finding.of(Code.NUMBER, severity="warning", pages=pages, expected=count)]
    if report.printout.pages == 1 or not report.one_page:
        return []
    edits = _onto_one_page(report.template, report.data) or _in_smaller_type(report)
    return [Finding.of(Code.PAGES, severity="error" if edits else "warning", edits=edits, pages=report.printout.pages)]


def _onto_one_page(template: Template, data: Data) -> list[AnyEdit]:
    """Take a few excess points from the bottom margin, or else from below the last element of a band."""
    rows = max(1, len(data.rows))
    needed = sum(
        band.height * (rows if band.section == "detail" else 1)
        for band in template.bands
        if band.section not in ("background", "noData", "lastPageFooter")
    )
    excess = needed - (template.page_height - template.top - template.bottom)
    if excess <= 0:
        return []
    if excess <= template.bottom:
        return [SetReport(name="bottomMargin", value=str(template.bottom - excess))]
    for band in sorted(template.bands, key=lambda band: -band.height):
        used = max((e.y + e.height for e in band.elements if e.frame is None), default=0)
        if band.section not in ("detail", "background") and band.height - used >= excess:
            return [ResizeBand(band=band.name, height=band.height - excess)]
    return []


def _in_smaller_type(report: FilledReport) -> list[AnyEdit]:
    """Set values that outgrew their elements in type in which they fit, as they do on the form.

    In rows, which stretch, a text that would become hard to read keeps its size: the report may take two pages.
    """
    outgrown: dict[str, list[str]] = {}
    for printed in report.printout.elements:
        element = report.template.by_key.get(printed.key or "")
        if element is None or element.key is None or element.node.get("textAdjust") != "StretchHeight":
            continue
        if (
            printed.text
            and text_fit.is_measurable(element)
            and text_fit.outgrows(report.template, element, printed.text)
        ):
            outgrown.setdefault(element.key, []).append(printed.text)
    edits: list[AnyEdit] = []
    for key, texts in outgrown.items():
        element = report.template.by_key[key]
        size = text_fit.fitting_size(report.template, element, texts)
        if size is None and element.band.section == "detail":
            continue
        name, value = ("textAdjust", "ScaleFont") if size is None else ("fontSize", f"{size:g}")
        edits.append(SetProperty(element=key, name=name, value=value))
    return edits


def _check_cut_values(report: FilledReport) -> list[Finding]:
    findings: dict[str, Finding] = {}
    for printed in report.printout.listed:
        element = report.template.by_key.get(printed.key or "")
        if not printed.cut or element is None or element.key is None or element.kind == "staticText":
            continue  # the structure check covers fixed wording
        text = (printed.text or "") + printed.rest
        edits = text_fit.enlarging_edits(report.template, element, text) if text_fit.is_measurable(element) else []
        earlier = findings.get(element.key)
        if earlier is None or _enlargement(edits) > _enlargement(earlier.edits):
            findings[element.key] = Finding.of(Code.CUT, element=element.key, edits=edits, name=element_name(element))
    return list(findings.values())


def _enlargement(edits: list[AnyEdit]) -> int:
    """How large edits make an element, to keep the largest of those for its rows."""
    return sum((getattr(edit, "width", None) or 0) + (getattr(edit, "height", None) or 0) for edit in edits)


def _check_nulls(report: FilledReport) -> list[Finding]:
    keys = dict.fromkeys(p.key for p in report.printout.listed if p.text == "null" and p.key)
    findings = []
    for key in keys:
        element = report.template.by_key.get(key)
        if element is not None and element.kind == "textField" and element.node.get("isBlankWhenNull") != "true":
            edits = [SetProperty(element=key, name="isBlankWhenNull", value="true")]
            findings.append(Finding.of(Code.NULL, element=key, edits=edits, name=element_name(element)))
    return findings


CHECK = Check(Stage.PRINTOUT, Code, check)
