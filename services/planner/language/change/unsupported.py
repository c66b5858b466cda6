"""Requests that rules did not read or cannot carry out, and what the user may say or do instead."""

from __future__ import annotations

import re

from bandsmith.shared.replies import Text

_UNSUPPORTED: tuple[tuple[str, str], ...] = (
    (
        "language.unsupported.charts",
        r"\b(?:charts?|graphs?|diagrams?|plots?)\b|图表|[饼柱条线](?:状|形)?图|折线图|统计图",
    ),
    (
        "language.unsupported.crosstabs",
        r"\b(?:cross ?tabs?|pivots?(?: tables?)?)\b|交叉表|透视表",
    ),
    (
        "language.unsupported.barcodes",
        r"\b(?:bar ?codes?|qr(?: ?codes?)?)\b|条形码|条码|二维码",
    ),
    (
        "language.unsupported.pictures",
        r"\b(?:add|insert|put|include|upload)\b.*\b(?:logo|pictures?|images?|photos?|watermarks?)\b"
        r"|(?:加|插入|放|添加|上传).*(?:logo|图片|照片|标志|水印|商标)",
    ),
    (
        "language.unsupported.delivery",
        r"\b(?:e-?mail|send|print it out|schedule|share|publish)\b|发邮件|发送|邮件|定时|打印出来|分享|发给|发到",
    ),
    (
        "language.unsupported.row_filters",
        r"\bonly\b.*\b(?:over|under|above|below|than|where|with)\b|\bfilter\b|\bhide\b.*\b(?:rows?|zero|where|empty)\b"
        r"|筛选|过滤|只(?:显示|要|看).*(?:大于|小于|超过|的行|的数据|以上|以下)",
    ),
    (
        "language.unsupported.translation",
        r"\btranslate\b|翻译|译成",
    ),
    (
        "language.unsupported.vague_style",
        r"\b(?:prettier|nicer|beautiful|better looking|more professional|modern|fancier|look (?:good|better|nice))\b"
        r"|好看|漂亮|美观|美化|专业一点|高级一点",
    ),
)


def suggestion(clause: str) -> Text | None:
    """Return what to tell the user about a clause that asks for something unsupported."""
    return next((Text.of(code) for code, pattern in _UNSUPPORTED if re.search(pattern, clause, re.IGNORECASE)), None)
