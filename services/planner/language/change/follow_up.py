"""Read a sentence that goes on with the change before: “no, the price column”, “even bigger”, “same for the total”.

Theory of operation
===================

Such a sentence says only what is different. The rest is in the change before (``conversation.py``), of which the
request, the edits and the report before it are known. What users say is in ``templates/*/follow_up.toml``; a template
is the whole sentence, and each has a builder here.

* Something else is meant: the earlier request is read again, on the report before it, with a resolver that finds the
  other thing wherever the words name the first (``Redirected``). The new change starts from the version before, so it
  takes the place of the wrong one.
* The same for something else: likewise, on the current report.
* Further, or back a bit: every number of the edits is taken on by the ratio of new to old, or to the middle of both.
* A part stays or goes: the edits are chosen by the property that is named. Later changes are made again after it.

A sentence that fits no template is read as any other, where “it” is what the change before was about.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.set_header_background import SetHeaderBackground
from bandsmith.shared.edits.set_property import PROPERTIES, SetProperty
from bandsmith.shared.edits.set_text import SetText
from bandsmith.shared.replies import Text

from ..colours import colour, is_shade_of
from ..reference_resolver import ReferenceResolver
from ..references import Missing, Reference, Several, Target, missing, which_one, with_value
from ..request_clauses import without_politeness
from ..sentence_templates import Slots, listed, matches, phrases
from ..template_view import TemplateView
from .conversation import PastChange
from .follow_up_numbers import between, direction, further, in_its_order, number, other_words, reverse, shade, words
from .follow_up_parts import before, drop_number, drop_part, keep_part
from .follow_up_rest import fill_new, only_in, other_row, side_by_side
from .follow_up_sentence import Builder, FollowUp
from .follow_up_ways import give_to, one_back, only_where, other_place, other_property
from .rule_parser import RequestReading, read_request
from .rules.style import edits_of
from .style_phrases import StyleChange

MAX_SENTENCE_CHARS = 160
_PENS = {name: name.replace("lineWidth", "lineColor") for name in PROPERTIES if name.endswith("lineWidth")}
_PENS |= {name: name for name in PROPERTIES if name.endswith("lineColor")}
"""The property of a line's colour, by the properties of lines."""
_SHADES = ("light ", "dark ", "浅", "深")
_OF_VALUES = frozenset({"pattern", "isBlankWhenNull"})
"""Properties that a fixed text does not have."""


def read_follow_up(
    text: str, view: TemplateView, past: Sequence[PastChange], requests: Sequence[str] = ()
) -> RequestReading | None:
    """Return what a sentence asks for that goes on with the change before; None where it does not."""
    if not past or len(text) > MAX_SENTENCE_CHARS:
        return None
    sentence = FollowUp(text, view, past, requests)
    whole = _read(sentence, sentence.text)
    if whole is not None and (whole.edits or whole.base):
        return whole
    return _with_more(sentence) or _without_reasons(sentence) or whole


def _without_reasons(sentence: FollowUp) -> RequestReading | None:
    """Read a sentence without the clauses that give a reason: “no, the gift note is in there. bring it back”."""
    request = sentence.request
    clauses = [request.as_written(request.text[part.start : part.end]) for part in request.parts]
    reasons = [one for one in clauses if any(matches("reasons", "reason", without_politeness(one)))]
    if not reasons or len(reasons) == len(clauses):
        return None
    rest = ", ".join(one for one in clauses if one not in reasons)
    shorter = FollowUp(rest, sentence.view, sentence.past, sentence.requests)
    reading = _read(shorter, shorter.text)
    if reading is None or not (reading.edits or reading.base):
        return None
    reading.passed_over += reasons
    return reading


def _read(sentence: FollowUp, text: str) -> RequestReading | None:
    absent: RequestReading | None = None
    for build in RULES:
        if build in _TAKE_FURTHER and not sentence.follows_change:
            continue
        for wording in dict.fromkeys((without_politeness(text), text.strip(" ,，.。!！?？"))):
            for slots in matches("follow_up", build.__name__, wording):
                reading = build(sentence, slots)
                if reading is not None and (reading.edits or reading.base):
                    if not slots.left_over:
                        return reading
                    continue
                absent = absent or reading
    return absent


