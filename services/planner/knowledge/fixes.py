"""Fixes: a finding and the edits that fixed it, generalised so that they fix the next finding of its kind.

Theory of operation
-------------------

A finding is told apart by its code, by the text of the catalogue that its message comes from, and by the values filled
in. ``structure.undeclared`` has the text "{reference} is used, but no {kind} {name} is declared." and, for a field
``price``, the values ``$F{price}``, ``field`` and ``price``. A fix with ``Declare(name="price")`` is kept as

    values  kind: field, name: {1}, reference: $F{{1}}
    edits   Declare(name="{1}")

The names in the edits become placeholders wherever the values contain them; ``{element}`` is the finding's own element,
and a number stands for any number. A finding with the same code and text, whose values have the same form, binds the
placeholders to its own names and gets the edits with these. What was learned therefore survives a rewording of the
catalogue.

The message is generalised and kept in the same way. It is compared where the values do not match: for messages that are
not in the catalogue, and for records of versions that kept nothing else.
"""

from __future__ import annotations

import re
import string
from typing import Any

from pydantic import TypeAdapter, ValidationError

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.declare import Declare
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.rename_field import RenameField
from bandsmith.shared.edits.resize import Resize
from bandsmith.shared.edits.resize_band import ResizeBand
from bandsmith.shared.edits.set_expression import SetExpression
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.edits.set_report import SetReport
from bandsmith.shared.jrxml.expressions import referenced_names
from bandsmith.shared.model.knowledge import KnowledgeEntry
from bandsmith.shared.replies import catalogue
from bandsmith.shared.turns.fixes import Fix, name_pattern, names_in_edits
from bandsmith.shared.turns.verdict import Finding

from .records import Record, identity, searchable

GENERAL_EDITS = (Move, Resize, SetProperty, SetExpression, RenameField, Declare, ResizeBand, SetReport)
"""Edits that may fix the same error elsewhere. The others contain a document's own wording or remove something."""
MAX_EDITS = 12
MAX_PLACEHOLDERS = 9
MAX_MESSAGE_CHARS = 600
UNIVERSAL_ATTRIBUTES = {"do", "scope", "java_class", "calculation", "band"}
"""Attributes of edits whose values mean the same in every template."""
_SEPARATOR = "\n"
"""Between the values of a message. No name and no number contains it."""
_EDITS = TypeAdapter(list[AnyEdit])
_PLACEHOLDER = re.compile(r"\{element\}|\{[1-9]\}")
_PLACEHOLDER_OR_NUMBER = re.compile(rf"{_PLACEHOLDER.pattern}|\d+(?:[.,]\d+)*")
_BUILT_IN_NAME = re.compile(r"[A-Z_]+")


def record(fix: Fix) -> Record | None:
    """Return the fix as a record, or None if its edits only make sense in the template that they were made in."""
    if not fix.edits or len(fix.edits) > MAX_EDITS or len(fix.message) > MAX_MESSAGE_CHARS:
        return None
    if not all(isinstance(edit, GENERAL_EDITS) for edit in fix.edits):
        return None
    text_code, values = _catalogue_values(fix.code, fix.message)
    placeholders = _placeholders(fix, values if text_code else fix.message)
    if len(placeholders) > MAX_PLACEHOLDERS:
        return None
    message, edits = fix.message, _EDITS.dump_python(fix.edits, mode="json")
    if placeholders:
        names = name_pattern(*placeholders)
        message, values, *edits = (_replace(part, names, placeholders) for part in (message, values, *edits))
    if not all(_is_general(edit) for edit in edits):
        return None
    return Record(
        id=identity(fix.code, _without_numbers(message)),
        words=searchable(f"{fix.code.replace('.', ' ')} {_without_numbers(message)}"),
        value={"code": fix.code, "message": message, "text": text_code, "values": values, "edits": edits},
    )


def query(finding: Finding) -> str:
    """Return the words to search fixes of a finding by."""
    return searchable(f"{finding.code.replace('.', ' ')} {finding.message}")


def apply(record: Record, finding: Finding) -> Fix | None:
    """Return the recorded fix with its edits adapted to a finding; None if it fixes another error."""
    bound = _bind(record, finding)
    if bound is None or bound.setdefault("{element}", finding.element or "") != (finding.element or ""):
        return None
    try:
        edits = _EDITS.validate_python([_replace(edit, _PLACEHOLDER, bound) for edit in record.value["edits"]])
    except ValidationError:  # recorded by an older version
        return None
    if any(getattr(edit, "element", None) == "" for edit in edits):
        return None
    return Fix(code=finding.code, message=finding.message, element=finding.element, edits=edits)


