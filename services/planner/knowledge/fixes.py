"""Fixes: an error and the edits that mended it, put so that they mend the next one of its kind.

What is kept of "$F{price} is used, but no field price is declared." with ``Declare(name="price")`` is
"$F{{1}} is used, but no field {1} is declared." with ``Declare(name="{1}")``; the finding's own element is
``{element}``, and a number stands for any number.
"""

from __future__ import annotations

import re
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
from bandsmith.shared.fixes import name_pattern, names_in_edits
from bandsmith.shared.jrxml.expressions import referenced_names
from bandsmith.shared.model.knowledge import Fix, KnowledgeEntry
from bandsmith.shared.model.verdict import Finding

from .records import Record, identity, searchable

GENERAL = (Move, Resize, SetProperty, SetExpression, RenameField, Declare, ResizeBand, SetReport)
"""Edits that may mend the same error elsewhere: the others carry a document's own wording, or take something away."""
MOST_EDITS = 12
MOST_PLACES = 9
FIXED = {"do", "scope", "java_class", "calculation", "band"}
"""Parts of an edit that are the same in every template."""
LONGEST = 600
"""Characters of a message."""
_EDITS = TypeAdapter(list[AnyEdit])
_PLACES = re.compile(r"\{element\}|\{[1-9]\}")
_PLACE = re.compile(rf"{_PLACES.pattern}|\d+(?:[.,]\d+)*")
_BUILT_IN = re.compile(r"[A-Z_]+")


def record(mending: Fix) -> Record | None:
    """What is kept of it, or None: its edits hold for nothing but the template they were made in."""
    if not mending.edits or len(mending.edits) > MOST_EDITS or len(mending.message) > LONGEST:
        return None
    if not all(isinstance(edit, GENERAL) for edit in mending.edits):
        return None
    names = [
        name
        for name in names_in_edits(mending.edits)
        if name != mending.element and name_pattern(name).search(mending.message)
    ]
    places = {name: f"{{{number}}}" for number, name in enumerate(dict.fromkeys(names), 1)}
    if mending.element:
        places[mending.element] = "{element}"
    if len(places) > MOST_PLACES:
        return None
    message, edits = mending.message, _EDITS.dump_python(mending.edits, mode="json")
    if places:
        finds = name_pattern(*places)
        message, *edits = (_put(said, finds, places) for said in (message, *edits))
    if not all(_is_general(edit) for edit in edits):
        return None
    pattern = _PLACE.sub(lambda at: at[0] if at[0].startswith("{") else "#", message)
    return Record(
        id=identity(mending.code, pattern),
        words=searchable(f"{mending.code.replace('.', ' ')} {pattern}"),
        value={"code": mending.code, "message": message, "edits": edits},
    )


def question(finding: Finding) -> str:
    """What to search for it."""
    return searchable(f"{finding.code.replace('.', ' ')} {finding.message}")


def mends(kept: Record, finding: Finding) -> Fix | None:
    """What was kept, put for this finding; None where it is about another error."""
    if kept.value["code"] != finding.code:
        return None
    found = _pattern(kept.value["message"]).fullmatch(finding.message)
    if not found:
        return None
    places = {f"{{{name[1:]}}}": said for name, said in found.groupdict().items()}
    if places.setdefault("{element}", finding.element or "") != (finding.element or ""):
        return None
    try:
        edits = _EDITS.validate_python([_put(edit, _PLACES, places) for edit in kept.value["edits"]])
    except ValidationError:  # kept by an older version
        return None
    if any(getattr(edit, "element", None) == "" for edit in edits):
        return None
    return Fix(code=finding.code, message=finding.message, element=finding.element, edits=edits)


def entry(kept: Record) -> KnowledgeEntry:
    edits = "; ".join(" ".join(f"{name}={said}" for name, said in edit.items() if said is not None)
                      for edit in kept.value["edits"])  # fmt: skip
    return KnowledgeEntry(
        id=kept.id, kind="mending", title=kept.value["code"], text=f"{kept.value['message']} -> {edits}"
    )


def _is_general(edit: dict[str, Any]) -> bool:
    """Whether it names nothing of the one template: what the message names are places by now."""
    names = referenced_names(edit.get("expression") or "")
    return all(_BUILT_IN.fullmatch(name) for name in names) and bool(
        _PLACES.fullmatch(edit.get("element", "{element}"))
    )


def _put(said: Any, finds: re.Pattern[str], puts: dict[str, str]) -> Any:
    """A message, or an edit, with what is found in its texts replaced."""
    if isinstance(said, str):
        return finds.sub(lambda at: puts.get(at[0], at[0]), said)
    if not isinstance(said, dict):
        return said
    return {name: value if name in FIXED else _put(value, finds, puts) for name, value in said.items()}


def _pattern(message: str) -> re.Pattern[str]:
    """What finds messages like this one: names at its places, and any numbers."""
    parts, end, seen = [], 0, set()
    for place in _PLACE.finditer(message):
        parts.append(re.escape(message[end : place.start()]))
        end = place.end()
        name = "_" + place[0].strip("{}")
        if not place[0].startswith("{"):
            parts.append(r"\d+(?:[.,]\d+)*")
        elif name in seen:
            parts.append(f"(?P={name})")
        else:
            seen.add(name)
            parts.append(rf"(?P<{name}>\w[\w.-]*)")
    return re.compile("".join([*parts, re.escape(message[end:])]))
