"""A date that is given as an example says its pattern, or nothing where it may be read in two ways."""

import pytest

from bandsmith.services.planner.language.date_examples import pattern_of_example


@pytest.mark.parametrize(
    ("example", "pattern"),
    [
        ("5 March 2026", "d MMMM yyyy"),
        ("5 Mar 2026", "d MMM yyyy"),
        ("March 5, 2026", "MMMM d, yyyy"),
        ("Thursday, 5 March 2026", "EEEE, d MMMM yyyy"),
        ("05.03.2026", "dd.MM.yyyy"),
        ("31/12/2026", "dd/MM/yyyy"),
        ("12/31/2026", "MM/dd/yyyy"),
        ("2026-03-05 14:30", "yyyy-MM-dd HH:mm"),
        ("2026/3/5", "yyyy/M/d"),
        ("2026年3月5日", "yyyy'年'M'月'd'日'"),
        ("3月5日", "M'月'd'日'"),
        ("March 2026", "MMMM yyyy"),
    ],
)
def test_an_example_says_its_pattern(example: str, pattern: str) -> None:
    assert pattern_of_example(example) == pattern


@pytest.mark.parametrize("words", ["05/03/2026", "5th March 2026", "2026-13-40", "large", "42", "", "5 March", "1/2/3"])
def test_anything_else_is_no_example(words: str) -> None:
    assert pattern_of_example(words) is None
