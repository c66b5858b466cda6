"""`bandsmith chat` through a pipe and on a terminal."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from bandsmith import local
from bandsmith.cli import terminal
from bandsmith.cli.chat_commands import COMMANDS
from bandsmith.cli.completion import ChatCompleter
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

from ..workflow.service_events import ref, validated, wants
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
    """Classify the first request as a new report, further ones as changes, and questions as questions."""

    def classify(command: ClassifyIntent) -> Event:
        if command.text.endswith("?"):
            return wants("consult_question")
        return wants("modify_report" if command.has_template else "initial_generation")

    script[ClassifyIntent] = classify
    script[CompressHistory] = lambda command: HistoryCompressed(history=command.history, archive=command.archive)


# --- what it says ---------------------------------------------------------------------------------------------------


def test_each_message_is_a_turn_with_files_in_the_sessions_folder(talk):
    result = talk("chat", "--session", "march", REPORT, "make the title larger")
    assert result.code == 0 and result.err == ""
    assert f"> {REPORT}" in result.out and "The report is built and passed every check." in result.out
    assert "> make the title larger" in result.out and "Made the title larger." in result.out
    assert Path("out/march/report.jrxml").read_text() == "modified"
    assert "out/march/: report.jrxml data.json" in result.out


def test_a_turn_has_one_line_of_progress(talk):
    result = talk("chat", REPORT)
    assert re.findall(r"^  [✓✗].*$", result.out, re.MULTILINE) == [re.search(r"  ✓ \d+\.\d s", result.out)[0]]


def test_verbose_shows_every_node_in_the_language_of_the_locale(talk, monkeypatch):
    timed = re.findall(r"^  ✓ (\w+) +\d+\.\d\d s", talk("chat", "-v", REPORT).out, re.MULTILINE)
    assert timed[:3] == ["start", "load_session", "process_input"] and timed[-1] == "finalize"

    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    result = talk("chat", "-v", "一张销售报表").out
    assert re.findall(r"^  ✓ (\w+) ", result, re.MULTILINE)[:3] == ["启动", "载入会话", "读取输入"]
    assert "报表已生成，并通过了全部检查。" in result and not re.search(r"wanted|passed", result)


def test_every_node_has_a_label_in_the_catalogue():
    labels = {code.removeprefix("cli.nodes.") for code in catalogue("zh") if code.startswith("cli.nodes.")}
    assert {row.at for row in ROWS} | set(LOCAL_NODES) <= {*labels, "*"}


def test_each_line_of_a_pipe_is_a_turn_unless_it_is_empty(talk):
    result = talk("chat", "--session", "march", piped=f"\ufeff{REPORT}\r\n\n  \nlarger\n/versions\n/quit\nsmaller\n")
    assert result.code == 0
    assert re.findall(r"^> (.*)$", result.out, re.MULTILINE) == [REPORT, "larger", "/versions", "/quit"]
    assert re.search(r"\*2 +modify_jrxml .* ✓ 0 +larger", result.out)


def test_an_attachment_needs_no_text(talk):
    Path("columns.txt").write_text("customer, amount")
    assert "The report is built" in talk("chat", "--attach", "columns.txt").out


def test_a_streamed_reply_is_not_printed_again(talk, script):
    async def answer(command: Command) -> Event:
        for piece in ("A field ", "is a column.\n"):
            await emit(piece)
        return QuestionAnswered(answer="A field is a column.", sources=["Fields"])

    script[AnswerQuestion] = answer
    result = talk("chat", "-v", "what is a field?")
    assert result.out.count("A field is a column.") == 1
    assert result.out.index("A field is") < result.out.index("✓ handle_consult") < result.out.index("From: Fields")


def test_output_is_free_of_control_characters_and_markup(talk, script):
    hostile = "\x1b[2J\x1b]0;mine\x07[red]\u202egnp.exe"

    async def answer(command: Command) -> Event:
        await emit(hostile)
        return QuestionAnswered(answer=hostile + "!", sources=[hostile])

    script[AnswerQuestion] = answer
    script[GenerateReport] = lambda _: ReportGenerated(template=ref("generated"), data=ref("data"), notes=[hostile])
    result = talk("chat", "--session", "march", f"{REPORT} {hostile} [/]", "what?", "/versions")
    assert result.code == 0
    assert not re.search("[\x1b\x07\u202e]", result.out + result.err) and result.out.count("[red]") >= 5
    assert "[/]" in talk("sessions", "show", "march").out


def test_a_user_who_comes_back_is_told_where_the_session_stands(talk, stored):
    stored.objects["generated"] = TEMPLATE
    assert "Your last request" not in talk("chat", "--session", "march", REPORT).out
    result = talk("chat", "--session", "march", "larger")
    assert re.search(r"^Version 1 of 20\d\d-.*, done:\n  - Title: SALES SLIP$", result.out, re.MULTILINE)
    assert f"Your last request: {REPORT}" in result.out and "Made the title larger." in result.out


def test_json_is_one_line_per_turn_and_nothing_else(talk, script):
    script[ModifyTemplate] = fails
    result = talk("chat", "--session", "march", "--json", REPORT, "larger")
    built, failed = map(json.loads, result.out.splitlines())
    assert built["status"] == "done" and built["version"] == 1 and built["request"] == REPORT
    assert "out/march/report.jrxml" in built["files"] and not built["again"]
    assert failed["error"] == {"code": "input", "message": "There is no such column."}
    assert result.code == 2


# --- commands -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["help", "Help!", "?", "帮助", "/help"])
def test_help_is_known_in_both_languages(talk, word):
    assert "/attach FILE" in talk("chat", word).out


@pytest.mark.parametrize("word", ["exit", "quit", "退出", "/quit", "/exit"])
def test_leaving_is_known_in_both_languages(talk, word):
    assert "is built" not in talk("chat", word, REPORT).out


def test_restore_asks_for_a_version_that_there_is(talk, script):
    asked = []

    def classify(command: ClassifyIntent) -> Event:
        asked.append(command.text)
        return wants("initial_generation") if len(asked) == 1 else wants("preview_report", format="png")

    script[ClassifyIntent] = classify
    assert talk("chat", "--session", "march", REPORT, "/restore 1").code == 0
    assert asked == [REPORT, "restore version 1"]
    wrong = talk("chat", "--session", "march", "/restore 9")
    assert wrong.code == 2 and wrong.err.startswith("Name one of the versions listed by /versions")


def test_runs_are_asked_for_by_a_slash_command(talk, script):
    asked = []

    def classify(command: ClassifyIntent) -> Event:
        asked.append(command.text)
        return wants("manage_runs")

    script[ClassifyIntent] = classify
    assert "There is one run." in talk("chat", "/runs", "/runs pause sales").out
    assert asked == ["which runs are there?", "pause the run sales"]
    wrong = talk("chat", "/runs burn sales")
    assert wrong.code == 2 and wrong.err.startswith("Say /runs alone")


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("/at", ["/attach"]),
        ("/restore ", ["1", "2", "10"]),
        ("/diff 2 1", ["1", "10"]),
        ("/open page", ["page-1.png"]),
        ("/attach fo", ["form.png"]),
        ("make", []),
    ],
)
def test_tab_completes_commands_versions_and_files(tmp_path: Path, monkeypatch, typed: str, completed: list[str]):
    for name in ("page-1.png", "form.png", "form.exe"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    found = ChatCompleter(COMMANDS, lambda: [1, 2, 10], tmp_path).get_completions(Document(typed), CompleteEvent())
    assert [typed[: len(typed) + one.start_position] + one.text for one in found] == [
        typed[: typed.rindex(" ") + 1] + one if " " in typed else one for one in completed
    ]


def test_the_history_is_bounded_and_private(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(terminal, "MAX_HISTORY_LINES", 10)
    path = tmp_path / "home" / "history"
    history = terminal._file_history(path)
    for number in range(8):
        history.append_string(f"request {number}")
    assert path.stat().st_mode & 0o777 == 0o600
    terminal._file_history(path)
    assert path.read_text().count("\n") == 5 and "request 7" in path.read_text()


def test_slash_commands_list_versions_and_files(talk):
    result = talk("chat", "--session", "march", "/versions", "/files", REPORT, "larger", "/versions", "/files", "/open")
    assert "There are no versions yet." in result.out and "There are no files yet." in result.out
    assert re.search(r"^ 1 +generate .*\n\*2 +modify_jrxml", result.out, re.MULTILINE)
    assert "out/march/report.jrxml  8 B" in result.out and result.out.endswith("out/march/page-1.png\n")


def test_diff_describes_the_changes_between_versions(talk, stored):
    stored.objects |= {"generated": TEMPLATE, "modified": TEMPLATE.replace(b"SALES SLIP", b"SALES")}
    result = talk("chat", "--session", "march", REPORT, "shorter", "/diff", "/diff 2 1", "/diff 1 1")
    first, second = re.findall(r"^  (.*SALES SLIP.*)$", result.out, re.MULTILINE)
    assert first != second and result.out.endswith("The versions are the same.\n")
    wrong = talk("chat", "--session", "march", "/diff 1 9")
    assert wrong.code == 2 and wrong.err == "Name one or two of the versions listed by /versions.\n"


def test_attach_accepts_names_as_a_terminal_quotes_them(talk):
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
def test_an_invalid_command_does_not_end_the_conversation(talk, line, words):
    result = talk("chat", piped=f"{line}\n{REPORT}\n")
    assert result.code == 2 and result.err == f"{words}\n" and "The report is built" in result.out


# --- what goes wrong ------------------------------------------------------------------------------------------------


def fails(command: Command) -> Event:
    raise BadInput("There is no such column.", message_zh="没有这一列。")


def test_a_failed_turn_does_not_end_the_conversation(talk, script):
    script[ReadChange] = lambda command: (
        fails(command) if "column" in command.text or "列" in command.text else ChangeRead(change=ref("c"))
    )
    result = talk("chat", "--session", "march", REPORT, "delete that column", "larger")
    assert result.code == 2 and result.err == "There is no such column.\n" and "Made the title larger." in result.out

    assert talk("chat", "--session", "march", "删掉那一列").err == "没有这一列。\n"  # in the language of the request


def test_an_unfinished_report_lists_its_findings(talk, script):
    script[ValidateTemplate] = lambda _: validated(errors=1)
    result = talk("chat", REPORT)
    assert result.code == 1 and "The report is unfinished." in result.out and "- Overlap 0." in result.out


def test_an_unexpected_error_does_not_end_the_conversation(talk, monkeypatch):
    monkeypatch.setattr("bandsmith.cli.chat_commands.ChatCommands._list_files", lambda commands: 1 / 0)
    result = talk("chat", "/files", REPORT)
    assert (
        result.code == 1 and result.err.startswith("Something went wrong inside Bandsmith") and "is built" in result.out
    )


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
def test_invalid_arguments_are_refused_before_anything_starts(talk, monkeypatch, arguments, words):
    monkeypatch.delattr(local, "local")
    Path("folder").mkdir()
    Path("empty.png").touch()
    Path("program.exe").write_text("MZ")
    result = talk("chat", *arguments)
    assert result.code == 2 and result.out == ""
    assert result.err.startswith(words) and result.err.count("\n") == 1


def test_too_long_and_empty_messages_are_refused(talk):
    assert talk("chat", piped="x" * 1_000_000).err.startswith("The message is longer than 8000 characters. Shorten it")
    assert talk("chat", piped="\n \n").err == "The message is empty. Type what you want, or attach a file.\n"


def test_a_session_may_have_a_chinese_name(talk):
    assert talk("chat", "--session", "三月报表", REPORT).code == 0
    assert Path("out/三月报表/report.jrxml").is_file()
    assert "三月报表" in talk("sessions", "list").out


def test_a_missing_component_has_its_own_exit_code(talk, monkeypatch):
    def without_engine(**_):
        raise MissingPart("The report engine is not set up; run `make setup`.")

    monkeypatch.setattr(local, "local", without_engine)
    result = talk("chat", REPORT)
    assert result.code == 3 and result.err == "The report engine is not set up; run `make setup`.\n"


# --- on a terminal --------------------------------------------------------------------------------------------------


def test_a_user_talks_at_the_prompt_and_leaves_with_ctrl_d(tmp_path: Path):
    terminal = Terminal(tmp_path, "--session", "march")
    assert "/help lists the commands" in terminal.prompt()
    terminal.say("/help")
    assert "/attach FILE" in terminal.prompt()

    terminal.say(REPORT)
    assert "✓ 0." in terminal.until("The report is built and passed every check.")
    assert "out/march/: report.jrxml" in terminal.prompt()

    terminal.say("what is a field?")
    answer = terminal.prompt()
    assert "A **field** is a column.\n\nA parameter is one value." in answer and answer.count("A parameter") == 1

    terminal.type("\x04")
    assert terminal.end() == 0


@pytest.mark.slow
def test_text_typed_during_a_turn_waits_for_the_prompt(tmp_path: Path):
    terminal = Terminal(tmp_path, "-v", seconds=0.3)
    terminal.prompt()
    terminal.say(REPORT)
    terminal.until("✓ load_session")
    terminal.type("larger\r")
    assert "larger" not in terminal.prompt()
    assert "Done: larger." in terminal.until("The report passed every check.")
    terminal.prompt()
    terminal.type("\x04")
    assert terminal.end() == 0


@pytest.mark.slow
def test_ctrl_c_cancels_a_turn_and_a_second_one_leaves_it(tmp_path: Path):
    # Given a running turn that the user cancels
    terminal = Terminal(tmp_path, "--session", "march", "-v", seconds=0.3)
    terminal.prompt()
    terminal.say(REPORT)
    terminal.until("✓ process_input")
    terminal.interrupt()
    terminal.until("The request was cancelled; there is no report yet.")
    # Then nothing of it is kept
    terminal.prompt()
    terminal.say("/versions")
    assert "There are no versions yet." in terminal.prompt()
    # And Ctrl-C at the prompt has to be pressed twice
    terminal.interrupt()
    assert "Press Ctrl-C again to leave." in terminal.prompt()
    terminal.interrupt()
    assert terminal.end() == 0


@pytest.mark.slow
def test_ctrl_c_ends_a_scripted_conversation(tmp_path: Path):
    terminal = Terminal(tmp_path, "--session", "march", "-v", REPORT, "larger", seconds=0.3)
    terminal.until("✓ process_input")
    terminal.interrupt()
    terminal.until("The request was cancelled; there is no report yet.")
    assert terminal.end() == 130
    assert "larger" not in terminal.text


@pytest.mark.slow
def test_a_second_window_goes_on_when_the_first_one_closes(tmp_path: Path):
    # Given two windows, where the first one's services work for both
    first = Terminal(tmp_path, "--session", "march")
    first.prompt()
    second = Terminal(tmp_path, "--session", "april")
    second.prompt()
    second.say(REPORT)
    second.until("The report is built and passed every check.")
    second.prompt()
    # When the first one closes
    first.type("\x04")
    assert first.end() == 0
    # Then the second one does the work itself
    second.say("larger")
    second.until("Done: larger.")
    second.prompt()
    second.type("\x04")
    assert second.end() == 0


# --- files of the output folder --------------------------------------------------------------------------------------


def test_a_file_of_the_user_is_not_overwritten(talk):
    Path("mine").mkdir()
    Path("mine/report.pdf").write_text("mine")
    result = talk("chat", "--out", "mine", REPORT)
    assert result.code == 2 and "report.pdf in mine was not written by Bandsmith" in result.err
    assert [path.name for path in Path("mine").iterdir()] == ["report.pdf"]
    assert talk("chat", "--out", "mine", "--force", REPORT).code == 0


def test_no_file_of_an_earlier_template_stays_beside_a_new_one(talk, script):
    talk("chat", "--session", "march", "--out", "files", REPORT)
    assert Path("files/report.pdf").exists()
    script[ValidateTemplate] = lambda _: validated(errors=1).model_copy(update={"pdf": None, "pages": []})
    talk("chat", "--session", "other", "--out", "files", REPORT)
    assert Path("files/report.jrxml").exists() and not Path("files/report.pdf").exists()


def test_a_request_that_was_not_carried_out_ends_with_an_exit_code(talk, script):
    script[ClassifyIntent] = lambda _: wants("undo_modification")
    assert talk("chat", "--session", "empty", "undo").code == 1
    assert talk("chat", "--session", "empty", "--json", "undo").code == 1
