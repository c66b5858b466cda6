"""Beyond: what a request asks for that edits by rule cannot do, and what the user may do instead."""

from __future__ import annotations

import re

_BEYOND: tuple[tuple[str, tuple[str, str]], ...] = (
    (
        r"\b(?:charts?|graphs?|diagrams?|plots?)\b|图表|[饼柱条线](?:状|形)?图|折线图|统计图",
        (
            "Charts can only be drawn with a language model; name one with BANDSMITH_MODEL_URL and "
            "BANDSMITH_MODEL_NAME.",
            "图表需要语言模型才能绘制,请用 BANDSMITH_MODEL_URL 和 BANDSMITH_MODEL_NAME 指定一个。",
        ),
    ),
    (
        r"\b(?:cross ?tabs?|pivots?(?: tables?)?)\b|交叉表|透视表",
        (
            "Crosstabs can only be built with a language model; name one with BANDSMITH_MODEL_URL and "
            "BANDSMITH_MODEL_NAME.",
            "交叉表需要语言模型才能生成,请用 BANDSMITH_MODEL_URL 和 BANDSMITH_MODEL_NAME 指定一个。",
        ),
    ),
    (
        r"\b(?:bar ?codes?|qr(?: ?codes?)?)\b|条形码|条码|二维码",
        ("Barcodes cannot be added; add them to the exported JRXML.", "不能添加条码或二维码,请在导出的 JRXML 里添加。"),
    ),
    (
        r"\b(?:add|insert|put|include|upload)\b.*\b(?:logo|pictures?|images?|photos?|watermarks?)\b"
        r"|(?:加|插入|放|添加|上传).*(?:logo|图片|照片|标志|水印|商标)",
        (
            "A picture comes into a report only with the form that it is built from: attach one that shows it.",
            "图片只能随表单一起进入报表:请附上带有该图片的表单。",
        ),
    ),
    (
        r"\b(?:e-?mail|send|print it out|schedule|share|publish)\b|发邮件|发送|邮件|定时|打印出来|分享|发给|发到",
        (
            "Bandsmith makes, changes, shows and exports reports; what you do with the files is up to you.",
            "Bandsmith 只制作、修改、预览和导出报表;文件请自行发送或打印。",
        ),
    ),
    (
        r"\bonly\b.*\b(?:over|under|above|below|than|where|with)\b|\bfilter\b|\bhide\b.*\b(?:rows?|zero|where|empty)\b"
        r"|筛选|过滤|只(?:显示|要|看).*(?:大于|小于|超过|的行|的数据|以上|以下)",
        (
            "Rows are not filtered in the report; give it only the rows that it shall print.",
            "报表本身不筛选数据行;请只提供要打印的数据。",
        ),
    ),
    (
        r"\btranslate\b|翻译|译成",
        (
            "Translating needs a language model; single words can be changed, as in: rename “Total” to “Sum”.",
            "翻译需要语言模型;可以逐个修改文字,例如:把“Total”改成“合计”。",
        ),
    ),
    (
        r"\b(?:prettier|nicer|beautiful|better looking|more professional|modern|fancier|look (?:good|better|nice))\b"
        r"|好看|漂亮|美观|美化|专业一点|高级一点",
        (
            "Please say what shall look otherwise, for example “make the title larger”, “header blue”, “landscape” or "
            "“make the name column wider”.",
            "请说明要改哪里,例如“把标题改大”、“表头改成蓝色”、“横向”或“客户列宽一点”。",
        ),
    ),
)


def beyond(text: str) -> tuple[str, str] | None:
    """What to say of a clause that asks for such a thing, in English and Chinese."""
    return next((said for words, said in _BEYOND if re.search(words, text, re.IGNORECASE)), None)
