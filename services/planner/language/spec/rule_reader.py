"""Read a request for a report by rules, in English and Chinese, and say what was not read.

`clauses` takes out what may stand anywhere: paper, wording, formulas, order, groups. `section_reader` reads the rest
from left to right. What one of them reads has to fit the columns in the end: a total of a column that does not exist is
unread as well. Nothing is left out silently, and nothing is invented but what the notes say.

These rules decide what follows from a reading:

- Everything was read: the report is built.
- Something was not, and a model may be asked: it reads the whole request.
- Else nothing is built where the unread words may name what the report has, and the user is told which words they are;
  unless the columns were named and read, and little stands beside them that was not.
- Else the report is built where its core is clear: its columns were named and read, or a standard report was named and
  nothing unread stands where its columns would be named. The unread words say what to do with it: they are tried as a
  change of the finished report, and the reply begins with what is left.
- Else the user is asked for the columns, with what was not read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from bandsmith.shared.errors import TerminalError
from bandsmith.shared.language import Language
from bandsmith.shared.model.spec import ReportSpec
from bandsmith.shared.replies import listed, text
from bandsmith.shared.shortening import shortened

from .account import account, misread
from .catalogue import StandardReport, standard_of
from .change_requests import is_change
from .clauses import SpecClauses, clauses
from .column_totals import picked_from_others
from .description import Description
from .labels import holds_instruction
from .listed_rows import rows_apart
from .openings import quoted_opening, without_opening
from .section_reader import read_sections
from .sections import Sections
from .spec_builder import SpecBuilder
from .tables import TextTable, extract_table, table_in_file

MAX_REQUEST_CHARS = 4_000
"""Maximum characters of a request that are read, without a pasted table."""
MAX_QUOTED, MAX_QUOTED_CHARS = 8, 160
MAX_UNREAD_CLAUSES, MIN_COLUMNS_PER_UNREAD = 2, 3
"""Clauses that may be unread of a description whose table is built all the same, and columns read for each of them."""


@dataclass(frozen=True)
class SpecReading:
    """The spec that rules read in a request."""

    spec: ReportSpec
    notes: list[str]
    """What was assumed, in the turn's language."""
    unread: list[str]
    """The clauses that no rule reads, as the user wrote them."""

    @property
    def sure(self) -> bool:
        """Whether rules read all of the request."""
        return not self.unread

    def is_certain(self, request_text: str) -> bool:
        """Whether no word of the request asks for more than the spec has, so that no model needs to be asked."""
        return self.sure and not account(request_text, self.spec).features


def read(request_text: str, language: Language, texts: Iterable[str] = ()) -> SpecReading:
    """Return the report that a sentence asks for, with what was assumed.

    Raises ``TerminalError`` (code ``wish``) when it does not say which columns the report has.
    """
    table, prose = extract_table(request_text)
    if table is None and not texts and is_change(prose.strip()):
        raise nothing_to_change()
    table = table or next((sample for content in texts if (sample := table_in_file(content))), None)
    rows, before = rows_apart(prose) if table is None else ([], prose)
    if rows:
        with suppress(TerminalError):
            reading = _read(before, language, None, rows)
            if reading.spec.rows:
                return reading
    return _read(prose, language, table, [])


def _read(prose: str, language: Language, table: TextTable | None, rows: list[list[str]]) -> SpecReading:
    """Return the report that a description asks for, with a table or rows that were given beside it."""
    described = without_opening(prose[:MAX_REQUEST_CHARS])
    description = Description(described)
    request = clauses(description)
    title_side = request.title_align if request.title_align != "center" else "auto"
    sections = read_sections(request.rest, description, title_side)
    sections.given_rows = rows
    standard = _standard(sections, table, description, language)
    builder = SpecBuilder(request, sections, table, standard, language)
    names_nothing = all(map(_is_about_looks, sections.unread))
    unclear = not sections.is_clear or (standard and not builder.names_columns and not names_nothing)
    if not builder.has_columns or (unclear and table is None):
        raise nothing_to_go_by([*sections.unread, *(item.clause for item in sections.lists["columns"][:1])])
    spec, unread = builder.built()
    if table is None:
        unread += [clause for clause in misread(prose, spec) if not any(clause in known for known in unread)]
    if sections.misses_names and table is None and not _is_nearly_whole(sections, builder, unread):
        raise not_built(unread)
    unread += [prose[MAX_REQUEST_CHARS:].strip()] if prose[MAX_REQUEST_CHARS:].strip() else []
    notes = _notes(builder, spec, description, language)
    if opening := quoted_opening(prose[:MAX_REQUEST_CHARS], described):
        notes.append(text("language.passed_over", language, words=shortened(opening, MAX_QUOTED_CHARS)))
    return SpecReading(spec, notes, unread)


