"""Writing about results: a model's code and words, with figures that the program puts in."""

from .handle import AnalysisCommand, handle_analysis

__all__ = ["AnalysisCommand", "handle_analysis"]