def _with_more(sentence: FollowUp) -> RequestReading | None:
    """“Even thinner, and grey”: the first part goes on with the change before, the rest is about the same thing."""
    request = sentence.request
    for count in range(len(request.parts) - 1, 0, -1):
        reading = _read(sentence, request.text[: request.parts[count - 1].end])
        rest = request.as_written(request.text[request.parts[count].start :])
        if reading is not None and reading.base and any(matches("reasons", "reason", without_politeness(rest))):
            return reading
        if reading is not None and reading.edits and not reading.base:
            return _and_rest(sentence, reading, rest)
    return None


def _and_rest(sentence: FollowUp, reading: RequestReading, rest: str) -> RequestReading | None:
    """Return a reading with what the rest of its sentence asks for; None where that is not read."""
    if any(matches("reasons", "reason", without_politeness(rest))):
        return reading
    about = sentence.last.target(sentence.view)
    more = _of_drawing(sentence, rest) or read_request(rest, sentence.view, about, continues=True)
    if not more.edits:
        return None
    if _contradicts(more, reading):
        return RequestReading(unread=[sentence.request.as_written(sentence.text)])
    reading.add(more)
    return reading


def _contradicts(more: RequestReading, reading: RequestReading) -> bool:
    """Whether two parts of a sentence set one property of a thing to different values: “too big, make it bigger”."""
    values = {(edit.element, edit.name): edit.value for edit in reading.edits if isinstance(edit, SetProperty)}
    return any(
        values.get((edit.element, edit.name), edit.value) != edit.value
        for edit in more.edits
        if isinstance(edit, SetProperty)
    )


def _of_drawing(sentence: FollowUp, words: str) -> RequestReading | None:
    """Return what words ask for that name a colour after a change of lines."""
    said = next((slots["colour"] for slots in matches("follow_up", "in_colour", without_politeness(words))), None)
    return _lines_in(sentence, said) if said else None


def _lines_in(sentence: FollowUp, shade: str) -> RequestReading | None:
    """Return the colour of the lines that the change before drew; None where it was about anything else."""
    pens = [edit for edit in sentence.last.edits if isinstance(edit, SetProperty) and edit.name in _PENS]
    if not pens or len(pens) != len(sentence.last.edits):
        return None
    names = dict.fromkeys((edit.element, _PENS[edit.name]) for edit in pens)
    return RequestReading([SetProperty(element=key, name=name, value=colour(shade) or "") for key, name in names])