def entry(record: Record) -> KnowledgeEntry:
    """Describe the record for a user."""
    edits = "; ".join(
        " ".join(f"{name}={value}" for name, value in edit.items() if value is not None)
        for edit in record.value["edits"]
    )
    text = f"{record.value['message']} -> {edits}"
    return KnowledgeEntry(id=record.id, kind="mending", title=record.value["code"], text=text)


def _placeholders(fix: Fix, wording: str) -> dict[str, str]:
    """Return the placeholder of each name that the edits and the wording have in common, and of the element."""
    names = [name for name in names_in_edits(fix.edits) if name != fix.element and name_pattern(name).search(wording)]
    placeholders = {name: f"{{{number}}}" for number, name in enumerate(dict.fromkeys(names), 1)}
    if fix.element:
        placeholders[fix.element] = "{element}"
    return placeholders


def _bind(record: Record, finding: Finding) -> dict[str, str] | None:
    """Return the finding's names by placeholder, from the values of its message or else from the whole message."""
    if record.value["code"] != finding.code:
        return None
    text_code, values = _catalogue_values(finding.code, finding.message)
    bound = None
    if text_code and text_code == record.value.get("text"):
        bound = _pattern(record.value["values"]).fullmatch(values)
    bound = bound or _pattern(record.value["message"]).fullmatch(finding.message)
    return {f"{{{name[1:]}}}": value for name, value in bound.groupdict().items()} if bound else None


def _catalogue_values(code: str, message: str) -> tuple[str, str]:
    """Find the text that a finding's message was made from. Return its code and the values, joined in a fixed order.

    Both are empty for a message that does not come from the catalogue.
    """
    for text_code, entry in catalogue("en").items():
        if f"{text_code}.".startswith(f"findings.{code}."):
            for template in [entry] if isinstance(entry, str) else entry.values():
                if filled := _template_pattern(template).fullmatch(message):
                    return text_code, _SEPARATOR.join(value for _, value in sorted(filled.groupdict().items()))
    return "", ""


def _template_pattern(template: str) -> re.Pattern[str]:
    """Return a pattern for the messages of a format string, with a group for each value."""
    parts: list[str] = []
    seen: set[str] = set()
    for literal, name, _, _ in string.Formatter().parse(template):
        parts.append(re.escape(literal))
        if name:
            parts.append(f"(?P={name})" if name in seen else f"(?P<{name}>.+?)")
            seen.add(name)
    return re.compile("".join(parts), re.DOTALL)


def _is_general(edit: dict[str, Any]) -> bool:
    """Return whether an edit is free of one template's names. Names from the message are placeholders already."""
    names = referenced_names(edit.get("expression") or "")
    if not all(_BUILT_IN_NAME.fullmatch(name) for name in names):
        return False
    return bool(_PLACEHOLDER.fullmatch(edit.get("element", "{element}")))


def _replace(value: Any, pattern: re.Pattern[str], replacements: dict[str, str]) -> Any:
    """Replace what a pattern finds in a message, or in the texts of an edit."""
    if isinstance(value, str):
        return pattern.sub(lambda found: replacements.get(found[0], found[0]), value)
    if not isinstance(value, dict):
        return value
    return {
        name: part if name in UNIVERSAL_ATTRIBUTES else _replace(part, pattern, replacements)
        for name, part in value.items()
    }


def _without_numbers(message: str) -> str:
    return _PLACEHOLDER_OR_NUMBER.sub(lambda found: found[0] if found[0].startswith("{") else "#", message)


def _pattern(generalised: str) -> re.Pattern[str]:
    """Return a pattern for texts of the same form: any names for the placeholders, any numbers for the numbers."""
    parts, end, seen = [], 0, set()
    for found in _PLACEHOLDER_OR_NUMBER.finditer(generalised):
        parts.append(re.escape(generalised[end : found.start()]))
        end = found.end()
        name = "_" + found[0].strip("{}")
        if not found[0].startswith("{"):
            parts.append(r"\d+(?:[.,]\d+)*")
        elif name in seen:
            parts.append(f"(?P={name})")
        else:
            seen.add(name)
            parts.append(rf"(?P<{name}>\w[\w.-]*)")
    return re.compile("".join([*parts, re.escape(generalised[end:])]))
