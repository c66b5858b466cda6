"""Is it XML, safely parsed, with a report at its root?"""

from __future__ import annotations

from bandsmith.shared import xml
from bandsmith.shared.errors import BadInput
from bandsmith.shared.jrxml.dom import J
from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.model.verdict import Finding


def check(content: bytes) -> tuple[Template | None, list[Finding]]:
    """The parsed template, or None and why not: ``wellformed.syntax``, ``.dtd``, ``.size``, ``.depth``, ``.empty``,
    ``.root``."""
    try:
        root = xml.parse(content)
    except BadInput as error:
        code = error.code.replace("xml.", "wellformed.")
        return None, [Finding(code=code, message=error.message, message_zh=error.message_zh)]
    if root.tag != f"{J}jasperReport":
        return None, [
            Finding(
                code="wellformed.root",
                message="The template's root is not a jasperReport of JasperReports 6.",
                message_zh="模板的根元素不是 JasperReports 6 的 jasperReport。",
            )
        ]
    return Template(root), []
