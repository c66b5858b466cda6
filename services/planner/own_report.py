"""Answer a question about the user's own report from its template, its data and its verdict, without a model.

What users ask is in ``language/templates/*/own_report.toml``; each of its rules has a function here, which returns the
answer or None where the words name nothing in the report.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations

from lxml import etree

from bandsmith.shared.actor import Store
from bandsmith.shared.editing import Editor, EditOutcome
from bandsmith.shared.editing.edit_summary import summarize
from bandsmith.shared.events import AnswerQuestion
from bandsmith.shared.jrxml.draft import Draft
from bandsmith.shared.jrxml.expressions import references, sole_reference
from bandsmith.shared.jrxml.text_styles import default_style, style_chain, text_attributes
from bandsmith.shared.language import Language
from bandsmith.shared.model.plan import Data
from bandsmith.shared.model.verdict import Verdict
from bandsmith.shared.replies import listed, text

from . import report_summary
from .computed_values import computed_values
from .language.change.conversation import PastChange, past_changes
from .language.questions import SUBJECT, questions_in
from .language.reference_resolver import ReferenceResolver
from .language.references import Target, with_value
from .language.sentence_templates import Slots, matches
from .language.template_view import TableColumn, TemplateView, ViewElement
from .report_summary import ReportSummary
from .spelled_amount import matches_words, spelled_amounts

MAX_ADDENDS = 12
"""Addends of a sum that are listed."""
MAX_PARTS = 3
"""Numbers below the rows that may make up another one, such as net total, tax and freight."""


@dataclass(frozen=True)
class OwnReport:
    """A report, what it is filled with, and how it came about."""

    template: bytes
    data: Data
    past: list[PastChange]
    pages: int
    """0: not known."""
    language: Language

    @property
    def view(self) -> TemplateView:
        return TemplateView(Editor(self.template), self.data)

    @property
    def summary(self) -> ReportSummary:
        return ReportSummary(Draft(self.template), self.language)

    def say(self, code: str, /, **values: object) -> str:
        return text(f"own_report.{code}", self.language, **values)

    def target(self, words: str) -> Target | None:
        """Return the one thing that words name; a value is named by its label as well."""
        found = ReferenceResolver(self.view).find(words.strip(" \"“”'"))
        return found if isinstance(found, Target) else None

    def values(self, field: str) -> list[Decimal]:
        """Return the numbers of a field, or of a column that is computed from fields, in each row."""
        for node in self.view.root.iterchildren("{*}variable"):
            if node.get("name") == field and node.get("calculation", "Nothing") == "Nothing":
                return computed_values(node.findtext("{*}variableExpression") or "", self.data)
        numbers = [row.get(field) for row in self.data.rows]
        return [Decimal(str(number)) for number in numbers if isinstance(number, (int, float)) and number is not True]


async def load(store: Store, command: AnswerQuestion) -> OwnReport | None:
    """Return the report that a question is about; None where there is none."""
    if command.template is None or command.data is None:
        return None
    refs = [version.verdict for version in command.earlier if version.template == command.template]
    ref = next((ref for ref in reversed(refs) if ref), None)
    return OwnReport(
        template=await store.get(command.template),
        data=Data.model_validate_json(await store.get(command.data)),
        past=await past_changes(store, command.template, command.earlier),
        pages=Verdict.model_validate_json(await store.get(ref)).pages if ref else 0,
        language=command.language,
    )


def answer(report: OwnReport, question: str) -> str | None:
    """Return the answer to a question about the report; None where it asks something else."""
    answers: list[str] = []
    for sentence in questions_in(question):
        found = _answer(report, sentence)
        if found is None:
            return None
        answers += [found] if found not in answers else []
    return "\n".join(answers) or None


def _answer(report: OwnReport, sentence: str) -> str | None:
    for rule in RULES:
        for slots in matches(SUBJECT, rule.__name__, sentence):
            found = rule(report, slots)
            if found is not None and not slots.left_over:
                return found
    return None


# --- what it looks like ----------------------------------------------------------------------------------------------


def looks(report: OwnReport, slots: Slots) -> str | None:
    """“What font is the title?”"""
    target = report.target(slots["name"])
    if target is None or not target.texts:
        return None
    view = report.view
    pieces = with_value(view, target).texts if not target.column else target.texts
    described: dict[str, list[str]] = {}
    for piece in pieces:
        described.setdefault(_style(report, view, piece), []).append(_name(report, piece))
    return "\n".join(
        report.say("looks", names=listed(list(dict.fromkeys(names)), report.language), style=style)
        for style, names in described.items()
    )


def _style(report: OwnReport, view: TemplateView, piece: ViewElement) -> str:
    chain = _styles_of(Draft(report.template), piece)
    found = text_attributes(piece.node, chain)
    report_element = piece.node.find("{*}reportElement")
    parts = [
        report.say("font", font=found.get("fontName", "SansSerif"), size=f"{piece.size:g}"),
        *(report.say(name) for name in ("isBold", "isItalic", "isUnderline") if found.get(name) == "true"),
        report.say("colour", colour=_inherited(report_element, chain, "forecolor") or "#000000"),
    ]
    area = view.area_behind([piece])
    background = _inherited(report_element, chain, "backcolor") if report_element.get("mode") == "Opaque" else None
    behind = background or (area.node.find("{*}reportElement").get("backcolor") if area else None)
    if behind:
        parts.append(report.say("background", colour=behind))
    return report.say("comma").join(parts)


def _styles_of(draft: Draft, piece: ViewElement) -> list[etree._Element]:
    """Return the styles that a text inherits from, the nearest first."""
    styles = {node.get("name", ""): node for node in draft.root.iterchildren("{*}style")}
    named = piece.node.find("{*}reportElement").get("style")
    return style_chain(styles, named) if named else [one for one in [default_style(styles)] if one is not None]


def _inherited(node: object, chain: list[object], name: str) -> str | None:
    return next((value for one in [node, *chain] if (value := one.get(name))), None)  # type: ignore[attr-defined]


def _name(report: OwnReport, piece: ViewElement) -> str:
    view = report.view
    column = next((column for column in view.columns if piece in column.cells), None)
    if column is not None:
        return report.say("values_of", column=column.label)
    return f"“{ReferenceResolver(view).name_of(piece)}”"


def fonts(report: OwnReport, slots: Slots) -> str | None:
    """“Which font is this using?”: every typeface of the texts, with its sizes."""
    draft = Draft(report.template)
    sizes: dict[str, set[float]] = {}
    for piece in report.view.texts:
        font = text_attributes(piece.node, _styles_of(draft, piece)).get("fontName", "SansSerif")
        sizes.setdefault(font, set()).add(piece.size)
    return (
        "\n".join(
            report.say("typeface", font=font, sizes=listed([f"{size:g}" for size in sorted(found)], report.language))
            for font, found in sizes.items()
        )
        or None
    )


# --- what it contains ------------------------------------------------------------------------------------------------


def contents(report: OwnReport, slots: Slots) -> str | None:
    return report_summary.contents(report.template, report.language)


def columns(report: OwnReport, slots: Slots) -> str | None:
    return report.summary.columns()


def fields(report: OwnReport, slots: Slots) -> str | None:
    return "\n".join(report.summary.declared())


def totals(report: OwnReport, slots: Slots) -> str | None:
    return report.summary.totals() or report.say("no_totals")


def order(report: OwnReport, slots: Slots) -> str | None:
    return "\n".join(report.summary.order()) or report.say("no_order")


def paper(report: OwnReport, slots: Slots) -> str | None:
    root = Draft(report.template).root
    margins = {side: root.get(f"{side}Margin", "0") for side in ("left", "right", "top", "bottom")}
    return "\n".join([report.summary.page(), report.say("margins", **margins)])


def pages(report: OwnReport, slots: Slots) -> str | None:
    if not report.pages:
        return report.say("pages_unknown")
    return report.say("pages", count=report.pages, rows=len(report.data.rows))


def more_rows(report: OwnReport, slots: Slots) -> str | None:
    """“Does it go on to a second page with 40 lines?”"""
    view = report.view
    if not view.columns:
        return None
    parts = [report.say("more_rows", rows=len(report.data.rows))]
    if view.in_sections("columnHeader"):
        parts.append(report.say("headings_again"))
    if view.in_sections("summary"):
        parts.append(report.say("totals_at_end"))
    parts.append(report.say("page_numbers" if view.page_numbers else "no_page_numbers"))
    return " ".join(parts) if report.language == "en" else "".join(parts)


def rows(report: OwnReport, slots: Slots) -> str | None:
    return report.say("rows", count=len(report.data.rows))


def extreme(report: OwnReport, slots: Slots) -> str | None:
    """“Which row has the largest amount?”"""
    target = report.target(slots["name"])
    if target is None or target.column is None:
        return None
    field = target.column.field
    values = report.values(field)
    if not values:
        printed = [name for cell in target.column.cells for scope, name in cell.references if scope == "V"]
        values = report.values(printed[0]) if printed else []
    if not values or len(values) != len(report.data.rows):
        return None
    wanted = max(values) if slots["superlative"] == "highest" else min(values)
    row = report.data.rows[values.index(wanted)]
    words = [str(value) for name, value in row.items() if isinstance(value, str) and name != field and len(value) > 2]
    return report.say(
        f"extreme_{slots['superlative']}", column=target.column.label, value=_written(wanted),
        number=values.index(wanted) + 1, row=report.say("comma").join(words[:2]),
    )  # fmt: skip


# --- where a value comes from ----------------------------------------------------------------------------------------


def computed(report: OwnReport, slots: Slots) -> str | None:
    """“How is the amount calculated?”"""
    target = report.target(slots["name"])
    if target is None:
        spelled = spelled_amounts(report.view) if matches_words(slots["name"]) else []
        return "\n".join(_origin(report, piece) for piece in spelled) or None
    if target.column is not None:
        return _origin_of_column(report, target.column)
    pieces = [piece for piece in with_value(report.view, target).texts if piece.references] or target.texts
    return "\n".join(dict.fromkeys(_origin(report, piece) for piece in pieces)) or None


def _origin_of_column(report: OwnReport, column: TableColumn) -> str:
    cell = next((cell for cell in column.cells if cell.references), None)
    if cell is None:
        return report.say("origin.fixed", name=column.label)
    alone = sole_reference(cell.expression, "FV")
    if alone and alone[0] == "F":
        return report.say("origin.field", name=column.label, field=alone[1])
    if alone and (formula := _formula(report, alone[1])):
        return report.say("origin.computed", name=column.label, formula=formula)
    return report.say("origin.computed", name=column.label, formula=cell.expression)


def _origin(report: OwnReport, piece: ViewElement) -> str:
    name = _name(report, piece)
    used = references(piece.expression)
    variable = next((name for scope, name in used if scope == "V"), None)
    if variable:
        summed = _summed(report, variable)
        return summed or report.say(
            "origin.computed", name=name, formula=_formula(report, variable) or piece.expression
        )
    parameters = [parameter for scope, parameter in used if scope == "P"]
    if parameters:
        said = report.say("origin.parameter", name=name, parameter=listed(parameters, report.language))
        return "\n".join([said, *_adds_up(report, piece)])
    return report.say("origin.fixed", name=name)


def _adds_up(report: OwnReport, piece: ViewElement) -> list[str]:
    """Return the other numbers below the rows that a single value is the sum of, in one line."""
    view = report.view
    values = view.numbers(piece)
    others = [other for other in view.in_sections("summary", "columnFooter") if other != piece and view.numbers(other)]
    for count in range(2, MAX_PARTS + 1):
        for chosen in combinations(others[:MAX_ADDENDS], count):
            numbers = [Decimal(str(view.numbers(other)[0])) for other in chosen]
            if values and sum(numbers, Decimal()) == Decimal(str(values[0])):
                parts = [
                    _label_of(view, other) + _written(number) for other, number in zip(chosen, numbers, strict=True)
                ]
                return [report.say("origin.adds_up", parts=" + ".join(parts), sum=_written(sum(numbers, Decimal())))]
    return []


def _label_of(view: TemplateView, value: ViewElement) -> str:
    label = view.label_beside(value)
    return f"{view.printed(label)} " if label is not None else ""


def _formula(report: OwnReport, variable: str) -> str | None:
    """Return what a variable computes, as its template says it."""
    for node in report.view.root.iterchildren("{*}variable"):
        if node.get("name") == variable:
            expression = (node.findtext("{*}variableExpression") or "").strip()
            calculation = node.get("calculation", "Nothing")
            return expression if calculation == "Nothing" else f"{calculation}({expression})"
    return None


def _summed(report: OwnReport, variable: str) -> str | None:
    """Return the addition of a variable that is the sum of a field of the rows."""
    node = next((n for n in report.view.root.iterchildren("{*}variable") if n.get("name") == variable), None)
    found = sole_reference(node.findtext("{*}variableExpression") or "", "FV") if node is not None else None
    if node is None or found is None or node.get("calculation") != "Sum" or node.get("resetGroup"):
        return None
    values = report.values(found[1])
    if not values or len(values) != len(report.data.rows):
        return None
    column = report.view.column(found[1]) or _column_of(report, found[1])
    addends = " + ".join(map(_written, values)) if len(values) <= MAX_ADDENDS else "…"
    label = column.label if column else found[1]
    return report.say(
        "origin.sum", column=label, count=len(values), addends=addends, sum=_written(sum(values, Decimal()))
    )


def _column_of(report: OwnReport, variable: str) -> TableColumn | None:
    """Return the column that prints a variable."""
    for column in report.view.columns:
        if any(("V", variable) in cell.references for cell in column.cells):
            return column
    return None


def _written(number: Decimal) -> str:
    return f"{number:,.0f}" if number == int(number) else f"{number:,.2f}"


def correct(report: OwnReport, slots: Slots) -> str | None:
    """“Is the total right?”: a sum of the rows is added up again."""
    target = report.target(slots["name"])
    if target is None:
        return None
    pieces = with_value(report.view, target).texts
    variables = [name for piece in pieces for scope, name in piece.references if scope == "V"]
    sums = [found for variable in variables if (found := _summed(report, variable))]
    if not sums:
        return None
    shown = slots["shown_amount"].lstrip("¥￥$€£").replace(",", "")
    printed = {f"{number:.2f}" for piece in pieces for number in report.view.numbers(piece)}
    if shown and printed and f"{Decimal(shown):.2f}" not in printed:
        return "\n".join([*sums, report.say("other_sum", amount=slots["shown_amount"])])
    return "\n".join([*sums, report.say("sum_is_right")])


# --- how it came about -----------------------------------------------------------------------------------------------


def last_change(report: OwnReport, slots: Slots) -> str | None:
    if not report.past:
        return report.say("nothing_changed")
    return report.say("last_change", done=_done(report, report.past[0]), request=report.past[0].request)


def all_changes(report: OwnReport, slots: Slots) -> str | None:
    """“What have you done so far?”: the changes that the report consists of, the oldest first."""
    if not report.past:
        return report.say("nothing_changed")
    changes = [
        report.say("one_change", number=number, done=_done(report, change), request=change.request)
        for number, change in enumerate(reversed(report.past), 1)
    ]
    first = report.past[-1].base
    older = [report.say("older_changes", number=first.number)] if first.edits else [report.say("made_first")]
    return "\n".join([*older, *changes])


def _done(report: OwnReport, change: PastChange) -> str:
    return summarize([EditOutcome(edit, True) for edit in change.edits], report.language, change.template)


RULES: tuple[Callable[[OwnReport, Slots], str | None], ...] = (
    fonts, contents, columns, fields, totals, order, paper, more_rows, pages, rows, extreme, all_changes, last_change,
    correct, computed, looks,
)  # fmt: skip
