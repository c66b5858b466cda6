"""A session after turns of each kind: its report, its versions, its history, and what can be undone."""

from __future__ import annotations

from typing import Any

import pytest

from bandsmith.services.gateway.state import SessionState
from bandsmith.shared.events import (
    AnswerRead,
    CorrectTemplate,
    ExtractLayout,
    ModifyTemplate,
    ReadAnswer,
    RefineLayout,
    TemplateValidated,
    TurnFinished,
    ValidateTemplate,
)
from bandsmith.shared.model.session_parts import Intent
from bandsmith.shared.model.task import Answer
from bandsmith.shared.turns.verdict import Finding

from .play import (
    NOTES,
    PICTURE,
    TEMPLATE,
    Script,
    answer,
    finished,
    nodes,
    play,
    played,
    start,
    undone,
    wanting,
    with_report,
)
from .service_answers import answers
from .service_events import MODEL, CorrectedBy, corrected, extracted, modified, ref, refined, unread, validated


def way_of(text: str, script: Script, session: SessionState | None = None, attachments: tuple = ()) -> list[str]:
    """The nodes that a turn came to from where its intent was known."""
    came = nodes(list(play(script, start(text, attachments, session, "way"))))
    return came[came.index("classify_intent") + 1 :]


# --- the ways -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("intent", "way"),
    [
        ("initial_generation", ["ask_user", "finalize"]),
        ("modify_report", ["modify_jrxml", "save_session", "validate", "finalize"]),
        ("preview_report", ["save_session", "finalize"]),
        ("export_pdf", ["save_session", "finalize"]),
        ("export_jrxml", ["save_session", "finalize"]),
        ("export_file", ["save_session", "finalize"]),
        ("consult_question", ["handle_consult", "finalize"]),
        ("undo_modification", ["handle_undo", "save_session", "validate", "finalize"]),
        ("restore_version", ["handle_restore", "finalize"]),
        ("reset_session", ["ask_user", "finalize"]),
        ("unknown", ["modify_jrxml", "save_session", "validate", "finalize"]),
    ],
)
def test_with_a_report_each_intent_goes_its_way(intent: Intent, way: list[str]):
    assert way_of("words", wanting(intent), with_report(2)) == way


@pytest.mark.parametrize("intent", ["modify_report", "unknown"])
def test_without_a_report_a_change_or_unknown_request_makes_a_new_one(intent: Intent):
    assert way_of("words", wanting(intent))[:2] == ["retrieve", "generate"]


@pytest.mark.parametrize("intent", ["preview_report", "export_pdf", "export_jrxml", "export_file"])
def test_without_a_report_there_is_nothing_to_show_and_the_reply_says_so(intent: Intent):
    assert way_of("words", wanting(intent)) == ["finalize"]
    end = finished(played("words", wanting(intent)))
    assert end.reply.startswith("There is no report yet") and not end.files


def test_a_picture_becomes_a_skeleton():
    way = way_of("build this", wanting("initial_generation"), None, (PICTURE,))
    assert way[:2] == ["retrieve", "generate_skeleton"]


def test_remarks_drawn_on_a_picture_are_carried_out_before_the_report_is_saved():
    script = wanting("initial_generation", {ExtractLayout: [extracted(remarks=2)]})
    way = way_of("", script, None, (PICTURE,))
    assert way[-4:] == ["modify_jrxml", "save_session", "validate", "finalize"]


def test_a_template_that_comes_alone_is_checked_and_becomes_the_report():
    session = played("", wanting("unknown"), None, (TEMPLATE,))
    assert session.report.template == ref("read") and session.report.author == "process_input"
    assert finished(session).reply == "The template was read. Nothing in it was changed."


def test_a_text_that_comes_alone_makes_a_report():
    session = played("", wanting("initial_generation"), None, (NOTES,))
    assert finished(session).reply == "The report is built and passed every check."


