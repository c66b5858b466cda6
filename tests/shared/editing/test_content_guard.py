"""What a model's edits may make disappear: hardly anything that the user did not ask to have removed."""

from __future__ import annotations

import pytest

from bandsmith.shared.editing.content_guard import carry_out_within_limit, lost_content
from bandsmith.shared.editing.visible_content import visible_content
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.replace_band import ReplaceBand
from bandsmith.shared.edits.resize import Resize
from bandsmith.shared.edits.resize_band import ResizeBand
from bandsmith.shared.edits.set_expression import SetExpression
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.edits.set_text import SetText

ITALIC = SetProperty(element="t1", name="isItalic", value="true")
NAMES = [f"t{number}" for number in range(6)]
TEMPLATE = (
    '<jasperReport xmlns="http://jasperreports.sourceforge.net/jasperreports" name="r" pageWidth="600" pageHeight="800"'
    ' columnWidth="560" leftMargin="20" rightMargin="20" topMargin="20" bottomMargin="20">'
    '<field name="f" class="java.lang.String"/><title><band height="200">'
    + "".join(
        f'<staticText><reportElement key="{name}" x="0" y="{20 * at}" width="100" height="20"/>'
        f"<text>{name}</text></staticText>"
        for at, name in enumerate(NAMES)
    )
    + '</band></title><detail><band height="20"><textField><reportElement key="value" x="0" y="0" width="100"'
    ' height="20"/><textFieldExpression>$F{f}</textFieldExpression></textField></band></detail></jasperReport>'
).encode()

GONE: dict[str, list[AnyEdit]] = {
    "deleted": [Delete(element="t1"), Delete(element="t2")],
    "blanked": [SetText(element="t1", text=" ")],
    "filled with invisible characters": [SetText(element="t1", text="\u200b")],
    "white": [SetProperty(element="t1", name="forecolor", value="#FFFFFF")],
    "nearly white": [SetProperty(element="t1", name="forecolor", value="#FBFBFB")],
    "never printed": [SetProperty(element="t1", name="printWhenExpression", value="Boolean.FALSE")],
    "never printed, in other words": [
        SetProperty(element="t1", name="printWhenExpression", value="new Boolean(false)")
    ],
    "without size": [Resize(element="t1", width=0)],
    "with a tiny font": [SetProperty(element="t1", name="fontSize", value="0.1")],
    "a value that is blank": [SetExpression(element="value", expression='""')],
    "a value that is null": [SetExpression(element="value", expression="null")],
    "a band without height": [ResizeBand(band="detail", height=0)],
    "a band that is replaced": [ReplaceBand(band="detail", xml='<band height="20"/>')],
}
KEPT: dict[str, list[AnyEdit]] = {
    "other words": [SetText(element=name, text=f"New {name}") for name in NAMES],
    "another colour": [SetProperty(element=name, name="forecolor", value="#3355AA") for name in NAMES],
    "white on blue": [
        SetProperty(element="t1", name="mode", value="Opaque"),
        SetProperty(element="t1", name="backcolor", value="#000080"),
        SetProperty(element="t1", name="forecolor", value="#FFFFFF"),
    ],
    "printed in some rows": [SetProperty(element="value", name="printWhenExpression", value="$F{f} != null")],
    "the same in a new band": [
        ReplaceBand(
            band="detail",
            xml='<band height="30"><textField><reportElement key="new" x="9" y="0" width="90" height="20"/>'
            "<textFieldExpression>$F{f}</textFieldExpression></textField></band>",
        )
    ],
}


@pytest.mark.parametrize("case", GONE)
def test_content_that_disappears_unasked_stays(case: str):
    after, outcomes = carry_out_within_limit(TEMPLATE, GONE[case])
    assert visible_content(after) == visible_content(TEMPLATE)
    assert not any(outcome.changed for outcome in outcomes)


@pytest.mark.parametrize("case", KEPT)
def test_changes_that_hide_nothing_are_carried_out(case: str):
    _, outcomes = carry_out_within_limit(TEMPLATE, KEPT[case])
    assert all(outcome.changed for outcome in outcomes)


def test_the_shade_behind_a_page_may_go_although_nothing_else_is_in_its_band():
    area = (
        b'<background><band height="700"><rectangle><reportElement key="paper" x="0" y="0" width="560" height="700"'
        b' backcolor="#FAF7EF"/></rectangle></band></background><title><band height="200">'
    )
    texts = b"".join(
        b'<staticText><reportElement x="%d" y="180" width="50" height="20"/><text>%d</text></staticText>' % (x, x)
        for x in range(0, 500, 50)
    )
    template = TEMPLATE.replace(b'<title><band height="200">', area + texts)
    after, _ = carry_out_within_limit(template, [Delete(element="paper")])
    assert b"paper" not in after


def test_what_was_asked_for_may_go():
    after, outcomes = carry_out_within_limit(TEMPLATE, GONE["deleted"], asked=["t1", "t2"])
    assert all(outcome.changed for outcome in outcomes) and len(visible_content(after).names) == 5


def test_edits_that_lose_nothing_are_carried_out_beside_those_that_are_left_out():
    bold = SetProperty(element="t0", name="isBold", value="true")
    _, outcomes = carry_out_within_limit(TEMPLATE, [*GONE["deleted"], bold])
    assert [outcome.changed for outcome in outcomes] == [False, False, True]
    assert "did not ask" in outcomes[0].reason.en


def test_several_corrections_lose_no_more_than_one():
    once, _ = carry_out_within_limit(TEMPLATE, [SetText(element="t1", text="")], asked=["t1"])
    loss = lost_content(visible_content(TEMPLATE), visible_content(once))
    assert loss.is_too_much and loss.elements == ["t1"]
    _, outcomes = carry_out_within_limit(once, [Delete(element="t2")], asked=["t1"], reference=TEMPLATE)
    assert not outcomes[0].changed


def test_what_would_take_the_place_of_a_text_that_stays_does_not_move() -> None:
    edits: list[AnyEdit] = [Delete(element="t1"), Delete(element="t2"), Move(element="t3", y=20), ITALIC]
    template, outcomes = carry_out_within_limit(TEMPLATE, edits)
    assert [outcome.changed for outcome in outcomes] == [False, False, False, True]
    assert b'key="t3" x="0" y="60"' in template
