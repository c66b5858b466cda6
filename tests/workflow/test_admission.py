"""What a turn may begin with: messages that would be half carried out are refused with a sentence."""

from __future__ import annotations

import pytest

from bandsmith.services.gateway.admission import refusal
from bandsmith.shared.events import StartTurn
from bandsmith.shared.model.filling import Filling
from bandsmith.shared.model.source import Asking
from bandsmith.shared.model.task import Planning

from .play import PICTURE, with_report


@pytest.mark.parametrize("meant", [{"asking": Asking(source="shop")}, {"planning": Planning()}], ids=["data", "work"])
def test_a_question_about_data_and_work_to_plan_take_no_file(meant: dict[str, object]):
    said = StartTurn.model_validate({"text": "how many customers?", **meant})
    assert refusal(with_report(), said) is None
    error = refusal(with_report(), said.model_copy(update={"attachments": [PICTURE]}))
    assert error is not None and "Send the file by itself" in error.message


def test_a_filling_from_a_source_needs_no_words_and_one_with_a_file_needs_that():
    assert refusal(with_report(), StartTurn(filling=Filling(source="shop"))) is None
    assert refusal(with_report(), StartTurn(filling=Filling())) is not None
    assert refusal(with_report(), StartTurn()) is not None
