"""Texts in capitals or in small letters."""

from __future__ import annotations

import re

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.set_expression import SetExpression
from bandsmith.shared.edits.set_text import SetText
from bandsmith.shared.jrxml.expressions import sole_reference

from ...view_elements import ViewElement


def cased(texts: list[ViewElement], case: str) -> list[AnyEdit] | None:
    """Return the edits that put texts into capitals or small letters; None where there are no such letters."""
    edits: list[AnyEdit] = []
    for element in texts:
        if element.tag == "staticText":
            text = element.words.upper() if case == "upper" else element.words.lower()
            if text == element.words and not re.search(r"[A-Za-z]", text):
                return None
            edits.append(SetText(element=element.key, text=text))
        elif sole_reference(element.expression, "PF") and not element.pattern:
            edits.append(SetExpression(element=element.key, expression=f"{element.expression}.to{case.title()}Case()"))
        else:
            return None
    return edits
