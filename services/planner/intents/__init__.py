"""Intents: what a user wants of a turn, by rules, and by a model where those are unsure."""

from .llm_intent import intent_of
from .rules import Guess, classify

__all__ = ["Guess", "classify", "intent_of"]
