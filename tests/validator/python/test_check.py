"""Which Python of a model runs as a step of an analysis: what is on the allow-list, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from bandsmith.services.validator.python.check import MAX_CHARS, CodeRefused, check_code
from tests.each_case import each
from tests.yaml_files import read_yaml

HOSTILE = {
    f"{kind}: {code}": code
    for kind, codes in read_yaml(Path(__file__).with_name("hostile.yaml")).items()
    for code in codes
}
HARMLESS = {
    "statistics": "result = rows.groupby('city')['total'].agg(['mean', 'std', 'median'])",
    "forecast": "import numpy as np\nfrom scipy import stats\n"
    "line = stats.linregress(np.arange(len(rows)), rows['total'])\n"
    "result = {'next': line.intercept + line.slope * len(rows)}",
    "pivot": "result = rows.pivot(index='month', columns='city', values='total').fillna(0)",
    "a function": "def share(value, whole):\n    return value / whole if whole else 0\n"
    "result = rows.assign(share=rows['total'].map(lambda one: share(one, rows['total'].sum())))",
    "dates": "import pandas as pd\nrows['month'] = pd.to_datetime(rows['sold_on']).dt.to_period('M').astype(str)\n"
    "result = rows.groupby('month', as_index=False)['total'].sum()",
    "a moving mean": "result = rows.assign(mean=rows['total'].rolling(3).mean())",
    "a loop": "found = []\nfor month, part in rows.groupby('month'):\n"
    "    found.append({'month': month, 'n': len(part)})\n"
    "import pandas as pd\nresult = pd.DataFrame(found)",
    "a column like a method": "result = rows.groupby('city').agg({'to_csv_count': 'sum'})",
}


def test_the_list_has_at_least_sixty_statements():
    assert len(HOSTILE) >= 60


@each("code", HOSTILE.values())
def test_hostile_python_is_refused_before_it_runs(code: str):
    code = code if "result" in code else f"{code}\nresult = 1"
    with pytest.raises(CodeRefused) as refused:
        check_code(code, ["rows"])
    assert refused.value.code != "data.python.no_result" and refused.value.reason.zh


@pytest.mark.parametrize("code", HARMLESS.values(), ids=HARMLESS.keys())
def test_statistics_of_data_frames_may_run(code: str):
    check_code(code, ["rows"])


def test_code_that_gives_no_result_is_refused_with_the_reason():
    with pytest.raises(CodeRefused, match="assigns no `result`"):
        check_code("x = rows", ["rows"])


@pytest.mark.parametrize(
    "code", ["(" * 3_000 + ")" * 3_000, "x = 1\n" * MAX_CHARS, "result = " + "-" * 7_000 + "1", "result = 1\x00"]
)
def test_code_that_is_too_much_to_read_is_refused(code: str):
    with pytest.raises(CodeRefused):
        check_code(code, [])


def test_other_frames_than_those_of_the_step_are_unknown():
    with pytest.raises(CodeRefused, match="salaries"):
        check_code("result = salaries", ["rows"])
