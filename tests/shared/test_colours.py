"""Colours of templates as numbers."""

from __future__ import annotations

import pytest

from bandsmith.shared.colours import channels


def test_a_colour_has_a_red_a_green_and_a_blue() -> None:
    assert channels("#1C3e6E") == (28, 62, 110)


def test_what_is_no_colour_is_refused() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        channels("red")
