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
from collections.abc import Callable, Sequence

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.resize import Resize
from bandsmith.shared.edits.resize_band import ResizeBand
from bandsmith.shared.edits.resize_column import ResizeColumn
from bandsmith.shared.edits.set_property import PROPERTIES, SetProperty
from bandsmith.shared.edits.sort_by import SortBy
from bandsmith.shared.replies import Text
from bandsmith.shared.replies import listed as as_list

from ..colours import colour
from ..numbers import number_of
from ..reference_resolver import Missing, Reference, ReferenceResolver, Several, Target, missing, with_value
from ..sentence_templates import Slots, listed, matches
from ..template_view import TemplateView, ViewElement
from .clauses import SplitRequest, without_politeness
from .conversation import PastChange
from .rule_parser import RequestReading, read_request

MAX_SENTENCE_CHARS = 160
MIN_LINE_PT = 0.25
_PROPERTIES: dict[str, tuple[str, ...]] = {
    "colour": ("forecolor", "backcolor", "lineColor", "mode"),
    "background": ("backcolor", "mode"),
    "size": ("fontSize",),
    "bold": ("isBold",),
    "italic": ("isItalic",),
    "underline": ("isUnderline",),
    "alignment": ("textAlignment",),
    "format": ("pattern",),
}
"""The properties that a word for a part of a change stands for."""
_PENS = {name: name.replace("lineWidth", "lineColor") for name in PROPERTIES if name.endswith("lineWidth")}
_PENS |= {name: name for name in PROPERTIES if name.endswith("lineColor")}
"""The property of a line's colour, by the properties of lines."""
_PRESENT = {"deleted": "delete", "removed": "remove", "added": "add", "sorted": "sort", "made": "make",
            "changed": "change", "moved": "move", "renamed": "rename", "grouped": "group"}  # fmt: skip
_PAST = re.compile("|".join(_PRESENT), re.IGNORECASE)
_OF_VALUES = frozenset({"pattern", "isBlankWhenNull"})
"""Properties that a fixed text does not have."""
_KINDS = {"sorting": "sort", "total": "total", "group": "group", "column": "add_column", "alignment": "move"}
"""The edit that such a word stands for."""


class FollowUp:
    """A sentence, the current report, and the changes before it, the newest first."""

    def __init__(self, text: str, view: TemplateView, past: Sequence[PastChange], requests: Sequence[str] = ()) -> None:
        self.request = SplitRequest(text)
        self.text = self.request.text
        self.view, self.past, self.last = view, past, past[0]
        self.requests = list(requests) or [change.request for change in reversed(past)]
        """What was asked for since the report was made, also what could not be done."""

    def words(self, text: str) -> str:
        return self.request.with_quotations(text)[0].strip()

    def targets(self, view: TemplateView, words: str) -> list[Target] | Missing | Several | None:
        """Return what words name in a report; a label with its value."""
        return ReferenceResolver(view).find_all(*self.request.with_quotations(words))


Builder = Callable[[FollowUp, Slots], RequestReading | None]


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
    return _with_more(sentence) or whole


def _read(sentence: FollowUp, text: str) -> RequestReading | None:
    absent: RequestReading | None = None
    for build in RULES:
        for wording in dict.fromkeys((without_politeness(text), text.strip(" ,，.。!！?？"))):
            for slots in matches("follow_up", build.__name__, wording):
                reading = build(sentence, slots)
                if reading is not None and (reading.edits or reading.base):
                    return reading
                absent = absent or reading
    return absent


def _with_more(sentence: FollowUp) -> RequestReading | None:
    """“Even thinner, and grey”: the first part goes on with the change before, the rest is about the same thing."""
    request = sentence.request
    if len(request.parts) < 2:
        return None
    reading = _read(sentence, request.text[: request.parts[0].end])
    if reading is None or reading.base or not reading.edits:
        return None
    rest = request.as_written(request.text[request.parts[1].start :])
    if any(matches("reasons", "reason", without_politeness(rest))):
        return reading
    more = _of_drawing(sentence, rest) or read_request(rest, sentence.view, sentence.last.target(sentence.view))
    if not more.edits:
        return None
    reading.add(more)
    return reading


