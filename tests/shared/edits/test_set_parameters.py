"""Parameters get other values; the template stays as it is."""

from __future__ import annotations

from bandsmith.shared.editing.sample_sync import in_step
from bandsmith.shared.edits.set_parameters import SetParameters
from bandsmith.shared.model.plan import Data
from bandsmith.shared.xml import parse

from .reports import edited, refused, slip


def test_a_parameter_gets_another_value_and_the_others_keep_theirs():
    edit = SetParameters(values={"customer": "Ann"})
    data = in_step(Data(parameters={"customer": "Ben", "number": 7}), [edit])
    assert data.parameters == {"customer": "Ann", "number": 7}


def test_a_parameter_that_the_report_does_not_have_is_refused():
    assert refused(slip(), SetParameters(values={"colour": "red"})).code == "value"


def test_the_template_stays_as_it_is():
    names = [node.get("name", "") for node in parse(slip()).iterchildren("{*}parameter")]
    edit = SetParameters(values=dict.fromkeys(names[:1], "Ann"))
    assert edited(slip(), edit).bytes() == edited(slip()).bytes()
