"""Pictures that come with the request, barcodes and QR codes. What users say is in ``templates/*/pictures.toml``."""

from __future__ import annotations

import re

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_barcode import AddBarcode
from bandsmith.shared.edits.add_picture import AddPicture

from ...numbers import points_of
from ...references import Target
from ...sentence_templates import Slots
from ..reading import Clause, ClauseReading, refused, templated

ATTACHED = ""
"""The name of the one picture that is attached, until that is known."""
_ADDRESS = re.compile(r"(?:https?://|mailto:|www\.)[^\s，。]+", re.IGNORECASE)


def picture(clause: Clause, slots: Slots) -> ClauseReading | None:
    values: dict[str, object] = {"file": ATTACHED, **_place(slots)}
    values.setdefault("align", "Left")
    if slots["length"]:
        values["height"] = max(1, points_of(slots["length"]))
    if slots["wide"]:
        values["width"] = max(1, points_of(slots["wide"]))
    return ClauseReading([AddPicture.model_validate(values)])


def other_picture(clause: Clause, slots: Slots) -> ClauseReading | None:
    pictures = clause.view.pictures
    if len(pictures) != 1:
        return refused("language.which_picture") if pictures else refused("language.no_picture")
    return ClauseReading([AddPicture(file=ATTACHED, instead_of=pictures[0].key)])


def code_of_text(clause: Clause, slots: Slots) -> ClauseReading | None:
    """A code of a text in quotation marks, or of an address."""
    words = clause.words(slots["text"])
    if not words or not (clause.is_quotation(slots["text"]) or _ADDRESS.fullmatch(words)):
        return None
    return ClauseReading([AddBarcode.model_validate({"kind": slots["kind"], "text": words, **_place(slots)})])


def code(clause: Clause, slots: Slots) -> ClauseReading | None:
    """A code of a column, in every row, or of a value outside the rows."""
    found = clause.known(clause.find(slots["name"]))
    if not isinstance(found, Target):
        return found
    if found.column is not None:
        field = found.column.field
        if field not in clause.view.classes:
            return None
        edit: AnyEdit = AddBarcode.model_validate({"kind": slots["kind"], "field": field})
        return ClauseReading([edit], target=found)
    values = [one for one in found.texts if one.tag == "textField" and len(set(one.references)) == 1]
    if len(values) != 1:
        return None
    edit = AddBarcode.model_validate({"kind": slots["kind"], "element": values[0].key, **_place(slots)})
    return ClauseReading([edit])


def _place(slots: Slots) -> dict[str, object]:
    """Return where it goes, as far as the words say."""
    named = {"band": slots["edge"], "align": slots["side"]}
    return {name: value for name, value in named.items() if value}


RULES = tuple(templated("pictures", rule) for rule in (picture, other_picture, code_of_text, code))