@pytest.mark.parametrize(
    ("words", "beginning"),
    [
        ("build this", "It is better to start this report over than to edit it. 60% of the texts are fixed"),
        ("按图片生成报表", "这张报表修改起来不如重做。60% 的文本是固定文字"),
    ],
)
def test_the_reply_begins_with_what_speaks_against_a_template(words: str, beginning: str):
    reason = Finding.of("grade.fixed", severity="warning", share=0.6)
    graded = validated().model_copy(update={"grade": "start_over", "findings": [reason]})
    script = wanting("initial_generation", {ValidateTemplate: [graded]})
    end = finished(played(words, script, None, (PICTURE,)))
    assert end.grade == "start_over" and end.status == "done" and not end.passed
    assert end.reply.startswith(beginning) and "passed every check" not in end.reply


def test_the_reply_says_that_an_attached_template_was_not_used():
    session = played("", wanting("initial_generation"), None, (PICTURE, TEMPLATE))
    assert "the template you attached was not used" in finished(session).reply


def test_a_template_that_comes_with_a_change_is_changed():
    session = played("title larger", wanting("modify_report"), None, (TEMPLATE,))
    assert session.report.template == ref("modified")


def test_a_text_file_goes_to_the_reader_of_sentences():
    turn = play(wanting("initial_generation"), start("like this", (NOTES,)))
    at = next(session for session in turn if session.turn.node == "generate")
    [command] = at.turn.awaiting.values()
    assert [text["name"] for text in command.payload["texts"]] == ["columns.txt"]


# --- questions before something is lost -----------------------------------------------------------------------------


def asked(intent: Intent, session: SessionState | None = None, **more: Any) -> SessionState:
    return played("a new report", wanting(intent, **more), session or with_report(2), turn="asked")


def replied(agrees: bool | None, session: SessionState) -> SessionState:
    return played("yes", {ReadAnswer: [AnswerRead(agrees=agrees)], **wanting("consult_question")}, session, turn="yes")


@pytest.mark.parametrize("intent", ["initial_generation", "reset_session"])
def test_nothing_is_replaced_or_reset_without_a_question(intent: Intent):
    session = asked(intent)
    end = finished(session)
    assert session.report == with_report(2).report and end.asks and end.reply == end.asks.text and not end.complete


@pytest.mark.parametrize("intent", ["initial_generation", "reset_session"])
def test_a_no_leaves_everything_as_it_is(intent: Intent):
    session = replied(False, asked(intent))
    assert session.report == with_report(2).report and session.pending is None and session.suspended is None
    assert finished(session).reply == "Nothing was changed; the report stays as it is." and finished(session).complete


def test_a_yes_makes_the_new_report_and_undo_brings_the_old_one_back():
    session = replied(True, asked("initial_generation", spec=ref("spec")))
    assert session.report.template == ref("generated") and session.report.request == "a new report"
    assert [entry.text for entry in session.history][-2] == "yes"
    assert undone(session).report.template == ref("modified-1")


def test_a_yes_resets_the_session():
    session = replied(True, asked("reset_session"))
    assert (session.id, session.name) == ("s", "s")
    assert session.report is None and session.versions == [] and session.undo == [] and session.status == "new"
    assert [entry.text for entry in session.history] == ["yes", "The session was reset; its name stays."]


def decided(session: SessionState, turn: str = "decided", **answer: object) -> SessionState:
    """The session after a turn that answers by the id of the question, without words."""
    reply = Answer.model_validate({"question": session.pending.id} | answer)
    *_, last = play(session=start("", (), session, turn, reply=reply))
    return last


@pytest.mark.parametrize("intent", ["initial_generation", "reset_session"])
def test_a_decision_by_the_question_s_id_counts_as_a_yes_or_a_no_in_words(intent: Intent):
    question = asked(intent, spec=ref("spec")) if intent == "initial_generation" else asked(intent)
    accepted, rejected = decided(question, decision="accept"), decided(question, decision="reject")
    assert accepted.report == replied(True, question).report != question.report
    assert rejected.report == question.report and rejected.pending is None and finished(rejected).complete
    assert finished(rejected).reply == "Nothing was changed; the report stays as it is."


@pytest.mark.parametrize("answer", [{"question": "another", "decision": "accept"}, {"arguments": {"day": 2}}], ids=str)
def test_an_answer_that_does_not_fit_the_question_does_nothing_and_leaves_it_open(answer: dict[str, Any]):
    question = asked("reset_session")
    refused = decided(question, **answer)
    assert refused.report == question.report and refused.pending == question.pending
    assert not finished(refused).complete and finished(refused).reply != question.pending.text
    assert decided(refused, "again", decision="accept").report is None


