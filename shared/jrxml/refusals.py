"""Why an edit was refused."""

from __future__ import annotations


class EditRefused(Exception):
    """An edit that is not carried out; the template is as it was. `code` is one of

    ``element`` (no such element), ``band``, ``field``, ``column``, ``group`` (no such thing), ``class`` (a field of
    another class is needed), ``value`` (not a value that may stand there), ``kind`` (an element of another kind is
    needed), ``taken`` (the name is in use), ``room`` (no place for it), ``already`` (nothing to change).
    """

    def __init__(self, code: str, reason: str, reason_zh: str) -> None:
        super().__init__(reason)
        self.code, self.reason, self.reason_zh = code, reason, reason_zh


ALREADY_DONE = "already"
"""The code of what there was nothing to change about."""


def already_done() -> EditRefused:
    """Made anew each time, as they all are: an exception keeps every frame alive that it ever went through."""
    return EditRefused(ALREADY_DONE, "It is so already.", "已经是这样了。")


def no_element(name: str) -> EditRefused:
    return EditRefused("element", f"There is no element {name}.", f"没有元素 {name}。")


def no_field(name: str) -> EditRefused:
    return EditRefused("field", f"There is no field {name}.", f"没有字段 {name}。")


def no_band(name: str) -> EditRefused:
    return EditRefused("band", f"There is no band {name}.", f"没有带区 {name}。")


def not_allowed(name: str, value: str) -> EditRefused:
    shown = value if len(value) <= 40 else value[:37] + "..."
    return EditRefused("value", f"{name} cannot be {shown}.", f"{name} 不能是 {shown}。")
