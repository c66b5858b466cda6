"""Filling a report from a source: its placeholders, their queries and the binding file, and the rows they give."""

from .handle import BindingCommand, handle_binding

__all__ = ["BindingCommand", "handle_binding"]
