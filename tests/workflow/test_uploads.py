"""A template that the user attached: it is not corrected unasked, and what was found is said."""

from __future__ import annotations

from bandsmith.services.gateway.state import SessionState
from bandsmith.shared.events import ClassifyIntent, GenerateReport, TemplateValidated, TurnFinished, ValidateTemplate
from bandsmith.shared.turns.verdict import Finding

from .play import TEMPLATE, Script, end_of, nodes, play, played, start
from .service_events import ref, validated, wants

ALONE: Script = {ClassifyIntent: [wants("unknown")]}
FIX: Script = {ClassifyIntent: [wants("fix_report")]}


def noticing(*findings: Finding) -> TemplateValidated:
    return validated().model_copy(update={"findings": list(findings)})


def warning(code: str, message: str) -> Finding:
    return Finding(code=code, message=message, severity="warning")


def end(session: SessionState) -> TurnFinished:
    finished = end_of(session)
    assert isinstance(finished, TurnFinished)
    return finished


def uploaded() -> SessionState:
    return played("", ALONE, None, (TEMPLATE,), "up")


def test_a_rejected_upload_is_not_corrected():
    script: Script = {**ALONE, ValidateTemplate: [validated(errors=1)]}
    turn = list(play(script, start("", (TEMPLATE,), None, "up")))
    assert "correct_jrxml" not in nodes(turn)
    assert end(turn[-1]).reply.startswith("The template was read, and nothing in it was changed, but")
    assert turn[-1].report.template == ref("read")


def test_what_is_inert_and_what_was_noticed_is_said_when_the_template_comes():
    found = noticing(
        warning("inert.element", "One element is not drawn."), warning("structure.edge", "A text lies beyond the edge.")
    )
    script: Script = {**ALONE, ValidateTemplate: [found]}
    session = played("", script, None, (TEMPLATE,))
    assert end(session).reply.splitlines() == [
        "The template was read. Nothing in it was changed.",
        "One element is not drawn.",
        "All of this stays in the file as it is.",
        "One thing was noticed and left as it is:",
        "- A text lies beyond the edge.",
        "Say “fix it” to have this fixed.",
    ]


def test_later_turns_do_not_say_it_again():
    found = noticing(warning("inert.element", "One element is not drawn."))
    script: Script = {ClassifyIntent: [wants("modify_report")], ValidateTemplate: [found]}
    session = played("larger", script, uploaded())
    assert "not drawn" not in end(session).reply


def test_every_version_knows_the_upload_that_it_comes_from():
    changed = played("larger", {ClassifyIntent: [wants("modify_report")]}, uploaded())
    assert [version.upload for version in changed.versions] == [ref("read"), ref("read")]


def test_asked_to_fix_an_upload_it_is_validated_strictly_and_corrected():
    script: Script = {**FIX, ValidateTemplate: [validated(errors=1), validated()]}
    turn = list(play(script, start("fix it", (), uploaded(), "fix")))
    at = next(session for session in turn if session.turn.node == "validate")
    [command] = at.turn.awaiting.values()
    assert command.payload["strict"] and command.payload["upload"]["key"] == "read"
    assert "correct_jrxml" in nodes(turn)
    assert end(turn[-1]).reply == "What was found was fixed, and the report passed every check."


def test_where_nothing_can_be_fixed_the_reply_says_so():
    assert end(played("fix it", FIX, uploaded())).reply == "Nothing was found that could be fixed."


def test_a_template_that_comes_with_a_new_report_is_its_example_and_not_its_origin():
    script: Script = {ClassifyIntent: [wants("initial_generation")]}
    turn = list(play(script, start("sales, like this template", (TEMPLATE,), None, "new")))
    commands = [command for session in turn for command in session.turn.awaiting.values()]
    [command] = [command for command in commands if command.kind == GenerateReport.kind()]
    assert command.payload["example"]["key"] == "read"
    assert turn[-1].report.template == ref("generated") and turn[-1].report.upload is None
