"""Why a draft cannot be changed as asked."""

from __future__ import annotations

from typing import Literal

from ..replies import Text

RefusalCode = Literal[
    "element", "band", "field", "column", "group", "class", "value", "kind", "taken", "room", "already", "lost"
]
"""What is wrong: there is no such element, band, field, column or group; a field of another class (``class``), another
value (``value``) or an element of another kind (``kind``) is needed; a name is in use (``taken``); there is no space
(``room``); there is nothing to change (``already``); the change would remove what it does not name (``lost``)."""

ALREADY_DONE: RefusalCode = "already"
MAX_VALUE_CHARS = 40


class EditRefused(Exception):
    """An edit is not carried out, and the template stays as it was."""

    def __init__(self, code: RefusalCode, reason: Text) -> None:
        super().__init__(reason.en)
        self.code = code
        self.reason = reason


# These return a new exception each time: an exception keeps every frame alive that it was raised through.


def already_done() -> EditRefused:
    return EditRefused(ALREADY_DONE, Text.of("edits.refused.already"))


def no_element(name: str) -> EditRefused:
    return EditRefused("element", Text.of("edits.refused.element", name=name))


def no_field(name: str) -> EditRefused:
    return EditRefused("field", Text.of("edits.refused.field", name=name))


def no_band(name: str) -> EditRefused:
    return EditRefused("band", Text.of("edits.refused.band", name=name))


def no_group(name: str) -> EditRefused:
    return EditRefused("group", Text.of("edits.refused.group", name=name))


def no_column(name: str) -> EditRefused:
    return EditRefused("column", Text.of("edits.refused.column", name=name))


def no_space() -> EditRefused:
    return EditRefused("room", Text.of("edits.refused.space"))


def name_taken(scope: str, name: str) -> EditRefused:
    """The name of a field, parameter or variable is in use."""
    return EditRefused("taken", Text.of("edits.refused.taken", scope=Text.of(f"edits.scope.{scope}"), name=name))


def value_refused(subject: str, value: object) -> EditRefused:
    """A number or colour is out of range; `subject` is the last part of a code below ``edits.refused.property``."""
    label = Text.of(f"edits.refused.property.{subject}")
    return EditRefused("value", Text.of("edits.refused.value", name=label, value=_shortened(str(value))))


def property_value_refused(name: str, value: str) -> EditRefused:
    """A property of an element or of the report cannot have a value; `name` is its name in JRXML."""
    return EditRefused("value", Text.of("edits.refused.property_value", name=name, value=_shortened(value)))


def property_refused(element: str, name: str) -> EditRefused:
    """An element of this kind has no such property; `name` is its name in JRXML."""
    return EditRefused("kind", Text.of("edits.refused.kind", name=element, property=name))


def content_refused(element: str, subject: str) -> EditRefused:
    """An element of this kind has no text, or no expression; `subject` says which."""
    label = Text.of(f"edits.refused.property.{subject}")
    return EditRefused("kind", Text.of("edits.refused.kind", name=element, property=label))


def _shortened(value: str) -> str:
    return value if len(value) <= MAX_VALUE_CHARS else value[: MAX_VALUE_CHARS - 3] + "..."
