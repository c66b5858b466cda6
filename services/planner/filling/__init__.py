"""Filling a report with a person's own data: the sentence that asks for it, and which value goes where."""

from .bind_data import bind_data
from .read_filling import read_filling

__all__ = ["bind_data", "read_filling"]
