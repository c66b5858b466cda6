"""Texts too long to be what a reader looks for are left at once: its patterns would take the square of their length."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.change import remarks, style_phrases
from bandsmith.services.planner.language.spec import labels

LONG = ["，" * 8_000, "的" * 8_000, "a, " * 2_600, "bold " * 1_600, "1" * 8_000]


def never(*_: object) -> None:
    raise AssertionError("a pattern is tried")


@pytest.mark.parametrize("text", LONG)
def test_a_long_text_is_no_label_no_style_and_not_about_remarks(text: str, monkeypatch: pytest.MonkeyPatch):
    for module, name in [(style_phrases, "_templates"), (remarks, "matches"), (labels, "matches"), (labels, "typed")]:
        monkeypatch.setattr(module, name, never)
    assert style_phrases.style_changes(text) is None
    assert not remarks.is_about_remarks(text)
    assert not labels.is_label(text)


def test_short_texts_are_looked_at():
    assert style_phrases.style_changes("bold and red")
    assert labels.is_label("unit price")
