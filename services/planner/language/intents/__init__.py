"""What a user wants of a turn: by rules, and by a model where those are unsure."""

from .llm_intent import accepted, ask_for_intent
from .rules import Guess, classify

__all__ = ["Guess", "accepted", "ask_for_intent", "classify"]
