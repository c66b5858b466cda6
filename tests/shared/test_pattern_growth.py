"""No regular expression hangs on a long text, whatever the text is.

Processor time is compared with processor time: that for a text of four times the length, with that for sixteen of
the short text. A pattern that reads its text once takes a quarter of it, one that compares each character with each
takes as long, and one that tries all ways to divide the text takes many times as long.
"""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import pytest

from .pattern_texts import Used, all_patterns, long_text, run, units

SHORT, FACTOR = 500, 4
MAX_GROWTH = 2.5
"""Of 1.0, which is what comparing each character with each other one gives."""
COUNTS = 300
"""How often the characters of the text are counted one by one in the time that makes no difference."""
COUNTED = re.compile(".", re.DOTALL)
LIMIT_S, LIMIT_OF_EXAMPLES_S = 5.0, 0.5
"""Processor time after which a pattern counts as one that never ends."""
CELL = 10_000
MAX_MULTIPLE = 9.0
"""Of four times the length. What reads each character once takes 4, what compares each with each other one 16."""
PARTS = 8
in_parts = pytest.mark.parametrize("part", range(PARTS))
"""Parts of the patterns, which processes share."""
READ_FILES = (
    "shared.fields", "shared.jrxml", "shared.edit", "shared.template_markers", "shared.language", "services.ocr",
    "services.planner.filling", "services.generator.planning", "services.validator",
)  # fmt: skip
"""Where the patterns are that read what comes from a file."""


class TooSlow(Exception):
    """A pattern did not end."""


@contextmanager
def processor_limit(seconds: float) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def work(used: Used, text: str, times: int = 1) -> float:
    """Return the processor time of the pattern on the text."""
    started = time.process_time()
    for _ in range(times):
        run(used, text)
    return time.process_time() - started


@cache
def little() -> float:
    """Return the processor time that makes no difference."""
    return work(Used(COUNTED, "", frozenset({"finditer"})), "a" * SHORT * FACTOR, COUNTS)


def growth(used: Used, unit: tuple[str, str], limit_s: float = LIMIT_S) -> float:
    """Return the work on a long text as a multiple of that on as many short ones as a quadratic pattern would need."""
    try:
        with processor_limit(limit_s):
            long = work(used, long_text(unit, SHORT * FACTOR))
            if long < little():
                return 0.0
            return long / (work(used, long_text(unit, SHORT), FACTOR**2) + little())
    except TooSlow:
        return float("inf")


@pytest.mark.slow
@pytest.mark.timeout(1200)
@in_parts
def test_no_pattern_compares_more_than_each_character_with_each(part: int):
    slow = []
    for used in all_patterns()[part::PARTS]:
        worst = max((growth(used, unit), unit) for unit in units(used.pattern))
        if worst[0] > MAX_GROWTH:
            slow.append(f"{used.place} {worst[0]:.1f} {worst[1]!r}: {used.pattern.pattern}")
    assert slow == []


def multiple(used: Used, unit: tuple[str, str]) -> float:
    """Return the work on a text of 10,000 characters as a multiple of that on a quarter; 0 where it is little."""
    long, short = long_text(unit, CELL), long_text(unit, CELL // FACTOR)
    if (most := work(used, long)) < little():
        return 0.0
    return min(most, work(used, long)) / (min(work(used, short) for _ in range(3)) + little() / FACTOR**2)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@in_parts
def test_patterns_that_read_cells_headings_and_templates_read_each_character_once(part: int):
    """A message has at most 8,000 characters, a cell 32,767, and a file has many of them."""
    slow = []
    for used in all_patterns()[part::PARTS]:
        if used.place.removeprefix("bandsmith.").startswith(READ_FILES):
            worst = max((multiple(used, unit), unit) for unit in units(used.pattern))
            if worst[0] > MAX_MULTIPLE:
                slow.append(f"{used.place} {worst[0]:.1f} {worst[1]!r}: {used.pattern.pattern}")
    assert slow == []


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(r"(?:a+)+$", marks=pytest.mark.slow),
        pytest.param(r"\s*a?\s*b?\s*$", marks=pytest.mark.slow),
        r"(?:M{1,2})+",
    ],
)
def test_a_pattern_that_hangs_is_found(pattern: str):
    used = Used(re.compile(pattern), "", frozenset({"fullmatch"}))
    assert max(growth(used, unit, LIMIT_OF_EXAMPLES_S) for unit in units(used.pattern)) > MAX_GROWTH


@pytest.mark.slow
def test_the_patterns_of_user_text_are_among_them():
    places = " ".join(used.place for used in all_patterns())
    for part in ("planner.language.spec", "ocr.structure", "planner.filling", "shared.jrxml", "data.follow_up"):
        assert part in places
