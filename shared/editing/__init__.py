"""Apply edits to a template, describe what they did, and check that nothing else was lost."""

from .editor import Editor
from .outcome import EditOutcome

__all__ = ["EditOutcome", "Editor"]
