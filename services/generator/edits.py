"""The editor, by the name that it had."""

from .editor import ELEMENTS, PROPERTIES, REPORT, Editor, local, report_element

__all__ = ["ELEMENTS", "PROPERTIES", "REPORT", "Editor", "local", "report_element"]
