"""What the clause before asks for, for something else too: “total too”, “单价加粗，金额也要”.

What users say is in ``templates/*/likewise.toml``. Only a look is repeated: the same properties, or the same format.
"""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.edits.set_format import SetFormat
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.fields.value_types import infer_type
from bandsmith.shared.jrxml.text_styles import resolve_style

from ...references import Several, Target, with_value
from ...sentence_templates import Slots, listed
from ...view_elements import DATES, NUMERIC
from ..reading import Clause, ClauseReading, templated
from ..style_phrases import StyleChange
from ..value_classes import value_class
from .style import edits_of

_OF_VALUES = frozenset({"pattern", "isBlankWhenNull"})
"""Properties that a fixed text does not have."""


def likewise(clause: Clause, slots: Slots) -> ClauseReading | None:
    before = clause.before
    if before is None or not before.edits:
        return None
    if slots["own_headings"]:
        return _headings_changed(clause, before.edits)
    if slots["own_value"]:
        return _value_removed(clause, before.edits, slots["own_value"])
    if slots["other"] and not _is_said_again(clause):
        return None  # a bare name asks for nothing
    targets = clause.targets(slots["name"] or slots["other"])
    if not isinstance(targets, list):
        return None
    edits = _looks(clause, before.edits, targets) or _formats(clause, before.edits, targets)
    return ClauseReading(edits, target=targets[-1]) if edits else None


def as_another(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“合计的数字加粗，跟“合计”两个字一样”: nothing more to do where the other text has the look that is given."""
    edits, found = clause.before.edits if clause.before else [], clause.find(slots["source"])
    if not edits or not isinstance(found, Target) or not found.texts:
        return None
    resolved = resolve_style(clause.view.root, found.texts[0].node)
    letters = resolved.style
    has = {
        "isBold": str(letters.bold).lower(),
        "isItalic": str(letters.italic).lower(),
        "fontSize": f"{letters.size:g}",
        "forecolor": resolved.colour,
    }
    looks = [edit for edit in edits if isinstance(edit, SetProperty)]
    is_same = len(looks) == len(edits) and all(has.get(edit.name) == edit.value for edit in looks)
    return ClauseReading(target=clause.before.target if clause.before else None) if is_same else None


def _is_said_again(clause: Clause) -> bool:
    """Whether the words behind a clause, which politeness is taken from, say that it is wanted too."""
    tail = clause.as_said.rpartition(clause.text)[2].strip(" ,.!?").casefold()
    return listed("likewise", "too", tail) is not None


def _headings_changed(clause: Clause, edits: Sequence[AnyEdit]) -> ClauseReading | None:
    """“The headings as well”: where each column that the clause before changed had its heading changed along."""
    changed = {str(getattr(edit, "element", "")) for edit in edits}
    columns = [one for one in clause.view.columns if changed & {cell.key for cell in one.cells}]
    if not columns or any(one.head is None or one.head.key not in changed for one in columns):
        return None
    return ClauseReading(list(edits))


def _value_removed(clause: Clause, edits: Sequence[AnyEdit], named: str) -> ClauseReading | None:
    """“去掉业务员，名字也一起”: where what the clause before removes prints a value of that kind along with its label.

    A word that names something else of the page, such as a date of its own, is not the value.
    """
    kind = listed("likewise", "value_kind", named)
    removed = {edit.element for edit in edits if isinstance(edit, Delete)}
    if kind is None or len(removed) != len(edits):
        return None
    if _is_on_its_own(clause, named, removed):
        return None
    pieces = [piece for key in removed if (piece := clause.view.piece(key))]
    values = [clause.view.parameter(name) for piece in pieces for scope, name in piece.references if scope == "P"]
    has_value = any(_is_of_kind(str(value), kind) for value in values if value not in (None, ""))
    return ClauseReading(list(edits)) if has_value else None


def _is_on_its_own(clause: Clause, named: str, removed: set[str]) -> bool:
    """Whether words name a text or a column, beside what is removed. All numbers of the rows have no name."""
    found = clause.find(named)
    if isinstance(found, Target) and found.column is not None:
        return named.casefold() in found.column.label.casefold()
    is_text = isinstance(found, Target) and not found.role and not {one.key for one in found.pieces} <= removed
    return is_text or isinstance(found, Several)


def _is_of_kind(value: str, kind: str) -> bool:
    """Whether a value is what it is called: a date, a number or a code, a name."""
    is_date = infer_type([value], None).java_class in DATES
    has_figures = any(map(str.isdigit, value))
    return {"date": is_date, "number": has_figures and not is_date, "name": not has_figures}.get(kind, True)


def _looks(clause: Clause, edits: Sequence[AnyEdit], targets: Sequence[Target]) -> list[AnyEdit]:
    """Return the same properties for other things; nothing where the edits set more, or one size for each text."""
    looks: dict[str, str] = {}
    for edit in edits:
        if not isinstance(edit, SetProperty):
            return []
        if not edit.name.endswith("Pen.lineColor") and looks.setdefault(edit.name, str(edit.value)) != edit.value:
            return []
    if "fontSize" in looks and looks["fontSize"] not in clause.request.text:
        return []  # “larger” is another size for each text
    changes = [StyleChange(name, value) for name, value in looks.items() if name not in _OF_VALUES]
    if "backcolor" in looks and "mode" not in looks:
        changes.append(StyleChange("mode", "Opaque"))
    made: list[AnyEdit] = []
    for target in targets:
        whole = with_value(clause.view, target)
        styled = edits_of(clause.view, whole, changes)
        if styled is None:
            return []
        made += styled
        made += [
            SetProperty(element=text.key, name=name, value=looks[name])
            for text in whole.texts
            for name in _OF_VALUES & looks.keys()
            if text.tag == "textField"
        ]
    return made


def _formats(clause: Clause, edits: Sequence[AnyEdit], targets: Sequence[Target]) -> list[AnyEdit]:
    """Return the same format for other values, which have to be of the same class."""
    formats = [edit for edit in edits if isinstance(edit, SetFormat)]
    if len(formats) != len(edits) or len({_format(edit) for edit in formats}) != 1:
        return []
    made: list[AnyEdit] = []
    for target in targets:
        if target.column is not None:
            classes, places = [target.column.java_class], [{"field": target.column.field, "element": None}]
        else:
            values = [text for text in with_value(clause.view, target).texts if text.tag == "textField"]
            classes = [value_class(clause.view, text) or "" for text in values]
            places = [{"field": None, "element": text.key} for text in values]
        if not all(one in (DATES if formats[0].date else NUMERIC) for one in classes):
            return []
        made += [formats[0].model_copy(update=place) for place in places]
    return made


def _format(edit: SetFormat) -> str:
    return edit.model_copy(update={"field": None, "element": None}).model_dump_json()


RULES = (templated("likewise", likewise), templated("likewise", as_another))
