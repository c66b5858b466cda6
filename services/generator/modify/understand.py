"""Understanding: a request in words as typed edits, by rules; what they cannot read is said and left alone."""

from __future__ import annotations

from dataclasses import dataclass, field

from shared.model.edits import AnyEdit

from ..edits import Editor
from .clauses import MOST, Request
from .names import Names
from .reading import Clause, Reading
from .rules import RULES
from .view import View

LONGEST = 4_000
"""Characters of a request that rules read."""
_JOINED = 4
"""Parts that may be one clause: “delete the line, the logo and the footer”."""
_UNREAD, _ABSENT, _EACH = 10.0, 3.0, 0.1


@dataclass
class Understood:
    """What a request asks for."""

    edits: list[AnyEdit] = field(default_factory=list)
    said: list[tuple[str, str]] = field(default_factory=list)
    """Why something is not done, in English and Chinese."""
    unclear: list[str] = field(default_factory=list)
    """The clauses that rules could not read, as the user wrote them."""
    kept: list[str] = field(default_factory=list)
    """Keys of elements that the user wants to stay."""
    read: int = 0
    """How many clauses were read."""


def understand(text: str, template: Editor) -> Understood:
    """Read a request. Nothing is guessed: a clause that no rule reads whole is unclear."""
    view = View(template)
    names = Names(view)
    rest = text[LONGEST:].strip()
    request = Request(text[:LONGEST])
    if len(request.parts) > MOST:
        return Understood(unclear=[text])
    out = Understood()
    before: Reading | None = None
    at = 0
    while at < len(request.parts):
        last, reading = _next(request, view, names, before, at)
        clause = request.clause(at, last)
        hangs = request.parts[at].weak
        at = last + 1
        if reading is None:
            # Words behind an “and” that nobody understands may belong to the new wording before it.
            if hangs and before is not None and before.wording and out.edits[-len(before.edits) :] == before.edits:
                del out.edits[-len(before.edits) :]
                out.unclear.append(request.said(request.text))
                return out
            if clause:
                out.unclear.append(request.said(clause))
            continue
        out.read += 1
        out.edits += [edit for edit in reading.edits if edit not in out.edits]
        out.said += [one for one in reading.said if one not in out.said]
        out.kept += reading.kept
        before = _with_context(reading, before)
    if rest:
        out.unclear.append(rest)
    return out


def _with_context(reading: Reading, before: Reading | None) -> Reading:
    """A reading that remembers what was spoken of, and the group that was made."""
    if before is not None:
        reading.group = reading.group or before.group
        reading.target = reading.target or before.target
    return reading


def _next(request: Request, view: View, names: Names, before: Reading | None, at: int) -> tuple[int, Reading | None]:
    """The last part of the clause that begins with part `at`, and its reading: the cheapest of all partings."""
    end = min(len(request.parts), at + _JOINED)

    def best(first: int, before: Reading | None) -> tuple[float, int, Reading | None]:
        """(cost, last part, reading) of the cheapest clause from a part on, with all that follows it."""
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
                price += sum(2.0 if request.parts[n].weak else 8.0 for n in range(first + 1, last + 1))
            choices.append((price + following, -last, reading))
        cost, last, reading = min(choices, key=lambda choice: choice[:2])
        return cost, -last, reading

    return best(at, before)[1:]


def _price(reading: Reading | None) -> float:
    if reading is None:
        return _UNREAD
    return _EACH + (_ABSENT if reading.said and not reading.edits else 0.0)


def _read(clause: Clause) -> Reading | None:
    """The first rule that reads the clause, one that finds what is named before one that does not."""
    absent: Reading | None = None
    for rule in RULES:
        reading = rule(clause)
        if reading is None:
            continue
        if reading.edits or reading.kept or not reading.said:
            return reading
        absent = absent or reading
    return absent
