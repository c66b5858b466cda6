"""How often the rules know what a user wants: totals only, so that the half they were not written on stays unread.

python -m tests.planner.language.intents.measure
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bandsmith.services.planner.language.intents import Guess, classify
from tests.yaml_files import read_yaml

HALVES = ("rules", "held_out")


@dataclass
class Totals:
    """Of one half."""

    right: Counter[str] = field(default_factory=Counter)
    """By the intent that is meant: sure, and right."""
    unsure_right: Counter[str] = field(default_factory=Counter)
    """Unsure, and what is done without a model is right."""
    unsure_wrong: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    """Sure, and wrong."""
    taken_for: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Of what is wrong: what was meant, and what it was taken for."""

    @property
    def sentences(self) -> int:
        return sum(map(Counter.total, (self.right, self.unsure_right, self.unsure_wrong, self.wrong)))

    @property
    def share(self) -> float:
        """What is done rightly without a model, of all."""
        return (self.right.total() + self.unsure_right.total()) / self.sentences


def sentences(half: str) -> list[dict[str, Any]]:
    """What is said, and what is meant. Those of ``held_out`` are for counting only."""
    said = read_yaml(Path(__file__).with_name(f"{half}.yaml"))
    return [{"has_template": True, "has_page": False, "format": None} | one for one in said]


def measure(half: str) -> Totals:
    totals = Totals()
    for one in sentences(half):
        meant, has_template = one["intent"], one["has_template"]
        guess = classify(one["text"], has_template=has_template, has_page=one["has_page"], language=one["language"])
        done = _done(guess, has_template)
        is_right = done == meant and one["format"] in (None, guess.format)
        kind = {(True, True): totals.right, (False, True): totals.unsure_right, (False, False): totals.unsure_wrong}
        kind.get((guess.sure, is_right), totals.wrong)[meant] += 1
        if not is_right:
            totals.taken_for[meant, done] += 1
    return totals


def _done(guess: Guess, has_template: bool) -> str:
    """What the workflow does without a model: on an unknown intent without an answer, the report is changed or made."""
    if guess.intent != "unknown" or guess.answer:
        return guess.intent
    return "modify_report" if has_template else "initial_generation"


def _table(half: str) -> str:
    totals = measure(half)
    lines = [f"{half}: {totals.share:.1%} of {totals.sentences} right", ""]
    lines.append(f"{'meant':<20}{'right':>8}{'unsure, right':>16}{'unsure, wrong':>16}{'wrong':>8}")
    for intent in sorted({*totals.right, *totals.unsure_right, *totals.unsure_wrong, *totals.wrong}):
        counts = [one[intent] for one in (totals.right, totals.unsure_right, totals.unsure_wrong, totals.wrong)]
        lines.append(f"{intent:<20}{counts[0]:>8}{counts[1]:>16}{counts[2]:>16}{counts[3]:>8}")
    lines += [f"  {meant} taken for {done}: {count}" for (meant, done), count in sorted(totals.taken_for.items())]
    return "\n".join(lines)


if __name__ == "__main__":
    for name in HALVES:
        print(_table(name), end="\n\n")