def _notes(builder: SpecBuilder, spec: ReportSpec, description: Description, language: Language) -> list[str]:
    """Return what was assumed, what needs a look first."""
    notes = assumptions(spec, language, builder.names_columns, builder.has_usual_header, builder.columns.assumed_totals)
    if builder.head_lines:
        notes.insert(0, text("language.above_table", language, labels=listed(builder.head_lines, language)))
    if builder.columns.sum_column:
        notes.insert(0, text("language.sums_up", language, column=builder.columns.sum_column))
    if builder.columns.worked_out:
        notes.insert(0, text("language.worked_out", language, columns=listed(builder.columns.worked_out, language)))
    if builder.columns.added_amount:
        notes.insert(0, text("language.added_amount", language, column=builder.columns.added_amount))
    if builder.usual_signatures and list(builder.usual_signatures) == spec.signatures:
        labels = listed(spec.signatures, language)
        notes.append(text("language.usual_signatures", language, labels=labels))
    if builder.identity:
        notes.insert(0, text("language.added_identity", language, column=builder.identity))
    for word, correction in [*description.corrections, *builder.renamed.items()]:
        notes.insert(0, text("language.read_as", language, word=word, correction=correction))
    return notes


def nothing_to_change() -> TerminalError:
    return TerminalError.of("language.nothing_to_change", code="wish")


def nothing_to_go_by(unread: list[str] | None = None) -> TerminalError:
    """Ask which columns the report has, with what was not read of the request."""
    if not unread:
        return TerminalError.of("language.no_columns_named", code="wish")
    return TerminalError.of("language.columns_unclear", code="wish", clauses=quoted(unread))


def not_built(unread: list[str]) -> TerminalError:
    """Say which words were not read that may name what the report has."""
    return TerminalError.of("language.not_built", code="wish", clauses=quoted(unread))


def quoted(clauses: list[str]) -> str:
    """Return clauses as the user wrote them, in quotation marks."""
    return ", ".join(f"“{shortened(clause, MAX_QUOTED_CHARS)}”" for clause in clauses[:MAX_QUOTED])


def _is_nearly_whole(sections: Sections, builder: SpecBuilder, unread: Sequence[str]) -> bool:
    """Whether the table that is described was read, and little beside it was not.

    The user gets the table then, with what is not in it said first: most of the work is done, and one sentence adds the
    rest. Words within a list, or several names at once, are not little.
    """
    columns = len(sections.lists["columns"])
    is_little = (
        not any(mark in clause for clause in unread for mark in ",，、;；")
        and len(unread) <= MAX_UNREAD_CLAUSES
        and len(unread) * MIN_COLUMNS_PER_UNREAD <= columns
    )
    is_clear = bool(sections.name) and sections.is_clear
    return builder.names_columns and is_clear and not sections.misses_lists and is_little


def _is_about_looks(clause: str) -> bool:
    """Whether an unread clause only says how something looks: `hours over 10 in red`."""
    return holds_instruction(clause, ("look",)) and not holds_instruction(clause, ("furniture", "verb"))


def _standard(
    sections: Sections, table: TextTable | None, description: Description, language: Language
) -> StandardReport | None:
    """Return the standard report that the request names, in its name or, without one, anywhere."""
    if table is not None:
        return None
    named = sections.name if sections.name else "" if sections.lists["columns"] else description.text
    return standard_of(named, language)


def assumptions(
    spec: ReportSpec, language: Language, named: bool = True, usual_head: bool = False, totals: list[str] | None = None
) -> list[str]:
    """Return what was assumed: usual columns where none were `named`, usual lines above them, totals, sample rows."""
    notes = []
    if not named:
        columns = listed([column.label for column in spec.columns], language)
        notes.append(text("language.usual_columns", language, columns=columns))
    if usual_head:
        fields = listed([field.label for field in spec.header_fields], language)
        notes.append(text("language.usual_header_fields", language, fields=fields))
    if totals:
        notes.append(text("language.usual_totals", language, columns=listed(totals, language)))
    alone = [column.label for column in picked_from_others(spec.columns)]
    alone += [line.label for line in spec.closing if line.type == "money"]
    if alone:
        notes.append(text("language.not_computed", language, labels=listed(alone, language)))
    if spec.columns and not spec.rows and not spec.blank_rows:
        notes.append(text("language.sample_rows", language))
    return notes


__all__ = [
    "SpecClauses",
    "SpecReading",
    "assumptions",
    "not_built",
    "nothing_to_change",
    "nothing_to_go_by",
    "quoted",
    "read",
]
