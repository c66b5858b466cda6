"""Texts of a DOCX that are not on its pages: what is drawn is compared with what the file holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import qn

from bandsmith.shared.replies import Text
from bandsmith.shared.shortening import shortened

from .shape_frames import ON_PAGE, find_nodes

_NOTES = (RELATIONSHIP_TYPE.FOOTNOTES, RELATIONSHIP_TYPE.ENDNOTES)
_MAX_NAMED, _MAX_CHARS = 3, 40
"""Texts that the note quotes, and characters of each."""
_UNPRINTED = "[not(ancestor::w:del or ancestor::w:moveFrom or ancestor::w:r/w:rPr/w:vanish)]"
"""A condition of an XPath: deleted and hidden text is not on the page in Word either."""


def roots_of(document: Document) -> list[Any]:
    """Return the elements that hold the texts of a document: its body, its first header and footer, and its notes."""
    section = document.sections[0]
    roots = [document.element.body, section.header._element, section.footer._element]
    if section.different_first_page_header_footer:
        roots[1:] = [section.first_page_header._element, section.first_page_footer._element]
    for relation in document.part.rels.values():
        if relation.reltype in _NOTES and not relation.is_external:
            roots += find_nodes(parse_xml(relation.target_part.blob), "./*[not(@w:type)]")
    return roots


def note_left_out(roots: Iterable[Any], drawn: Mapping[Any, str]) -> list[Text]:
    """Return what to tell the user of the texts below `roots` that are not among `drawn`, by paragraph."""
    left_out = [text for root in roots for text in _left_out(root, drawn)]
    if not left_out:
        return []
    quoted = [shortened(text, _MAX_CHARS) for text in left_out[:_MAX_NAMED]]
    texts = Text("; ".join(f"“{text}”" for text in quoted), "；".join(f"“{text}”" for text in quoted))
    return [Text.of("documents.notes.texts_left_out", count=len(left_out), texts=texts)]


def _left_out(root: Any, drawn: Mapping[Any, str]) -> Iterator[str]:
    for paragraph in root.iter(qn("w:p")):
        if find_nodes(paragraph, f"boolean(self::*{ON_PAGE})"):
            nodes = find_nodes(paragraph, f".//w:t{_UNPRINTED}")
            text = "".join(node.text or "" for node in nodes if find_nodes(node, "ancestor::w:p[1]")[0] is paragraph)
            if "".join(text.split()) not in "".join(drawn.get(paragraph, "").split()):
                yield " ".join(text.split())
