"""What a user wants of a turn: by rules, and by a model where those are unsure."""

from .llm_intent import accepted, ask_for_intent
from .replacement import names_replacement, without_replacement
from .rules import Guess, classify
from .versions import drops_request, steps_named, version_named

__all__ = [
    "Guess",
    "accepted",
    "ask_for_intent",
    "classify",
    "drops_request",
    "names_replacement",
    "steps_named",
    "version_named",
    "without_replacement",
]