def _of_drawing(sentence: FollowUp, words: str) -> RequestReading | None:
    """Return the colour of the lines that the change before drew otherwise: it was not about letters."""
    shade = next((slots["colour"] for slots in matches("follow_up", "in_colour", without_politeness(words))), None)
    pens = [edit for edit in sentence.last.edits if isinstance(edit, SetProperty) and edit.name in _PENS]
    if shade is None or not pens or len(pens) != len(sentence.last.edits):
        return None
    names = dict.fromkeys((edit.element, _PENS[edit.name]) for edit in pens)
    return RequestReading([SetProperty(element=key, name=name, value=colour(shade) or "") for key, name in names])


def in_colour(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“And grey”, after a change of lines."""
    return _of_drawing(sentence, sentence.text)


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


def _instead(sentence: FollowUp, found: list[Target] | Missing | Several | None) -> RequestReading | None:
    """Return the change before, about other things, in the place of the one that was made."""
    if isinstance(found, Missing):
        return RequestReading(refusals=[missing(found, sentence.last.view)])
    if isinstance(found, Several):
        return RequestReading(refusals=[which_one(found)])
    edits = _again(sentence, sentence.last.view, found) if found else None
    return RequestReading(edits, base=sentence.last.base) if edits else None


def which_one(found: Several) -> Text:
    """Return the question which of several things words mean."""
    en, zh = (as_list([f"“{choice}”" for choice in found.choices], language) for language in ("en", "zh"))
    question = Text.of("language.which_one", words=found.words, choices="\0")
    return Text(question.en.replace("\0", en), question.zh.replace("\0", zh))


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
    if last is None:
        return None
    resolver = ReferenceResolver(view)
    others = [target for target in resolver.all_of_kind(kind, last) if target.column is None or last.column]
    if len(others) == 1:
        return _instead(sentence, others)
    if not others:
        return None
    names = tuple(t.column.label if t.column else resolver.name_of(t.pieces[0]) for t in others)
    return RequestReading(refusals=[which_one(Several(kind, names))])


def other_name(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“No, the product column”."""
    return _instead(sentence, sentence.targets(sentence.last.view, slots["name"]))


def back_and(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“No, put it back, just make it bold”."""
    last = sentence.last
    rest = sentence.request.as_written(slots["rest_of_request"])
    reading = read_request(rest, last.view, last.target(last.view))
    if reading.unread or not reading.edits:
        return None
    reading.base = last.base
    return reading


# --- a part of a change ----------------------------------------------------------------------------------------------


def _is_about(edit: AnyEdit, part: str) -> bool | None:
    """Whether an edit is about the part of a change that words name; None where they name none."""
    words = re.sub(r"^(?:the|its)\s+", "", part.strip(), flags=re.IGNORECASE)
    shade, name = colour(words), listed("follow_up", "property", words)
    if shade is None and name is None:
        return None
    if shade is not None:
        return shade in (getattr(edit, "value", None), getattr(edit, "colour", None))
    if isinstance(edit, SetProperty):
        return edit.name in _PROPERTIES.get(name or "", ())
    return edit.do == _KINDS.get(name or "")


def _chosen(edits: Sequence[AnyEdit], part: str, wanted: bool) -> list[AnyEdit] | None:
    """Return the edits that concern a part, or the others if not `wanted`; None if no edit is known to concern it."""
    verdicts = [_is_about(edit, part) for edit in edits]
    if None in verdicts or not any(verdicts):
        return None
    # A colour that is set together with the mode of its element goes with it.
    keys = {_place(edit) for edit, hit in zip(edits, verdicts, strict=True) if hit}
    hits = [
        bool(hit) or (isinstance(edit, SetProperty) and edit.name == "mode" and _place(edit) in keys)
        for edit, hit in zip(edits, verdicts, strict=True)
    ]
    return [edit for edit, hit in zip(edits, hits, strict=True) if hit == wanted]


def _place(edit: AnyEdit) -> str:
    return str(getattr(edit, "element", ""))


def keep_part(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“Undo that but keep the colour”."""
    edits = _chosen(sentence.last.edits, slots["part"], wanted=True)
    return RequestReading(edits, base=sentence.last.base) if edits else None


def drop_part(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“Skip the blue, the rest is good”: of the newest change that has such a part."""
    for number, change in enumerate(sentence.past):
        edits = _chosen(change.edits, slots["part"], wanted=False)
        if edits is None:
            continue
        kept = slots["kept_part"]
        if kept and not any(_is_about(edit, kept) for past in sentence.past for edit in past.edits):
            return None
        return RequestReading([*edits, *_later(sentence, number)], base=change.base)
    return None


def drop_number(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“第二个不要了，其他的保留”: of what was asked for since the report was made, done or not."""
    number = int(slots["ordinal"]) - 1
    if number >= len(sentence.requests) or sentence.past[-1].base.edits:
        return None
    wanted = sentence.requests[number]
    for at, change in enumerate(sentence.past):
        if change.request and wanted.startswith(change.request):
            return RequestReading(_later(sentence, at), base=change.base)
    done = tuple(change.request for change in reversed(sentence.past))
    return RequestReading(refusals=[which_one(Several(sentence.text, done))])


def _later(sentence: FollowUp, number: int) -> list[AnyEdit]:
    """Return the edits of the changes after one of the past, in their order."""
    return [edit for change in reversed(sentence.past[:number]) for edit in change.edits]


def before(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“Go back to before the sorting”."""
    for change in sentence.past:
        if any(_is_about(edit, slots["part"]) for edit in change.edits) or _is_request(change, slots["part"]):
            return RequestReading(base=change.base)
    return None


def _is_request(change: PastChange, words: str) -> bool:
    """Whether words, read as a request, ask for what a change did: 删备注列, “I deleted the remark column”."""
    words = re.sub(r"^(?:i|we|you)\s+", "", words.strip(), flags=re.IGNORECASE)
    words = _PAST.sub(lambda verb: _PRESENT[verb[0].casefold()], words, count=1)
    edits = read_request(words, change.view).edits
    done = {edit.model_dump_json() for edit in change.edits}
    return bool(edits) and {edit.model_dump_json() for edit in edits} <= done


# --- again, further, back a bit --------------------------------------------------------------------------------------


def same_for(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“Same for the total”."""
    found = sentence.targets(sentence.view, slots["name"])
    if isinstance(found, Missing):
        return RequestReading(refusals=[missing(found, sentence.view)])
    if isinstance(found, Several):
        return RequestReading(refusals=[which_one(found)])
    edits = _again(sentence, sentence.view, found) if found else None
    return RequestReading(edits) if edits else None


def further(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“Even bigger”: every number is taken on by the ratio of new to old."""
    steps = _steps(sentence, slots["grows"])
    return _numbers([(edit, _taken_on(old, new)) for edit, old, new in steps]) if steps else None


def between(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“Too big now, something in between”."""
    steps = _steps(sentence, slots["too"])
    return _numbers([(edit, (old + new) / 2) for edit, old, new in steps]) if steps else None


def _taken_on(old: float, new: float) -> float:
    further = new * new / old
    return further if abs(further - new) >= 1 or new < 4 else new + (1 if new > old else -1)


def _steps(sentence: FollowUp, direction: str) -> list[tuple[AnyEdit, float, float]] | None:
    """Return the edits of the change before with the old and the new number; None where some have none, or where they
    went another way than the words say."""
    steps = [step for edit in sentence.last.edits if (step := _step(sentence, edit)) is not None]
    moved = [step for step in steps if step[1] != step[2]]
    grown = {new > old for _, old, new in moved}
    if len(steps) != len(sentence.last.edits) or len(grown) != 1:
        return None
    return None if direction and (direction == "up") not in grown else moved


def _step(sentence: FollowUp, edit: AnyEdit) -> tuple[AnyEdit, float, float] | None:
    view = sentence.last.view
    if isinstance(edit, SetProperty):
        piece = view.piece(edit.element)
        old = _property(piece, edit.name) if piece else None
        new = number_of(edit.value)
        return (edit, old, new) if old and new else None
    if isinstance(edit, Resize):
        piece = view.piece(edit.element)
        size = "height" if edit.height is not None else "width"
        return (edit, getattr(piece, size), getattr(edit, size)) if piece and not (edit.height and edit.width) else None
    if isinstance(edit, ResizeColumn):
        column = view.column(edit.field)
        return (edit, column.width, edit.width) if column else None
    if isinstance(edit, ResizeBand):
        heights = [float(band.get("height", "0")) for name, band in view.editor.bands() if name == edit.band]
        return (edit, heights[0], edit.height) if len(heights) == 1 and heights[0] else None
    return None


def _property(piece: ViewElement, name: str) -> float | None:
    """Return a number that an element has as a property, in points."""
    if name == "fontSize":
        return piece.size
    where = PROPERTIES.get(name)
    if where is None or not name.endswith("lineWidth"):
        return None
    node = piece.node
    for part in where.path:
        node = node.find(f"{{*}}{part}") if node is not None else None
    return number_of(node.get(where.attribute) or "") if node is not None else 1.0


def _numbers(values: Sequence[tuple[AnyEdit, float]]) -> RequestReading | None:
    """Return the edits with other numbers. Rows that shrink do so before their band, rows that grow after it."""
    edits: list[AnyEdit] = []
    for edit, value in values:
        if isinstance(edit, SetProperty):
            number = f"{max(MIN_LINE_PT, round(value, 2)):g}" if edit.name.endswith("lineWidth") else f"{round(value)}"
            edits.append(edit.model_copy(update={"value": number}))
            continue
        name = next(name for name in ("height", "width") if getattr(edit, name, None) is not None)
        edits.append(edit.model_copy(update={name: round(value)}))
    bands = [(edit, new) for edit, (old, _) in zip(edits, values, strict=True) if isinstance(new := old, ResizeBand)]
    shrinks = any(edit.height < old.height for edit, old in bands if isinstance(edit, ResizeBand))
    edits.sort(key=lambda edit: isinstance(edit, ResizeBand) == shrinks)
    return RequestReading(edits) if edits else None


def reverse(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“Other way round”, of an order."""
    sorts = [edit for edit in sentence.last.edits if isinstance(edit, SortBy)]
    if not sorts or len(sorts) != len(sentence.last.edits):
        return None
    return RequestReading([edit.model_copy(update={"descending": not edit.descending}) for edit in sorts])


def number(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“Make that 1000”: another number where the change before has just one."""
    wanted = number_of(slots["number"])
    if wanted is None:
        return None
    edits: list[AnyEdit] = []
    for edit in sentence.last.edits:
        field = next((name for name in ("value", "width", "height") if _is_number(getattr(edit, name, None))), None)
        if field is None:
            return None
        value = f"{wanted:g}" if field == "value" else round(wanted)
        edits.append(edit.model_copy(update={field: value}))
    values = {str(getattr(edit, "value", None) or getattr(edit, "width", None)) for edit in sentence.last.edits}
    return RequestReading(edits, base=sentence.last.base) if len(values) == 1 and edits else None


def _is_number(value: object) -> bool:
    return value is not None and number_of(str(value)) is not None


def words(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“不是0571，是0573”: other words in what the change before wrote."""
    old, new = sentence.words(slots["old"]), sentence.words(slots["new"])
    edits: list[AnyEdit] = []
    for edit in sentence.last.edits:
        names = [name for name in ("text", "label", "value") if old in (getattr(edit, name, None) or "")]
        edits.append(edit.model_copy(update={name: getattr(edit, name).replace(old, new) for name in names}))
    return RequestReading(edits, base=sentence.last.base) if edits != sentence.last.edits else None


RULES: tuple[Builder, ...] = (
    words, number, reverse, in_colour, further, between, keep_part, drop_number, drop_part, before, back_and,
    other_neighbour, other_of_kind, other_name, same_for,
)  # fmt: skip
