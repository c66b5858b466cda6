"""Findings are explained in the user's language, errors first."""

from bandsmith.services.generator.failure_explanation import explain
from bandsmith.shared.edits.move import Move
from bandsmith.shared.turns.verdict import Finding

BAND = Finding(
    code="structure.band",
    message="The title stands outside its band.",
    message_zh="标题超出了所在的带区。",
    element="block1",
    edits=[Move(element="block1", y=1)],
)
EXTRA = Finding(code="picture.extra", message="A text is not on the form.", severity="warning")


def test_errors_come_before_warnings_in_both_languages() -> None:
    assert explain([EXTRA, BAND], "en") == (
        "1 error in the structure and the likeness to the form: The title stands outside its band. "
        "A text is not on the form. 1 of them can be fixed automatically."
    )
    assert explain([EXTRA, BAND], "zh").startswith("结构和表单相似度有 1 处错误：标题超出了所在的带区。")


def test_findings_beyond_the_first_five_are_counted() -> None:
    assert "There are 4 more." in explain([BAND] * 9, "en")
    assert "另有 4 条。" in explain([BAND] * 9, "zh")
