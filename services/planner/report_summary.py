"""Describe the user's own report from its template: what it contains, in a few lines."""

from __future__ import annotations

from collections.abc import Sequence

from lxml import etree

from bandsmith.shared.jrxml.bands import elements_in, section_of
from bandsmith.shared.jrxml.dom import TEXT_ELEMENTS, child_text, content_of, declared_nodes, local_name, tag
from bandsmith.shared.jrxml.draft import Draft
from bandsmith.shared.jrxml.element_box import ElementBox
from bandsmith.shared.jrxml.expressions import referenced_names
from bandsmith.shared.jrxml.text_styles import own_font_size
from bandsmith.shared.language import Language
from bandsmith.shared.replies import text

PAPERS = {
    (842, 1191): "A3", (595, 842): "A4", (420, 595): "A5", (612, 792): "Letter", (612, 1008): "Legal",
}  # fmt: skip
"""Names of paper sizes by their width and height in portrait, in points."""
MAX_NAMES = 40
"""Columns and single values that are named."""
_CALCULATIONS = frozenset({"Sum", "Average", "Count", "Lowest", "Highest"})
_SECTIONS_WITH_TOTALS = ("summary", "columnFooter", "groupFooter", "title", "pageHeader")


def contents(template: bytes, language: Language) -> str:
    """Return title, page, columns, groups, sort order and totals of a report, a line each. Raises ``BadInput``."""
    return "\n".join(f"- {line}" for line in ReportSummary(Draft(template), language).lines())


class ReportSummary:
    """A template that is being described in one language."""

    def __init__(self, draft: Draft, language: Language) -> None:
        self._draft = draft
        self._language = language
        self._labels = self._column_labels()

    def lines(self) -> list[str]:
        title, totals = self._title(), self.totals()
        return [
            *([self._text("title", title=title)] if title else []),
            self.page(),
            self.columns(),
            *self._parameters(),
            *self.order(),
            *([totals] if totals else []),
        ]

    def declared(self) -> list[str]:
        """Return the fields with the headings of their columns, and the parameters."""
        fields = [
            name if self._label(name) == name else f"{name} ({self._label(name)})"
            for name in declared_nodes(self._draft.root, "field")
        ]
        known = declared_nodes(self._draft.root, "field")
        computed = list(dict.fromkeys(label for name, label in self._labels.items() if name not in known))
        return [
            *([self._text("fields", count=len(fields), names=self._list(fields))] if fields else []),
            *([self._text("computed", names=self._list(computed))] if computed else []),
            *self._parameters(),
        ]

    def order(self) -> list[str]:
        """Return what the rows are grouped and sorted by."""
        groups = self._groups()
        return [*([self._text("groups", names=self._list(groups))] if groups else []), *self._sorting()]

    def totals(self) -> str:
        """Return the totals that are printed; nothing where there are none."""
        totals = self._totals()
        return self._text("totals", totals=self._list(totals, "total_separator")) if totals else ""

    def _parameters(self) -> list[str]:
        names = list(declared_nodes(self._draft.root, "parameter"))
        return [self._text("parameters", names=self._list(names[:MAX_NAMES]))] if names else []

    def _text(self, code: str, /, **values: object) -> str:
        return text(f"report_summary.{code}", self._language, **values)

    def _list(self, items: Sequence[str], separator: str = "separator") -> str:
        return self._text(separator).join(items)

    def page(self) -> str:
        width, height = self._draft.page_width, self._draft.page_height
        paper = PAPERS.get((min(width, height), max(width, height)))
        size = self._text("paper", name=paper, width=width, height=height) if paper else f"{width} x {height}"
        return self._text("landscape" if width > height else "portrait", size=size)

    def columns(self) -> str:
        names = list(dict.fromkeys(self._labels.values()))
        if not names:
            return self._text("no_rows")
        return self._text("columns", count=len(names), names=self._list(names[:MAX_NAMES]))

    def _sorting(self) -> list[str]:
        names = [
            self._text("descending", name=self._label(name)) if node.get("order") == "Descending" else self._label(name)
            for name, node in declared_nodes(self._draft.root, "sortField").items()
        ]
        return [self._text("sorting", names=self._list(names))] if names else []

    def _texts(self, *sections: str) -> list[etree._Element]:
        bands = [band for band in self._draft.root.iter(tag("band")) if section_of(band) in sections]
        bands.sort(key=lambda band: sections.index(section_of(band)))
        return [node for band in bands for node in elements_in(band) if local_name(node) in TEXT_ELEMENTS]

    def _title(self) -> str:
        """Return the largest fixed text at the top."""
        texts = [node for node in self._texts("title", "pageHeader") if _fixed_text(node)]
        return _fixed_text(max(texts, key=own_font_size)) if texts else ""

    def _column_labels(self) -> dict[str, str]:
        """Return the header above each value that the rows print, from left to right; its own name if it has none."""
        headers = sorted(
            (self._span(node), _fixed_text(node)) for node in self._texts("columnHeader") if _fixed_text(node)
        )
        labels: dict[str, str] = {}
        for node in sorted(self._texts("detail"), key=self._span):
            names = referenced_names(content_of(node)) if local_name(node) == "textField" else []
            box = self._draft.box_of(node)
            above = [label for (left, right), label in headers if box.shares_width(ElementBox(left, 0, right, 0))]
            if names:
                label = above[0] if above else names[0]
                labels[label if names[0] in labels and above else names[0]] = label
        return labels

    def _span(self, node: etree._Element) -> tuple[int, int]:
        box = self._draft.box_of(node)
        return box.left, box.right

    def _groups(self) -> list[str]:
        groups = declared_nodes(self._draft.root, "group").values()
        names = [referenced_names(child_text(group, "groupExpression")) for group in groups]
        return [self._label(used[0]) for used in names if used]

    def _totals(self) -> list[str]:
        """Return the totals that are computed of the columns and printed."""
        texts = [node for node in self._texts(*_SECTIONS_WITH_TOTALS) if local_name(node) == "textField"]
        printed = {name for node in texts for name in referenced_names(content_of(node))}
        found = []
        for name, node in declared_nodes(self._draft.root, "variable").items():
            calculation = node.get("calculation", "")
            used = referenced_names(child_text(node, "variableExpression"))
            if calculation in _CALCULATIONS and used and name in printed:
                column, group = self._label(used[0]), node.get("resetGroup")
                total = self._text(f"total.{calculation}", column=column)
                found.append(self._text("total_of_group", total=total, group=self._label(group)) if group else total)
        return found

    def _label(self, name: str) -> str:
        return self._labels.get(name, name)


def _fixed_text(node: etree._Element) -> str:
    return " ".join(child_text(node, "text").split())
