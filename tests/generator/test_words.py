"""What went wrong is told in two languages."""

from bandsmith.services.generator.failure_explanation import explain
from bandsmith.shared.edits.move import Move
from bandsmith.shared.model.verdict import Finding

OUTSIDE = Finding(
    code="structure.outside",
    message="The title stands outside its band.",
    message_zh="标题超出了所在的带区。",
    element="block1",
    edits=[Move(element="block1", y=1)],
)
SIZE = Finding(code="picture.size", message="A text is too small.", severity="warning")


def test_errors_are_told_before_warnings_in_both_languages() -> None:
    english, chinese = explain([SIZE, OUTSIDE])
    assert english == (
        "1 error in the structure and the likeness to the form: The title stands outside its band. "
        "A text is too small. 1 of them can be mended by a rule."
    )
    assert chinese.startswith("结构、与原表单的相似度有 1 处错误:标题超出了所在的带区。")


def test_many_findings_are_counted_not_told() -> None:
    english, chinese = explain([OUTSIDE] * 9)
    assert "And 4 more." in english and "另有 4 条。" in chinese
