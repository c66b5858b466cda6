"""Grade a template made from a form as a person would: keep it, edit a little, or rather start over.

A template may pass every check and still be of no use: half of its page is one picture, its rows are the wrong block,
or its texts were read from a blurred photo. Each kind of evidence (`evidence.Evidence`) has two limits. A template that
stays within all the lower ones is graded *keep*; one that exceeds an upper one, *start over*; any other, *small edits*.
Each limit exceeded is a finding, a warning, with the reason in words. Edits of many kinds are not small: they are
graded *start over*, too, where what makes the page look otherwise counts as one kind.

The limits were chosen on documents that people had graded by eye; `docs/benchmarks.md` compares both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bandsmith.shared.replies import Text
from bandsmith.shared.shortening import shortened
from bandsmith.shared.turns.verdict import Finding, Grade

from ..evidence import Evidence
from .base import MAX_QUOTED_CHARS, Check, FindingCode, Stage


class Code(FindingCode):
    GLYPHS = "grade.glyphs"
    ITEMS = "grade.items"
    ROWS = "grade.rows"
    BLANK = "grade.blank"
    LABELS = "grade.labels"
    WORDING = "grade.wording"
    HEADINGS = "grade.headings"
    SHARED = "grade.shared"
    PARTS = "grade.parts"
    LOOPS = "grade.loops"
    TEXTS = "grade.texts"
    LOST = "grade.lost"
    DOUBTFUL = "grade.doubtful"
    FIXED = "grade.fixed"
    OVERLAPS = "grade.overlaps"
    PICTURE = "grade.picture"
    FRAGMENTS = "grade.fragments"
    MISSING = "grade.missing"
    PAGES = "grade.pages"
    ADDED = "grade.added"
    UNNAMED = "grade.unnamed"
    SHIFTED = "grade.shifted"
    STACKED = "grade.stacked"
    LETTERS = "grade.letters"


class Limits(NamedTuple):
    """A template is kept up to `keep`, and edited up to `edit`."""

    keep: float
    edit: float


LIMITS: Mapping[Code, Limits] = {
    Code.GLYPHS: Limits(0, 0.3),
    Code.ITEMS: Limits(0.25, 0.5),
    Code.ROWS: Limits(0.10, 0.30),
    Code.BLANK: Limits(0, 0.5),
    Code.LABELS: Limits(0, 0.5),
    Code.WORDING: Limits(0.05, 0.3),
    Code.HEADINGS: Limits(0, 0.2),
    Code.SHARED: Limits(0.1, 0.5),
    Code.PARTS: Limits(0.05, 0.4),
    Code.LOOPS: Limits(0, 3),
    Code.TEXTS: Limits(0.06, 0.4),
    Code.LOST: Limits(0.06, 0.4),
    Code.DOUBTFUL: Limits(0.03, 0.15),
    Code.FIXED: Limits(0.75, 0.80),
    Code.OVERLAPS: Limits(0.03, 0.2),
    Code.STACKED: Limits(0, 0.5),
    Code.PICTURE: Limits(0.20, 0.50),
    Code.FRAGMENTS: Limits(3, 8),
    Code.MISSING: Limits(0, 2),
    Code.PAGES: Limits(0, 2),
    Code.ADDED: Limits(0.08, 0.4),
    Code.UNNAMED: Limits(0.20, 0.50),
    Code.SHIFTED: Limits(0.06, 1.0),
    Code.LETTERS: Limits(0.5, 1.0),
}
"""By weight of the reason, the heaviest first."""


_KINDS = {
    Code.LOST: Code.TEXTS,
    Code.ADDED: Code.TEXTS,
    Code.SHIFTED: Code.TEXTS,
    Code.STACKED: Code.OVERLAPS,
}
"""Reasons that are of one kind with another one: how unlike the page is, and what is printed over other print."""
MAX_QUOTED = 3
"""Texts that a reason quotes to say where it is."""
MANY_KINDS = 3
"""Reasons of so many kinds ask for a new beginning."""


def judge(evidence: Evidence) -> tuple[Grade, list[Finding]]:
    """Return the grade, and a finding for each reason against keeping the template, the heaviest first."""
    values: dict[Code, float] = {code: getattr(evidence, code.name.lower()) for code in LIMITS}
    over = [code for code, limits in LIMITS.items() if values[code] > limits.keep]
    heavy = [code for code in over if values[code] > LIMITS[code].edit]
    reasons = [*heavy, *(code for code in over if code not in heavy)]
    kinds = {_KINDS.get(code, code) for code in over}
    begins_anew = heavy or len(kinds) >= MANY_KINDS
    grade: Grade = "start_over" if begins_anew else "small_edits" if over else "keep"
    return grade, [_reason(code, values[code], evidence.places.get(code.name.lower(), ())) for code in reasons]


def _reason(code: Code, value: float, at: Sequence[str]) -> Finding:
    return Finding.of(code, severity="warning", share=value, count=value, where=_where(at))


def _where(texts: Sequence[str]) -> Text:
    """Quote the first texts of a place, in brackets; nothing where no place is known."""
    words = [text for text in dict.fromkeys(" ".join(text.split()) for text in texts) if text]
    quoted = [f"“{shortened(text, MAX_QUOTED_CHARS)}”" for text in words[:MAX_QUOTED]]
    quoted += ["…"] * (len(words) > MAX_QUOTED)
    return Text(f" ({', '.join(quoted)})", f"（{'、'.join(quoted)}）") if quoted else Text("", "")


CHECK: Check[Evidence] = Check(Stage.LIKENESS, Code)
