"""Page numbers, page headers and footers, print dates, titles and subtitles."""

from __future__ import annotations

import re

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add import Add
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.resize import Resize
from bandsmith.shared.edits.resize_band import ResizeBand
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.edits.set_text import SetText
from bandsmith.shared.fields.identifiers import name_for
from bandsmith.shared.fonts import is_cjk

from ...reference_resolver import Target
from ...template_view import TemplateView, ViewElement
from ..reading import Clause, ClauseReading, refused
from ..style_phrases import StyleChange
from .placed_text import added
from .style import edits_of

PAGE_NUMBER_CHARS = 2
"""Characters of a page number that there is room for."""
GAP_PT = 10
"""Gap between a page number and the text beside it."""
_ADD = r"(?:add|show|put|print|display|insert|include|write|place|set|i want)\s+(?:the |a |an )?"
_ADD_ZH = r"(?:加上一?个?|加入|增加一?个?|添加一?个?|显示|插入一?个?|打印|放|写上|写|加一?个?|设置|设为|要有)"
_SIDE = (
    r"(?P<side>(?:(?:at|in|on|to) the )?(?:(?:bottom|top|lower|upper)[ -]?)?(?:left|right|cent(?:er|re)"
    r"|middle)(?: (?:corner|side))?(?: of the (?:page|footer|report|header))?|"
    r"(?:at|in|on) the (?:bottom|top|foot|footer|header)(?: of (?:the |each |every )?(?:page|report))?"
    r"(?:,? ?(?:on |at |in )?(?:the )?(?:left|right|cent(?:er|re)))?|on (?:every|each) page)"
)
_SIDE_ZH = (
    r"(?P<side>(?:页脚|页面|页)?(?:的)?(?:最)?(?:左下角|右下角|左上角|右上角"
    r"|下方|底部|下面|上方|顶部|上面|页脚|页眉|右边|左边|右侧|左侧|中间|居中"
    r"|靠右"
    r"|靠左|正中|底部居中|中央)+)"
)
_NUMBER = r"(?:page numbers?|page no\.?|pagination|页码|页号|页数)"
_OF = (
    r"(?:page (?:1|n|x|#) of (?:n|m|y|x|\d+)|page x/y|第\s*[x1n]\s*页\s*[/,，、]?\s*共\s*[xyn\d]\s*页|总页数|total "
    r"(?:page count|pages|number of pages)|第几页共几页)"
)


def _side(words: str | None) -> tuple[str, bool]:
    """Return the alignment that words name, and whether they name the top of the page."""
    words = (words or "").casefold()
    left, right = re.search("left|左", words), re.search("right|右", words)
    return ("Left" if left else "Right" if right else "Center"), bool(re.search("top|upper|header|上|顶|页眉", words))


def page_number(clause: Clause) -> ClauseReading | None:
    """Add a page number, or move the one that is there."""
    found = clause.match(
        rf"(?:{_ADD})?{_NUMBER}(?: (?:on every page|to (?:the|each|every) (?:page|footer)))?(?:\s*{_SIDE})?",
        rf"(?:move|put|place|align|set|show|print|display) (?:the )?{_NUMBER}\s*{_SIDE}",
        rf"(?:把|将)?(?:{_ADD_ZH}){_NUMBER}(?:在|到)?(?:{_SIDE_ZH})?",
        rf"(?:把|将)?{_NUMBER}(?:都)?(?:要)?(?:放|移|显示|打印|改|置|挪|加|调)?(?:在|到|于|成)?{_SIDE_ZH}(?:显示)?",
        rf"(?:在)?{_SIDE_ZH}(?:{_ADD_ZH}){_NUMBER}",
    )
    if not found:
        return None
    view = clause.view
    numbers = view.page_numbers
    side, top = _side(found["side"])
    if numbers and found["side"]:
        target = Target("page number", tuple(numbers), role="page_number")
        edits = _moved_together(view, numbers, side) or edits_of(view, target, [StyleChange("textAlignment", side)])
        return ClauseReading(edits or [], target=target)
    if numbers:
        return refused("language.page_number_printed_already")
    expression = '"第 " + $V{PAGE_NUMBER} + " 页"' if view.chinese else '"Page " + $V{PAGE_NUMBER}'
    band = "pageHeader" if top else "pageFooter"
    return ClauseReading(
        [
            Add.model_validate(
                {"key": _key(clause, "page_number"), "band": band, "expression": expression, "align": side}
            )
        ]
    )


