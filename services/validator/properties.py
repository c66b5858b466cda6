"""The properties that a template from outside may set: each by its name, because many others load a class or a file."""

from __future__ import annotations

import re

_OF_DESIGNERS = ("bandsmith.", "com.jaspersoft.studio.", "ireport.")
"""Beginnings of names that the engine does not know."""
_REPORT = frozenset({
    "allow.element.overlap", "awt.ignore.missing.font", "bookmarks.data.source.parameter",
    "chart.pie.ignore.duplicated.key", "crosstab.ignore.width", "default.locale", "page.break.no.pagination",
    "print.keep.full.text", "style.evaluation.time.enabled", "text.save.line.breaks",
    "text.truncate.at.char", "text.truncate.suffix",
})  # fmt: skip
_EXPORT = frozenset({
    "auto.filter", "auto.fit.column", "auto.fit.row", "background", "break.after.row", "break.before.row",
    "cell.hidden", "cell.locked", "character.encoding", "collapse.row.span", "column.name", "column.names",
    "column.width", "column.width.metadata", "column.width.ratio", "compressed", "create.batch.mode.bookmarks",
    "create.custom.palette", "cross.column.span", "data", "detect.cell.type", "embed.image", "field.delimiter",
    "field.enclosure", "first.page.number", "fit.height", "fit.width", "flexible.row.height",
    "font.size.fix.enabled", "force.field.enclosure", "force.linebreak.policy", "force.page.breaks",
    "frames.as.nested.tables", "freeze.column", "freeze.column.edge", "freeze.row", "freeze.row.edge", "height",
    "ignore.anchor", "ignore.cell.background", "ignore.cell.border", "ignore.graphics", "ignore.hyperlink",
    "ignore.page.margins", "image.anchor.type", "image.border.fix.enabled", "keep.span", "max.rows.per.sheet",
    "metadata.author", "metadata.keywords", "metadata.subject", "metadata.title", "new.line.as.paragraph",
    "one.page.per.sheet", "page.scale", "pattern", "print.area", "record.delimiter",
    "remove.empty.space.between.columns", "remove.empty.space.between.rows", "remove.emtpy.space.between.rows",
    "repeat.value", "row.outline.level", "sheet.direction", "sheet.footer.center", "sheet.footer.left",
    "sheet.footer.right", "sheet.header.center", "sheet.header.left", "sheet.header.right", "sheet.name",
    "sheet.names", "sheet.names.all", "sheet.names.first", "show.gridlines", "size.page.to.content", "size.unit",
    "tag.column", "tag.h1", "tag.h2", "tag.h3", "tag.language", "tag.table", "tag.td", "tag.th", "tag.tr",
    "tagged", "use.background.image.to.align", "use.timezone", "using.images.to.align", "visible",
    "white.page.background", "width", "wrap.break.word", "wrap.text", "write.header", "zindex",
})  # fmt: skip
_EXPORTED = re.compile(r"export\.(?:(?:csv|docx|html|odt|ods|pdf|pptx|rtf|text|xhtml|xls|xlsx|xml)\.)?(.+)")
_EXCLUDED = re.compile(r"exclude\.origin\.(?:keep\.first\.)?(?:band|group|report)\.\w+")
_ENGINE = "net.sf.jasperreports."


def is_harmless(name: str) -> bool:
    """Whether a property of this name only affects how a report is printed, or belongs to a designer."""
    if name.startswith(_OF_DESIGNERS):
        return True
    if not name.startswith(_ENGINE):
        return False
    rest = name.removeprefix(_ENGINE)
    exported = _EXPORTED.fullmatch(rest)
    if exported is None:
        return rest in _REPORT
    return exported[1] in _EXPORT or _EXCLUDED.fullmatch(exported[1]) is not None
