"""Understanding: a request in words as typed edits, by rules; what they cannot read is said and left alone."""

from __future__ import annotations

from dataclasses import dataclass, field

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.replies import Text

from ..reference_resolver import ReferenceResolver, Target
from ..template_view import TemplateView
from ..typo_correction import mended
from .clauses import MAX_PARTS, SplitRequest
from .reading import Clause, ClauseReading
from .rules import RULES

LONGEST = 4_000
"""Characters of a request that rules read."""
_CLAUSE = 160
"""Characters of one clause; longer ones are prose."""
_JOINED = 4
"""Parts that may be one clause: “delete the line, the logo and the footer”."""
_UNREAD, _ABSENT, _EACH = 10.0, 3.0, 0.1
_WEAKLY, _STRONGLY = 2.0, 8.0
"""What joining two parts adds to the price of a clause that names nothing that is there."""


@dataclass
class RequestReading:
    """What a request asks for."""

    edits: list[AnyEdit] = field(default_factory=list)
    refusals: list[Text] = field(default_factory=list)
    """Why something is not done, in English and Chinese."""
    unread: list[str] = field(default_factory=list)
    """The clauses that rules could not read, as the user wrote them."""
    kept: list[str] = field(default_factory=list)
    """Names of elements that the user wants to stay."""
    read: int = 0
    """How many clauses were read."""

    def add(self, other: RequestReading) -> None:
        """Take over what another request asks for, each thing once."""
        self.edits += [edit for edit in other.edits if edit not in self.edits]
        self.refusals += [one for one in other.refusals if one not in self.refusals]
        self.unread += other.unread
        self.kept += other.kept
        self.read += other.read


def understand(text: str, view: TemplateView, about: Target | None = None) -> RequestReading:
    """Read a request; `about` is what its first words may mean by “this”.

    Nothing is guessed: a clause that no rule reads as a whole is unclear. Slips of the pen are mended where all of it
    can be read then.
    """
    said = _understood(text, view, about)
    if not said.unread and not said.refusals:
        return said
    right = mended(text[:LONGEST], view)
    if right != text:
        meant = _understood(right, view, about)
        if meant.edits and not meant.unread and not meant.refusals:
            return meant
    return said


def _understood(text: str, view: TemplateView, about: Target | None) -> RequestReading:
    names = ReferenceResolver(view)
    rest = text[LONGEST:].strip()
    request = SplitRequest(text[:LONGEST])
    if len(request.parts) > MAX_PARTS:
        return RequestReading(unread=[text.strip()])
    out = RequestReading()
    before = ClauseReading(target=about) if about else None
    at = 0
    while at < len(request.parts):
        last, reading = _next(request, view, names, before, at)
        clause = request.clause(at, last)
        hangs = request.parts[at].weak
        at = last + 1
        if reading is None:
            if hangs and before is not None and before.wording:
                # Words behind an “and” that nobody understands may belong to the new wording before it.
                return RequestReading(unread=[request.as_written(request.text)])
            if clause:
                out.unread.append(request.as_written(clause))
            continue
        out.add(RequestReading(reading.edits, reading.refusals, kept=list(reading.kept), read=1))
        before = _with_context(reading, before)
    if rest:
        out.unread.append(rest)
    return out


def _with_context(reading: ClauseReading, before: ClauseReading | None) -> ClauseReading:
    """A reading that remembers what was spoken of, and the group that was made."""
    if before is not None:
        reading.group = reading.group or before.group
        reading.target = reading.target or before.target
    return reading


def _next(
    request: SplitRequest, view: TemplateView, names: ReferenceResolver, before: ClauseReading | None, at: int
) -> tuple[int, ClauseReading | None]:
    """The last part of the clause that begins with part `at`, and its reading: the cheapest of all partings."""
    end = min(len(request.parts), at + _JOINED)

    def best(first: int, before: ClauseReading | None) -> tuple[float, int, ClauseReading | None]:
        """(price, last part, reading) of the cheapest clause from a part on, with all that follows it."""
        choices = []
        for last in range(first, end):
            reading = _read(Clause(request.clause(first, last), request, view, names, before))
            if reading is None and last > first:
                continue
            after = _with_context(reading, before) if reading is not None else before
            following = best(last + 1, after)[0] if last + 1 < end else 0.0
            price = _price(reading)
            if price > _EACH and reading is not None:
                # What is named nowhere is rather misread the more parts were joined to read it.
                price += sum(_WEAKLY if request.parts[n].weak else _STRONGLY for n in range(first + 1, last + 1))
            choices.append((price + following, -last, reading))
        price, last, reading = min(choices, key=lambda choice: choice[:2])
        return price, -last, reading

    return best(at, before)[1:]


def _price(reading: ClauseReading | None) -> float:
    if reading is None:
        return _UNREAD
    return _EACH + (_ABSENT if reading.refusals and not reading.edits else 0.0)


def _read(clause: Clause) -> ClauseReading | None:
    """The first rule that reads the clause, one that finds what is named before one that does not."""
    if len(clause.text) > _CLAUSE:
        return None
    absent: ClauseReading | None = None
    for rule in RULES:
        reading = rule(clause)
        if reading is None:
            continue
        if reading.edits or reading.kept or not reading.refusals:
            return reading
        absent = absent or reading
    return absent
