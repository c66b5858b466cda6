"""A report from a sentence: what is wished for, read from words, and made into a plan with sample data."""

from .build import build_spec
from .generate import generate
from .read import read_spec

__all__ = ["build_spec", "generate", "read_spec"]
