"""Sentences about scheduled runs: read by rules only where every word is accounted for."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.clock import read_clock
from bandsmith.services.planner.language.run_sentences import (
    corrects_run,
    read_run_correction,
    read_run_details,
    read_run_sentence,
)
from bandsmith.shared.model.run_request import RunAction, RunDraft, RunGap, RunRequest
from tests.each_case import each

AT_EIGHT = "BYHOUR=8;BYMINUTE=0"
FIRST_WORKDAY = "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1;BYHOUR={};BYMINUTE={}"


def read(text: str) -> dict[str, object]:
    request = read_run_sentence(text)
    assert request is not None and request.do == "add", text
    return request.draft.model_dump(exclude_defaults=True)


@each(
    "text, rule",
    [
        ("every day at 7:30 print the report and put it into daily", "30 7 * * *"),
        ("on weekdays at 6 pm fill it from shop and save it to sales/", "0 18 * * 1-5"),
        ("every Monday at 8 fill this report from shop and put it into reports/", f"FREQ=WEEKLY;BYDAY=MO;{AT_EIGHT}"),
        ("every Monday and Thursday fill it and mail it to ann@example.com", f"FREQ=WEEKLY;BYDAY=MO,TH;{AT_EIGHT}"),
        ("on the 15th of each month at noon fill the report and put it into reports", "0 12 15 * *"),
        ("at the end of every month fill it and put it into reports", f"FREQ=MONTHLY;BYMONTHDAY=-1;{AT_EIGHT}"),
        ("each first working day of the month, fill it, and put the PDFs into reports/", FIRST_WORKDAY.format(8, 0)),
        ("every last Friday of the month at 17:00 fill it and put it into reports",
         "FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=17;BYMINUTE=0"),
        ("每天早上7点半用shop填这份报表，放到daily文件夹", "30 7 * * *"),
        ("每个工作日下午6点填报表，把PDF放到sales文件夹", "0 18 * * 1-5"),
        ("每周一早上8点用shop填这份报表，把PDF放到reports文件夹", f"FREQ=WEEKLY;BYDAY=MO;{AT_EIGHT}"),
        ("每周一早上8点用附件填这份报表，把PDF放到reports文件夹", f"FREQ=WEEKLY;BYDAY=MO;{AT_EIGHT}"),
        ("每天早上7点半用附件里的数据把这份报表填好，放到daily文件夹", "30 7 * * *"),
        ("每周一和周四填报表，发给ann@example.com", f"FREQ=WEEKLY;BYDAY=MO,TH;{AT_EIGHT}"),
        ("每月15号中午12点生成报表，存到reports目录", "0 12 15 * *"),
        ("每月最后一天填报表，存到reports文件夹", f"FREQ=MONTHLY;BYMONTHDAY=-1;{AT_EIGHT}"),
        ("每月第一个工作日7:30用shop填报表，把PDF放到reports文件夹", FIRST_WORKDAY.format(7, 30)),
        ("每月最后一个周五17点填报表，存到reports文件夹", "FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=17;BYMINUTE=0"),
    ],
)  # fmt: skip
def test_the_times_of_a_run_are_read(text: str, rule: str):
    assert read(text)["rule"] == rule


def test_everything_that_is_said_of_a_run_is_read():
    text = (
        "Every Monday at 8 fill this report from shop for last month and put the PDF into reports/, mail me if it fails"
    )
    assert read(text) == {
        "rule": f"FREQ=WEEKLY;BYDAY=MO;{AT_EIGHT}",
        "source": "shop",
        "period": "last month",
        "formats": ["pdf"],
        "folder": "reports/",
        "tells_user": True,
    }
    text = (
        "on the first working day of each month fill it as Excel, mail it to ann@example.com and bob@example.com, "
        "call it sales, tell cy@example.com if it fails"
    )
    assert read(text) == {
        "rule": FIRST_WORKDAY.format(8, 0),
        "formats": ["xlsx"],
        "mail": ["ann@example.com", "bob@example.com"],
        "name": "sales",
        "tell": ["cy@example.com"],
    }


def test_a_report_for_each_customer_is_read():
    text = (
        "each first working day of the month, fill the statement of every customer for the month before, "
        "and put the PDFs into reports/ - mail me if one fails"
    )
    assert read(text) == {
        "rule": FIRST_WORKDAY.format(8, 0),
        "period": "last month",
        "each": "customer",
        "formats": ["pdf"],
        "folder": "reports/",
        "tells_user": True,
    }
    text = "每月第一个工作日用shop填每个客户上个月的报表，把PDF放到reports文件夹，如果失败了发邮件告诉我"
    assert read(text) == {
        "rule": FIRST_WORKDAY.format(8, 0),
        "source": "shop",
        "period": "上个月",
        "each": "客户",
        "formats": ["pdf"],
        "folder": "reports",
        "tells_user": True,
    }


def test_everything_that_is_said_of_a_run_is_read_in_chinese():
    text = "请每月第一个工作日早上8点用shop填上个月的报表，把PDF放到reports文件夹，如果失败了发邮件告诉我"
    assert read(text) == {
        "rule": FIRST_WORKDAY.format(8, 0),
        "source": "shop",
        "period": "上个月",
        "formats": ["pdf"],
        "folder": "reports",
        "tells_user": True,
    }


@pytest.mark.parametrize(
    "text",
    [
        "every Monday at 8 fill it from shop and give it to Bob",
        "every Monday fill the report for each day and put it into reports",
        "print a subtotal on every page",
        "make the title red every Monday",
        "show the total for each month",
        "put the date into the header",
        "每页打印小计",
        "每月的合计用红色",
        "每周一用shop填报表，如果超过100行就发给老板",
        "send the report",
        "fill it every Monday and every Tuesday at 8 and at 9 and put it into reports",
    ],
)
def test_a_sentence_with_a_word_that_no_rule_reads_is_left_to_a_model(text: str):
    assert read_run_sentence(text) is None


@pytest.mark.parametrize(
    ("text", "do", "names"),
    [
        ("which runs are there?", "list", []),
        ("show me all scheduled runs", "list", []),
        ("有哪些定时任务？", "list", []),
        ("列出所有的定时任务", "list", []),
        ("pause the run sales", "pause", ["sales"]),
        ("please pause the sales run", "pause", ["sales"]),
        ("cancel all runs", "cancel", ["all"]),
        ("resume the scheduled run", "resume", []),
        ("start the run sales now", "now", ["sales"]),
        ("暂停任务sales", "pause", ["sales"]),
        ("取消sales这个定时任务", "cancel", ["sales"]),
        ("恢复定时任务", "resume", []),
        ("马上执行任务sales", "now", ["sales"]),
    ],
)
def test_what_is_to_be_done_with_runs_is_read(text: str, do: RunAction, names: list[str]):
    assert read_run_sentence(text) == RunRequest(do=do, names=names)


@pytest.mark.parametrize("text", ["pause it", "cancel it", "stop it", "delete it", "暂停它", "取消它"])
def test_a_word_that_could_mean_anything_means_a_run_only_after_talk_of_runs(text: str):
    assert read_run_sentence(text) is None
    found = read_run_sentence(text, after_runs=True)
    assert found is not None and found.names == [] and found.do in ("pause", "cancel")


@pytest.mark.parametrize(
    ("gap", "text", "news"),
    [
        ("tell", "ann@example.com", {"tell": ["ann@example.com"], "tells_user": False}),
        ("tell", "to ann@example.com please", {"tell": ["ann@example.com"], "tells_user": False}),
        ("mail", "ann@example.com", {"mail": ["ann@example.com"]}),
        ("where", "reports/monthly", {"folder": "reports/monthly"}),
        ("where", "put it into reports", {"folder": "reports"}),
        ("when", "every Monday at 9", {"rule": "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0"}),
        ("when", "每天9点", {"rule": "0 9 * * *"}),
        ("period", "last month", {"period": "last month"}),
    ],
)
def test_an_answer_adds_to_what_is_known(gap: RunGap, text: str, news: dict[str, object]):
    known = RunRequest(do="add", gap=gap, draft=RunDraft(name="sales", source="shop", tells_user=gap == "tell"))
    read = read_run_details(text, known)
    assert read is not None
    assert read.draft == RunDraft.model_validate(known.draft.model_dump() | news)


@pytest.mark.parametrize(
    ("said", "time"),
    [
        ("8", (8, 0)), ("08:30", (8, 30)), ("5 pm", (17, 0)), ("12 am", (0, 0)), ("12 p.m.", (12, 0)),
        ("noon", (12, 0)),
        ("9 o'clock", (9, 0)), ("早上8点半", (8, 30)), ("下午三点", (15, 0)), ("晚上十点15分", (22, 15)),
        ("20:15", (20, 15)),
        ("十一点一刻", (11, 15)), ("25:00", None), ("13 pm", None), ("8:75", None), ("soon", None),
    ],
)  # fmt: skip
def test_times_of_day_are_read(said: str, time: tuple[int, int] | None):
    assert read_clock(said) == time


WEEKLY = "FREQ=WEEKLY;BYDAY=MO;BYHOUR=8;BYMINUTE=30"


@pytest.mark.parametrize(
    ("text", "rule", "news"),
    [
        ("at 9 instead", WEEKLY, {"rule": "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0"}),
        ("no, make it 9:15 please", "0 8 * * 1-5", {"rule": "15 9 * * 1-5"}),
        ("rather every Tuesday", WEEKLY, {"rule": "FREQ=WEEKLY;BYDAY=TU;BYHOUR=8;BYMINUTE=30"}),
        ("put it into sales instead", WEEKLY, {"folder": "sales"}),
        ("every day at 7, and call it daily", WEEKLY, {"rule": "0 7 * * *", "name": "daily"}),
        ("改成9点吧", WEEKLY, {"rule": "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0"}),
        ("还是每周二", WEEKLY, {"rule": "FREQ=WEEKLY;BYDAY=TU;BYHOUR=8;BYMINUTE=30"}),
        ("放到sales文件夹", WEEKLY, {"folder": "sales"}),
    ],
)
def test_a_correction_changes_only_what_it_names(text: str, rule: str, news: dict[str, object]):
    known = RunRequest(do="add", draft=RunDraft(name="weekly", source="shop", folder="reports", rule=rule))
    assert corrects_run(text)
    read = read_run_correction(text, known)
    assert read is not None
    assert read.draft == RunDraft.model_validate(known.draft.model_dump() | news)


@pytest.mark.parametrize(
    "text",
    [
        "make the title blue",
        "undo",
        "at 9 in red",
        "which runs are there?",
        "改成蓝色",
        "no",
        "25:00 instead",
        "9行一页",
    ],
)
def test_another_request_is_no_correction_of_a_run(text: str):
    known = RunRequest(do="add", draft=RunDraft(name="weekly", folder="reports", rule=WEEKLY))
    assert not corrects_run(text) or read_run_correction(text, known) is None


@pytest.mark.parametrize(
    ("text", "name", "before", "rule"),
    [
        ("move the run sales to 9", "sales", "0 8 * * 1", "0 9 * * 1"),
        ("change the sales run to every Tuesday", "sales", "0 8 * * 1", f"FREQ=WEEKLY;BYDAY=TU;{AT_EIGHT}"),
        ("把定时任务sales改到9点", "sales", "0 8 * * 1", "0 9 * * 1"),
        ("at 9 instead", "", "0 8 * * 1", "0 9 * * 1"),
    ],
)
def test_a_run_that_there_is_gets_other_times(text: str, name: str, before: str, rule: str):
    request = read_run_sentence(text, after_runs=not name)
    assert request is not None and (request.do, request.names) == ("change", [name] if name else [])
    changed = read_run_correction(request.wording, RunRequest(do="change", draft=RunDraft(rule=before)))
    assert changed is not None and changed.draft.rule == rule


@pytest.mark.parametrize("text", ["move the title to 9", "at 9 instead", "change the report to every Tuesday"])
def test_a_change_of_the_report_is_no_change_of_a_run(text: str):
    assert read_run_sentence(text) is None
