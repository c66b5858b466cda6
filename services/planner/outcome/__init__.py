"""Hold the printed report against what the user asked for."""

from .review import review_outcome

__all__ = ["review_outcome"]
