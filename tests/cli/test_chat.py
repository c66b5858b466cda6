"""`bandsmith chat` as a person meets it, and as a program does: through a pipe, and on a terminal."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bandsmith import local
from bandsmith.services.gateway.local_nodes import LOCAL_NODES
from bandsmith.services.gateway.routes import ROWS
from bandsmith.shared.errors import BadInput, MissingPart
from bandsmith.shared.events import (
    AnswerQuestion,
    ChangeRead,
    ClassifyIntent,
    Command,
    CompressHistory,
    Event,
    GenerateReport,
    HistoryCompressed,
    ModifyTemplate,
    QuestionAnswered,
    ReadChange,
    ReportGenerated,
    ValidateTemplate,
)
from bandsmith.shared.replies import catalogue
from bandsmith.shared.reply_stream import emit

from ..workflow.play import ref, validated, wants
from .terminal import Terminal

REPORT = "a sales report"
TEMPLATE = b"""<jasperReport xmlns="http://jasperreports.sourceforge.net/jasperreports" name="sales"
    pageWidth="595" pageHeight="842" columnWidth="595" leftMargin="0" rightMargin="0" topMargin="0" bottomMargin="0">
  <title><band height="40"><staticText>
    <reportElement key="title" x="0" y="0" width="200" height="20"/><text>SALES SLIP</text>
  </staticText></band></title>
