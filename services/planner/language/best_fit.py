"""What fits words best among the labels of columns and the texts of a page."""

from __future__ import annotations

from collections.abc import Callable

from .fuzzy_match import PART_FIT, column_fit, fit, holds, name_fit, normal, term_of
from .numbers import number_of
from .reference_words import holds_no_name
from .references import Several, Target, column_target
from .template_view import TemplateView
from .view_elements import ViewElement

FIT_THRESHOLD = 86
"""How well words must fit what they name, out of 100."""
EXACT_FIT_THRESHOLD = 95
"""The same for words that look like more than a name, such as a condition."""
MIN_PRINTED_CHARS = 2
"""Shorter words name no value that is printed."""
AMBIGUITY_TOLERANCE = 3
"""Two things are ambiguous where their fits differ by at most this much."""


class BestFit:
    """Finds what fits words best in one template."""

    def __init__(self, view: TemplateView, name_of: Callable[[ViewElement], str]) -> None:
        self.view = view
        self._name_of = name_of

    def find(
        self, words: str, quoted: bool, of_column: bool, min_fit: float = FIT_THRESHOLD, by_name: bool = True
    ) -> Target | Several | None:
        """Return what fits the words best, if it fits well enough and nothing else fits equally well.

        Without `by_name`, a text that prints a value of this name does not count.
        """
        scored = [(column_fit(words, column), column_target(column, words)) for column in self.view.columns]
        if not of_column:
            in_rows = {piece.key for column in self.view.columns for piece in column.pieces}
            numbers = {piece.key for piece in self.view.page_numbers}
            for piece in self.view.texts:
                if not quoted and piece.key in numbers:
                    continue
                if quoted or piece.key not in in_rows:
                    scored.append((self.of_text(words, piece, by_name), Target(words, (piece,), alone=quoted)))
        best = max((score for score, _ in scored), default=0.0)
        if best < (min_fit if quoted or not holds_no_name(words) else EXACT_FIT_THRESHOLD):
            return None
        near = [target for score, target in scored if score >= best - AMBIGUITY_TOLERANCE]
        columns = [target for target in near if target.column is not None]
        if len(near) > 1 and quoted:
            heads = [target for target in near if target.column is None]
            return heads[0] if len(heads) == 1 else self.several(words, near)
        if len(columns) == 1:
            return columns[0]
        return near[0] if len(near) == 1 else self.several(words, near)

    def several(self, words: str, targets: list[Target]) -> Several:
        """Return that words fit several things equally well, which are named."""
        names = [target.column.label if target.column else self._name_of(target.pieces[0]) for target in targets]
        return Several(words, tuple(dict.fromkeys(names)))

    def of_text(self, words: str, piece: ViewElement, by_name: bool = True) -> float:
        """Return how well words fit a text: its wording, what is printed there and, `by_name`, the field it prints."""
        wanted = normal(words)
        fits = [fit(wanted, normal(part)) for part in (piece.words, *piece.words.split("\n")) if part]
        for scope, name in piece.references:
            if scope in "PF" and by_name:
                fits.append(name_fit(wanted, term_of(words), name))
        number = number_of(words)
        if number is not None and number in self.view.numbers(piece):
            return 100.0
        printed = normal(self.view.printed(piece))
        if len(wanted) >= MIN_PRINTED_CHARS and printed != normal(piece.words):
            # A number or a code that is printed names its text beyond doubt.
            part = EXACT_FIT_THRESHOLD if any(char.isdigit() for char in wanted) else PART_FIT
            fits.append(100.0 if printed == wanted else part if holds(printed, wanted) else 0.0)
        return max(fits, default=0.0)
