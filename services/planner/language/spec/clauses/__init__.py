"""The clauses of a report request: everything it says besides its columns.

What users say is in ``templates/<language>/spec_*.toml``, one file a kind of clause. Each phrase that a template reads
goes to the builder that has the name of the template's rule. The builder notes what the phrase asks for in
`SpecClauses`, and the phrase is taken out of the text. What no template reads stays there, for the columns.

To teach the reader a new wording, add a template to a file. To add a kind of clause, write both languages' files and a
module of builders here, and list it in `CLAUSES`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from . import formulas, grouping, heads, page, sorting, totals, wording
from .base import Builder, SpecClauses

__all__ = ["CLAUSES", "SpecClauses", "clauses", "words_left"]

CLAUSES: dict[str, tuple[Builder, ...]] = {
    "spec_wording": wording.BUILDERS,
    "spec_page": page.BUILDERS,
    "spec_formulas": formulas.BUILDERS,
    "spec_sorting": sorting.BUILDERS,
    "spec_grouping": grouping.BUILDERS,
    "spec_heads": heads.BUILDERS,
    "spec_totals": totals.BUILDERS,
}
"""The builders of each subject, in an order in which none takes the words of another."""
_FILLER = frozenset({
    "the", "and", "with", "for", "that", "this", "please", "report", "table", "list", "make", "create", "generate",
    "build", "show", "need", "want", "like", "would", "can", "you", "out", "into", "from", "all", "each", "its",
    "their", "below", "then", "following", "columns", "column", "fields", "field", "simple", "new", "give", "have",
    "has", "should", "could", "document", "form", "sheet", "design", "produce", "prepare", "print", "get", "also",
    "will", "our", "use", "using", "template",
})  # fmt: skip
_FILLER_ZH = re.compile(
    r"[的了吧呢吗和与及或请帮我们要做个张份一这那是有以用出来弄搞写列]"
    r"|报表|表格|生成|制作|创建|设计|包含|包括|需要|显示|如下|字段|以下|数据|信息|模板"
)


def clauses(text: str) -> SpecClauses:
    """Return what a request says besides its columns. Its `rest` is the text that remains."""
    spec = SpecClauses(text)
    for subject, builders in CLAUSES.items():
        for build in builders:
            spec.read(subject, build)
    return spec


def words_left(text: str) -> Iterator[str]:
    """Yield the words with a meaning of their own that no rule has read."""
    for word in re.findall(r"[A-Za-z]{3,}|[\u3400-\u9fff]+", text):
        bare = _FILLER_ZH.sub("", word)
        if bare and bare.casefold() not in _FILLER:
            yield bare
