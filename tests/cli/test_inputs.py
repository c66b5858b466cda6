"""Page sizes and output folders on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from bandsmith.cli.arguments import output_folders, page_size
from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.geometry import Size


@pytest.mark.parametrize(
    ("text", "width", "height"),
    [
        ("595x842", 595, 842),
        ("595.3X841.9", 595.3, 841.9),
        ("A4", 595, 842),
        ("a4-landscape", 842, 595),
        ("Letter", 612, 792),
        (" letter ", 612, 792),
    ],
)
def test_a_page_size_is_a_name_or_points(text: str, width: float, height: float):
    assert page_size(text) == Size(width=width, height=height)


@pytest.mark.parametrize(
    "text", ["", "A11", "595", "595x", "x842", "0x0", "-5x10", "1e9x5", "99999x99999", "A4-upside"]
)
def test_an_invalid_page_size_is_refused_with_the_valid_ones(text: str):
    with pytest.raises(BadInput, match="595x842, or one of A3, A4"):
        page_size(text)


def test_output_folders_differ_by_more_than_case():
    inputs = [Path("Form.png"), Path("form.jpg"), Path("form-2.png")]
    assert output_folders(inputs, Path("o")) == [Path("o/Form"), Path("o/form-2"), Path("o/form-2-2")]
