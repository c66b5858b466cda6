"""Builds a plan with sample data from a ``ReportSpec``."""

from .build import build_spec

__all__ = ["build_spec"]