def _moved_together(view: TemplateView, elements: list[ViewElement], side: str) -> list[AnyEdit] | None:
    """Return the edits that move “Page 1” and “of 9” to a side as one; None unless there are two on one line."""
    elements = sorted(elements, key=lambda element: element.x)
    if len(elements) != 2:
        return None
    number, count = elements
    if number.band != count.band or abs(number.y - count.y) > number.height / 2:
        return None
    chars = sum(2 if is_cjk(char) else 1 for char in number.words) + PAGE_NUMBER_CHARS
    number_width = min(number.width, round(0.55 * number.size * chars))
    left, right = view.sides
    width = number_width + count.width
    x = max(0, {"Left": left, "Center": (left + right - width) // 2, "Right": right - width}[side])
    covered = [
        element
        for element in view.texts
        if element not in elements and element.band == number.band and abs(element.y - number.y) < number.height
        and x < element.x + element.width and element.x < x + width
    ] if side != "Center" else []  # fmt: skip
    # An element that is too wide cannot move far: it is narrowed first.
    return [
        *(_swapped_to_other_side(covered[0], side, left, right, width) if len(covered) == 1 else []),
        Resize(element=number.key, width=number_width),
        Move(element=number.key, x=x),
        SetProperty(element=number.key, name="textAlignment", value="Right"),
        Move(element=count.key, x=x + number_width),
    ]


def _swapped_to_other_side(element: ViewElement, side: str, left: int, right: int, width: int) -> list[AnyEdit]:
    """Return the edits that clear `width` points at a side of the text that is there."""
    free = min(element.width, right - left - width - GAP_PT)
    return [
        Resize(element=element.key, width=free),
        Move(element=element.key, x=right - free if side == "Left" else left),
        SetProperty(element=element.key, name="textAlignment", value="Right" if side == "Left" else "Left"),
    ]


def _subtitle(clause: Clause, new: str, key: str) -> list[AnyEdit] | None:
    """Return the edits that add a line below the title, smaller than it, and move down what is below."""
    view = clause.view
    title = view.title
    if title is None or title.section != "title" or view.in_sections("background"):
        return None
    in_band = [element for element in view.pieces if element.band == title.band]
    end = title.y + title.height
    if any(element.y < end and element.y + element.height > end for element in in_band):
        return None
    size = max(9, round(title.size * 0.55))
    line_height = round(size * 1.5) + 2
    band = next(title.node.iterancestors("{*}band"))
    lower = sorted((element for element in in_band if element.y >= end), key=lambda element: -element.y)
    align = title.node.find("{*}textElement")
    side = align.get("textAlignment", "Left") if align is not None else "Left"
    return [
        ResizeBand(band="title", height=int(band.get("height", "0")) + line_height),
        *(Move(element=element.key, y=element.y + line_height) for element in lower),
        Add.model_validate(
            {"key": key, "band": "title", "text": new, "x": title.x, "y": end, "width": title.width,
             "height": line_height, "like": title.key}
        ),
        SetProperty(element=key, name="fontSize", value=str(size)),
        SetProperty(element=key, name="isBold", value="false"),
        SetProperty(element=key, name="textAlignment", value=side),
    ]  # fmt: skip


def page_of_pages(clause: Clause) -> ClauseReading | None:
    """“Page 1 of N”: two fields, as the number of pages is known only when the report is filled."""
    text = re.sub(r"[\ue000-\ue0ff]", lambda mark: clause.words(mark[0]), clause.text)
    sides = (_SIDE, _SIDE_ZH)
    found = next(
        (
            hit
            for pattern in (
                rf"(?:{_ADD})?(?:page numbers? as |page numbers? like )?{_OF}(?:\s*{sides[0]})?",
                rf"(?:change|make|turn|set) (?:the )?{_NUMBER} (?:to|into|as|read|show) {_OF}(?P<side>)",
                rf"(?:在)?(?:{sides[1]})?(?:{_ADD_ZH}|用)?(?:{_OF})",
                rf"(?:把|将)?{_NUMBER}(?:格式)?(?:改成|改为|显示为|显示成|用"
                rf"|写成|换成)(?:{_OF})(?:的)?(?:格式|形式)?(?P<side>)",
            )
            if (hit := re.fullmatch(pattern, text, re.IGNORECASE))
        ),
        None,
    )
    if not found:
        return None
    view = clause.view
    side, top = _side(found["side"])
    chinese = view.chinese or "第" in text
    number, count = (
        ('"第 " + $V{PAGE_NUMBER} + " 页"', '" 共 " + $V{PAGE_NUMBER} + " 页"')
        if chinese
        else ('"Page " + $V{PAGE_NUMBER} + " of"', '" " + $V{PAGE_NUMBER}')
    )
    number_width, count_width = 70, 60 if chinese else 30
    left, right = view.sides
    width = number_width + count_width
    x = max(0, {"Left": left, "Center": (left + right - width) // 2, "Right": right - width}[side])
    band = "pageHeader" if top else "pageFooter"
    edits: list[AnyEdit] = [Delete(element=piece.key) for piece in view.page_numbers]
    number_key, count_key = _key(clause, "page_number"), _key(clause, "page_count")
    edits.append(Add(key=number_key, band=band, expression=number, x=x, width=number_width, align="Right"))
    edits.append(Add(key=count_key, band=band, expression=count, x=x + number_width, width=count_width))
    edits.append(SetProperty(element=count_key, name="evaluationTime", value="Report"))
    return ClauseReading(edits)


_NEW = r"(?P<new>[\ue000-\ue0ff]|.{1,60}?)"
_NEW_TEXT = (
    rf"(?:add|put|print|write|show|insert|include|create)\s+(?:a |an |the )?(?:page )?(?P<what>footer"
    rf"|header|title|subtitle|sub-title|heading|footnote)(?: text| line)?(?: (?:that says|saying|reading"
    rf"|with the text|with|called|named|to))?\s*:?\s*{_NEW}(?P<side>)",
    r"(?:add|put|print|write|show|insert|include)\s+(?:the text |the words? )?(?P<new>[\ue000-\ue0ff])\s+"
    r"(?:in|at|to|into|as) (?:the |a )?(?:page )?(?P<what>footer|header|title|subtitle|foot|top|bottom)"
    r"(?: of the page)?(?P<side>)",
    r"(?:change|set|make|let) (?:the )?(?:page )?(?P<what>footer|header)(?: text)? (?:to|say|read|be|as)"
    r"(?: say| read)?\s*:?\s*(?P<new>[\ue000-\ue0ff])(?P<side>)",
    r"(?:the )?(?P<what>subtitle|sub-title|副标题)\s*(?:is|为|是|[:：])?\s*(?P<new>[\ue000-\ue0ff])(?P<side>)",
    r"(?:the )?(?:page )?(?P<what>footer)\s*[:：]\s*(?P<new>.{2,60})(?P<side>)",
    r"(?:把|将)?(?P<what>页脚|页眉)(?:的)?(?:文字|内容)?(?:改成|改为|换成|设为|设置为|写成|写|为|[:：])[:：]?"
    r"(?P<new>[\ue000-\ue0ff])(?P<side>)",
    r"(?:在)?(?:页面)?(?P<what>(?P<side>左上角|右上角|左下角|右下角|最下面|最下方|页面底部))(?:处|里)?(?:加上?|写上?|显示|添加|增加|放|打印)"
    r"(?:一行|一句)?(?:公司名称|单位名称|公司名|文字|字|话|字样)?[:：]?(?P<new>[\ue000-\ue0ff])"
    r"(?:[一二三四五六七八两几]个字|字样)?",
    r"(?:add|put|write|print|show) (?:the (?:text|words|company name) |our company name )?(?P<new>[\ue000-\ue0ff]) "
    r"(?:in|at|to) the (?P<what>(?P<side>(?:top|upper|bottom|lower)[ -](?:left|right|cent(?:er|re))))(?: corner)?"
    r"(?: of (?:the|each|every) page)?",
    rf"(?:在)?(?P<what>页脚|页眉|页尾|顶部|底部)(?P<side>左边|右边|中间|"
    rf"左侧|右侧)?(?:里|上|处)?(?:{_ADD_ZH}|上|加|显示)+(?:文字"
    rf"|一行字|一行|字样)?{_NEW}",
    rf"(?:加|添加|增加|加上|加入)(?:一个|个|一行)?(?P<what>副标题|标题|页脚"
    rf"|页眉)(?:文字)?(?:叫|为|：|:|是|写)?{_NEW}(?P<side>)",
)
"""New text in the header or footer of the page, or a title: ``what`` it is, and the ``new`` text."""
_NO_TEXT = re.compile(
    r"^(?:in|at|on|to|for|of|with|from|into|the)\b|[,，;；]"
    r"|页码|日期|page number|date|logo|线|line|图|合计|total|公司名|名称$|地址$|电话$",
    re.IGNORECASE,
)
"""What text without quotation marks does not hold: it is a place, a list or a name of something else."""
_ANNOUNCED = re.compile(
    r"(?:saying|that says|reading|with the text|called|named|[:：]|文字|一行字|字样|叫|写着|内容为|内容是)\s*$",
    re.IGNORECASE,
)
"""Words before a text that announce it, as quotation marks would."""
MAX_UNQUOTED_WORDS = 6
_REPLACES_FOOTER = re.compile(r"(?:change|set|make|let) .*footer|(?:把|将)?页脚.*(?:改|换|设)", re.IGNORECASE)


def new_text(clause: Clause) -> ClauseReading | None:
    """Add text to the header or footer of the page, or a title; replace the text of the footer."""
    found = clause.match(*_NEW_TEXT)
    if not found:
        return None
    is_quoted = re.fullmatch(r"[\ue000-\ue0ff]", found["new"].strip()) is not None
    new = clause.words(found["new"])
    if not new or not (is_quoted or _is_text(clause, found["new"], new)):
        return None
    if _REPLACES_FOOTER.match(clause.text):
        footer = [element for element in clause.view.footer if element.tag == "staticText" and element.words]
        if footer:
            return ClauseReading([SetText(element=footer[0].key, text=new)]) if len(footer) == 1 else None
    band, name, align = _place_of(clause.view, found["what"].casefold(), found["side"])
    key = _key(clause, name)
    return ClauseReading(
        _text_edits(clause, new, band, name, align), wording=not is_quoted, target=added(clause, key, band, new)
    )


def _is_text(clause: Clause, words: str, new: str) -> bool:
    """Whether words without quotation marks are text to print: only where the clause announces wording."""
    if not _ANNOUNCED.search(clause.text[: clause.text.rfind(words)]):
        return False
    return not clause.has_quotes(words) and len(new.split()) <= MAX_UNQUOTED_WORDS and not _NO_TEXT.search(new)


def _place_of(view: TemplateView, what: str, words: str | None) -> tuple[str, str, str]:
    """Return the band of a new text, what its element is called, and its alignment."""
    side = _side(words)[0]
    if re.match("bottom|lower|左下|右下|最下|页面底", what) or what in (
        "footer",
        "foot",
        "footnote",
        "页脚",
        "页尾",
        "底部",
    ):
        return "pageFooter", "footer_text", side if words else "Left"
    if re.match("(?:top|upper)[ -]|左上|右上", what) and view.title and view.title.section == "title":
        return "title", "header_text", side
    if re.match("top|upper|左上|右上", what) or what in ("header", "页眉", "顶部"):
        return "pageHeader", "header_text", side if words else "Left"
    return "title", "subtitle" if "sub" in what or "副" in what else "new_title", "Center"


def _text_edits(clause: Clause, new: str, band: str, name: str, align: str) -> list[AnyEdit]:
    key = _key(clause, name)
    if name == "subtitle" and (edits := _subtitle(clause, new, key)):
        return edits
    add = Add.model_validate({"key": key, "band": band, "text": new, "align": align})
    if name == "header_text" and band == "title":
        return [add, *_small(key)]
    if name == "new_title":
        return [add, *_large(key)]
    return [add]


def _small(key: str) -> list[AnyEdit]:
    """Return the edits that tell a text beside the title from the title."""
    size = SetProperty(element=key, name="fontSize", value="10")
    return [size, SetProperty(element=key, name="isBold", value="false")]


def _large(key: str) -> list[AnyEdit]:
    """Return the edits that make a text look like a title."""
    size = SetProperty(element=key, name="fontSize", value="18")
    return [size, SetProperty(element=key, name="isBold", value="true")]


def print_date(clause: Clause) -> ClauseReading | None:
    """Add the date on which the report is printed."""
    what = r"(?:(?:print(?:ing|ed)?|current|today'?s|report) date|date of printing|date|today)"
    zh = r"(?:打印|当前|制表|今天的?|报表)?(?:日期|时间)"
    found = clause.match(
        rf"{_ADD}{what} (?P<side>(?:at|in|on) the (?:top|bottom|upper|lower)[ -]?(?:left|right|cent(?:er"
        rf"|re))?(?: corner)?(?: of the (?:page|report))?|(?:at|in|on) the (?:footer|header|foot|title))",
        r"(?:add|show|put|print|include|insert)\s+(?:a |the )?(?:print(?:ing|ed)?|current|today'?s) date(?P<side>)",
        rf"(?:在)?(?P<side>左下角|右下角|左上角|右上角|下方|底部|上方|顶部|最上面"
        rf"|最下面|页脚|页眉|标题下面?|右上方|左上方|报表顶部|页面顶部)(?:{_ADD_ZH}"
        rf"|加|显示|打印)+{zh}",
        rf"(?:{_ADD_ZH})(?:打印|当前|制表|今天的?){zh}(?P<side>)",
    )
    if not found:
        return None
    words = found["side"].casefold()
    side = "Left" if re.search("left|左", words) else "Center" if re.search("cent|居中", words) else "Right"
    foot = re.search("bottom|lower|foot|下角|下方|底|最下|页脚", words)
    band = "pageFooter" if foot else "pageHeader" if re.search("header|页眉", words) else "title"
    key = _key(clause, "print_date")
    add = Add.model_validate(
        {"key": key, "band": band, "expression": "new java.util.Date()", "align": side, "width": 80}
    )
    edits: list[AnyEdit] = [add, SetProperty(element=key, name="pattern", value="yyyy-MM-dd")]
    edits += _small(key) if band == "title" else []
    if side != "Left":
        edits.append(SetProperty(element=key, name="textAlignment", value=side))
    return ClauseReading(edits)


def repeated_header(clause: Clause) -> ClauseReading | None:
    """Answer that the engine prints the column header on every page anyway."""
    found = clause.match(
        r"(?:repeat|show|print) (?:the )?(?:table |column )?head(?:er|ing)s?(?: rows?)? (?:on|at the top "
        r"of) (?:every|each|all) pages?",
        r"(?:每页|每一页|各页)(?:都)?(?:要)?(?:重复|显示|打印)(?:表头|标题行|列头)",
        r"(?:表头|标题行|列头)(?:在)?(?:每页|每一页)(?:都)?(?:重复|显示|打印)(?:显示|打印)?",
    )
    if not found:
        return None
    if not clause.view.header:
        return refused("language.no_header_row")
    return refused("language.header_row_repeats_already")


def _key(clause: Clause, name: str) -> str:
    return name_for(None, name, {piece.key for piece in clause.view.pieces})


RULES = (page_of_pages, page_number, print_date, repeated_header, new_text)
