"""Join the edits of all windows into the template that they were made for."""

from __future__ import annotations

from collections.abc import Iterable

from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit

MAX_ELEMENT_CHANGE = 0.1
"""A refinement that changes the number of elements by more than this share is discarded."""


def join(template: bytes, windows: Iterable[Iterable[AnyEdit]]) -> tuple[bytes, int]:
    """Return the refined template and the number of edits that took effect. A discarded refinement changes nothing.

    Raises ``BadInput`` when the template cannot be read.
    """
    editor = Editor(template)
    before = len(editor.elements())
    changed = editor.apply(edit for window in windows for edit in window)
    if not changed or abs(len(editor.elements()) - before) > MAX_ELEMENT_CHANGE * before:
        return template, 0
    return editor.bytes(), changed