</jasperReport>"""


@pytest.fixture(autouse=True)
def usual(script):
    """The first request makes a report, the others change it; a question is answered."""

    def classify(command: ClassifyIntent) -> Event:
        if command.text.endswith("?"):
            return wants("consult_question")
        return wants("modify_report" if command.has_template else "initial_generation")

    script[ClassifyIntent] = classify
    script[CompressHistory] = lambda command: HistoryCompressed(history=command.history, archive=command.archive)


# --- what it says ---------------------------------------------------------------------------------------------------


def test_each_text_is_a_turn_whose_files_go_into_a_folder_of_the_sessions_name(talk):
    said = talk("chat", "--session", "march", REPORT, "make the title larger")
    assert said.code == 0 and said.err == ""
    assert f"> {REPORT}" in said.out and "The report is built and passed every check." in said.out
    assert "> make the title larger" in said.out and "Made the title larger." in said.out
    assert Path("out/march/report.jrxml").read_text() == "modified"
    assert "out/march/: report.jrxml data.json" in said.out


def test_every_node_has_a_line_with_its_time_and_in_a_chinese_environment_a_chinese_one(talk, monkeypatch):
    timed = re.findall(r"^  ✓ (\w+) +\d+\.\d\d s", talk("chat", REPORT).out, re.MULTILINE)
    assert timed[:3] == ["start", "load_session", "process_input"] and timed[-1] == "finalize"

    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    said = talk("chat", "一张销售报表").out
    assert re.findall(r"^  ✓ (\w+) ", said, re.MULTILINE)[:3] == ["启动", "载入会话", "读取输入"]
    assert "报表已生成，并通过了全部检查。" in said and not re.search(r"wanted|passed", said)


def test_every_node_has_a_label_in_the_catalogue():
    labels = {code.removeprefix("cli.nodes.") for code in catalogue("zh") if code.startswith("cli.nodes.")}
    assert {row.at for row in ROWS} | set(LOCAL_NODES) <= {*labels, "*"}


def test_the_lines_of_a_pipe_are_turns_and_empty_ones_are_not(talk):
    said = talk("chat", "--session", "march", piped=f"\ufeff{REPORT}\r\n\n  \nlarger\n/versions\n/quit\nsmaller\n")
    assert said.code == 0
    assert re.findall(r"^> (.*)$", said.out, re.MULTILINE) == [REPORT, "larger", "/versions", "/quit"]
    assert re.search(r"\*2 +modify_jrxml .* ✓ 0 +larger", said.out)


def test_a_file_needs_no_words(talk):
    Path("columns.txt").write_text("customer, amount")
    assert "The report is built" in talk("chat", "--attach", "columns.txt").out


def test_a_reply_that_was_shown_while_it_was_written_is_not_said_again(talk, script):
    async def answer(command: Command) -> Event:
        for piece in ("A field ", "is a column.\n"):
            await emit(piece)
        return QuestionAnswered(answer="A field is a column.", sources=["Fields"])

    script[AnswerQuestion] = answer
    said = talk("chat", "what is a field?")
    assert said.out.count("A field is a column.") == 1
    assert said.out.index("A field is") < said.out.index("✓ handle_consult") < said.out.index("From: Fields")


def test_nothing_that_comes_from_outside_steers_the_terminal_or_is_taken_for_markup(talk, script):
    hostile = "\x1b[2J\x1b]0;mine\x07[red]\u202egnp.exe"

    async def answer(command: Command) -> Event:
        await emit(hostile)
        return QuestionAnswered(answer=hostile + "!", sources=[hostile])

    script[AnswerQuestion] = answer
    script[GenerateReport] = lambda _: ReportGenerated(template=ref("generated"), data=ref("data"), notes=[hostile])
    said = talk("chat", "--session", "march", f"{REPORT} {hostile} [/]", "what?", "/versions")
    assert said.code == 0
    assert not re.search("[\x1b\x07\u202e]", said.out + said.err) and said.out.count("[red]") >= 5
    assert "[/]" in talk("sessions", "show", "march").out


def test_the_last_version_and_what_was_asked_for_are_there_the_next_time(talk):
    talk("chat", "--session", "march", REPORT)
    said = talk("chat", "--session", "march", "larger")
    assert "Current version: 1" in said.out and "Made the title larger." in said.out


def test_json_is_one_line_for_each_turn_and_all_there_is_on_standard_output(talk, script):
    script[ModifyTemplate] = fails
    said = talk("chat", "--session", "march", "--json", REPORT, "larger")
    built, failed = map(json.loads, said.out.splitlines())
    assert built["status"] == "done" and built["version"] == 1 and built["request"] == REPORT
    assert "out/march/report.jrxml" in built["files"] and not built["again"]
    assert failed["error"] == {"code": "input", "message": "There is no such column."}
    assert said.code == 2


# --- commands -------------------------------------------------------------------------------------------------------


def test_the_commands_tell_of_versions_and_files(talk):
    said = talk("chat", "--session", "march", "/versions", "/files", REPORT, "larger", "/versions", "/files", "/open")
    assert "There are no versions yet." in said.out and "There are no files yet." in said.out
    assert re.search(r"^ 1 +generate .*\n\*2 +modify_jrxml", said.out, re.MULTILINE)
    assert "out/march/report.jrxml  8 B" in said.out and said.out.endswith("out/march/page-1.png\n")


def test_two_versions_are_told_apart_in_words(talk, stored):
    stored.objects |= {"generated": TEMPLATE, "modified": TEMPLATE.replace(b"SALES SLIP", b"SALES")}
    said = talk("chat", "--session", "march", REPORT, "shorter", "/diff", "/diff 2 1", "/diff 1 1")
    first, second = re.findall(r"^  (.*SALES SLIP.*)$", said.out, re.MULTILINE)
    assert first != second and said.out.endswith("The versions are the same.\n")
    wrong = talk("chat", "--session", "march", "/diff 1 9")
    assert wrong.code == 2 and wrong.err == "Name one or two of the versions that /versions lists.\n"


def test_a_file_is_attached_by_the_name_that_a_terminal_writes_when_it_is_dropped_there(talk):
    Path("my columns.txt").write_text("customer")
    for name in ("my columns.txt", "'my columns.txt'", r"my\ columns.txt"):
        assert "Attached to your next request: my columns.txt" in talk("chat", f"/attach {name}").out


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("/bogus", "There is no such command; /help lists the commands."),
        ("/attach", "Name the file: /attach FILE"),
        ("/attach missing.png", "missing.png: There is no such file; check its name and folder."),
        ("/open ../secret", "There is no such file; /files lists the files."),
        ("/diff", "There are no two versions to compare yet."),
    ],
)
def test_a_command_that_cannot_be_is_told_in_one_sentence_and_the_talk_goes_on(talk, line, words):
    said = talk("chat", piped=f"{line}\n{REPORT}\n")
    assert said.code == 2 and said.err == f"{words}\n" and "The report is built" in said.out


# --- what goes wrong ------------------------------------------------------------------------------------------------


def fails(command: Command) -> Event:
    raise BadInput("There is no such column.", message_zh="没有这一列。")


def test_a_turn_that_fails_is_told_in_one_sentence_and_the_next_one_goes_on(talk, script, monkeypatch):
    script[ReadChange] = lambda command: fails(command) if "column" in command.text else ChangeRead(change=ref("c"))
    said = talk("chat", "--session", "march", REPORT, "delete that column", "larger")
    assert said.code == 2 and said.err == "There is no such column.\n" and "Made the title larger." in said.out

    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert talk("chat", "--session", "march", "column").err == "没有这一列。\n"


def test_a_report_that_could_not_be_finished_says_what_is_left(talk, script):
    script[ValidateTemplate] = lambda _: validated(errors=1)
    said = talk("chat", REPORT)
    assert said.code == 0 and "The report is unfinished." in said.out and "- Overlap 0." in said.out


def test_what_nobody_foresaw_is_a_sentence_and_the_talk_goes_on(talk, monkeypatch):
    monkeypatch.setattr("bandsmith.cli.chat_commands.ChatCommands._list_files", lambda commands: 1 / 0)
    said = talk("chat", "/files", REPORT)
    assert said.code == 1 and said.err.startswith("Something went wrong inside Bandsmith") and "is built" in said.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([""], "The message is empty. Type what you want, or attach a file."),
        ([REPORT, "  "], "The message is empty. Type what you want, or attach a file."),
        (["x" * 8001], "The message is longer than 8000 characters"),
        (["--attach", "missing.png"], "missing.png: There is no such file; check its name and folder."),
        (["--attach", "folder"], "folder: This is not a file."),
        (["--attach", "empty.png"], "empty.png: The file is empty."),
        (["--attach", "program.exe"], "program.exe: This type of file is not supported; the supported types are png,"),
        (["--session", "../../etc"], "A session name has 1 to 64 characters"),
        (["--session", ".hidden"], "A session name has 1 to 64 characters"),
        (["--session", "x" * 65], "A session name has 1 to 64 characters"),
        (["--session", "a\x1b[2Jb"], "A session name has 1 to 64 characters"),
    ],
)
def test_what_is_wrong_from_the_start_is_said_before_anything_starts(talk, monkeypatch, arguments, words):
    monkeypatch.delattr(local, "local")
    Path("folder").mkdir()
    Path("empty.png").touch()
    Path("program.exe").write_text("MZ")
    said = talk("chat", *arguments)
    assert said.code == 2 and said.out == ""
    assert said.err.startswith(words) and said.err.count("\n") == 1


def test_a_megabyte_of_text_and_no_text_at_all_are_refused(talk):
    assert talk("chat", piped="x" * 1_000_000).err.startswith("The message is longer than 8000 characters. Shorten it")
    assert talk("chat", piped="\n \n").err == "The message is empty. Type what you want, or attach a file.\n"


def test_a_session_may_have_a_chinese_name(talk):
    assert talk("chat", "--session", "三月报表", REPORT).code == 0
    assert Path("out/三月报表/report.jrxml").is_file()
    assert "三月报表" in talk("sessions", "list").out


def test_a_part_that_is_missing_is_named_and_has_an_exit_code_of_its_own(talk, monkeypatch):
    def without_engine(**_):
        raise MissingPart("The report engine is not set up; run `make setup`.")

    monkeypatch.setattr(local, "local", without_engine)
    said = talk("chat", REPORT)
    assert said.code == 3 and said.err == "The report engine is not set up; run `make setup`.\n"


# --- on a terminal --------------------------------------------------------------------------------------------------


def test_a_person_talks_at_a_prompt_and_leaves_with_the_end_of_input(tmp_path: Path):
    terminal = Terminal(tmp_path, "--session", "march")
    assert "/help lists the commands" in terminal.prompt()
    terminal.say("/help")
    assert "/attach FILE" in terminal.prompt()

    terminal.say(REPORT)
    assert "✓ validate" in terminal.until("The report is built and passed every check.")
    assert "out/march/: report.jrxml" in terminal.prompt()

    terminal.say("what is a field?")
    answer = terminal.prompt()
    assert "A **field** is a column.\n\nA parameter is one value." in answer and answer.count("A parameter") == 1

    terminal.type("\x04")
    assert terminal.end() == 0


def test_what_is_typed_while_a_turn_works_waits_for_the_prompt(tmp_path: Path):
    terminal = Terminal(tmp_path, seconds=0.5)
    terminal.prompt()
    terminal.say(REPORT)
    terminal.until("✓ load_session")
    terminal.type("larger\r")
    assert "larger" not in terminal.prompt()
    assert "Done: larger." in terminal.until("The report passed every check.")
    terminal.prompt()
    terminal.type("\x04")
    assert terminal.end() == 0


def test_ctrl_c_leaves_a_turn_to_itself_and_once_more_the_talk_and_the_next_one_finishes_it(tmp_path: Path):
    # Given a turn under way, from which the user turns away
    terminal = Terminal(tmp_path, "--session", "march", seconds=0.5)
    terminal.prompt()
    terminal.say(REPORT)
    terminal.until("✓ load_session")
    terminal.interrupt()
    terminal.until("The request continues, and its result will be shown here. Press Ctrl-C again to leave.")
    # Then it ends behind what they type
    terminal.prompt()
    terminal.type("larg")
    terminal.until("The report is built and passed every check.")
    terminal.type("er\r")
    # When they leave in the middle of that one
    terminal.until("✓ classify_intent")
    terminal.interrupt()
    terminal.until("Press Ctrl-C again to leave.")
    terminal.prompt()
    terminal.interrupt()
    terminal.until("Unfinished requests continue when you come back: bandsmith chat --session march")
    assert terminal.end() == 0

    # Then the next talk finishes it first
    terminal = Terminal(tmp_path, "--session", "march")
    shown = terminal.prompt()
    assert "Current version: 1" in shown and "Finishing: larger" in shown and "Done: larger." in shown
    terminal.say("/versions")
    assert re.search(r"\*2 +modify_jrxml", terminal.prompt())
    terminal.interrupt()
    assert "Press Ctrl-C again to leave." in terminal.prompt()
    terminal.interrupt()
    assert terminal.end() == 0


def test_ctrl_c_ends_a_talk_of_given_texts_and_what_is_not_done_goes_on_the_next_time(tmp_path: Path):
    terminal = Terminal(tmp_path, "--session", "march", REPORT, "larger", seconds=0.5)
    terminal.until("✓ load_session")
    terminal.interrupt()
    terminal.until("Unfinished requests continue when you come back: bandsmith chat --session march")
    assert terminal.end() == 130

    terminal = Terminal(tmp_path, "--session", "march", "/versions")
    terminal.until(f"Finishing: {REPORT}")
    terminal.until("The report is built and passed every check.")
    assert "larger" not in terminal.until("*1")
    assert terminal.end() == 0
