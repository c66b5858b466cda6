"""Counting tokens with the model's tokenizer, or estimating them."""

from pathlib import Path

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from bandsmith.shared.errors import BadInput
from bandsmith.shared.llm import model_from
from bandsmith.shared.settings import ModelSettings
from bandsmith.shared.tokens import counter, estimate


@pytest.mark.parametrize(
    ("text", "tokens"),  # as the vocabulary of Qwen has them
    [
        ("", 0),
        ("Please add a total row at the bottom of the report and make the title larger.", 17),
        ("生成一个包含客户名和金额的表格，按地区分组，要小计和总计。", 21),
        ('{"edits": [{"do": "move", "element": "t12", "x": 48}, {"do": "delete", "element": "t3"}]}', 39),
        ('<textField><reportElement x="40" y="12" width="100" height="14" key="d2"/></textField>', 33),
    ],
)
def test_the_estimate_is_near(text: str, tokens: int):
    assert tokens * 0.8 <= estimate(text) <= tokens * 1.3


@pytest.mark.timeout(20)
def test_estimating_long_text_is_fast():
    assert estimate("a" * 1_000_000) == 200_000
    assert estimate("合" * 1_000_000) == 800_000


def test_a_configured_tokenizer_is_used(tmp_path: Path):
    words = Tokenizer(models.WordLevel({"total": 0, "row": 1, "?": 2}, unk_token="?"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    words.save(str(tmp_path / "tokenizer.json"))

    assert counter(tmp_path / "tokenizer.json")("total row total internationalisation") == 4
    model = model_from(ModelSettings(url="http://127.0.0.1:1/v1", name="m", tokenizer=tmp_path / "tokenizer.json"))
    assert model and model.count_tokens("internationalisation") == 1


def test_an_invalid_tokenizer_is_an_error_naming_the_setting(tmp_path: Path):
    (tmp_path / "tokenizer.json").write_text("{}")
    for path in (tmp_path / "tokenizer.json", tmp_path / "missing.json"):
        with pytest.raises(BadInput, match="BANDSMITH_MODEL_TOKENIZER") as refused:
            counter(path)
        assert str(tmp_path) not in refused.value.message
