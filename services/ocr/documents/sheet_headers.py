"""The page header and footer of a worksheet, as Excel prints them: three texts with codes such as ``&P`` for the page.

openpyxl reads them too, but loses the words between two codes for fonts; so they are read from the sheet's part here.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from lxml import etree
from openpyxl.worksheet.worksheet import Worksheet

from bandsmith.shared import xml
from bandsmith.shared.model.geometry import Size
from bandsmith.shared.model.layout import TextStyle
from bandsmith.shared.replies import Text

from .drawing import Align, Item, Run, lay_out_paragraph
from .font_mapping import match_family
from .package import MAX_XML_BYTES, MAX_XML_DEPTH

MAX_CHARS = 255
"""Excel's limit for a header with its codes."""
_DEFAULT_SIZE_PT = 10.0
_ALIGN: dict[str, Align] = {"L": "Left", "C": "Center", "R": "Right"}
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_CODE = re.compile(
    r'&(?:(?P<text>&)|"(?P<font>[^"]*)"|K(?P<colour>[0-9A-Fa-f]{6}|\d\d[+-]\d{3})|(?P<size>\d{1,3})'
    r"|(?P<page>P(?:[+-]\d{1,4})?)|(?P<letter>[A-Za-z]))"
)
_TOGGLES = {"B": "bold", "I": "italic", "U": "underline", "E": "underline"}
_UNKNOWN = frozenset("FZG")
"""Codes for what is not known here: the names of the file and its folder, and a picture."""


class SheetHeaders(NamedTuple):
    """The headers and footers of a sheet, with their codes."""

    texts: dict[str, str]
    """By name: ``oddHeader``, ``firstFooter``."""
    differs_first: bool = False
    differs_even: bool = False
    is_scaled: bool = True
    """Whether they are printed smaller with the sheet."""

    def on_page(self, number: int, first: int) -> tuple[str, str]:
        """Return the header and footer of a page; `first` is the number that the first page prints."""
        kind = "even" if self.differs_even and number % 2 == 0 else "odd"
        kind = "first" if self.differs_first and number == first else kind
        return self.texts.get(f"{kind}Header", ""), self.texts.get(f"{kind}Footer", "")


def read_headers(sheet: Worksheet, content: bytes) -> SheetHeaders:
    """Return the headers and footers of a sheet of a workbook."""
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        part = _part_of(sheet, package)
        if part is None:
            return SheetHeaders({})
        with package.open(part) as source:
            for _, node in etree.iterparse(source, tag="{*}headerFooter", resolve_entities=False, no_network=True):
                texts = {etree.QName(child).localname: (child.text or "")[:MAX_CHARS] for child in node}
                return SheetHeaders(
                    texts,
                    _is_on(node, "differentFirst"),
                    _is_on(node, "differentOddEven"),
                    _is_on(node, "scaleWithDoc", default="1"),
                )
    return SheetHeaders({})


def _part_of(sheet: Worksheet, package: zipfile.ZipFile) -> str | None:
    """Return the name of the part that holds a sheet; None where the workbook's main part has another name."""
    names = set(package.namelist())
    if not {"xl/workbook.xml", "xl/_rels/workbook.xml.rels"} <= names:
        return None
    book, links = (
        xml.parse(package.read(name), max_bytes=MAX_XML_BYTES, max_depth=MAX_XML_DEPTH)
        for name in ("xl/workbook.xml", "xl/_rels/workbook.xml.rels")
    )
    wanted = next((one.get(_RELATION) for one in book.iterfind(".//{*}sheet") if one.get("name") == sheet.title), None)
    targets = [one.get("Target", "") for one in links.iterfind("{*}Relationship") if one.get("Id") == wanted]
    parts = [target.lstrip("/") if target.startswith("/") else f"xl/{target}" for target in targets]
    return next((part for part in parts if part in names), None)


def _is_on(node: Any, name: str, default: str = "0") -> bool:
    return node.get(name, default) in ("1", "true")


def header_items(
    headers: SheetHeaders, sheet: Worksheet, size: Size, scale: float, number: int, pages: int
) -> Iterator[Item]:
    """Yield what is drawn of the header and footer of a page, counted from 1. `scale` is that of the sheet."""
    margins, setup = sheet.page_margins, sheet.page_setup
    first = int(setup.firstPageNumber or 1) if setup.useFirstPageNumber else 1
    left, width = margins.left * 72, size.width - (margins.left + margins.right) * 72
    for text, is_footer in zip(headers.on_page(first + number - 1, first), (False, True), strict=True):
        for align, part in _sections(text):
            runs = list(_runs(part, sheet.title, first + number - 1, pages, scale if headers.is_scaled else 1.0))
            laid_out = lay_out_paragraph(runs, max(20.0, width), align, wrap=False) if runs else None
            if laid_out:
                bottom = size.height - margins.footer * 72 - laid_out.height
                yield from laid_out.at(left, bottom if is_footer else margins.header * 72)


def _sections(text: str) -> Iterator[tuple[Align, str]]:
    """Yield the parts to the left, in the middle and to the right; text before any of them stands in the middle."""
    start, align = 0, _ALIGN["C"]
    for code in _CODE.finditer(text):
        if (letter := (code["letter"] or "").upper()) in _ALIGN:
            yield align, text[start : code.start()]
            start, align = code.end(), _ALIGN[letter]
    yield align, text[start:]


def _runs(text: str, title: str, page: int, pages: int, scale: float) -> Iterator[Run]:
    """Yield the text between codes, and what codes stand for, in the style that the codes before it set."""
    style = TextStyle(family=match_family(""), size=_DEFAULT_SIZE_PT * scale)
    end = 0
    for code in (*_CODE.finditer(text), None):
        if words := text[end : code.start() if code else len(text)]:
            yield words, style
        if code is None:
            return
        end, style = code.end(), _styled(style, code, scale)
        if written := _written(code, title, page, pages):
            yield written, style


def _styled(style: TextStyle, code: re.Match[str], scale: float) -> TextStyle:
    """Return the style that text has after a code."""
    if code["font"] is not None:
        name, _, look = code["font"].partition(",")
        looks = {"bold": "bold" in look.lower(), "italic": "italic" in look.lower()}
        family = style.family if name in ("", "-") else match_family(name)
        return style.model_copy(update={"family": family, **looks})
    if code["size"]:
        return style.model_copy(update={"size": min(max(int(code["size"]) * scale, 1.0), 400.0)})
    if code["colour"] and len(code["colour"]) == 6:
        return style.model_copy(update={"colour": f"#{code['colour'].upper()}"})
    toggle = _TOGGLES.get((code["letter"] or "").upper())
    return style.model_copy(update={toggle: not getattr(style, toggle)}) if toggle else style


def _written(code: re.Match[str], title: str, page: int, pages: int) -> str:
    """Return what is printed for a code; empty for one that only changes the style."""
    if code["page"]:
        return str(page + int(code["page"][1:] or 0))
    moment = datetime.now().astimezone()
    values = {
        "N": str(pages),
        "A": title,
        "D": moment.date().isoformat(),
        "T": f"{moment:%H:%M}",
    }
    return code["text"] or values.get((code["letter"] or "").upper(), "")


def header_notes(headers: SheetHeaders, number: int = 1) -> Iterator[Text]:
    """Yield what to tell the user of codes for what is not known."""
    codes = [code for text in headers.on_page(number, 1) for code in _CODE.finditer(text)]
    if unknown := sum((code["letter"] or "").upper() in _UNKNOWN for code in codes):
        yield Text.of("documents.notes.xlsx_header_codes", count=unknown)
