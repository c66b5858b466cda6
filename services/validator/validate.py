"""Run all checks on a template, in their order. Each stage must pass before the next one touches the template."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache

from pydantic import TypeAdapter

from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.language import Language
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.plan import Data
from bandsmith.shared.turns.verdict import Finding, Grade, Likeness, Printed, Verdict

from . import compare_image
from .checks import Stage, blocks_the_engine, engine_run, run_checks, side_effects, wellformed
from .checks.printout import FilledReport
from .compare_pages import compare_pages
from .engine import Printout, ReportEngine, SeenPages
from .inert import Printable, inert
from .known_findings import Identity, accept_known, identities
from .pictures import PagePicture
from .settings import ValidatorSettings

Accept = Callable[[Iterable[Finding], Template], list[Finding]]
"""Weighs findings."""
_ELEMENTS: TypeAdapter[list[Printed]] = TypeAdapter(list[Printed])
MAX_DRAWN_PAGES = 5
"""Pages that become pictures; users see the others in the PDF."""
MAX_FINDINGS = 200
"""A verdict with more findings would exceed what a message may hold."""


@dataclass(frozen=True)
class Validation:
    """The verdict and the files that go with it, as far as validation got."""

    verdict: Verdict
    printout: Printout | None = None
    seen: SeenPages | None = None
    pdf: bytes | None = None
    compare: bytes | None = None


@dataclass(frozen=True)
class ExpectedPage:
    """The form that the report has to look like."""

    picture: bytes
    """A PNG of 150 dots per inch: page 1, and the later pages below it."""
    layout: Layout


@dataclass(frozen=True)
class Upload:
    """The user's own file that a template comes from."""

    content: bytes
    strict: bool = False
    """Whether the user asked to have fixed what is wrong with it."""


def validate(
    engine: ReportEngine,
    settings: ValidatorSettings,
    content: bytes,
    data: Data,
    form: ExpectedPage | None = None,
    before: bytes | None = None,
    upload: Upload | None = None,
    language: Language = "en",
) -> Validation:
    """Check a template by itself, and against its form where there is one.

    `before` is page 1 of the previous version, to be shown beside the new one where there is no form. Raises
    ``MissingPart`` when the engine is not set up, and ``ValueError`` when `form` or `before` is no picture.
    """
    printable, findings = parse_template(content, upload.content if upload else None)
    if printable is None or _errors(findings):
        return Validation(_verdict(findings))
    template = printable.template
    found = run_checks(Stage.STRUCTURE, template) + run_checks(Stage.SCHEMA, template)
    if blocks_the_engine(found):
        return Validation(_verdict([*findings, *found, *printable.notes]))
    with engine.job(data):
        done = _validate_printed(engine, settings, printable, data, form, before, language)
        accept = _acceptance(engine, content, data, upload)
        earlier = accept([*findings, *found], template)
        return replace(done, verdict=_with_earlier(done.verdict, earlier, accept, template))


def _acceptance(engine: ReportEngine, content: bytes, data: Data, upload: Upload | None) -> Accept:
    """Return how findings are weighed that the user's own file had already."""
    if upload is None or upload.strict:
        return lambda findings, _: list(findings)
    if upload.content == content:
        return lambda findings, template: accept_known(findings, template, None)

    @cache
    def known() -> set[Identity]:
        return _findings_of(engine, upload.content, data)

    return lambda findings, template: accept_known(findings, template, known)


def _findings_of(engine: ReportEngine, content: bytes, data: Data) -> set[Identity]:
    """Return the findings that the user's own file has as it came."""
    printable, _ = parse_template(content, content)
    if printable is None:
        return set()
    template = printable.template
    findings = run_checks(Stage.STRUCTURE, template)
    printout, _ = engine_run.print_report(engine, printable, data, pages=1)[:2]
    if printout is not None:
        findings += run_checks(Stage.PRINTOUT, FilledReport(template, data, printout, False))
    return identities(findings, template)


