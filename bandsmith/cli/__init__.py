"""The command line: a file for each command, and ``app`` that joins them."""

from .entry import main

__all__ = ["main"]
