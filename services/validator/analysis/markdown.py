"""An analysis as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bandsmith.shared.language import Language
from bandsmith.shared.model.analysis import AnalysisDocument, DocumentQuery, DocumentSection, DocumentTable
from bandsmith.shared.replies import text
from bandsmith.shared.shortening import shortened

MAX_PREVIEW_CHARS = 4000
_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~])")


def as_markdown(document: AnalysisDocument, language: Language) -> str:
    """Return the whole report. What it quotes is text: none of it is read as Markdown or HTML."""
    blocks = [f"# {_plain(document.title)}", f"*{_plain(document.question)}*"]
    for section in document.sections:
        blocks += _section(section, language)
    if document.queries:
        blocks.append(f"## {text('data.analysis.queries', language)}")
        blocks += [block for query in document.queries for block in _query(query)]
    return "\n\n".join(blocks) + "\n"


def preview(document: AnalysisDocument) -> str:
    """Return the title and the texts, without tables, for a reply."""
    blocks = [f"**{_plain(document.title)}**"]
    for section in document.sections:
        blocks += map(_plain, section.paragraphs)
    return shortened("\n\n".join(blocks), MAX_PREVIEW_CHARS)


def unshown(table: DocumentTable, language: Language) -> str:
    """What is said of the rows that a table does not show; empty if it shows all."""
    if table.is_cut:
        return text("data.analysis.cut", language, count=len(table.rows))
    return text("data.analysis.left_out", language, count=table.left_out) if table.left_out else ""


def _section(section: DocumentSection, language: Language) -> Iterator[str]:
    yield f"## {_plain(section.heading)}"
    yield from map(_plain, section.paragraphs)
    if section.table:
        table = section.table
        head = [_line(table.columns), "|" + "|".join("---:" if one else "---" for one in table.numeric) + "|"]
        yield "\n".join([*head, *map(_line, table.rows)])
        if said := unshown(table, language):
            yield f"*{said}*"


def _query(query: DocumentQuery) -> Iterator[str]:
    yield f"**{query.name}** {_plain(query.task)}"
    if query.query:
        fence = "`" * max([2, *(len(run) for run in re.findall("`+", query.query))]) + "`"
        yield f"{fence}{query.language}\n{query.query}\n{fence}"
    if query.problem:
        yield _plain(query.problem)


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(" ".join(_plain(cell).split()) for cell in cells) + " |"


def _plain(words: str) -> str:
    return _SPECIAL.sub(r"\\\1", words)
