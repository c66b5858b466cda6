"""Queries as a person reviews them: each with the values that it fills, and its first rows."""

from __future__ import annotations

from collections.abc import Sequence

import sqlglot

from bandsmith.shared.language import Language
from bandsmith.shared.model.binding import BindingWork
from bandsmith.shared.model.source import Dialect
from bandsmith.shared.replies import text

from .binding_file import printed


def shown_bindings(works: Sequence[BindingWork], dialect: Dialect, language: Language) -> str:
    """Return the queries that a model wrote now as Markdown; those of the binding file if there is no other."""
    written = [work for work in works if work.query]
    new = [work for work in written if work.is_new]
    return "\n\n".join(_shown(work, dialect, language) for work in new or written)


def _shown(work: BindingWork, dialect: Dialect, language: Language) -> str:
    names = ", ".join(field.label or field.name for field in work.placeholder.fields)
    code = "data.binding.shown_rows" if work.placeholder.is_rows else "data.binding.shown_value"
    query = printed(sqlglot.parse_one(work.query, dialect=dialect), dialect, pretty=True)
    heading = text(code, language, names=names)
    return "\n\n".join(part for part in (heading, f"```sql\n{query}\n```", work.preview or work.problem) if part)
