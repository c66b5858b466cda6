"""Words that rules did not read need no second saying where a model says what they are."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.change.accounted import without_quoted


@pytest.mark.parametrize(
    ("clauses", "quotes", "left"),
    [
        (["一行一行看容易看串"], ["一行一行看容易看串"], []),
        (["We've changed banks"], ["We\u2019ve changed banks:"], []),
        (["we've changed banks, thank you"], ["we've changed banks", "thank you"], []),
        (["changed banks"], ["We've changed banks, the account number stays the same"], []),
        (["make it blue and send it to Ann"], ["make it blue"], ["make it blue and send it to Ann"]),
        (["my accountant insists", "in pink"], ["my accountant insists"], ["in pink"]),
        (["in pink"], [], ["in pink"]),
        (["in pink"], ["", " "], ["in pink"]),
    ],
)
def test_only_what_is_quoted_as_a_whole_is_accounted_for(
    clauses: list[str], quotes: list[str], left: list[str]
) -> None:
    assert without_quoted(clauses, quotes) == left
