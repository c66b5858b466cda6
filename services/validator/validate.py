"""One template through all checks, in their order; each wall has to hold before what is behind it is touched."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.plan import Data
from bandsmith.shared.model.verdict import Finding, Likeness, Printed, Verdict

from . import compare_image
from .checks import allowed, expressions, fill, picture, schema, structure, wellformed
from .engine import Printout, ReportEngine
from .pictures import PagePicture
from .settings import ValidatorSettings

_MOST_FINDINGS = 200


@dataclass(frozen=True)
class Validation:
    """The verdict and the pictures that go with it; None where it did not come so far."""

    verdict: Verdict
    printout: Printout | None = None
    pdf: bytes | None = None
    compare: bytes | None = None


@dataclass(frozen=True)
class ExpectedPage:
    """What page 1 has to be like."""

    picture: bytes
    """A PNG of 150 dots per inch."""
    layout: Layout


def validate(
    engine: ReportEngine,
    settings: ValidatorSettings,
    content: bytes,
    data: Data,
    form: ExpectedPage | None = None,
    before: bytes | None = None,
) -> Validation:
    """Everything that is wrong with a template, as itself and beside the form, where there is one.

    `before` is page 1 of the version before, to be shown beside the new one where there is no form.
    Raises ``MissingPart`` when the engine is not set up, ``ValueError`` when `form` or `before` is no picture.
    """
    template, findings = parse_template(content)
    if template is None or _errors(findings):
        return _stopped(findings)
    findings += structure.check(template) + schema.check(template)
    if _hopeless(findings):
        return _stopped(findings)
    with ThreadPoolExecutor(1) as aside:
        beside = form.picture if form else before
        other = aside.submit(_read, beside) if beside else None  # while the engine works
        printout, more = fill.check(engine, template, data, one_page=form is not None)
        findings += more
        if printout is None or not printout.pictures:
            return _stopped(findings)
        exported = aside.submit(fill.pdf, engine, template, data)  # while the pictures are compared
        page = PagePicture.of_png(printout.pictures[0]) if other else None
        likeness = None
        if form and other and page:
            prints = measure_printout(printout, page)
            likeness, more = picture.check(other.result(), page, form.layout, prints, template, settings)
            findings += more
        pdf, failures = exported.result()
    findings += failures
    verdict = _verdict(findings, likeness, printout.pages)
    drawn = None
    if other and page:
        drawn = compare_image.draw(other.result(), page, likeness, len(_errors(findings)), verdict.passed)
    return Validation(verdict, printout, pdf, drawn)


def _read(png: bytes) -> PagePicture:
    picture = PagePicture.of_png(png)
    _ = picture.ink  # the dearest part of it, kept for the comparing
    return picture


def parse_template(content: bytes) -> tuple[Template | None, list[Finding]]:
    """A template that may be given to the engine, or what forbids it: the checks that guard the engine."""
    template, findings = wellformed.check(content)
    if template is not None:
        findings += allowed.check(template) + expressions.check(template)
    return template, findings


def measure_printout(printout: Printout, page: PagePicture) -> list[Printed]:
    """The elements of page 1, with the ink of its texts measured on the picture of it."""
    return [
        Printed(
            key=element.key,
            box=element.box,
            text=element.text,
            ink=page.ink_in(element.box) if (element.text or "").strip() else None,
            row=element.row,
        )
        for element in printout.elements
    ]


def _errors(findings: list[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.severity == "error"]


def _hopeless(findings: list[Finding]) -> bool:
    """Whether the engine would only say again what is known, or draw a page of any size."""
    return any(
        f.code.startswith("schema.") or f.code in ("structure.page", "structure.bands", "structure.undeclared")
        for f in _errors(findings)
    )


def _stopped(findings: list[Finding]) -> Validation:
    return Validation(_verdict(findings, None, 0))


def _verdict(findings: list[Finding], likeness: Likeness | None, pages: int) -> Verdict:
    if len(findings) > _MOST_FINDINGS:  # a message has a largest size, and a person a patience
        findings = sorted(findings, key=lambda finding: finding.severity != "error")[:_MOST_FINDINGS]
    return Verdict(passed=not _errors(findings), findings=findings, likeness=likeness, pages=pages)
