"""Answers about a report: what is wanted, how it is built, changed, explained and judged."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field, ValidationError, ValidationInfo, model_validator

from ...edits import AnyEdit
from ...model.session_parts import Format, Intent
from ...model.spec import ReportSpec
from ..salvage import read_edits, read_items
from .base import MAX_QUOTE_CHARS, MAX_QUOTES, Identifier, ModelAnswer, PrintableText, or_none

MAX_EDITS = 200
"""Edits of one reply; more are refused as a whole."""
MAX_LOOKS = 8
"""Names of bands and elements that a reply may ask to see."""
MAX_OBJECTIONS = 20
"""Objections of one review."""
Edits = Annotated[list[AnyEdit], BeforeValidator(read_edits), Field(max_length=MAX_EDITS)]
"""Edits that are read one by one: one that cannot be used does not lose the others."""
Rules = Literal["keep", "replace"]
"""Whether what rules would do is carried out first, or replaced by the answer's edits."""


def _spec(value: Any, info: ValidationInfo) -> Any:
    return read_items(or_none(value), info, ReportSpec)


def _quotes(value: Any, info: ValidationInfo) -> Any:
    """Read a text for a list of one, and leave out what is no text; strict without a context, as for the cases."""
    if (info.context or {}).get("left_out") is None:
        return value
    listed = value if isinstance(value, list) else [value]
    return [item[:MAX_QUOTE_CHARS] for item in listed if isinstance(item, str) and item.strip()][:MAX_QUOTES]


Numbers = Annotated[str, Field(max_length=200)]
"""Numbers of what is on a page, with spaces between them."""
Quotes = Annotated[
    list[Annotated[PrintableText, Field(max_length=MAX_QUOTE_CHARS)]],
    BeforeValidator(_quotes),
    Field(max_length=MAX_QUOTES),
]
"""Parts of the request, as the user wrote them."""


class EditsAnswer(ModelAnswer):
    """The answer to refine_layout and correction."""

    edits: Edits
    note: PrintableText = Field(default="", max_length=2_000)
    """What was wrong, in one sentence."""


class ChangeAnswer(ModelAnswer):
    """The answer to modification.

    A server that enforces the schema writes all its parts in this order; a reply without some of them is read too.
    """

    model_config = ConfigDict(
        json_schema_extra={"required": ["no_change", "plan", "rules", "look", "edits", "undone", "in_other_words"]}
    )
    no_change: PrintableText = Field(default="", max_length=2_000)
    """The reply to a message that asks for no change at all, in the user's language; nothing is changed then."""
    plan: PrintableText = Field(default="", max_length=2_000)
    """How the request is understood, in the user's language; it is shown while the edits are written."""
    rules: Rules = "keep"
    look: list[str] = Field(default=[], max_length=MAX_LOOKS)
    """Bands and elements that have to be seen first; then there are no edits yet."""
    edits: Edits = []
    undone: PrintableText = Field(default="", max_length=2_000)
    """What of the request cannot be done and why, in the user's language."""
    in_other_words: Quotes = []
    """What of the request asks for nothing, such as a reason, or is what the edits do, word for word."""

    @model_validator(mode="after")
    def _has_edits(self) -> ChangeAnswer:
        if not (self.no_change or {"edits", "look", "undone"} & self.model_fields_set):
            raise ValueError("edits: a change needs them; [] if there is nothing to change")
        return self


class IntentAnswer(ModelAnswer):
    """What the user wants and, for requests that need only one call, the result itself."""

    intent: Intent
    format: Annotated[Format | None, BeforeValidator(or_none)] = None
    version: Annotated[int | None, BeforeValidator(or_none)] = None
    """The number of the version to restore."""
    plan: PrintableText = Field(default="", max_length=2_000)
    rules: Rules = "keep"
    edits: Edits = []
    undone: PrintableText = Field(default="", max_length=2_000)
    answer: PrintableText = Field(default="", max_length=20_000)
    spec: Annotated[ReportSpec | None, BeforeValidator(_spec)] = None
    not_held: Quotes = []
    in_other_words: Quotes = []

    @model_validator(mode="after")
    def _has_edits(self) -> IntentAnswer:
        if self.intent == "modify_report" and not {"edits", "rules"} & self.model_fields_set:
            raise ValueError("edits: a change needs them; [] if there is nothing to change")
        return self

    def as_change(self) -> ChangeAnswer:
        """Return its edits as the answer to the question for edits alone."""
        answer = ChangeAnswer(
            plan=self.plan,
            rules=self.rules,
            edits=self.edits,
            undone=self.undone,
            in_other_words=self.in_other_words,
        )
        answer._left_out, answer._truncated = self.left_out, self.truncated
        return answer


class SpecAnswer(ModelAnswer):
    """The answer to initial_generation."""

    no_report: PrintableText = Field(default="", max_length=2_000)
    """The reply to a message that describes no report, in the user's language; nothing is built then."""
    spec: Annotated[ReportSpec | None, BeforeValidator(_spec)] = None
    not_held: Quotes = []
    """What of the request the spec does not say, word for word: it is done as a change of the finished report."""
    in_other_words: Quotes = []
    """What of the request asks for nothing, or stands in the spec in other words, word for word."""
    undone: PrintableText = Field(default="", max_length=2_000)
    """What of the request neither a spec nor a change can do and why, in the user's language."""

    @model_validator(mode="after")
    def _has_spec(self) -> SpecAnswer:
        if self.spec is None and not self.no_report:
            raise ValueError("spec: a report needs one; where the request describes none, say so in no_report")
        return self


