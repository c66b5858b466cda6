"""Subjects: what a request calls the report, as its title."""

from __future__ import annotations

import re

from bandsmith.shared.language import Language

_REPORTS = (
    "report|list|sheet|invoice|bill|statement|note|order|receipt|table|summary|form|log|slip|ledger|quotation|quote|"
    "register|schedule|overview|catalogue|catalog|directory|card|plan|payroll|timesheet|inventory|journal"
)
_ASKING = re.compile(
    r"^(?:(?:hi|hello|hey|please|can|could|would|will|you|i|i'd|we|we'd|like|to|need|want|have|us|me|make|create|"
    r"generate|build|design|produce|prepare|print|give|show|write|draw|turn|convert|put|do|get|up|for|out|set|a|an|the|"
    r"my|our|this|these|into|use|data|new|simple|basic|nice|short|one|some|kindly|just|it|is|of|in|landscape|portrait|"
    r"a3|a4|a5)\b[ ,!.:]*)+",
    re.IGNORECASE,
)
_NAMED = re.compile(rf"((?:[A-Za-z'&/-]+ ){{0,4}}(?:{_REPORTS}))\b", re.IGNORECASE)
_ABOUT = re.compile(
    r"(?:report|list|table|summary|overview) (?:for|of|on|about) (?:all |the |our |my )*"
    r"((?:[A-Za-z'&/-]+ ){0,3}?[A-Za-z'&/-]+)(?= with\b| showing\b| that\b| by\b| including\b| grouped\b|:|,|$)",
    re.IGNORECASE,
)
_JOINING = frozenset({"with", "that", "showing", "containing", "of", "which", "from", "out", "and"})
_PLAIN = frozenset({"report", "table", "list", "sheet", "form", "summary", "overview"})
_SMALL = frozenset({"and", "of", "the", "for", "by", "per", "with", "in", "on", "to", "a", "an"})

_REPORTS_ZH = (
    r"(?:统计|汇总|明细|对账|报销|通讯|进度|盘点|考勤|花名|成绩|采购|送货|出库|入库|报价)?"
    r"(?:报表|报告|清单|订单|账单|名单|名册|台账|通讯录|单据|收据|发票|[表单册条账])(?!格)"
)
_ASKING_ZH = re.compile(
    r"^(?:把|用|根据|这个?表?|这些|以下|数据|[转变做弄]成|转为|请|帮|我们?(?:公司|单位|部门|学校|工厂)?|给|替|要|想|需要|生成|制作|做|出|来|写|弄|画|建|创建|设计|打印|导出|"
    r"一[张个份下]|个|张|份|能不能|可以|麻烦|一|新|简单的?|统计|各|按[^分组]{1,12}分组的?|你好|[,、 !。])+"
)
_NAMED_ZH = re.compile(rf"[\u3400-\u9fff]{{1,12}}?{_REPORTS_ZH}(?=的|$|[ (]|要|需|有|包|显)")
_PLAIN_ZH = frozenset({"报表", "数据报表", "报告", "清单"})


def subject(text: str, language: Language) -> str | None:
    """A title made of the words that name the report; None where it is only called a report."""
    return _chinese(text) if language == "zh" else _english(text)


def _english(text: str) -> str | None:
    for sentence in re.split(r"[.\n;!?]", text):
        said = _ASKING.sub("", sentence.strip())
        if about := _ABOUT.match(said):
            return _capital(f"{about[1]} report")
        found = _NAMED.match(said)
        if found and found[1].casefold() not in _PLAIN and not _JOINING & set(found[1].casefold().split()):
            return _capital(found[1])
    return None


def _capital(text: str) -> str:
    return " ".join(
        word if word.casefold() in _SMALL and n else word[:1].upper() + word[1:] for n, word in enumerate(text.split())
    )


def _chinese(text: str) -> str | None:
    for clause in re.split(r"[,。:;\n!?]", text):
        said = _ASKING_ZH.sub("", clause.strip())
        said = re.sub(r"^(?:A[345]|横向|横版|竖版|纵向|[的 ])+", "", said)
        said = re.sub(r"^.*(?:包含|包括|有|含).*的", "", said)
        said = re.sub(r"^按.*?分组的?", "", said)
        found = _NAMED_ZH.match(said)
        if found and found[0] not in _PLAIN_ZH:
            return found[0]
    return None
