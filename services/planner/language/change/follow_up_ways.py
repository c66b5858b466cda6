"""The change before, made in another way: only where a condition holds, as a background, at another place."""

from __future__ import annotations

from itertools import takewhile

from bandsmith.shared.edits.add_column import AddColumn
from bandsmith.shared.edits.resize_column import ResizeColumn
from bandsmith.shared.edits.set_property import SetProperty

from ..sentence_templates import Slots
from ..view_elements import TableColumn
from .conversation import PastChange
from .follow_up_sentence import FollowUp
from .rule_parser import RequestReading, read_request
from .rules.style import edits_of
from .style_phrases import StyleChange

_OTHER = {"backcolor": "forecolor", "forecolor": "backcolor"}


def one_back(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“That's too far, one step back”: the last change is taken back."""
    return RequestReading(base=sentence.last.base)


def only_where(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“Only those over 300”: a column had got a colour, or bold, and only some of its values should have it."""
    last = sentence.last
    target = last.target(last.view)
    given = [edit for edit in last.edits if isinstance(edit, SetProperty)]
    looks = {(edit.name, edit.value) for edit in given if not edit.name.endswith("Pen.lineColor")}
    if target is None or target.column is None or len(looks) != 1 or len(given) != len(last.edits):
        return None
    [(name, value)] = looks
    look = {"forecolor": f"in {value}", "isBold": "in bold"}.get(name)
    condition = sentence.request.as_written(slots["condition"])
    if look is None or (name == "isBold" and value != "true"):
        return None
    reading = read_request(f"{target.column.label} {condition} {look}", last.view)
    if not condition.isascii():
        reading = read_request(f"{target.column.label}{condition}的用{look.removeprefix('in ')}", last.view)
    if reading.unread or reading.refusals or [edit.do for edit in reading.edits] != ["highlight"]:
        return None
    reading.base = last.base
    return reading


def other_property(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“我说的是底色，不是字”: the colour of the change before goes behind the letters, or on them."""
    last = sentence.last
    target = last.target(last.view)
    wanted = {"background": "backcolor", "letters": "forecolor"}.get(slots["property"])
    given = {
        edit.value for edit in last.edits if isinstance(edit, SetProperty) and edit.name == _OTHER.get(wanted or "")
    }
    if target is None or wanted is None or len(given) != 1 or slots["other_property"] == slots["property"]:
        return None
    [shade] = given
    changes = [StyleChange(wanted, shade)]
    if wanted == "backcolor":
        changes.append(StyleChange("mode", "Opaque"))
    edits = edits_of(last.view, target, changes)
    return RequestReading(edits, base=last.base) if edits else None


def other_place(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“不是最后，放在品名后面”, after a new column."""
    added = [edit for edit in sentence.last.edits if isinstance(edit, AddColumn)]
    beside = _column(sentence, slots["name"])
    if len(added) != 1 or len(added) != len(sentence.last.edits) or beside is None:
        return None
    fields = ["", *(column.field for column in sentence.last.view.columns)]
    after = beside.field if slots["side_of"] == "after" else fields[fields.index(beside.field) - 1]
    return RequestReading([added[0].model_copy(update={"after": after})], base=sentence.last.base)


def give_to(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“省出来的地方给品名”, after a column was made narrower."""
    resized = [edit for edit in sentence.last.edits if isinstance(edit, ResizeColumn)]
    other = _column(sentence, slots["name"])
    if len(resized) != 1 or len(resized) != len(sentence.last.edits) or other is None:
        return None
    [edit] = resized
    steps = list(takewhile(lambda change: _narrows(change, edit), sentence.past))
    if not steps or other.field == edit.field:
        return None
    return RequestReading([edit.model_copy(update={"other": other.field})], base=steps[-1].base)


def _narrows(change: PastChange, edit: ResizeColumn) -> bool:
    """Whether a change makes a column narrower, and gives its width to no other: one of the steps that led to this."""
    if len(change.edits) != 1 or not isinstance(step := change.edits[0], ResizeColumn):
        return False
    before = change.view.column(step.field)
    return step.field == edit.field and not step.other and before is not None and before.width > step.width


def _column(sentence: FollowUp, words: str) -> TableColumn | None:
    found = sentence.targets(sentence.last.view, words)
    return found[0].column if isinstance(found, list) and len(found) == 1 else None
