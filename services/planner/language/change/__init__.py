"""A sentence, and what was drawn on a page, read as a change of a template: by rules, and by a model for the rest."""

from .read_change import read_change

__all__ = ["read_change"]
