"""A new label with its value below another one: “add an IBAN line under the account number: GB29 ...”.

What users say is in ``templates/*/noted.toml``.
"""

from __future__ import annotations

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add import Add
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.fields.identifiers import name_for

from ...references import Target, with_label
from ...sentence_templates import Slots, matches
from ...view_elements import ViewElement
from ..reading import Clause, ClauseReading, templated
from ..unquoted import runs_on
from .placed_text import ONE_COPY, alignment_of, line_below, width_of

MAX_LABEL_WORDS, MAX_LABEL_CHARS = 4, 30
EDGE_PT = 2
"""Labels whose edges differ by less are aligned."""


def noted(clause: Clause, slots: Slots) -> ClauseReading | None:
    label, value = clause.words(slots["label"]).strip(" :："), clause.words(slots["value"]).strip(" .。")
    found = clause.find(slots["name"])
    is_label = 0 < len(label) <= MAX_LABEL_CHARS and len(label.split()) <= MAX_LABEL_WORDS and not runs_on(label)
    if any(matches("placed_text", "thing", label)):
        return None  # “a row 5” is no label
    if not is_label or not isinstance(found, Target) or found.column is not None:
        return None
    pieces = with_label(clause.view, found).texts
    if not pieces or pieces[0].section not in ONE_COPY or len({piece.band for piece in pieces}) != 1:
        return None
    label = label[:1].upper() + label[1:]
    pair = sorted(pieces, key=lambda one: one.x)
    fits = pair[-1].x + max(pair[-1].width, width_of(value, pair[-1])) <= clause.view.width
    if len(pair) == 2 and pair[0].tag == "staticText" and abs(pair[0].y - pair[1].y) < pair[0].height and fits:
        return ClauseReading(_two_texts(clause, pair, label, value))
    colon = "：" if not label.isascii() else ": "
    return ClauseReading(line_below(clause, list(pieces), f"{label}{colon}{value}"))


def _two_texts(clause: Clause, pair: list[ViewElement], label: str, value: str) -> list[AnyEdit]:
    """Return the edits that add a label and its value, each in line with those above."""
    old, beside = pair
    words = label + old.words[len(old.words.rstrip(":： ")) :]
    *edits, new, aligned = line_below(clause, pair, words)
    assert isinstance(new, Add) and isinstance(aligned, SetProperty) and new.width is not None
    above = [one for one in clause.view.texts if one.band == old.band and one.tag == "staticText" and one.y < old.y]
    ends = [one for one in above if abs(one.x + one.width - old.x - old.width) <= EDGE_PT]
    if ends and not any(abs(one.x - old.x) <= EDGE_PT for one in ends):
        new = new.model_copy(update={"x": max(0, old.x + old.width - new.width)})
        aligned = aligned.model_copy(update={"value": "Right"})
    key = name_for(None, "line_value", {piece.key for piece in clause.view.pieces})
    width = max(beside.width, width_of(value, beside))
    twin = new.model_copy(update={"key": key, "text": value, "x": beside.x, "width": width, "like": beside.key})
    side = "Left" if width > beside.width else alignment_of(beside)
    return [*edits, new, aligned, twin, SetProperty(element=key, name="textAlignment", value=side)]


RULES = (templated("noted", noted),)
