"""A test of many cases names every case that fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from .each_case import each


def failure_of(test) -> BaseExceptionGroup:
    with pytest.raises(BaseExceptionGroup) as failed:
        test()
    return failed.value


def test_every_case_that_fails_is_named():
    @each("number", [1, 2, 3])
    def is_even(number: int) -> None:
        assert number % 2 == 0

    failed = failure_of(is_even)
    assert failed.message == "2 of 3 cases failed"
    assert [error.__notes__ for error in failed.exceptions] == [["number: 1"], ["number: 3"]]


def test_a_case_that_raises_nothing_fails_too():
    @each("text, kind", [("1", int), ("x", int)])
    def is_refused(text: str, kind: type) -> None:
        with pytest.raises(ValueError):
            kind(text)

    (error,) = failure_of(is_refused).exceptions
    assert isinstance(error, pytest.fail.Exception) and "'1'" in error.__notes__[0]


def test_without_cases_nothing_is_held():
    with pytest.raises(AssertionError, match="no cases"):
        each("number", [])


def test_a_case_with_a_mark_is_refused():
    with pytest.raises(AssertionError, match="marks"):
        each("number", [1, pytest.param(2, marks=pytest.mark.slow)])


@each("name", ["a", "b"])
def test_fixtures_are_passed_on(name: str, tmp_path: Path):
    (tmp_path / name).write_text(name)
    assert (tmp_path / name).read_text() == name
