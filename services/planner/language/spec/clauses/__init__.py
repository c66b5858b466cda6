"""SpecClauses: what a spec says besides its columns; each is taken out of the text when it was understood."""

from __future__ import annotations

import re
from collections.abc import Iterator

from . import formulas, grouping, heads, page, sorting, totals, wording
from .base import Builder, SpecClauses

__all__ = ["CLAUSES", "SpecClauses", "clauses", "words_left"]

_READERS = (wording, page, formulas, sorting, grouping, heads, totals)
"""In an order in which none takes the words of another."""
CLAUSES: dict[str, tuple[Builder, ...]] = {
    "spec_page": page.BUILDERS,
    "spec_heads": heads.BUILDERS,
    "spec_totals": totals.BUILDERS,
    "spec_wording": wording.BUILDERS,
    "spec_grouping": grouping.BUILDERS,
    "spec_sorting": sorting.BUILDERS,
}
"""The builders of each subject, in an order in which none takes the words of another."""
_FILLING = frozenset({
    "the", "and", "with", "for", "that", "this", "please", "report", "table", "list", "make", "create", "generate",
    "build", "show", "need", "want", "like", "would", "can", "you", "out", "into", "from", "all", "each", "its",
    "their", "below", "then", "following", "columns", "column", "fields", "field", "simple", "new", "give", "have",
    "has", "should", "could", "document", "form", "sheet", "design", "produce", "prepare", "print", "get", "also",
    "will", "our", "use", "using", "template",
})  # fmt: skip
_FILLING_ZH = re.compile(
    r"[的了吧呢吗和与及或请帮我们要做个张份一这那是有以用出来弄搞写列]"
    r"|报表|表格|生成|制作|创建|设计|包含|包括|需要|显示|如下|字段|以下|数据|信息|模板"
)


def clauses(text: str) -> SpecClauses:
    """What a request says besides its columns; `rest` is what is left of it."""
    said = SpecClauses(text)
    for reader in _READERS:
        if hasattr(reader, "read"):
            reader.read(said)
        else:
            subject = f"spec_{reader.__name__.rpartition('.')[2]}"
            for build in CLAUSES[subject]:
                said.read(subject, build)
    return said


def words_left(text: str) -> Iterator[str]:
    """What nobody has read: words of some meaning."""
    for word in re.findall(r"[A-Za-z]{3,}|[\u3400-\u9fff]+", text):
        bare = _FILLING_ZH.sub("", word)
        if bare and bare.casefold() not in _FILLING:
            yield bare
