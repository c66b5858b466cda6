"""The pattern of a model's column says what its values are where the model does not."""

import pytest

from bandsmith.services.planner.language.spec.bounds import bounded
from bandsmith.shared.model.spec import ReportSpec


@pytest.mark.parametrize(
    ("column", "type_", "pattern"),
    [
        ({"pattern": "#,##0.0"}, "number", "#,##0.0"),
        ({"type": "text", "pattern": "#,##0.0"}, "number", "#,##0.0"),
        ({"pattern": "yyyy-MM-dd"}, "date", "yyyy-MM-dd"),
        ({"pattern": "dd.MM.yyyy HH:mm"}, "datetime", "dd.MM.yyyy HH:mm"),
        ({"type": "text", "pattern": "00000"}, "text", None),
        ({"type": "money", "pattern": "yyyy"}, "money", None),
        ({"pattern": "-"}, "text", None),
    ],
)
def test_a_pattern_gives_the_type_that_was_left_out(column: dict[str, str], type_: str, pattern: str | None) -> None:
    spec = ReportSpec.model_validate({"title": "Work", "columns": [{"label": "Hours", **column}]})
    [found] = bounded(spec).columns
    assert (found.type, found.pattern) == (type_, pattern)


def test_a_value_that_is_called_like_a_column_with_a_total_is_left_out() -> None:
    spec = ReportSpec.model_validate({
        "title": "Freight",
        "columns": [{"label": "Freight", "type": "money", "total": "sum"}],
        "summary": [{"label": "Freight", "kind": "value"}, {"label": "Paid", "kind": "value"}],
    })  # fmt: skip
    assert [line.label for line in bounded(spec).summary] == ["Paid"]
