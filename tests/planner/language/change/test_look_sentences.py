"""What rules make of sentences about the look of a report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.each_case import each
from tests.yaml_files import read_yaml

from .judged_sentences import judged

SENTENCES = read_yaml(Path(__file__).with_name("look_sentences.yaml"))


@each("sentence", SENTENCES)
def test_a_sentence_means_these_edits(sentence: dict[str, Any]) -> None:
    outcome, reading = judged(sentence)
    assert outcome == "right", reading
