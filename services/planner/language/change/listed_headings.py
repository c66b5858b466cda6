"""New headings of all columns, listed in their order: “column headings in English: No., Item, Qty”.

Such a list is taken out of a request before that is split into clauses. ``templates/*/listed_headings.toml`` holds what
users say.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.set_text import SetText

from ..sentence_templates import phrases
from ..template_view import TemplateView
from .rules.wording import says_how_it_looks
from .unquoted import runs_on

SUBJECT = "listed_headings"
RULES = frozenset({"listed"})
MIN_COLUMNS = 3
MAX_HEADING_CHARS = 20
_BREAK = re.compile(r"(?<!\s)\s*[,，、]\s*")


class ListedHeadings(NamedTuple):
    """The edits of the headings, and what else the request says."""

    edits: list[AnyEdit]
    rest: str


def listed_headings(text: str, view: TemplateView) -> ListedHeadings | None:
    """Return what a request that lists a heading for each column asks for; None for any other."""
    heads = [column.head for column in view.columns]
    if len(heads) < MIN_COLUMNS or any(head is None or head.tag != "staticText" for head in heads):
        return None
    for phrase in phrases(SUBJECT, "listed", text):
        names = _BREAK.split(phrase.slots["labels"], maxsplit=len(heads))
        labels = [name.strip(" \"'“”‘’") for name in names[: len(heads)]]
        rest = names[len(heads) :]
        if len(labels) < len(heads) or not all(map(_is_heading, labels)) or len(set(labels)) < len(labels):
            continue
        if not rest:
            labels[-1] = labels[-1].rstrip("。.!！")
        pairs = zip(heads, labels, strict=True)
        edits: list[AnyEdit] = [SetText(element=head.key, text=new) for head, new in pairs if head is not None]
        return ListedHeadings(edits, f"{text[: phrase.start]}\n{''.join(rest)}{text[phrase.end :]}".strip())
    return None


def _is_heading(words: str) -> bool:
    is_short = 0 < len(words) <= MAX_HEADING_CHARS and not re.search("[:：;；\n]", words)
    return is_short and not runs_on(words) and not says_how_it_looks(words)
