"""What rules make of the sentences that they were written against; ``make measure`` counts over both halves."""

from __future__ import annotations

from typing import Any

import pytest

from .judged_sentences import SENTENCES, held_out, judged

EVERY = 5
"""One of so many sentences is read by the fast tests."""


def cases() -> list[Any]:
    written_for = [sentence for sentence in SENTENCES if not held_out(sentence)]
    return [
        pytest.param(sentence, id=sentence["say"], marks=[pytest.mark.slow] if n % EVERY else [])
        for n, sentence in enumerate(written_for)
    ]


@pytest.mark.parametrize("sentence", cases())
def test_a_sentence_means_its_edits(sentence: dict[str, Any]) -> None:
    outcome, reading = judged(sentence)
    assert outcome == "right", reading