def test_an_answer_to_no_question_is_not_complete():
    *_, last = play(session=start("", (), with_report(), "late", reply=Answer(question="gone", decision="accept")))
    assert not finished(last).complete and finished(last).reply.startswith("That question was answered already")


def test_anything_else_is_a_request_and_ends_the_question():
    session = replied(None, asked("reset_session"))
    assert finished(session).intent == "consult_question" and session.pending is None and session.suspended is None
    assert session.report == with_report(2).report


def test_a_sentence_that_names_the_replacement_is_not_asked_about():
    session = asked("initial_generation", replaces=True)
    assert session.report.template == ref("generated") and finished(session).asks is None
    assert finished(session).reply.endswith("It replaces version 2; “undo” brings that back.")


def test_an_empty_session_is_reset_without_a_question():
    assert finished(played("reset", wanting("reset_session"), turn="r")).asks is None


# --- versions and files ---------------------------------------------------------------------------------------------


def test_each_version_has_its_author_its_time_and_its_count_of_findings():
    script = wanting("modify_report", {ValidateTemplate: [validated(2), validated()]})
    session = played("change", script, with_report(1), turn="change")
    assert [(v.number, v.author, v.findings, v.passed) for v in session.versions] == [
        (1, "generate", 0, True),
        (2, "modify_jrxml", 2, False),
        (3, "correct_jrxml", 0, True),
    ]
    assert all(version.time for version in session.versions)
    assert finished(session).version == 3


def test_a_change_without_effect_makes_no_version_and_says_why():
    report = with_report(1)
    nothing = unread(report.report.template.model_dump())
    session = played("blah", wanting("modify_report", {ModifyTemplate: [nothing]}), report, turn="vain")
    assert session.versions == report.versions and session.undo == report.undo
    assert finished(session).reply == "I am not sure."


def test_an_export_has_the_name_of_its_format():
    exports: list[tuple[Intent, str, str]] = [
        ("export_pdf", "pdf", "report.pdf"), ("export_file", "xlsx", "report.xlsx")
    ]  # fmt: skip
    for intent, form, name in exports:
        end = finished(played("export", wanting(intent, format=form), with_report(1), turn=form))
        assert list(end.files) == [name] and name in end.reply
    assert set(finished(played("jrxml", wanting("export_jrxml"), with_report(1), turn="x")).files) == {
        "report.jrxml",
        "data.json",
    }
    end = finished(played("show", wanting("preview_report", format="png"), with_report(1), turn="p"))
    assert list(end.files) == ["page-1.png"]


def test_an_export_in_several_formats_has_a_file_of_each():
    wanted = wanting("export_file", format="pdf", formats=["pdf", "xlsx"], with_jrxml=True)
    end = finished(played("export both", wanted, with_report(1), turn="both"))
    assert list(end.files) == ["report.pdf", "report.xlsx", "report.jrxml", "data.json"]
    assert end.reply == "Exported as report.pdf, report.xlsx and report.jrxml."


def test_the_validator_gets_the_page_before_a_change_and_not_the_old_form():
    built = played("", wanting("initial_generation"), None, (PICTURE,), turn="built")
    assert built.report.form == ref("form")
    [command] = next(
        s.turn.awaiting.values()
        for s in play(wanting("modify_report"), start("x", (), built, "c"))
        if s.turn.node == "validate" and s.turn.awaiting
    )
    assert command.payload["form"] is None and command.payload["before"]["key"] == "page"


# --- what is seen of a change ---------------------------------------------------------------------------------------


def seen(look: str, *vanished: str) -> TemplateValidated:
    return validated().model_copy(update={"look": look, "seen": ref(f"seen-{look}"), "vanished": list(vanished)})


def changing(before: str, after: TemplateValidated, **more: object) -> TurnFinished:
    """How a change ends that turns a report of one look into the next."""
    built = played("a report", wanting("initial_generation", {ValidateTemplate: [seen(before)]}), turn="built")
    change = modified().model_copy(update={"unseen": "The pages look the same.", **more})
    script = wanting("modify_report", {ModifyTemplate: [change], ValidateTemplate: [after]})
    return finished(played("change it", script, built, turn="changed"))


