"""Make a template safe to print: a copy in which what must not run, or is not here, is replaced by something harmless.

Theory of operation
===================

A user's template is never changed by printing it. The engine gets a copy, made again each time it is needed, and edits
are applied to the user's file. `inert` makes that copy:

1. *What the checks forbid* (`checks.allowed`, `checks.expressions`) is taken out: an element such as a subreport gets
   a stand-in of its size (`stand_ins`), an expression a harmless value of the kind that its place wants
   (`neutral_expressions`), anything else is left out.
2. *What cannot be had here* is taken out as well: queries, pictures in files, fonts of the PDF alone.
3. Each element gets the name as its key that edits know it by, so that what was printed can be traced back.
4. Comments are left out, and each expression is printed again from what a parser read (`java`).

The copy then has to pass the same checks as any template, so a fault in this module makes a refusal and no hole.

Only what the user's own file contained is made inert. The caller passes that file as `origin`; what a later version has
beyond it came from an edit, and stays a finding that refuses the template.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lxml import etree

from bandsmith.shared.jrxml.bands import named_elements
from bandsmith.shared.jrxml.dom import ELEMENTS, J, local_name, report_element
from bandsmith.shared.jrxml.expressions import (
    LETTERS,
    expression_nodes,
    references,
    sole_reference,
    without_names,
)
from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.turns.verdict import Finding

from .checks import Stage, allowed, expressions, inert_parts, run_checks
from .checks.base import Unsafe
from .checks.inert_parts import Code, InertPart
from .java import JavaRefused, normal_form
from .neutral_expressions import neutralize
from .stand_ins import put_stand_in
from .unavailable import (
    as_java,
    declare_built_in_parameters,
    is_default_import,
    is_of_designer,
    leave_out_unavailable,
    read_as_java,
    read_as_styled_text,
)

_CODE = ("scriptlet", "import", "template")
"""Nodes that load code or files for the whole report."""
_DATA_SOURCES = ("connectionExpression", "dataSourceExpression")


@dataclass(frozen=True)
class Printable:
    """A template as the engine gets it."""

    template: Template
    findings: list[Finding]
    """What keeps it from the engine; none if it may be printed."""
    parts: list[InertPart]
    """What was made inert."""
    excusable: frozenset[str] = frozenset()
    """Expressions of the user's own file, without spaces: one that fails here is made inert, too."""
    neutral: frozenset[str] = frozenset()
    """The expressions that failed."""
    source: Template | None = None
    origin: Template | None = None

    @property
    def content(self) -> bytes:
        return self.template.content

    @property
    def notes(self) -> list[Finding]:
        """Say what was made inert."""
        return inert_parts.findings(self.parts)

    def without(self, failed: set[str]) -> Printable | None:
        """Return the copy in which these expressions are inert as well; None if that changes nothing."""
        excused = {_squeezed(expression) for expression in failed} & self.excusable - self.neutral
        if not excused or self.source is None:
            return None
        return inert(self.source, self.origin, self.neutral | excused)


def inert(template: Template, origin: Template | None = None, neutral: frozenset[str] = frozenset()) -> Printable:
    """Return the copy of a template that may be printed. `origin` is the user's file that the template comes from.

    Expressions in `neutral` are made inert, too.
    """
    root = _without_comments(template)
    twin = Template(root)
    _name_elements(root)
    parts: list[InertPart] = []
    if origin is not None:
        origin = Template(_without_comments(origin))
        declare_built_in_parameters(root)
        known = {_fingerprint(part) for part in _unsafe(origin)}
        parts += _take_out(twin, [part for part in _unsafe(twin) if _fingerprint(part) in known])
        if origin.root.get("language") == "groovy":
            read_as_java(root)
        parts += _take_out_expressions(root, neutral)
        parts += leave_out_unavailable(root)
    _remove_all(root.iter(f"{J}queryString"))
    _print_expressions(root)
    etree.cleanup_namespaces(root)
    copied = Template(etree.fromstring(etree.tostring(root)))
    return Printable(copied, run_checks(Stage.GUARD, copied), parts, _excusable(origin), neutral, template, origin)


def _excusable(origin: Template | None) -> frozenset[str]:
    """Return the expressions of the user's file, as it has them and as Java."""
    texts = [text for _, text in origin.expressions] if origin is not None else []
    return frozenset(_squeezed(form) for text in texts for form in (text, as_java(text), _printed(as_java(text))))


def _without_comments(template: Template) -> Any:
    """Return a copy of the report. A comment would hide what comes after it from who reads the text before it."""
    root = copy.deepcopy(template.root)
    etree.strip_tags(root, etree.Comment, etree.ProcessingInstruction)
    return root


def _print_expressions(root: Any) -> None:
    """Write each expression as `java` prints it. What is refused stays, for the checks to find."""
    for node in expression_nodes(root):
        node.attrib.pop("class", None)  # the engine takes it from the place
        node.text = _printed(node.text)


