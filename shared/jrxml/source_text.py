"""Write an edited template so that what was not edited keeps its bytes.

Theory of operation
===================

An XML library writes a whole file in its own style: quotation marks, line breaks, order of attributes, CDATA, comments.
A user who changed one title would find every line changed. So the edited tree is compared with
the tree of the source text, and only what differs is written again.

Expat says where each element begins and ends in the source (`_spans`). `_Writer` walks both trees from the root: equal
elements are copied from the source; of an element whose attributes differ, only these are replaced in its start tag;
its children are matched by what they contain, then by what they are called, and whatever stands between them, such as
comments and white space, is copied. New elements are indented as their neighbours are.

The result is parsed and compared with the edited tree. Should they differ, the whole file is written by the library.
"""

from __future__ import annotations

import codecs
import copy
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from lxml import etree

from ..xml import parse
from .dom import local_name

_MARKUP = re.compile(rb"""(?:[^>"']|"[^"]*"|'[^']*')*>""")
"""A start tag to its end; `>` may stand in an attribute."""
_LINE_START = re.compile(r"\n[ \t]*\Z")
_DEFAULT_UNIT = "\t"
_NAMES = ("name", "key", "uuid")


@dataclass(frozen=True)
class _Span:
    """Where an element is in the source, in bytes."""

    start: int
    content: int
    """After its start tag."""
    content_end: int
    """Before its end tag."""
    end: int

    @property
    def is_empty_tag(self) -> bool:
        return self.content == self.end


def write_edited(source: bytes, root: etree._Element) -> bytes | None:
    """Return the source text with the changes that `root` has; None where that cannot be written this way."""
    try:
        before = parse(source)
        if etree.tostring(before) == etree.tostring(root):  # in a tenth of the time that the digests take
            return source
        old, new = _digests(before), _digests(root)
        if old[before] == new[root]:
            return source
        encoding = before.getroottree().docinfo.encoding or "UTF-8"
        text = source.decode(encoding).encode()
        mark = codecs.BOM_UTF8 if text.startswith(codecs.BOM_UTF8) else b""
        written = _Writer(text, before, encoding, old | new).written(root)
        result = written.decode().encode(encoding, "xmlcharrefreplace")
        result_root = parse(result)
        return result if _digests(result_root)[result_root] == new[root] and result.startswith(mark) else None
    except (LookupError, UnicodeError, ValueError, expat.ExpatError):
        return None


