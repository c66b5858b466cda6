"""The limit on what a model's edits may make disappear: a tenth of the elements, contents and bands that can be seen.

What the user asked to have removed does not count. What is hidden, blank, white on white or without size has
disappeared as well (``visible_content``). An element whose content is printed elsewhere has not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from ..edits import AnyEdit
from ..edits.move import Move
from ..edits.move_column import MoveColumn
from ..edits.resize import Resize
from ..edits.resize_column import ResizeColumn
from ..replies import Text
from .data_loss_guard import lost_elements
from .editor import Editor
from .outcome import EditOutcome
from .visible_content import VisibleContent, visible_content

MAX_LOST_SHARE = 0.1
_PLACING = (Move, MoveColumn, Resize, ResizeColumn)


class LostContent(NamedTuple):
    """What can no longer be seen, although it was not asked to be removed."""

    elements: list[str]
    """Names of elements."""
    elements_share: float
    contents_share: float
    bands_share: float

    @property
    def is_too_much(self) -> bool:
        return max(self.elements_share, self.contents_share, self.bands_share) > MAX_LOST_SHARE


def lost_content(before: VisibleContent, after: VisibleContent, asked: Collection[str] = ()) -> LostContent:
    """Compare what can be seen before and after; `asked` has the names of elements that the user wants removed."""
    printed = Counter(after.contents.values()) - Counter(
        after.contents[identity] for identity in after.contents if identity in before.names
    )
    gone, gone_contents = [], 0
    for identity, name in before.names.items():
        if identity in after.names or name in asked:
            continue
        content = before.contents.get(identity)
        if content and printed[content] > 0:
            printed[content] -= 1  # a new element prints the same
            continue
        gone.append(name)
        gone_contents += content is not None
    asked_for_bands = _bands_of(before, asked)
    gone_bands = before.bands - after.bands - asked_for_bands
    return LostContent(
        gone,
        _share(len(gone), len(before.names)),
        _share(gone_contents, len(before.contents)),
        _share(len(gone_bands), len(before.bands)) if gone else 0.0,
    )


def carry_out_within_limit(
    template: bytes, edits: Sequence[AnyEdit], asked: Collection[str] = (), reference: bytes | None = None
) -> tuple[bytes, list[EditOutcome]]:
    """Return the template with a model's edits applied, and their outcomes.

    If too much of `reference`, by default the template itself, is lost, the edits that lose anything are left out, and
    with them the later ones that move or resize: they would use the place of what stays.
    Raises ``BadInput`` if a template cannot be read.
    """
    editor = Editor(template)
    outcomes = editor.carry_out(edits)
    after = editor.bytes()
    loss = lost_content(visible_content(reference or template), visible_content(after), asked)
    if not loss.is_too_much and not lost_elements(template, after, edits):
        return after, outcomes
    outcomes, after, is_kept = [], template, False
    for edit in edits:
        if is_kept and isinstance(edit, _PLACING):
            outcomes.append(EditOutcome(edit, False, "lost", Text.of("modify.goes_with_left_out")))
            continue
        editor = Editor(after)
        outcome = editor.carry_out([edit])[0]
        changed = editor.bytes() if outcome.changed else after
        if code := _refusal(after, changed, edit, asked):
            outcome, is_kept = EditOutcome(edit, False, "lost", Text.of(code)), True
        else:
            after = changed
        outcomes.append(outcome)
    return after, outcomes


def _refusal(before: bytes, after: bytes, edit: AnyEdit, asked: Collection[str]) -> str:
    """Return the code of the reason why an edit is left out; empty if it loses nothing."""
    if lost_elements(before, after, [edit]):
        return "modify.loses_more_than_named"
    lost = lost_content(visible_content(before), visible_content(after), asked).elements
    return "modify.loses_more_than_asked" if lost else ""


def _bands_of(content: VisibleContent, asked: Collection[str]) -> frozenset[str]:
    """Return the bands all of whose visible elements are asked to be removed."""
    remaining = {band for identity, band in content.homes.items() if content.names[identity] not in asked}
    return content.bands - remaining


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
