"""Joining: the edits of all windows, carried out on the template that they were made for."""

from __future__ import annotations

from collections.abc import Iterable

from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit

MOST_LOST = 0.1
"""A refinement that changes the number of elements by more than this share is dropped."""


def join(template: bytes, windows: Iterable[Iterable[AnyEdit]]) -> tuple[bytes, int]:
    """The refined template and how many edits took effect; the template as it was when too many elements changed.

    Raises ``BadInput`` when the template cannot be read.
    """
    editor = Editor(template)
    before = len(editor.elements())
    changed = editor.apply(edit for window in windows for edit in window)
    if not changed or abs(len(editor.elements()) - before) > MOST_LOST * before:
        return template, 0
    return editor.bytes(), changed
