"""Blank lines of a request: however many there are, they are one end of a line."""

from bandsmith.services.planner.language.spec.description import Description


def test_thousands_of_empty_lines_are_one():
    assert Description("customer" + "\n" * 2000 + "amount").text == "customer\namount"
    assert Description("customer" + " \n\t" * 1000 + "amount").text == "customer\namount"


def test_a_long_gap_in_a_line_stays_a_gap():
    assert Description("customer" + " " * 2000 + "amount").text == "customer   amount"
