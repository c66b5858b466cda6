"""Accuracy of the rules over whole corpora, against what was reached: ``make measure``.

Tests keep small, exact cases. A share of a corpus is measured here, compared with ``accuracy.json``, and fails when it
is lower; ``--write`` records what is reached now. The files of sentences stay beside the tests that use them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import yaml

from bandsmith.services.planner.knowledge import articles
from bandsmith.services.planner.knowledge.base import Knowledge
from bandsmith.services.planner.settings import KnowledgeSettings
from tests.planner.language.change.judged_sentences import shares
from tests.planner.language.intents.measure import measure as measure_intents
from tests.planner.language.spec.specs import CASES, wrong

REACHED = Path(__file__).with_name("accuracy.json")
QUESTIONS = Path(__file__).resolve().parent.parent / "tests" / "planner" / "questions.yaml"


def intents() -> dict[str, float]:
    """Share of sentences whose intent the rules get right; they were not written on the half that is held out."""
    return {f"intents, {half}": measure_intents(half).share for half in ("rules", "held_out")}


def changes() -> dict[str, float]:
    """Share of the requests for changes whose edits rules get right, and share of those without a wrong edit."""
    found = {half: shares(held=half == "held out") for half in ("rules", "held out")}
    right = {f"changes, {half}": counts["right"] for half, counts in found.items()}
    return right | {f"changes not read wrongly, {half}": 1 - counts["wrong"] for half, counts in found.items()}


def specs() -> dict[str, float]:
    """Share of the held-out report specs that are read without an error."""
    held_out = CASES["held"]
    return {"report specs, held out": sum(not wrong(case) for case in held_out) / len(held_out)}


def questions() -> dict[str, float]:
    """Share of questions whose article is found first, and among the first three."""
    return asyncio.run(_questions())


async def _questions() -> dict[str, float]:
    files = [path.stem for path in sorted(articles.FOLDER.glob("*.md"))]
    names = {article.title: file for article, file in zip(articles.articles(), files, strict=True)}
    cases = yaml.safe_load(QUESTIONS.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        knowledge = Knowledge(KnowledgeSettings(knowledge=str(Path(folder) / "knowledge.db")))
        ranked = [[names[match.value["title"]] for match in await knowledge.articles(text)] for text, _ in cases]
        await knowledge.close()
    first = sum(found[:1] == [name] for found, (_, name) in zip(ranked, cases, strict=True))
    among_three = sum(name in found for found, (_, name) in zip(ranked, cases, strict=True))
    return {"articles found first": first / len(cases), "articles found among three": among_three / len(cases)}


MEASUREMENTS: tuple[Callable[[], dict[str, float]], ...] = (intents, changes, specs, questions)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help=f"record the figures in {REACHED.name}")
    options = parser.parse_args()
    reached: dict[str, float] = json.loads(REACHED.read_text()) if REACHED.exists() else {}
    measured: dict[str, float] = {}
    for measurement in MEASUREMENTS:
        for name, share in measurement().items():
            measured[name] = round(share, 4)
            print(f"{name}: {share:.1%} (reached: {reached.get(name, 0):.1%})", flush=True)
    if options.write:
        REACHED.write_text(json.dumps(measured, indent=2) + "\n")
        return 0
    if missing := reached.keys() - measured.keys():
        print(f"Not measured any more: {', '.join(sorted(missing))}", file=sys.stderr)
    lower = [name for name, share in measured.items() if share < reached.get(name, 0)]
    if lower:
        print(f"Lower than reached before: {', '.join(lower)}", file=sys.stderr)
    return 1 if lower or missing else 0


if __name__ == "__main__":
    sys.exit(main())