class SkeletonAnswer(ModelAnswer):
    """Decisions about a form; the rules decide whatever is left out."""

    wording: list[int | str] = Field(default=[], max_length=200)
    """Numbers of values that are printed on every copy, such as labels that were read as values."""
    names: dict[str, Identifier] = Field(default={}, max_length=500)
    """The name of the value, column or list, by its number."""
    kinds: dict[str, Annotated[str, BeforeValidator(str), Field(max_length=40)]] = Field(default={}, max_length=200)
    """What the texts of a value or column are, by its number: numbers, dates of a pattern, or no numbers."""
    totals: dict[str, Annotated[str, BeforeValidator(str), Field(max_length=200)]] = Field(default={}, max_length=100)
    """The number of the column that is summed, a formula, or a sum of some rows, by the number of what it gives."""


class ColumnAnswer(ModelAnswer):
    heading: str = Field(default="", max_length=200)
    """Numbers of the texts that head it."""
    name: PrintableText = Field(default="", max_length=100)


class TableAnswer(ModelAnswer):
    columns: list[ColumnAnswer] = Field(min_length=1, max_length=40)
    rows: list[str] = Field(min_length=1, max_length=200)
    """The numbers of the texts of each row, its cells parted by vertical bars: ``12 13 | 14 | | 15``."""


class ValueAnswer(ModelAnswer):
    texts: str = Field(max_length=200)
    """Numbers of texts."""
    label: PrintableText = Field(default="", max_length=100)


class PartedAnswer(ModelAnswer):
    text: int
    parts: list[PrintableText] = Field(min_length=2, max_length=20)


class MisreadAnswer(ModelAnswer):
    text: int | Numbers
    reads: PrintableText = Field(min_length=1, max_length=400)


class AddedAnswer(ModelAnswer):
    """A place on the page: beside, before or below a text, where a line meets a column, or by its edges."""

    beside: int | Numbers = 0
    before: int | Numbers = 0
    below: int | Numbers = 0
    at: str = Field(default="", max_length=40, pattern=r"^(\s*\d{1,4}(\.\d{1,2})?[\s,]*){0,4}$")
    """Left, top, right and bottom, in points."""
    reads: PrintableText = Field(default="", max_length=400)
    """What is printed there; nothing where it is to be filled in."""
    label: PrintableText = Field(default="", max_length=100)

    @model_validator(mode="after")
    def _has_place(self) -> AddedAnswer:
        if not (self.beside or self.before or self.below or self.at):
            raise ValueError("a place is beside, before or below a text: give the text's number")
        if not (self.reads or self.label):
            raise ValueError("reads, label: say what is printed there, or what is to be filled in")
        return self


class FormAnswer(ModelAnswer):
    """What a model says about how a form was read; whatever it leaves out stays as it was read."""

    wrong: PrintableText = Field(default="", max_length=2_000)
    """What was read wrongly, in a sentence; it comes first so that the model looks before it decides."""
    parted: list[PartedAnswer] = Field(default=[], max_length=200)
    added: list[AddedAnswer] = Field(default=[], max_length=100)
    """Print that was not read, and places to fill in: a1, a2 and so on."""
    rows_are_right: bool = True
    tables: list[TableAnswer] = Field(default=[], max_length=10)
    """Those whose rows repeat, where the rows are not right."""
    values: list[ValueAnswer] = Field(default=[], max_length=200)
    wording: list[int | Numbers] = Field(default=[], max_length=400)
    """Numbers of texts; the lines of one text together."""
    misread: list[MisreadAnswer] = Field(default=[], max_length=200)
    no_part: list[int | Numbers] = Field(default=[], max_length=400)
    """Numbers of texts, pictures, lines, areas, boxes and places to fill in that are no part of the form."""
    one_picture: list[str] = Field(default=[], max_length=50)
    """For each picture in pieces the numbers of its pieces."""


class ExplanationAnswer(ModelAnswer):
    explanation: PrintableText = Field(min_length=1, max_length=4_000)


class ConsultAnswer(ModelAnswer):
    answer: PrintableText = Field(min_length=1, max_length=20_000)


class Objection(ModelAnswer):
    """A part of a request that the printed report does not meet."""

    quote: PrintableText = Field(min_length=1, max_length=MAX_QUOTE_CHARS)
    """The part of the request, word for word."""
    facts: list[int] = Field(max_length=20)
    """Numbers of the facts that show it."""
    shown: PrintableText = Field(min_length=1, max_length=300)
    """What the page has instead, in the user's language."""


def _objections(value: Any, info: ValidationInfo) -> Any:
    """Leave out objections that cannot be used; strict without a context, as for the cases."""
    if (info.context or {}).get("left_out") is None:
        return value
    found = []
    for item in value if isinstance(value, list) else [value]:
        with suppress(ValidationError):
            found.append(Objection.model_validate(item, context=info.context))
    return found[:MAX_OBJECTIONS]


class ReviewAnswer(ModelAnswer):
    """The answer to review_outcome."""

    objections: Annotated[list[Objection], BeforeValidator(_objections)] = Field(max_length=MAX_OBJECTIONS)


class SummaryAnswer(ModelAnswer):
    summary: PrintableText = Field(min_length=1, max_length=20_000)
