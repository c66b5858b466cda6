"""CONTRIBUTING's recipe for an intent: every place that was forgotten is named."""

from __future__ import annotations

import typing
from pathlib import Path

from bandsmith.services.planner.language.intents.rules import RULES
from bandsmith.shared.model.session_parts import Intent

from .measure import sentences

ROOT = Path(__file__).resolve().parents[4]
WITHOUT_RULE = {"unknown"}
"""Intents that no rule names: what no rule fits."""
WITHOUT_ROUTE = {"unknown", "modify_report"}
"""Intents that the last rows take: a change where there is a report, else a new one."""


def forgotten(intents: set[str], rules: set[str], prompt: str, routes: str, labelled: set[str]) -> list[str]:
    """Return the places of the recipe that lack an intent."""
    places = {
        "services/planner/language/intents/rules.toml": lambda intent: intent in rules | WITHOUT_RULE,
        "prompts/intent_classify.md": lambda intent: intent in prompt,
        "services/gateway/routes": lambda intent: intent in WITHOUT_ROUTE or f'"{intent}"' in routes,
        "tests/planner/language/intents/rules.yaml": lambda intent: intent in labelled,
    }
    return [
        f"{intent} is not in {place}" for intent in sorted(intents) for place, has in places.items() if not has(intent)
    ]


def test_each_intent_has_rules_a_prompt_a_route_and_sentences():
    routes = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "services/gateway/routes").glob("*.py"))
    prompt = (ROOT / "prompts/intent_classify.md").read_text(encoding="utf-8")
    labelled = {sentence["intent"] for sentence in sentences("rules")}
    found = forgotten(set(typing.get_args(Intent)), {rule.intent for rule in RULES}, prompt, routes, labelled)
    assert found == []


def test_an_intent_that_was_forgotten_somewhere_is_named():
    assert forgotten({"query_data"}, set(), "", "", {"query_data"}) == [
        "query_data is not in services/planner/language/intents/rules.toml",
        "query_data is not in prompts/intent_classify.md",
        "query_data is not in services/gateway/routes",
    ]