def test_a_change_that_shows_nowhere_is_not_just_done():
    end = changing("red", seen("red"))
    assert "Made the title larger. The pages look the same." in end.reply and end.complete
    assert not changing("red", seen("red"), must_show=True).complete


def test_a_change_that_can_be_seen_is_done():
    end = changing("red", seen("blue"), must_show=True)
    assert "look the same" not in end.reply and end.complete and end.reply.endswith("The report passed every check.")


def test_a_page_that_lost_texts_has_not_just_passed_every_check():
    end = changing("red", seen("blue", "Total", "Customer"))
    assert "passed every check" not in end.reply
    assert "can no longer be seen: “Total” and “Customer”" in end.reply


def test_the_validator_gets_the_texts_that_were_seen_before_a_change_only():
    built = played("a report", wanting("initial_generation", {ValidateTemplate: [seen("red")]}), turn="built")
    seen_before: dict[Intent, str | None] = {"modify_report": "seen-red", "initial_generation": None}
    for intent, expected in seen_before.items():
        script = wanting(intent, replaces=True)
        [command] = next(
            s.turn.awaiting.values()
            for s in play(script, start("x", (), built, intent))
            if s.turn.node == "validate" and s.turn.awaiting
        )
        before = command.payload["seen_before"]
        assert (before["key"] if before else None) == expected


# --- what a model may cost, and what is learned from it ---------------------------------------------------------------


def test_windows_share_the_allowance_in_the_last_round_only():
    rounds = {
        session.turn.attempts["refine_layout"]: sum(
            command.payload["allowance"]["calls"] for command in session.turn.awaiting.values()
        )
        for session in play({RefineLayout: [refined(changed=3)]}, start(budget=MODEL))
        if [command.kind for command in session.turn.awaiting.values()] == ["RefineWindow"] * 2
    }
    assert rounds == {2: MODEL.calls}


def test_only_fixes_by_a_model_are_remembered():
    counts: dict[CorrectedBy, int] = {"model": 1, "rules": 0, "knowledge": 0}
    for by, remembered in counts.items():
        script = wanting(
            "modify_report", {ValidateTemplate: [validated(1), validated()], CorrectTemplate: [corrected(by=by)]}
        )
        sent = [
            command
            for session in play(script, start("change", (), with_report(1), "c"))
            for command in session.turn.awaiting.values()
            if command.kind == "RememberFixes"
        ]
        assert len(sent) == remembered
        if sent:
            assert [one["code"] for one in sent[0].payload["fixes"]] == ["structure.overlap"]


def test_a_correction_that_makes_it_worse_is_not_remembered():
    script = wanting(
        "modify_report",
        {
            ValidateTemplate: [validated(1), validated(3), validated()],
            CorrectTemplate: [corrected(by="model"), corrected("b")],
        },
    )
    assert not played("change", script, with_report(1), turn="c").turn.learned


# --- a long talk ----------------------------------------------------------------------------------------------------


def test_a_long_history_is_compressed():
    report = with_report(1)
    long = [said.model_copy(update={"text": "x" * 4000}) for said in report.history]
    session = played(
        "what is a field?", wanting("consult_question"), report.model_copy(update={"history": long}), turn="q"
    )
    assert session.archive == ref("archive") and len(session.history) == 3
    numbers = [said.number for said in session.history]
    assert numbers == sorted(set(numbers))


def test_a_second_answer_to_the_intent_changes_nothing():
    session = start("words")
    [command] = session.turn.awaiting.values()
    once = answer(session, command, answers(command)[0])
    assert answer(once, command, answers(command)[1]) is None


def test_a_change_that_makes_a_second_page_says_so_first():
    script = wanting("modify_report", {ValidateTemplate: [validated(page_count=2)]})
    reply = finished(played("ten rows", script, with_report(1), turn="longer")).reply
    assert reply.startswith("Note: the report now takes 2 pages, before the change it was 1.")


def test_a_new_report_of_several_pages_says_so_first():
    script = wanting("initial_generation", {ValidateTemplate: [validated(page_count=2)]})
    assert finished(played("30 rows to fill in", script)).reply.startswith("Note: the report takes 2 pages.")