class _Writer:
    def __init__(self, text: bytes, root: etree._Element, encoding: str, digests: dict[etree._Element, int]) -> None:
        """`digests` has the elements of both trees."""
        self._text = text
        self._digests = digests
        self._encoding = encoding
        self._root = root
        elements = [node for node in root.iter(etree.Element)]
        self._spans = dict(zip(elements, _spans(text), strict=True))
        self._by_digest = {digests[node]: node for node in elements if len(node)}
        self._new_line = "\r\n" if b"\r\n" in text else "\n"
        self._unit = self._indent_unit()

    def written(self, root: etree._Element) -> bytes:
        span = self._spans[self._root]
        return self._text[: span.start] + self._element(self._root, root) + self._text[span.end :]

    def _element(self, old: etree._Element, new: etree._Element) -> bytes:
        span = self._spans[old]
        if self._digests[old] == self._digests[new]:
            return self._text[span.start : span.end]
        tag = self._text[span.start : span.content]
        if dict(old.attrib) != dict(new.attrib):
            tag = _with_attributes(tag.decode(), old, new).encode()
        children = _children(new)
        if not children and not _children(old):
            inner = self._inner_text(old, new)
        else:
            inner = self._inner_elements(old, new, children)
        if not inner and span.is_empty_tag:
            return tag
        if span.is_empty_tag:
            tag = tag[:-2].rstrip() + b">"
        return tag + inner + self._end_tag(old)

    def _end_tag(self, old: etree._Element) -> bytes:
        span = self._spans[old]
        if span.is_empty_tag:
            return f"</{_qualified_name(self._text[span.start : span.content])}>".encode()
        return self._text[span.content_end : span.end]

    def _inner_text(self, old: etree._Element, new: etree._Element) -> bytes:
        span = self._spans[old]
        inside = self._text[span.content : span.content_end]
        text = new.text or ""
        if (old.text or "") == text:
            return inside
        is_cdata = b"<![CDATA[" in inside or (not inside and _holds_text(new))
        return (_cdata(text) if is_cdata and self._can_encode(text) else escape(text)).encode()

    def _can_encode(self, text: str) -> bool:
        """Whether a text needs no character references, which CDATA cannot hold."""
        try:
            text.encode(self._encoding)
        except UnicodeEncodeError:
            return False
        return True

    def _inner_elements(self, old: etree._Element, new: etree._Element, children: list[etree._Element]) -> bytes:
        """Write the children, with what stands between them in the source."""
        span, before = self._spans[old], _children(old)
        pairs = _matched(before, children, self._digests)
        partner = {id(fresh): source for source, fresh in pairs}
        kept = {source for source, _ in pairs}
        pieces: list[bytes] = []
        position, number = span.content, 0
        for child in children:
            source = partner.get(id(child))
            if source is None:
                pieces.append(self._inserted(child, old))
                continue
            while before[number] is not source:
                pieces.append(self._between(position, before[number], removed=before[number] not in kept))
                position, number = self._spans[before[number]].end, number + 1
            pieces.append(self._text[position : self._spans[source].start])
            pieces.append(self._element(source, child))
            position, number = self._spans[source].end, number + 1
        for rest in before[number:]:
            pieces.append(self._between(position, rest, removed=True))
            position = self._spans[rest].end
        tail = self._text[position : span.content_end]
        if not tail.strip() and b"\n" not in tail and children and id(children[-1]) not in partner:
            tail = self._line(self._indent_of(old)).encode()
        return b"".join(pieces) + tail

    def _between(self, position: int, child: etree._Element, *, removed: bool) -> bytes:
        """What stands before a child that is removed, without the line that it began."""
        assert removed, "children keep their order"
        return self._text[position : self._spans[child].start].rstrip(b" \t\r\n")

    def _inserted(self, node: etree._Element, parent: etree._Element) -> bytes:
        """Write a new element on a line of its own, or copy it if the source has its like somewhere else."""
        indent = self._indent_of(parent) + self._unit
        siblings = _children(parent)
        if siblings and (found := self._line_start(self._spans[siblings[0]].start)) is not None:
            indent = found
        like = self._by_digest.get(self._digests[node])
        if like is not None and self._line_start(self._spans[like].start) == indent:
            span = self._spans[like]
            return self._line(indent).encode() + self._text[span.start : span.end]
        return (self._line(indent) + self._serialized(node, indent)).encode()

    def _serialized(self, node: etree._Element, indent: str) -> str:
        twin = copy.deepcopy(node)
        twin.tail = None
        for text in twin.iter(etree.Element):
            if _holds_text(text) and text.text and not len(text) and self._can_encode(text.text):
                text.text = etree.CDATA(text.text)
        etree.indent(twin, space=self._unit)
        written = etree.tostring(twin, encoding="unicode")
        for prefix, uri in self._root.nsmap.items():
            declared = f" xmlns{':' + prefix if prefix else ''}={quoteattr(uri)}"
            written = written.replace(declared, "", 1)
        return written if twin.find(".//*") is None else self._indented(twin, written, indent)

    def _indented(self, twin: etree._Element, written: str, indent: str) -> str:
        """Indent the lines of a new element that begin a tag; lines of a text stay."""
        lines = re.split(r"\n(?=[ \t]*<(?!!\[CDATA))", written)
        return self._line(indent).join(lines)

    def _line(self, indent: str) -> str:
        return self._new_line + indent

    def _indent_of(self, node: etree._Element) -> str:
        return self._line_start(self._spans[node].start) or ""

    def _line_start(self, position: int) -> str | None:
        """The white space between the beginning of a line and `position`; None if something else stands there."""
        begin = self._text.rfind(b"\n", 0, position) + 1
        found = self._text[begin:position].decode()
        return found if not found.strip() else None

    def _indent_unit(self) -> str:
        for child in _children(self._root):
            if indent := self._line_start(self._spans[child].start):
                return indent
        return _DEFAULT_UNIT


def _spans(text: bytes) -> list[_Span]:
    """Return the span of each element, in document order."""
    parser = expat.ParserCreate("UTF-8")
    starts: list[int] = []
    ends: dict[int, int] = {}
    stack: list[int] = []

    def begin(name: str, attributes: dict[str, str]) -> None:
        stack.append(len(starts))
        starts.append(parser.CurrentByteIndex)

    def finish(name: str) -> None:
        ends[stack.pop()] = parser.CurrentByteIndex

    parser.StartElementHandler, parser.EndElementHandler = begin, finish
    offset = len(codecs.BOM_UTF8) if text.startswith(codecs.BOM_UTF8) else 0
    parser.Parse(text[offset:], True)
    spans = []
    for number, begun in enumerate(starts):
        start = begun + offset
        tag = _MARKUP.match(text, start)
        assert tag is not None
        if tag[0].endswith(b"/>"):
            spans.append(_Span(start, tag.end(), tag.end(), tag.end()))
        else:
            closing = ends[number] + offset
            spans.append(_Span(start, tag.end(), closing, text.index(b">", closing) + 1))
    return spans


