"""Read a request by rules, clause by clause. ``language/__init__.py`` explains how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add import Add
from bandsmith.shared.edits.add_column import AddColumn
from bandsmith.shared.edits.delete_column import DeleteColumn
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.edits.set_text import SetText
from bandsmith.shared.model.session_parts import Version
from bandsmith.shared.replies import Text

from ..background import tells
from ..reference_resolver import ReferenceResolver
from ..references import Target
from ..request_clauses import MAX_PARTS, SplitRequest, without_inner_politeness, without_reporter
from ..request_frames import in_plain_words
from ..sentence_templates import matches
from ..template_view import TemplateView
from ..typo_correction import corrected
from ..view_elements import NUMERIC
from .appositions import without_appositions
from .listed_headings import listed_headings
from .reading import SENTENCE_ENDS, Clause, ClauseReading
from .rules import RULES
from .taken_back import ReadClause, is_given_back

MAX_REQUEST_CHARS = 4_000
"""Characters of a request that rules read."""
MAX_CLAUSE_CHARS = 160
"""Longer clauses are prose, which no rule reads."""
MAX_JOINED_PARTS = 4
"""Parts that may form one clause: “delete the line, the logo and the footer”."""

UNREAD_PRICE, ABSENT_PRICE, CLAUSE_PRICE = 10.0, 3.0, 0.1
"""Price of a clause that is unread, that names what does not exist, and of any clause."""
_OF_NEW_TEXTS = frozenset({"textAlignment", "fontSize", "isBold"})
"""What a new text has as the one beside it, until a clause says how it is to look."""
WEAK_JOIN_PRICE, STRONG_JOIN_PRICE = 2.0, 18.0
"""Price of joining two parts into a clause that names what does not exist."""


@dataclass
class RequestReading:
    """What rules read in a request."""

    edits: list[AnyEdit] = field(default_factory=list)
    refusals: list[Text] = field(default_factory=list)
    """Why parts of the request cannot be carried out."""
    unread: list[str] = field(default_factory=list)
    """The clauses that no rule reads, as the user wrote them."""
    passed_over: list[str] = field(default_factory=list)
    """The clauses that give a reason or tell something, as the user wrote them: nothing is asked for there."""
    kept: list[str] = field(default_factory=list)
    """Names of elements that have to stay."""
    base: Version | None = None
    """The version that the edits are applied to, where they take the place of an earlier change."""

    def add(self, other: RequestReading) -> None:
        """Add what another request asks for, without repetitions."""
        self.edits += [edit for edit in other.edits if edit not in self.edits]
        self.refusals += [refusal for refusal in other.refusals if refusal not in self.refusals]
        self.unread += other.unread
        self.passed_over += other.passed_over
        self.kept += other.kept


def read_request(
    text: str,
    view: TemplateView,
    about: Target | None = None,
    resolver: ReferenceResolver | None = None,
    continues: bool = False,
) -> RequestReading:
    """Return what rules read in a request; `about` is what a leading “this” refers to.

    `continues` says that the request goes on with a sentence, so that “the letters” are those of what it is about.

    Nothing is guessed: a clause is unread unless a rule accounts for all of it. Typing errors are corrected where the
    whole request can be read then.
    """
    if (headings := listed_headings(text[:MAX_REQUEST_CHARS], view)) is not None:
        result = RequestReading(list(headings.edits))
        result.add(read_request(headings.rest, view, about, resolver, continues) if headings.rest else RequestReading())
        return result
    reading = _Parser(text, view, about, resolver, continues).read()
    if not reading.unread and not reading.refusals:
        return reading
    correct = corrected(text[:MAX_REQUEST_CHARS], view)
    if correct != text:
        second = _Parser(correct, view, about, resolver, continues).read()
        if second.edits and not second.unread and not second.refusals:
            return second
    return reading


class _Parser:
    """One request on its way to a reading."""

    def __init__(
        self, text: str, view: TemplateView, about: Target | None, resolver: ReferenceResolver | None, continues: bool
    ) -> None:
        self._text, self._view, self._continues = text, view, continues
        self._resolver = resolver or ReferenceResolver(view)
        self._request = SplitRequest(text[:MAX_REQUEST_CHARS])
        self._before = ClauseReading(target=about) if about else None
        """The clause before the next one, with what it inherited."""
        self._told: list[str] = []
        """The clauses that only tell something."""

    def read(self) -> RequestReading:
        request = self._request
        if len(request.parts) > MAX_PARTS:
            return RequestReading(unread=[self._text.strip()])
        result = RequestReading()
        at, left_alone, complaints = 0, set[str](), list[AnyEdit]()
        clauses: list[ReadClause] = []
        while at < len(request.parts):
            _, last, reading = self._cheapest(at, min(len(request.parts), at + MAX_JOINED_PARTS), self._before)
            clause, is_joined = request.clause(at, last), request.parts[at].weak
            first, at = at, last + 1
            if (end := self._open_end(clause, last, reading)) > last:
                result.unread.append(request.as_written(request.clause(last, end)))
                at, self._before = end + 1, None
                continue
            if reading is not None:
                result.add(RequestReading(reading.edits, reading.refusals, kept=list(reading.kept)))
                left_alone.update(reading.left_alone)
                complaints += reading.edits if any(matches("reasons", "complaint", clause)) else []
                self._before = _with_context(reading, self._before)
            elif is_joined and self._before is not None and self._before.wording:
                # Unread words after an “and” may belong to the new wording before it.
                return RequestReading(unread=[request.as_written(request.text)])
            elif clause:
                self._leave(request.as_written(clause), clause, result)
            clauses.append(ReadClause(first, last, clause, reading, result.unread[-1:] == self._told[-1:] != []))
        result.edits = [edit for edit in result.edits if getattr(edit, "element", None) not in left_alone]
        return self._checked(result, complaints, clauses)

    def _checked(self, result: RequestReading, complaints: list[AnyEdit], clauses: list[ReadClause]) -> RequestReading:
        """Return what was read of all clauses, or nothing of it where one of them forbids that."""
        result.edits = _without_complaints(result.edits, complaints)
        self._keep_totals(result)
        told = [clause for clause in result.unread if clause in self._told]
        if contradicts_itself(result.edits) or is_given_back(self._request, clauses):
            return RequestReading(unread=[self._text.strip()], kept=result.kept)
        if result.unread:
            self._withhold_uncomputed(result)
        if result.edits:
            result.passed_over = [one for one in result.unread if one in told or any(matches("reasons", "reason", one))]
            result.unread = [clause for clause in result.unread if clause not in result.passed_over]
        if result.unread and any(edit in complaints for edit in result.edits):
            return RequestReading(unread=[self._text.strip()], kept=result.kept)
        if beyond := self._text[MAX_REQUEST_CHARS:].strip():
            result.unread.append(beyond)
        return result

    def _leave(self, written: str, clause: str, result: RequestReading) -> None:
        """Note a clause that no rule reads. What only tells something changes nothing of what the next refers to."""
        goes_on = bool(self._told) and result.unread[-1:] == self._told[-1:] and self._is_joined_by_comma(clause)
        if tells(clause, self._view, goes_on):
            self._told.append(written)
        else:
            self._before = self._after_unread(clause, self._before)
        result.unread.append(written)

    def _is_joined_by_comma(self, clause: str) -> bool:
        """Whether no sentence ends in front of a clause."""
        before = self._request.text[: self._request.text.find(clause)].rstrip()
        return before[-1:] not in SENTENCE_ENDS and not before.endswith((".", "\n"))

    def _open_end(self, clause: str, last: int, reading: ClauseReading | None) -> int:
        """Return the last part that belongs to a clause which speaks of new words: what follows behind a blank does,
        where the clause is not read."""
        if (reading is None or not reading.edits) and any(matches("requests", "open_end", clause)):
            while self._request.goes_on_after(last):
                last += 1
        return last

    def _keep_totals(self, result: RequestReading) -> None:
        """Let a column that is removed leave its totals, where the request keeps them: “hide it but keep the total”."""
        draft = self._view.editor.draft
        for n, edit in enumerate(result.edits):
            if isinstance(edit, DeleteColumn) and result.kept:
                alone = edit.model_copy(update={"keep_totals": True})
                totals = set(edit.removes_along(draft)) - set(alone.removes_along(draft))
                if {draft.name_of(node) for node in totals} & set(result.kept):
                    result.edits[n] = alone

    def _after_unread(self, clause: str, before: ClauseReading | None) -> ClauseReading | None:
        """Return what a clause after an unread one may refer to: what that complains of, or, after a reason, the same.

        After any other there is nothing, since it may have named what is meant. So do words that choose rows.
        """
        if any(matches("reasons", "chosen_rows", clause)):
            return None
        for slots in matches("reasons", "topic", clause):
            found = self._resolver.find(*self._request.with_quotations(slots["name"]))
            if isinstance(found, Target):
                return ClauseReading(target=found)
        return before if any(matches("reasons", "reason", clause)) else None

    def _withhold_uncomputed(self, result: RequestReading) -> None:
        """Leave out new columns of numbers whose computation may be in what was not read: their values would be
        made up."""
        for edit in [one for one in result.edits if isinstance(one, AddColumn)]:
            is_computed = edit.formula or edit.expression or edit.field in self._view.classes
            if not is_computed and edit.java_class in NUMERIC:
                result.edits.remove(edit)
                result.refusals.append(Text.of("language.column_not_computed", column=edit.label))

    def _cheapest(self, first: int, end: int, before: ClauseReading | None) -> tuple[float, int, ClauseReading | None]:
        """Return the cheapest clause that begins with part `first`: the price of all parts up to `end`, its last part,
        and its reading."""
        choices = []
        for last in range(first, end):
            reading = self._read_clause(first, last, before)
            if reading is None and last > first:
                continue
            after = (
                _with_context(reading, before)
                if reading is not None
                else self._after_unread(self._request.clause(first, last), before)
            )
            following = self._cheapest(last + 1, end, after)[0] if last + 1 < end else 0.0
            choices.append((self._price(reading, first, last) + following, -last, reading))
        price, last, reading = min(choices, key=lambda choice: choice[:2])
        return price, -last, reading

    def _says_the_same(self, first: int, last: int) -> bool:
        """Whether a clause asks for the change before it, for something else that it names: “and total hours too”."""
        text = self._request.text[self._request.parts[first].start : self._request.parts[last].end].strip()
        named = (slots["name"] for slots in matches("references", "repeated", text))
        return any(isinstance(self._resolver.find(name), Target) for name in named)

    def _price(self, reading: ClauseReading | None, first: int, last: int) -> float:
        if reading is None:
            return UNREAD_PRICE
        if reading.edits or not reading.refusals:
            return CLAUSE_PRICE
        # The more parts were joined, the more likely a name that does not exist was misread.
        joints = (self._request.parts[number] for number in range(first + 1, last + 1))
        joining = sum(WEAK_JOIN_PRICE if part.weak else STRONG_JOIN_PRICE for part in joints)
        return CLAUSE_PRICE + ABSENT_PRICE + joining

    def _read_clause(self, first: int, last: int, before: ClauseReading | None) -> ClauseReading | None:
        """Return the reading of the first rule that finds what the clause names, else of the first that does not."""
        text = self._request.clause(first, last)
        if len(text) > MAX_CLAUSE_CHARS:
            return None
        reading = self._by_rules(text, first, last, before)
        plain = without_inner_politeness(text)
        named_once = without_appositions(plain, self._resolver)
        others = (plain, named_once, without_inner_politeness(without_reporter(plain)), *in_plain_words(named_once))
        for other in dict.fromkeys(others):
            if other != text and (reading is None or not reading.edits):
                second = self._by_rules(other, first, last, before)
                reading = second if second is not None and second.edits else reading
        return reading

    def _by_rules(self, text: str, first: int, last: int, before: ClauseReading | None) -> ClauseReading | None:
        """Return the reading of the first rule that reads the words of a clause."""
        parts, is_first = self._request.parts, first == 0 and not self._continues
        as_said = self._request.text[parts[first].start : parts[last].end]
        clause = Clause(text, self._request, self._view, self._resolver, before, is_first, as_said)
        is_repeated = before is not None and self._says_the_same(first, last)
        absent: ClauseReading | None = None
        for rule in RULES:
            reading = rule(clause)
            if reading is not None and is_repeated and not _is_like(reading, before):
                continue
            if reading is not None and (reading.edits or reading.kept or not reading.refusals):
                return reading
            absent = absent or reading
        is_said = any(match for rule in ("reason", "reported") for match in matches("reasons", rule, text))
        return None if absent is not None and is_said else absent


def _is_like(reading: ClauseReading, before: ClauseReading | None) -> bool:
    """Whether a reading asks for the same kind of change as the one before it. To align a text may be to move it."""
    kinds = {edit.do for edit in before.edits} if before else set()
    if any(getattr(edit, "name", "") == "textAlignment" for edit in (before.edits if before else ())):
        kinds |= {"move"}
    return {edit.do for edit in reading.edits} <= kinds


def _without_complaints(edits: list[AnyEdit], complaints: Sequence[AnyEdit]) -> list[AnyEdit]:
    """Leave out what a complaint about all letters asks for, where the request goes on with which of them change.

    “The letters are too small, make the title bigger” is about the title.
    """
    others = [edit for edit in edits if edit not in complaints]
    sizes = [edit for edit in others if isinstance(edit, SetProperty) and edit.name == "fontSize"]
    return others if complaints and sizes else edits


def contradicts_itself(edits: Sequence[AnyEdit]) -> bool:
    """Whether edits of one request cannot all be meant: one key for two elements, two values for one property.

    A format that only adds to the one before ("with a $ sign and 3 decimals") is meant. A new text looks as the one
    beside it until a clause says how.
    """
    keys = [edit.key for edit in edits if isinstance(edit, Add)]
    values: dict[tuple[str, str], object] = {}
    for edit in edits:
        if isinstance(edit, SetProperty):
            before = values.setdefault((edit.element, edit.name), edit.value)
            if edit.name in _OF_NEW_TEXTS and edit.element in keys:
                continue
            if before != edit.value and not (edit.name == "pattern" and str(before) in str(edit.value)):
                return True
            values[edit.element, edit.name] = edit.value
    texts = {(edit.element, edit.text) for edit in edits if isinstance(edit, SetText)}
    return len(keys) != len(set(keys)) or len({element for element, _ in texts}) != len(texts)


def _with_context(reading: ClauseReading, before: ClauseReading | None) -> ClauseReading:
    """Return the reading with the target and the group of the clause before, where it has none of its own."""
    if before is not None:
        reading.group = reading.group or before.group
        reading.target = reading.target or before.target
    return reading
