"""The texts that a report prints and that an exported file does not have. Runs in the worker.

A text is looked for as a whole, in a cell or block of its own, and as often as it is printed. Spaces and characters
that cannot be seen do not count.
"""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Iterator
from typing import Any

import jpype
from lxml import etree, html

MAX_TEXTS = 20
"""Texts that are named."""
MAX_TEXT_CHARS = 80
_ENGINE = "net.sf.jasperreports.engine."
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HTML_BLOCKS = frozenset({"table", "tr", "td", "div", "p", "body"})


class PrintedTexts:
    """The texts that a filled report prints, each with how often."""

    def __init__(self, context: Any, filled: Any) -> None:
        java = jpype.JClass
        self._text, self._frame = java(_ENGINE + "JRPrintText"), java(_ENGINE + "JRPrintFrame")
        self._styled = java(_ENGINE + "util.JRStyledTextUtil").getInstance(context)
        self._all = java(_ENGINE + "JRStyledTextAttributeSelector").getAllSelector(context)
        self._counts: Counter[str] = Counter()
        self._shown: dict[str, str] = {}
        for page in filled.getPages():
            self._read(page.getElements())

    def missing_in(self, file_format: str, content: bytes) -> list[str]:
        """Return the first texts that a file does not have as often as they are printed."""
        found = Counter(bare for block in _BLOCKS[file_format](content) if (bare := _bare(block)))
        return [self._shown[bare] for bare in self._counts - found][:MAX_TEXTS]

    def _read(self, elements: Any) -> None:
        for element in elements:
            if isinstance(element, self._text):
                styled = self._styled.getStyledText(element, self._all)
                written = "" if styled is None else str(styled.getText())
                if bare := _bare(written):
                    self._counts[bare] += 1
                    self._shown.setdefault(bare, " ".join(written.split())[:MAX_TEXT_CHARS])
            elif isinstance(element, self._frame):
                self._read(element.getElements())


def _bare(text: str) -> str:
    """Return the characters that can be seen."""
    return "".join(char for char in text if char.isprintable() and not char.isspace())


def _word_blocks(content: bytes) -> Iterator[str]:
    """Yield the texts of the cells of a Word document."""
    with zipfile.ZipFile(io.BytesIO(content)) as parts, parts.open("word/document.xml") as document:
        written: list[str] = []
        for event, node in etree.iterparse(document, events=("start", "end"), huge_tree=True, resolve_entities=False):
            if node.tag == _WORD + "tc":
                yield "".join(written)
                written.clear()
            elif node.tag == _WORD + "t" and node.text and event == "end":
                written.append(node.text)
        yield "".join(written)


def _html_blocks(content: bytes) -> Iterator[str]:
    """Yield the texts of the blocks of a web page."""
    parser = html.HTMLParser(encoding="utf-8", huge_tree=True)
    written: list[str] = []
    for event, node in etree.iterwalk(html.document_fromstring(content, parser=parser), events=("start", "end")):
        if node.tag in _HTML_BLOCKS:
            yield "".join(written)
            written.clear()
        written.append((node.text if event == "start" else node.tail) or "")
    yield "".join(written)


_BLOCKS = {"docx": _word_blocks, "html": _html_blocks}
CAN_LOSE_TEXTS = frozenset(_BLOCKS)
"""Formats that place elements in cells. The others draw the pages."""
