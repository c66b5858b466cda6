"""What a turn knows of an analysis: its plan, the results of its steps, and the files of its report."""

from __future__ import annotations

from typing import Annotated

from bandsmith.shared.model.analysis import AnalysisStep, StepResult
from bandsmith.shared.model.base import Ref

from .learning import INTERNAL
from .query import QueryFacts

MAX_REJECTIONS = 3
"""How often a user may have a plan written again."""


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
    """Index of the step at work."""
    results: Annotated[list[StepResult], INTERNAL] = []
    """What the steps gave that are over."""
    analysis: Ref | None = None
    """The report as an ``AnalysisDocument``."""
    markdown: Ref | None = None
    web_page: Ref | None = None
    printout: Ref | None = None

    @property
    def step(self) -> AnalysisStep | None:
        """The step at work; None outside of an analysis."""
        return self.plan[self.step_number] if 0 <= self.step_number < len(self.plan) else None

    @property
    def task(self) -> str:
        """The question that the current query has to answer."""
        return self.step.task if self.step else self.question

    @property
    def step_evidence(self) -> list[str]:
        """What is known for the query at work: the evidence, and the queries of the earlier steps that it uses."""
        used = self.step.uses if self.step else []
        earlier = [f"{one.name} ({one.task}): {one.query}" for one in self.results if one.name in used and one.query]
        whole = [f"The step is part of this question: {self.question}"] if self.step else []
        return [*self.evidence, *whole, *earlier]

    @property
    def named_in_query(self) -> str:
        """The question whose dates, names and numbers the query has to have; none for a query of the user's own."""
        return "" if self.is_own_query else self.task
