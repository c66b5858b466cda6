"""Reading a text of four times the length takes about four times as long, whatever the text repeats.

Processor time is compared with processor time, the best of several, so that a busy machine changes little: a reader
that looks at its text once needs 4 times as much, one that compares each part with each other one 16 times.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from datetime import date

import pytest

from bandsmith.services.planner.data import follow_up
from bandsmith.services.planner.language import (
    clock,
    confirmation,
    date_examples,
    filling_sentences,
    periods,
    questions,
    request_clauses,
    run_sentences,
    words_with_page,
)
from bandsmith.services.planner.language.change import remarks, style_phrases, unsupported
from bandsmith.services.planner.language.change.rule_parser import read_request
from bandsmith.services.planner.language.intents import normal_form, replacement, versions
from bandsmith.services.planner.language.intents.rules import classify
from bandsmith.services.planner.language.spec import (
    catalogue,
    change_requests,
    clause_split,
    data_rows,
    labels,
    leads,
    rule_reader,
    run_together,
    summary_lines,
    tables,
    titles,
    typing_errors,
)
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.errors import BandsmithError

from .change.templates import ALL

Reader = Callable[[str], object]
SHORT, FACTOR = 500, 4
MAX_GROWTH = 9.0
"""Of a text of four times the length. Beyond 4.0 lies what grows with the logarithm, and a busy machine."""
SQUARE = 24.0
"""A description is read up to 4,000 characters only; leads repeated a thousand times still take the square of them."""
BOUNDED = {"an English description", "a Chinese description"}
NO_DIFFERENCE_S = 0.1
"""Processor time of the long text up to which growth does not matter: a message is at most four times as long."""
TRIES = 4
TODAY = date(2026, 3, 1)
VIEW = TemplateView(Editor(ALL["sales"]()[0]))

READERS: dict[str, Reader] = {
    "a change": lambda text: read_request(text, VIEW),
    "an intent": lambda text: classify(text, has_template=True),
    "an intent without a report": lambda text: classify(text, has_template=False),
    "an English description": lambda text: rule_reader.read(text, "en"),
    "a Chinese description": lambda text: rule_reader.read(text, "zh"),
    "a list of labels": labels.split,
    "labels": labels.listed,
    "the kind of a label": labels.typed,
    "an instruction in a label": labels.holds_instruction,
    "names run together": run_together.separated,
    "a table": tables.extract_table,
    "a row of data": data_rows.is_data_row,
    "a line of totals": summary_lines.summed_column,
    "a title": lambda text: titles.name_in(text, True),
    "a request with a title": titles.without_purpose,
    "a request": titles.is_request,
    "a usual report": lambda text: catalogue.standard_of(text, "en"),
    "what is beside a report": change_requests.is_beside,
    "sentences": lambda text: list(clause_split.sentences_of(text)),
    "clauses": clause_split.clauses_of,
    "leads": lambda text: list(leads.inner_leads(text)),
    "typing errors": typing_errors.corrected,
    "a scheduled run": run_sentences.read_run_sentence,
    "a correction of a run": run_sentences.corrects_run,
    "a period": lambda text: periods.read_period(text, TODAY),
    "a time of day": clock.read_clock,
    "a filling": filling_sentences.read_filling,
    "a filling from a source": lambda text: filling_sentences.read_source_filling(text, TODAY),
    "a question": questions.is_question,
    "a mere question": questions.is_mere_question,
    "questions": questions.questions_in,
    "a general question": questions.is_general,
    "a comparison": questions.compared,
    "a question about the program": questions.program_rule,
    "a question for a value": questions.asks_for_value,
    "a question about work": questions.speaks_of_work,
    "a question that goes on": lambda text: follow_up.whole_question(text, "how many orders in March?"),
    "a yes": confirmation.read_confirmation,
    "a stop": confirmation.says_stop,
    "a yes to all": confirmation.says_all,
    "an example of a date": date_examples.pattern_of_example,
    "what is beside a page": words_with_page.words_besides_building,
    "a version": versions.version_named,
    "a dropped request": versions.drops_request,
    "a replacement": replacement.without_replacement,
    "remarks": remarks.is_about_remarks,
    "what is beside remarks": remarks.besides_remarks,
    "what cannot be done": unsupported.suggestion,
    "a style": style_phrases.style_changes,
    "politeness": request_clauses.without_politeness,
    "the normal form": normal_form.normalized,
}
REPEATED = (
    "的", " ", "a", "1", "a ", "a, ", "中，", "\n", "\t ", "\u3000", "(", '"', "“”", "-", ". ", "1,", "$F{a}",
    "a b 1, ", "and ", "和", "total of ", "合计", "each ", "按客户", "columns ", "列", "not ", "date:", "2026-",
    "every month ", "每月", "a\n", "1.", "：", "3 rows ", "bold red ", "把标题改成", "?", "why ", "为什么",
    "from March to ", "the total of the ", "a|b\n", "a\t1\n", "；", "name (", "()", "- a\n", "不要", "of of ",
    "amount, date, ", "客户、金额、", "at 8:00 ", "pdf and excel ", "undo ", "==", "'s ",
)  # fmt: skip


def seconds(read: Reader, text: str) -> float:
    """Return the processor time that a reader takes; a refusal is an answer as well."""
    started = time.process_time()
    with suppress(BandsmithError):
        read(text)
    return time.process_time() - started


def growth(read: Reader, unit: str) -> float:
    """Return how many times as long the long text takes as the short one; zero if it takes no time."""
    long = (unit * (FACTOR * SHORT // len(unit) + 1))[: FACTOR * SHORT]
    longest, shortest = seconds(read, long), float("inf")
    if longest < NO_DIFFERENCE_S:
        return 0.0
    for _ in range(TRIES):
        shortest = min(shortest, seconds(read, long[:SHORT]))
        if longest <= shortest * MAX_GROWTH / 2:
            break
        longest = min(longest, seconds(read, long))
    return longest / shortest


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", READERS)
def test_reading_does_not_take_the_square_of_the_length(name: str):
    found = {unit: growth(READERS[name], unit) for unit in REPEATED}
    limit = SQUARE if name in BOUNDED else MAX_GROWTH
    assert {unit: round(times, 1) for unit, times in found.items() if times > limit} == {}


def test_a_reader_that_compares_each_part_with_each_other_one_is_found():
    assert growth(lambda text: sum(one == other for one in text for other in 2 * text), "ab") > MAX_GROWTH


@pytest.mark.parametrize("line", ["a\t1", "a|a", "x" * 90 + ", y", "a;", " " * 4_000], ids=repr)
def test_a_large_text_file_without_a_table_is_left_soon(line: str, monkeypatch: pytest.MonkeyPatch):
    """A file of half a megabyte is tried a few hundred times at most, not once for each of its lines."""
    tried: list[int] = []
    original = tables._table

    def table(lines: list[str], delimiter: str) -> tables.TextTable | None:
        tried.append(len(lines))
        return original(lines, delimiter)

    monkeypatch.setattr(tables, "_table", table)
    assert tables.table_in_file(f"{line}\n" * (512_000 // len(line))) is None
    assert len(tried) <= 4 * tables.MAX_HEADERS
    assert max(tried, default=0) <= tables.MAX_ROWS + 2


def test_a_line_longer_than_any_cell_is_read():
    table = tables.table_in_file(f"name,city\n{'x' * 200_000},Ulm\n")
    assert table is not None
    assert table.header == ("name", "city")
