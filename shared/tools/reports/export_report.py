"""``export_report``: the session's report as a file for the user."""

from __future__ import annotations

from typing import Any

from pydantic import Field, model_validator

from bandsmith.shared.model.action import Action
from bandsmith.shared.model.errand import Errand, ErrandTurn, Workpiece
from bandsmith.shared.model.session_parts import ExportFormat

from ..errand import ErrandContext, ErrandTool, Prepared


class ExportSessionReport(ErrandTool):
    """Give the user the report of the conversation as files, printed with its sample data: one call for all formats."""

    name = "export_report"
    domain = "reports"

    formats: list[ExportFormat] = Field(min_length=1, max_length=8)

    @model_validator(mode="before")
    @classmethod
    def _one_format(cls, arguments: Any) -> Any:
        """Take ``format``, as it was called before several were possible: a task under way may call it so."""
        if not isinstance(arguments, dict) or "format" not in arguments:
            return arguments
        others = {name: value for name, value in arguments.items() if name != "format"}
        return {"formats": [arguments["format"]], **others}

    def prepare(self, context: ErrandContext) -> Prepared:
        first, *further = self.formats
        workpiece = Workpiece.of(context.own_report().version)
        action = Action(do="export", format=first, further=further)
        return Prepared(Errand(turn=ErrandTurn(action=action, workpiece=workpiece)))