def _printed(expression: str) -> str:
    try:
        return normal_form(expression)
    except JavaRefused:
        return expression


def _name_elements(root: Any) -> None:
    """Give each element its name as its key."""
    for name, node in named_elements(root):
        report_element(node).set("key", name)


def _unsafe(template: Template) -> Iterator[Unsafe]:
    yield from allowed.unsafe_parts(template)
    yield from expressions.unsafe_parts(template)


def _fingerprint(part: Unsafe) -> tuple[str, ...]:
    """Return what identifies an unsafe part in two versions of a template, wherever it is and however it looks."""
    node, tag = part.node, str(part.node.tag)
    if part.attribute is not None:
        return str(part.finding.code), tag, part.attribute, node.get(part.attribute) or ""
    content = copy.deepcopy(node)
    content.tail = None
    for report in list(content.iter(f"{J}reportElement")):
        report.getparent().remove(report)
    return str(part.finding.code), tag, without_names(etree.tostring(content, method="c14n").decode())


def _take_out(template: Template, parts: list[Unsafe]) -> list[InertPart]:
    """Replace or remove unsafe parts, and what depends on them."""
    done = [inert_part for part in parts if (inert_part := _take_out_one(template, part)) is not None]
    retyped = {(LETTERS[p.kind_of_node], p.name) for p in done if p.kind_of_node in LETTERS and p.code == Code.CLASS}
    for node in list(expression_nodes(template.root)):
        if set(references(node.text or "")) & retyped and not _may_have_any_class(node):
            neutralize(node)
    return done


def _take_out_one(template: Template, part: Unsafe) -> InertPart | None:
    node = part.node
    if not _is_in(template.root, node):
        return None  # it went with what contained it
    name, kind_of_node = node.get("name") or "", local_name(node)
    if part.attribute is not None:
        return _take_out_attribute(node, part.attribute, name, kind_of_node)
    if part.finding.code == allowed.Code.PROPERTY:
        _remove(node)
        return None if is_of_designer(name) else InertPart(Code.PROPERTY, name)
    if kind_of_node in _DATA_SOURCES:
        neutralize(node)
        return InertPart(Code.DATA, kind_of_node)
    if part.finding.code != allowed.Code.ELEMENT:
        text = (node.text or "").strip()
        neutralize(node)
        return InertPart(Code.EXPRESSION, text)
    if kind_of_node == "import" and is_default_import(node):
        _remove(node)
        return None
    return _take_out_element(node, name, kind_of_node)


def _take_out_element(node: Any, name: str, kind: str) -> InertPart:
    """Take an element out, or what contains it. A component of another maker may call its own parts `chart`."""
    around = (one for one in (node, *node.iterancestors()) if str(one.tag).startswith(J))
    element = next((one for one in around if local_name(one) in ELEMENTS), None)
    if element is None:
        _remove(node)
        return InertPart(Code.CODE, name or node.get("value") or kind) if kind in _CODE else InertPart(Code.OTHER, kind)
    if element is node or local_name(element) == "componentElement":
        put_stand_in(element, kind)
        return InertPart(Code.ELEMENT, kind)
    _remove(node)
    return InertPart(Code.OTHER, kind)


def _take_out_attribute(node: Any, attribute: str, name: str, kind: str) -> InertPart:
    value = node.get(attribute) or ""
    if attribute == "class":
        node.set("class", "java.lang.Object")
        return InertPart(Code.CLASS, name or value, kind)
    if attribute == "markup":
        read_as_styled_text(node)
        return InertPart(Code.MARKUP, value)
    del node.attrib[attribute]
    return InertPart(Code.LANGUAGE if attribute == "language" else Code.CODE, value)


def _may_have_any_class(node: Any) -> bool:
    """Whether an expression only hands a value on, of whatever class it is."""
    kinds = ("textFieldExpression", "variableExpression", "imageExpression")
    return local_name(node) in kinds and sole_reference(node.text or "") is not None


def _take_out_expressions(root: Any, neutral: frozenset[str]) -> list[InertPart]:
    found = [node for node in expression_nodes(root) if _squeezed(node.text or "") in neutral]
    parts = [InertPart(Code.FAILED, (node.text or "").strip()) for node in found]
    for node in found:
        neutralize(node)
    return parts


def _squeezed(expression: str) -> str:
    return "".join(expression.split())


def _is_in(root: Any, node: Any) -> bool:
    return node is root or any(ancestor is root for ancestor in node.iterancestors())


def _remove_all(nodes: Any) -> None:
    for node in list(nodes):
        _remove(node)


def _remove(node: Any) -> None:
    """Remove a node; the text after it stays."""
    parent, before = node.getparent(), node.getprevious()
    if node.tail and node.tail.strip():
        if before is not None:
            before.tail = (before.tail or "") + node.tail
        else:
            parent.text = (parent.text or "") + node.tail
    parent.remove(node)
