"""What a turn knows of an analysis: its plan, the results of its steps, and the files of its report."""

from __future__ import annotations

from typing import Annotated

from bandsmith.shared.events import PythonAnalysed, PythonRun
from bandsmith.shared.model.analysis import AnalysisStep, StepResult
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.source import TriedQuery

from .learning import INTERNAL, On
from .query import QueryFacts

MAX_REJECTIONS = 3
"""How often a user may have a plan written again."""


def _tried(turn: AnalysisFacts, event: PythonRun | PythonAnalysed) -> list[TriedQuery]:
    """Add the code that was refused, failed or gave something else."""
    return (
        [*turn.code_tried, TriedQuery(query=turn.step_code, reason=event.reason)] if event.reason else turn.code_tried
    )


class AnalysisFacts(QueryFacts):
    plan: list[AnalysisStep] = []
    plan_trouble: Annotated[str, INTERNAL] = ""
    """What is wrong with the plan, in English for a model."""
    plan_objections: Annotated[list[str], INTERNAL] = []
    """Why earlier plans were refused, by the program or the user."""
    rejections: Annotated[int, INTERNAL] = 0
    """How often the user had the plan written again."""
    is_approved: Annotated[bool, INTERNAL] = False
    step_number: Annotated[int, INTERNAL] = -1
    """Index of the current step."""
    results: Annotated[list[StepResult], INTERNAL] = []
    """The results of the steps that are over."""
    step_code: str = ""
    """The Python code of the current step."""
    step_explanation: str = ""
    """What the result of the current step in Python says."""
    code_tried: Annotated[list[TriedQuery], On(PythonRun, _tried), On(PythonAnalysed, _tried)] = []
    may_be_tried: bool = True
    """Whether other code than the last could succeed."""
    analysis: Ref | None = None
    """The report as an ``AnalysisDocument``."""
    markdown: Ref | None = None
    web_page: Ref | None = None
    printout: Ref | None = None
    printout_pages: list[Ref] = []

    @property
    def step(self) -> AnalysisStep | None:
        """The current step; None outside an analysis."""
        return self.plan[self.step_number] if 0 <= self.step_number < len(self.plan) else None

    @property
    def task(self) -> str:
        """The question that the current query has to answer."""
        return self.step.task if self.step else self.question

    @property
    def frames(self) -> list[StepResult]:
        """The results that a step in Python computes with."""
        used = self.step.uses if self.step else []
        return [result for result in self.results if result.name in used and result.result is not None]

    @property
    def known(self) -> list[str]:
        """What is known about the words of the question, and how its tables are joined."""
        return [*self.evidence, *self.relations]

    @property
    def step_evidence(self) -> list[str]:
        """What is known for the current query: the evidence, and the queries of the earlier steps that it uses."""
        used = self.step.uses if self.step else []
        earlier = [f"{one.name} ({one.task}): {one.query}" for one in self.results if one.name in used and one.query]
        whole = [f"The step is part of this question: {self.question}"] if self.step else []
        return [*self.known, *whole, *earlier]

    @property
    def named_in_query(self) -> str:
        """The question whose dates, names and numbers the query has to have; none for a query of the user's own."""
        if self.is_own_query:
            return ""
        return self.task if self.step else " ".join(filter(None, (self.task, self.whole_question)))