def _with_earlier(verdict: Verdict, earlier: list[Finding], accept: Accept, template: Template) -> Verdict:
    """Return the verdict on the filled report with the findings of the checks before it."""
    findings = [*earlier, *accept(verdict.findings, template)]
    return _verdict(findings, verdict.likeness, verdict.pages, verdict.grade)


def _validate_printed(
    engine: ReportEngine,
    settings: ValidatorSettings,
    printable: Printable,
    data: Data,
    form: ExpectedPage | None,
    before: bytes | None,
    language: Language,
) -> Validation:
    """Fill the report and check what was printed. Decoding and exporting run in a thread beside the rest."""
    with ThreadPoolExecutor(1) as background:
        other_png = form.picture if form else before
        other = background.submit(_decode, other_png) if other_png else None  # while the engine works
        one_page = form is not None and form.layout.pages == 1
        # Rows may take more pages than on the form, and the form's last page follows them.
        listed = form.layout.pages + MAX_DRAWN_PAGES if form and form.layout.later else 1
        drawn = max(MAX_DRAWN_PAGES, listed)
        printout, findings, printable = engine_run.print_report(engine, printable, data, pages=drawn, listed=listed)
        template = printable.template
        findings += printable.notes
        if printout is not None:
            findings += run_checks(Stage.PRINTOUT, FilledReport(template, data, printout, one_page))
        if printout is None or not printout.pictures:
            return Validation(_verdict(findings))
        exported = background.submit(engine_run.export_pdf, engine, printable, data)  # while the pictures are compared
        seen = engine_run.look_at(engine, printable, data)
        page = PagePicture.of_png(printout.pictures[0]) if other else None
        similarity, graded = None, None
        if form and other and page:
            compared = compare_pages(other.result(), form.layout, printout, template, settings)
            similarity, graded, page = compared.likeness, compared.grade, compared.picture
            findings += compared.findings
        pdf, failures = exported.result()
    findings += failures
    verdict = _verdict(findings, similarity, printout.pages, graded)
    image = compare_image.draw(other.result(), page, verdict, language) if other and page else None
    return Validation(verdict, printout, seen, pdf, image)


def _decode(png: bytes) -> PagePicture:
    picture = PagePicture.of_png(png)
    _ = picture.ink  # its most expensive part, computed here and kept for the comparison
    return picture


def parse_template(content: bytes, upload: bytes | None = None) -> tuple[Printable | None, list[Finding]]:
    """Parse a template and run the checks that guard the engine. Without findings the engine may have the copy.

    What the user's `upload` contains that must not reach the engine is made inert in the copy.
    """
    template, findings = wellformed.check(content)
    if template is None:
        return None, findings
    origin = wellformed.check(upload)[0] if upload is not None else None
    printable = inert(template, template if upload == content else origin)
    return printable, findings + printable.findings


def placed_elements(printout: Printout) -> list[Printed]:
    """The elements of page 1 with their boxes; their ink is not measured."""
    return [
        Printed(key=element.key, box=element.box, text=element.text, row=element.row) for element in printout.elements
    ]


def with_side_effects(done: Validation, content: bytes, before: bytes, elements_before: bytes) -> Validation:
    """Add what a change made worse on page 1 to its verdict; nothing where one of the templates cannot be read."""
    old, new = wellformed.check(before)[0], wellformed.check(content)[0]
    if done.printout is None or old is None or new is None:
        return done
    pages = (
        side_effects.PrintedTemplate(old, _ELEMENTS.validate_json(elements_before)),
        side_effects.PrintedTemplate(new, placed_elements(done.printout)),
    )
    findings = [*done.verdict.findings, *side_effects.side_effects(*pages)]
    return replace(done, verdict=done.verdict.model_copy(update={"findings": findings[:MAX_FINDINGS]}))


def _errors(findings: Sequence[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.severity == "error"]


def _verdict(
    findings: list[Finding], likeness: Likeness | None = None, pages: int = 0, grade: Grade | None = None
) -> Verdict:
    if len(findings) > MAX_FINDINGS:
        findings = sorted(findings, key=lambda finding: finding.severity != "error")[:MAX_FINDINGS]
    return Verdict(passed=not _errors(findings), findings=findings, likeness=likeness, pages=pages, grade=grade)
