"""What went wrong is told in two languages, and mended by the edits that the findings bring."""

from services.generator.correct import correct
from services.generator.explain import explain
from services.generator.jrxml import build
from services.generator.planning import plan
from shared.model.edits import Move
from shared.model.verdict import Finding

from .forms import blank, invoice

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


def test_a_correction_carries_out_the_findings_edits() -> None:
    template = build(plan(invoice().layout(), blank(), "invoice")[0])
    corrected, changed = correct(template, [OUTSIDE])
    assert changed and corrected != template
    assert correct(corrected, [OUTSIDE]) == (corrected, False)


def test_a_finding_without_edits_changes_nothing() -> None:
    template = build(plan(invoice().layout(), blank(), "invoice")[0])
    assert correct(template, [SIZE]) == (template, False)
