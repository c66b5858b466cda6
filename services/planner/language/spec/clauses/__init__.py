"""The clauses of a report request: everything it says besides its columns.

What users say is in ``templates/<language>/spec_*.toml``, one file a kind of clause. Each phrase that a template reads
goes to the builder that has the name of the template's rule. The builder notes what the phrase asks for in
`SpecClauses`, and the phrase is taken out of the text. What no template reads stays there, for the columns.

To teach the reader a new wording, add a template to a file. To add a kind of clause, write both languages' files and a
module of builders here, and list it in `CLAUSES`.
"""

from __future__ import annotations

from ..description import Description
from . import example, formulas, grouping, page, sorting, wording
from .base import Builder, SpecClauses

__all__ = ["CLAUSES", "SpecClauses", "clauses"]

CLAUSES: dict[str, tuple[Builder, ...]] = {
    "spec_wording": wording.BUILDERS,
    "spec_example": example.BUILDERS,
    "spec_page": page.BUILDERS,
    "spec_formulas": formulas.BUILDERS,
    "spec_sorting": sorting.BUILDERS,
    "spec_grouping": grouping.BUILDERS,
}
"""The builders of each subject, in an order in which none takes the words of another."""


def clauses(description: Description) -> SpecClauses:
    """Return what a request says besides its columns. Its `rest` is the text that remains."""
    spec = SpecClauses(description.text, description)
    for subject, builders in CLAUSES.items():
        for build in builders:
            spec.read(subject, build)
    return spec