def _with_attributes(tag: str, old: etree._Element, new: etree._Element) -> str:
    """Return a start tag with the attributes that differ replaced, removed or added."""
    prefixes = {uri: prefix for prefix, uri in old.nsmap.items() if prefix}
    for qualified in {**old.attrib, **new.attrib}:
        value = new.get(qualified)
        if old.get(qualified) == value:
            continue
        uri, _, name = str(qualified).rpartition("}")
        name = f"{prefixes[uri[1:]]}:{name}" if uri else name
        attribute = re.compile(rf"""(\s+){re.escape(name)}\s*=\s*(?:"[^"]*"|'[^']*')""")
        if value is None:
            tag = attribute.sub("", tag, count=1)
        elif old.get(qualified) is None:
            end = "/>" if tag.endswith("/>") else ">"
            tag = f"{tag.removesuffix(end).rstrip()} {name}={_quoted(value)}{end}"
        else:
            found = attribute.search(tag)
            assert found is not None
            tag = f"{tag[: found.end(1)]}{name}={_quoted(value)}{tag[found.end() :]}"
    return tag


def _quoted(value: str) -> str:
    return '"' + escape(value, {'"': "&quot;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;"}) + '"'


def _qualified_name(tag: bytes) -> str:
    return re.split(r"[\s/>]", tag[1:].decode(), maxsplit=1)[0]


def _cdata(text: str) -> str:
    return "<![CDATA[" + text.replace("]]>", "]]]]><![CDATA[>") + "]]>"


def _holds_text(node: etree._Element) -> bool:
    """Whether a node holds a text or an expression, which are written as CDATA."""
    name = local_name(node)
    return name == "text" or name.endswith("xpression")


def _children(node: etree._Element) -> list[etree._Element]:
    return list(node.iterchildren(etree.Element))


def _digests(root: etree._Element) -> dict[etree._Element, int]:
    """Return a number for each element, which equal elements share, whatever the white space between their children."""
    digests: dict[etree._Element, int] = {}
    for node in reversed(list(root.iter(etree.Element))):  # children before their parents
        children = _children(node)
        text = "".join(_pieces(node))
        text = text if _holds_text(node) and not children else text.strip()
        attributes = tuple(sorted((str(name), str(value)) for name, value in node.attrib.items()))
        digests[node] = hash((node.tag, attributes, text, tuple(digests[child] for child in children)))
    return digests


def _pieces(node: etree._Element) -> Iterator[str]:
    yield node.text or ""
    for child in node:
        yield child.tail or ""


def _matched(
    before: Sequence[etree._Element], after: Sequence[etree._Element], digests: dict[etree._Element, int]
) -> list[tuple[etree._Element, etree._Element]]:
    """Pair children that are equal, then those between them that are of the same name, then those of the same kind."""
    pairs: list[tuple[etree._Element, etree._Element]] = []
    gaps = [(before, after)]
    keys: tuple[Callable[[etree._Element], object], ...] = (digests.__getitem__, _identity, local_name)
    for key in keys:
        remaining = []
        for old, new in gaps:
            found, between = _paired([(key(node), node) for node in old], [(key(node), node) for node in new])
            pairs += found
            remaining += between
        gaps = remaining
    order = {node: number for number, node in enumerate(before)}
    return sorted(pairs, key=lambda pair: order[pair[0]])


def _paired(old: list[Any], new: list[Any]) -> tuple[list[Any], list[Any]]:
    """Return the pairs with equal keys in order, and what is left between them."""
    matcher = SequenceMatcher(None, [key for key, _ in old], [key for key, _ in new], autojunk=False)
    pairs, gaps, i, j = [], [], 0, 0
    for a, b, size in matcher.get_matching_blocks():
        if a > i and b > j:
            gaps.append(([node for _, node in old[i:a]], [node for _, node in new[j:b]]))
        pairs += [(old[a + n][1], new[b + n][1]) for n in range(size)]
        i, j = a + size, b + size
    return pairs, gaps


def _identity(node: etree._Element) -> tuple[str, ...]:
    """Return what an element is called, in any of the ways that elements are."""
    report = next((child for child in node if local_name(child) == "reportElement"), node)
    names = [report.get(name) or node.get(name) for name in _NAMES]
    if any(names):
        return (str(node.tag), *(name or "" for name in names))
    return (str(node.tag), *(child.text or "" for child in _children(node) if _holds_text(child)))
