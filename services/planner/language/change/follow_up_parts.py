"""A part of the change before stays or goes: “undo that but keep the colour”, “skip the blue”."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.set_property import SetProperty

from ..colours import colour
from ..reference_resolver import ReferenceResolver
from ..references import Several, Target, which_one, with_label
from ..sentence_templates import Slots, listed
from ..template_view import TemplateView
from .conversation import PastChange
from .follow_up_sentence import FollowUp
from .rule_parser import RequestReading, read_request

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
_PRESENT = {"deleted": "delete", "removed": "remove", "added": "add", "sorted": "sort", "made": "make",
            "changed": "change", "moved": "move", "renamed": "rename", "grouped": "group"}  # fmt: skip
_PAST = re.compile("|".join(_PRESENT), re.IGNORECASE)
_KINDS = {"sorting": "sort", "total": "total", "group": "group", "column": "add_column", "alignment": "move",
          "line": "add_shape"}  # fmt: skip
"""The edit that such a word stands for."""


def _is_about(edit: AnyEdit, part: str, view: TemplateView) -> bool | None:
    """Whether an edit is about the part of a change that words name; None where they name none.

    They name a property, a colour, or a thing of the report before.
    """
    words = re.sub(r"^(?:the|its)\s+", "", part.strip(), flags=re.IGNORECASE)
    shade, name = colour(words), listed("follow_up", "property", words)
    if shade is None and name is None:
        return _is_about_thing(edit, part, view)
    if shade is not None:
        return shade in (getattr(edit, "value", None), getattr(edit, "colour", None))
    if isinstance(edit, SetProperty):
        return edit.name in _PROPERTIES.get(name or "", ())
    return edit.do == _KINDS.get(name or "")


def _is_about_thing(edit: AnyEdit, words: str, view: TemplateView) -> bool | None:
    """Whether an edit is about a text or a column that words name; None where they name none."""
    found = ReferenceResolver(view).find(words)
    if not isinstance(found, Target):
        return None
    if found.column is not None and getattr(edit, "field", None) == found.column.field:
        return True
    return getattr(edit, "element", None) in {piece.key for piece in with_label(view, found).pieces}


def _chosen(edits: Sequence[AnyEdit], part: str, view: TemplateView, wanted: bool) -> list[AnyEdit] | None:
    """Return the edits that concern a part, or the others if not `wanted`; None if no edit is known to concern it."""
    verdicts = [_is_about(edit, part, view) for edit in edits]
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
    edits = _chosen(sentence.last.edits, slots["part"], sentence.last.view, wanted=True)
    return RequestReading(edits, base=sentence.last.base) if edits else None


def drop_part(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“Skip the blue, the rest is good”: of the newest change that has such a part."""
    for number, change in enumerate(sentence.past):
        edits = _chosen(change.edits, slots["part"], change.view, wanted=False)
        if edits is None:
            continue
        kept = slots["kept_part"]
        if kept and not any(_is_about(edit, kept, past.view) for past in sentence.past for edit in past.edits):
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
        if any(_is_about(edit, slots["part"], change.view) for edit in change.edits) or _is_request(
            change, slots["part"]
        ):
            return RequestReading(base=change.base)
    return None


def _is_request(change: PastChange, words: str) -> bool:
    """Whether words, read as a request, ask for what a change did: 删备注列, “I deleted the remark column”."""
    words = re.sub(r"^(?:i|we|you)\s+", "", words.strip(), flags=re.IGNORECASE)
    words = _PAST.sub(lambda verb: _PRESENT[verb[0].casefold()], words, count=1)
    edits = read_request(words, change.view).edits
    done = {edit.model_dump_json() for edit in change.edits}
    return bool(edits) and {edit.model_dump_json() for edit in edits} <= done
