"""The Java class of what a text field prints."""

from __future__ import annotations

import re

from bandsmith.shared.jrxml.dom import declared_nodes
from bandsmith.shared.jrxml.expressions import SCOPES, sole_reference

from ..template_view import TemplateView
from ..view_elements import NUMERIC, ViewElement


def value_class(view: TemplateView, element: ViewElement) -> str | None:
    """Return the Java class of the one field, variable or parameter that a text field prints."""
    reference = sole_reference(element.expression)
    if not reference:
        return None
    scope, name = reference
    node = declared_nodes(view.root, SCOPES[scope]).get(name)
    return node.get("class", "java.lang.String") if node is not None else None


def is_numeric(view: TemplateView, element: ViewElement) -> bool:
    java_class = value_class(view, element)
    if java_class is not None:
        return java_class in NUMERIC
    return bool(re.search(r"\.(?:multiply|add|subtract|divide)\(", element.expression))
