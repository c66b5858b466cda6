"""Filling a report with a person's own data: which value goes where."""

from .bind_data import bind_data
from .bind_parts import bind_parts

__all__ = ["bind_data", "bind_parts"]
