"""What to tell the user about how a document was read: its pages and its tables."""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.model.form_reading import AddedReading, FormReading
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.replies import Text, listed

from .page import Page
from .page_marks import PageMarks
from .structure.given_places import places_given
from .structure.given_reading import marks_of

MAX_NAMED_TABLES = 3
"""Tables that a note names by their headings."""


def about_edges(marks: PageMarks) -> list[Text]:
    """Say what was left out at the edges of a photo."""
    return [Text.of("documents.notes.beside_paper", count=marks.beside_paper)] if marks.beside_paper else []


def about_pages(
    layout: Layout, page: Page, lost_pictures: int, reason: Text | None = None, lost_rows: Sequence[int] = ()
) -> list[Text]:
    """Say what becomes of the pages after the first one, and for what reason some are left out, if there is one.

    What looks like rows on the pages `lost_rows` stays as it is.
    """
    said = list[Text]()
    if layout.joined is not None:
        said.append(Text.of("documents.notes.joined", count=layout.joined.pages, rows=layout.whole.total_rows))
    if lost_pictures:
        said.append(Text.of("documents.notes.pictures", count=lost_pictures))
    if layout.later:
        said += _about_later(layout)
        shown = [number for number in lost_rows if number <= layout.pages]
        said += [Text.of("documents.notes.lost_rows", count=len(shown), pages=_ranges(shown))] if shown else []
    if reason is not None:
        return [*said, reason]
    if not said:
        return [page.left_out] if page.left_out else []
    return (
        [*said, Text.of("documents.notes.later_pages", first=layout.pages + 1)] if layout.pages < page.pages else said
    )


def _about_later(layout: Layout) -> list[Text]:
    first = layout.pages - len(layout.later) + 1
    blank = [number for number, one in enumerate(layout.later, first) if marks_of(one).are_none]
    others = [number for number in range(first, layout.pages + 1) if number not in blank]
    said = list[Text]()
    if others:
        said.append(Text.of("documents.notes.further_pages", count=len(others), pages=_ranges(others)))
    if blank:
        said.append(Text.of("documents.notes.blank_inside", count=len(blank), pages=_ranges(blank)))
    return said


def _ranges(numbers: Sequence[int]) -> Text:
    """Return numbers as a person would list them, a run of numbers by its first and last one."""
    runs = list[list[int]]()
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    english = [str(first) if first == last else f"{first} to {last}" for first, last in runs]
    chinese = [str(first) if first == last else f"{first} 至 {last}" for first, last in runs]
    return Text(listed(english, "en"), listed(chinese, "zh"))


def about_tables(layout: Layout) -> list[Text]:
    """Say what becomes of the groups of the main table, and of the tables beside it."""
    said = list[Text]()
    if layout.repeat and layout.repeat.groups:
        said.append(Text.of("documents.notes.groups", count=layout.repeat.groups.count))
    if layout.further:
        code = "further_tables" if layout.repeat else "own_tables"
        said.append(Text.of(f"documents.notes.{code}", count=len(layout.further)))
    if layout.fixed_tables:
        names = _listed(layout.fixed_tables[:MAX_NAMED_TABLES])
        said.append(Text.of("documents.notes.fixed_tables", count=len(layout.fixed_tables), names=names))
    return said


def about_left_out(texts: list[str], pictures: int, marks: int) -> list[Text]:
    """Say which texts, and how many pictures and other marks, are left out since they are no part of the form."""
    said = list[Text]()
    if texts:
        said.append(Text.of("documents.notes.no_part", count=len(texts), texts=_listed(texts)))
    if pictures:
        said.append(Text.of("documents.notes.no_part_pictures", count=pictures))
    if marks:
        said.append(Text.of("documents.notes.no_part_marks", count=marks))
    return said


def about_added(added: list[AddedReading]) -> list[Text]:
    """Say which texts were not read off the page, and which places to fill in were not found."""
    texts = [one.line.text for one in added if one.line.text]
    labels = [one.label for one in added if not one.line.text]
    said = list[Text]()
    if texts:
        said.append(Text.of("documents.notes.added_texts", count=len(texts), texts=_listed(texts)))
    if labels:
        said.append(Text.of("documents.notes.added_blanks", count=len(labels), labels=_listed(labels)))
    return said


def about_places(layout: Layout, reading: FormReading) -> list[Text]:
    """Say which places to fill in and boxes to tick have another name, and which are none."""
    said = list[Text]()
    found = [(one.box, one.label) for one in layout.blanks]
    found += [(one.box, one.label or "") for one in layout.tick_boxes]
    given = places_given([box for box, _ in found], reading)
    told = [(found[index][1], label) for index, label in given.items()]
    none = [before for before, after in told if not after]
    renamed = [f"{before} → {after}" for before, after in told if after and after != before]
    if none:
        said.append(Text.of("documents.notes.no_places", count=len(none), labels=_listed(none)))
    if renamed:
        said.append(Text.of("documents.notes.named_places", count=len(renamed), labels=_listed(renamed)))
    return said


def about_paragraphs(paragraphs: list[list[str]]) -> list[Text]:
    """Say which lines are one text."""
    texts = [lines[0] for lines in paragraphs if lines]
    return [Text.of("documents.notes.paragraphs", count=len(texts), texts=_listed(texts))] if texts else []


def about_wholes(pictures: int, texts: list[str]) -> list[Text]:
    """Say how many pictures were joined, and which texts are a part of one."""
    said = [Text.of("documents.notes.one_picture", count=pictures)] if pictures else []
    return [*said, Text.of("documents.notes.drawn_texts", count=len(texts), texts=_listed(texts))] if texts else said


def about_misread(texts: list[tuple[str, str]]) -> list[Text]:
    """Say which texts are other ones than were read off the page, with both."""
    if not texts:
        return []
    both = [f"{before} → {after}" for before, after in texts]
    return [Text.of("documents.notes.misread", count=len(texts), texts=_listed(both))]


def _listed(texts: list[str]) -> Text:
    return Text("; ".join(texts), "；".join(texts))
