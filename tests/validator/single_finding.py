"""Parse a template for a check, and expect one finding of it."""

from __future__ import annotations

from bandsmith.shared import xml
from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.turns.verdict import Finding


def template(content: bytes) -> Template:
    return Template(xml.parse(content))


def only(found: list[Finding]) -> Finding:
    assert len(found) == 1, [finding.code for finding in found]
    assert found[0].message.endswith((".", ")")) and found[0].message_zh not in ("", found[0].message)
    return found[0]
