"""``ask_data``: a question in words, answered with rows of a source."""

from __future__ import annotations

from pydantic import Field

from bandsmith.shared.model.errand import Errand, ErrandTurn
from bandsmith.shared.model.source import Asking

from ..errand import ErrandContext, ErrandTool, Prepared


class AskData(ErrandTool):
    """Answer a question in words with rows of a source of data. Leave the source out if there is only one."""

    name = "ask_data"
    domain = "data"

    question: str = Field(min_length=1, max_length=2_000)
    source: str = Field(default="", max_length=400)

    def prepare(self, context: ErrandContext) -> Prepared:
        return Prepared(Errand(turn=ErrandTurn(text=self.question, asking=Asking(source=context.sources(self.source)))))
