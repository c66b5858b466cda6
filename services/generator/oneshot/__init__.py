"""A report from a sentence: what is wished for, read from words, and made into a plan with sample data."""

from .build import build_wish
from .generate import generate
from .read import read_wish

__all__ = ["build_wish", "generate", "read_wish"]