def in_colour(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“And grey”, after a change of lines."""
    return _lines_in(sentence, slots["colour"])


# --- something else was meant ----------------------------------------------------------------------------------------


class Redirected(ReferenceResolver):
    """Finds another thing wherever words name the first."""

    def __init__(self, view: TemplateView, old: Target, new: Target) -> None:
        super().__init__(view)
        self._old = {piece.key for piece in old.pieces}
        self._new = new
        self.is_used = False

    def find(self, words: str, quoted: bool = False) -> Reference:
        found = super().find(words, quoted)
        if isinstance(found, Target) and self._old & {piece.key for piece in with_value(self.view, found).pieces}:
            self.is_used = True
            is_line = found.role == "row" and not self._new.role and self._new.column is None
            return self.line(words, self._new) if is_line else self._new
        return found


def _again(sentence: FollowUp, view: TemplateView, targets: Sequence[Target]) -> list[AnyEdit] | None:
    """Return the edits of the change before, about other things; None where it cannot be read for these."""
    last = sentence.last
    old = last.target(last.view)
    if old is None:
        return None
    edits: list[AnyEdit] = []
    for target in targets:
        resolver = Redirected(view, old, target)
        reading = read_request(last.request, view, resolver=resolver)
        if reading.unread or reading.refusals or not reading.edits or not resolver.is_used:
            return _rewritten(last.edits, view, targets)
        edits += [edit for edit in reading.edits if edit not in edits]
    return edits


def _rewritten(edits: Sequence[AnyEdit], view: TemplateView, targets: Sequence[Target]) -> list[AnyEdit] | None:
    """Return the same properties for the texts of other things, where the edits set nothing else."""
    properties = {(edit.name, edit.value) for edit in edits if isinstance(edit, SetProperty)}
    if "backcolor" in dict(properties) or any(isinstance(edit, SetHeaderBackground) for edit in edits):
        return _area_like(edits, view, targets)
    if len({name for name, _ in properties}) != len(properties) or not all(isinstance(e, SetProperty) for e in edits):
        return None
    texts = [text for target in targets for text in with_value(view, target).texts]
    ordered = dict.fromkeys((edit.name, edit.value) for edit in edits if isinstance(edit, SetProperty))
    return [
        SetProperty(element=text.key, name=name, value=value)
        for text in texts
        for name, value in ordered
        if text.tag == "textField" or name not in _OF_VALUES
    ] or None


def _area_like(edits: Sequence[AnyEdit], view: TemplateView, targets: Sequence[Target]) -> list[AnyEdit] | None:
    """Return the same background and letters for a whole line; None where the edits ask for more than that."""
    looks: dict[str, str] = {}
    for edit in edits:
        if isinstance(edit, SetHeaderBackground):
            looks["backcolor"] = edit.colour
        elif not isinstance(edit, SetProperty) or looks.setdefault(edit.name, str(edit.value)) != edit.value:
            return None
    changes = [StyleChange(name, value) for name, value in looks.items() if name != "mode"]
    if "backcolor" in looks:
        changes.append(StyleChange("mode", "Opaque"))
    made: list[AnyEdit] = []
    for target in targets:
        line = target if target.role else ReferenceResolver(view).line(target.words, target)
        styled = edits_of(view, line, changes)
        if styled is None:
            return None
        made += styled
    return made


def _instead(sentence: FollowUp, found: list[Target] | Missing | Several | None) -> RequestReading | None:
    """Return the change before, about other things, in the place of the one that was made."""
    if isinstance(found, Missing):
        return RequestReading(refusals=[missing(found, sentence.last.view)])
    if isinstance(found, Several):
        return RequestReading(refusals=[which_one(found)])
    edits = _again(sentence, sentence.last.view, found) if found else None
    return RequestReading(edits, base=sentence.last.base) if edits else None


def other_neighbour(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“不对，是右边那列”: the column beside the one that was changed."""
    last = sentence.last.target(sentence.last.view)
    if last is None or last.column is None:
        return None
    columns = sentence.last.view.columns
    place = [column.field for column in columns].index(last.column.field) + (1 if slots["next_to"] == "right" else -1)
    if not 0 <= place < len(columns):
        return RequestReading(refusals=[Text.of("language.no_column_beside", column=last.column.label)])
    column = columns[place]
    return _instead(sentence, [Target(column.label, tuple(column.pieces), column)])


def other_of_kind(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“The other date”: what is called like the thing that was changed but is not it."""
    view, kind = sentence.last.view, slots["kind"]
    last = sentence.last.target(view)
    if last is None or not sentence.was_about(slots["old"]):
        return None
    resolver = ReferenceResolver(view)
    others = [one for one in resolver.all_of_kind(kind, last) if (one.column is None) == (last.column is None)]
    if len(others) == 1:
        return _instead(sentence, others)
    if not others:
        return None
    names = tuple(t.column.label if t.column else resolver.name_of(t.pieces[0]) for t in others)
    return RequestReading(refusals=[which_one(Several(kind, names))])


def other_owned(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“The other number, the one of the delivery”: what is called so, and is not what was changed."""
    owner, kind = sentence.words(slots["owner"]), sentence.words(slots["kind"])
    found = sentence.targets(sentence.last.view, f"{owner} {kind}" if owner.isascii() else f"{owner}{kind}")
    if not isinstance(found, list) or sentence.was_about(f"{owner} {kind}"):
        return None
    return _instead(sentence, found)


def other_name(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“No, the product column”."""
    if not sentence.was_about(slots["old"]):
        return None
    reading = _instead(sentence, sentence.targets(sentence.last.view, slots["name"]))
    return in_its_order(sentence, reading) if reading is not None and not slots["same_order"] else reading


def other_colour(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“Orange is hard to read, use dark red instead”: the one colour of the change before is another."""
    new, old = colour(slots["colour"]), colour(slots["old_colour"]) if slots["old_colour"] else None
    used = {edit: name for edit in sentence.last.edits for name in ("value", "colour") if _is_hex(edit, name)}
    if not used and not slots["old_colour"] and new is not None:
        return _and_colour(sentence, slots["colour"])
    given = {str(getattr(edit, name)) for edit, name in used.items()}
    if new is None or len(given) != 1 or (old is not None and old not in given):
        return None
    complaint = slots["why"] or slots["colour_word"]
    if complaint and not _is_of(given, complaint) and listed("follow_up", "property", complaint) != "colour":
        return None
    edits = [edit.model_copy(update={used[edit]: new}) if edit in used else edit for edit in sentence.last.edits]
    return RequestReading(edits, base=sentence.last.base)


def _is_of(given: set[str], words: str) -> bool:
    """Whether words name the colours that were given, or what these are shades of: the blue of light blue."""
    named = colour(words)
    shades = {colour(f"{shade}{words}") for shade in _SHADES}
    return named is not None and all(one == named or one in shades or is_shade_of(one, named) for one in given)


def _and_colour(sentence: FollowUp, shade: str) -> RequestReading | None:
    """Return a colour for what the change before was about, which gave it none."""
    reading = read_request(shade, sentence.view, sentence.last.target(sentence.view), continues=True)
    return reading if reading.edits and not reading.unread else None


def _is_hex(edit: AnyEdit, name: str) -> bool:
    """Whether an edit has a colour under a name."""
    return re.fullmatch("#[0-9A-Fa-f]{6}", str(getattr(edit, name, ""))) is not None


def back_and(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“No, put it back, just make it bold”."""
    last = sentence.last
    rest = sentence.request.as_written(slots["rest_of_request"])
    reading = read_request(rest, last.view, last.target(last.view))
    if reading.unread or not reading.edits:
        return None
    reading.base = last.base
    return reading


def instead(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“No, hide the quantity column instead”: a whole request of the same kind takes the place of the change."""
    last, rest = sentence.last, sentence.request.as_written(slots["rest_of_request"])
    if phrases("references", "adding", sentence.text):
        return None
    reading = read_request(rest, last.view, last.target(last.view))
    is_like = {edit.do for edit in reading.edits} == {edit.do for edit in last.edits}
    if reading.unread or reading.refusals or not is_like or reading.edits == last.edits:
        return None
    reading.base = last.base
    return reading


def put_back(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“No, keep it after all”: what was removed is there again."""
    last = sentence.last
    return RequestReading(base=last.base) if all(edit.do.startswith("delete") for edit in last.edits) else None


def also_renamed(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“And unit price to price”, after a change of words."""
    if not all(isinstance(edit, SetText) for edit in sentence.last.edits):
        return None
    name, new = (sentence.request.as_written(slots[slot]) for slot in ("name", "new"))
    reading = read_request(f"rename {name} to {new}", sentence.view)
    return reading if reading.edits and not reading.unread else None


def renamed_too(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“位置对了，名字也改成“生产批号””: the column of the change before gets another name."""
    target = sentence.last.target(sentence.view)
    if target is None or target.column is None or not slots["new"]:
        return None
    new = sentence.request.as_written(slots["new"])
    reading = read_request(f"rename {target.column.label} to {new}", sentence.view)
    return reading if reading.edits and not reading.unread else None


# --- the same for something else --------------------------------------------------------------------------------------


def same_for(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“Same for the total”."""
    found = sentence.targets(sentence.view, slots["name"])
    if isinstance(found, Missing):
        return RequestReading(refusals=[missing(found, sentence.view)])
    if isinstance(found, Several):
        return RequestReading(refusals=[which_one(found)])
    edits = _again(sentence, sentence.view, found) if found else None
    return RequestReading(edits) if edits else None


_TAKE_FURTHER: frozenset[Builder] = frozenset({
    number, direction, reverse, shade, further, between, one_back, only_where, only_in, other_property, give_to,
    fill_new,
})  # fmt: skip
"""Rules of sentences that name nothing: after a request that was not carried out, it may be what they go on with."""
RULES: tuple[Builder, ...] = (
    words, one_back, only_where, only_in, other_row, fill_new, side_by_side, other_property, other_place, give_to,
    other_words, number, direction, reverse, shade, put_back, in_colour, further, between, keep_part,
    drop_number, drop_part, before, back_and, other_colour, other_neighbour, other_owned, other_of_kind, other_name,
    instead, renamed_too, also_renamed, same_for,
)  # fmt: skip
