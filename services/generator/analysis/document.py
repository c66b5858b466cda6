"""The document about an analysis: a model's sections with their figures, and the rows of every step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow

from bandsmith.shared.llm.answers.data import AnalysisAnswer, ChartAnswer, SectionAnswer
from bandsmith.shared.model.analysis import (
    MAX_TABLE_ROWS,
    AnalysisDocument,
    Chart,
    ChartSeries,
    DocumentQuery,
    DocumentSection,
    DocumentTable,
    StepResult,
)
from bandsmith.shared.replies import Text

from .figures import Results, column_of, faults, is_number, shown, with_figures

MAX_POINTS = {"bar": 60, "line": 400, "pie": 12}
"""Rows that a chart of each kind can show."""


class DocumentWriter:
    """Makes the document of some results, with or without a model's answer."""

    def __init__(self, question: str, source: str, steps: Sequence[StepResult], results: Results) -> None:
        self._question, self._source, self._steps, self._results = question, source, steps, results
        self._allowed = " ".join([question, *(step.task for step in steps)])

    def objections(self, answer: AnalysisAnswer) -> list[str]:
        """What is wrong with a model's answer, one line for each fault."""
        found = [f"title: {fault}" for fault in faults(answer.title, self._results, self._allowed)]
        for number, section in enumerate(answer.sections):
            where = f"sections.{number}"
            found += [f"{where}.{fault}" for fault in self._section_faults(section)]
        return found

    def _section_faults(self, section: SectionAnswer) -> Iterator[str]:
        for part in ("heading", "text"):
            yield from (f"{part}: {fault}" for fault in faults(getattr(section, part), self._results, self._allowed))
        if section.result and section.result not in self._results:
            yield f"result: there is no result {section.result}; the results are {', '.join(self._results)}"
        elif section.chart and (fault := self._chart_fault(section.chart, section.result)):
            yield f"chart: {fault}"

    def _chart_fault(self, chart: ChartAnswer, result: str) -> str:
        table = self._results.get(result)
        if table is None:
            return "a chart needs a result"
        if not 1 <= table.num_rows <= MAX_POINTS[chart.kind]:
            return f"{result} has {table.num_rows} rows; a {chart.kind} shows 1 to {MAX_POINTS[chart.kind]}"
        columns = {name: column_of(table, name) for name in (chart.x, *chart.y)}
        if missing := [name for name, column in columns.items() if column is None]:
            return f"{result} has no column {missing[0]}"
        if words := [name for name in chart.y if not is_number(columns[name])]:
            return f"the column {words[0]} holds no numbers"
        return ""

    def written(self, answer: AnalysisAnswer) -> tuple[AnalysisDocument, list[Text]]:
        """Return the document with what of the answer can be used, and what was left out of it."""
        notes: list[Text] = []
        sections = []
        for section in answer.sections:
            made, left_out = self._section(section)
            sections += [made] if made.paragraphs or made.table else []
            notes += left_out
        used = {section.result for section in answer.sections}
        sections += [self._plain(step) for step in self._steps if step.name in self._results and step.name not in used]
        is_right = not any(faults(answer.title, self._results, self._allowed))
        title = with_figures(answer.title, self._results) if is_right else self._question
        return self._document(title, sections), notes

    def plain(self) -> AnalysisDocument:
        """Return the document without a model's words: each step with its rows."""
        return self._document(self._question, [self._plain(step) for step in self._steps if step.name in self._results])

    def _section(self, section: SectionAnswer) -> tuple[DocumentSection, list[Text]]:
        wrong = list(self._section_faults(section))
        notes = []
        task = next((step.task for step in self._steps if step.name == section.result), "")
        heading, words = section.heading, section.text
        if any(fault.startswith("heading:") for fault in wrong):
            heading = task or self._question
        if any(fault.startswith("text:") for fault in wrong):
            words = ""
            notes.append(Text.of("data.analysis.text_refused", heading=heading))
        chart = section.chart if section.result in self._results else None
        if chart and self._chart_fault(chart, section.result):
            chart = None
            notes.append(Text.of("data.analysis.chart_refused", heading=heading))
        rows = self._results.get(section.result)
        made = DocumentSection(
            heading=with_figures(heading, self._results),
            paragraphs=_paragraphs(with_figures(words, self._results)),
            chart=_chart(chart, rows) if chart and rows is not None else None,
            table=self._table(section.result) if rows is not None else None,
        )
        return made, notes

    def _plain(self, step: StepResult) -> DocumentSection:
        said = with_figures(step.explanation, self._results)
        return DocumentSection(heading=step.task, paragraphs=_paragraphs(said), table=self._table(step.name))

    def _table(self, name: str) -> DocumentTable:
        table = self._results[name]
        columns = [table.column(number) for number in range(table.num_columns)]
        values = [column.slice(0, MAX_TABLE_ROWS).to_pylist() for column in columns]
        rows = [[shown(value) for value in row] for row in zip(*values, strict=True)]
        step = next(step for step in self._steps if step.name == name)
        return DocumentTable(
            columns=table.column_names,
            rows=rows,
            numeric=[is_number(column) for column in columns],
            left_out=table.num_rows - len(rows),
            is_cut=step.is_cut,
        )

    def _document(self, title: str, sections: list[DocumentSection]) -> AnalysisDocument:
        queries = [
            DocumentQuery(
                name=step.name,
                task=step.task,
                query=step.query,
                problem=step.problem or step.doubt,
                language="python" if step.kind == "python" else "sql",
            )
            for step in self._steps
        ]
        return AnalysisDocument(
            title=title, question=self._question, source=self._source, sections=sections, queries=queries
        )


def _paragraphs(words: str) -> list[str]:
    return [" ".join(part.split()) for part in words.split("\n\n") if part.strip()]


def _chart(chart: ChartAnswer, table: pyarrow.Table) -> Chart:
    x = column_of(table, chart.x)
    assert x is not None, "the columns of a chart were checked"
    series = []
    for name in chart.y:
        column = column_of(table, name)
        assert column is not None
        values = [None if value is None else float(value) for value in column.to_pylist()]
        series.append(ChartSeries(name=name, values=values))
    return Chart(kind=chart.kind, categories=[shown(value) for value in x.to_pylist()], series=series)
