"""What a report looks like: typefaces, colours and widths."""

from __future__ import annotations

from lxml import etree

from bandsmith.shared.jrxml.draft import Draft
from bandsmith.shared.jrxml.text_styles import default_style, style_chain, text_attributes
from bandsmith.shared.replies import colour_name, listed, text

from ..language.references import with_value
from ..language.sentence_templates import Slots
from ..language.template_view import TemplateView
from ..language.view_elements import ViewElement
from .report import OwnReport, name_of

POINTS_PER_MM = 72 / 25.4
MAX_PLACES = 4
"""Texts whose places an answer gives."""


def looks(report: OwnReport, slots: Slots) -> str | None:
    """“What font is the title?”"""
    target = report.target(slots["name"])
    if target is None or not target.texts:
        return None
    view = report.view
    pieces = with_value(view, target).texts if not target.column else target.texts
    described: dict[str, list[str]] = {}
    for piece in pieces:
        described.setdefault(_style(report, view, piece), []).append(name_of(report, piece))
    return "\n".join(
        report.say("looks", names=listed(list(dict.fromkeys(names)), report.language), style=style)
        for style, names in described.items()
    )


def _style(report: OwnReport, view: TemplateView, piece: ViewElement) -> str:
    chain = _styles_of(Draft(report.template), piece)
    found = text_attributes(piece.node, chain)
    report_element = piece.node.find("{*}reportElement")
    parts = [
        report.say("font", font=found.get("fontName", "SansSerif"), size=f"{piece.size:g}"),
        *(report.say(name) for name in ("isBold", "isItalic", "isUnderline") if found.get(name) == "true"),
        report.say(
            "colour", colour=colour_name(_inherited(report_element, chain, "forecolor") or "#000000", report.language)
        ),
    ]
    area = view.area_behind([piece])
    background = _inherited(report_element, chain, "backcolor") if report_element.get("mode") == "Opaque" else None
    behind = background or (area.node.find("{*}reportElement").get("backcolor") if area else None)
    if behind:
        parts.append(report.say("background", colour=colour_name(behind, report.language)))
    return report.say("comma").join(parts)


def _styles_of(draft: Draft, piece: ViewElement) -> list[etree._Element]:
    """Return the styles that a text inherits from, the nearest first."""
    styles = {node.get("name", ""): node for node in draft.root.iterchildren("{*}style")}
    named = piece.node.find("{*}reportElement").get("style")
    return style_chain(styles, named) if named else [one for one in [default_style(styles)] if one is not None]


def _inherited(node: object, chain: list[object], name: str) -> str | None:
    return next((value for one in [node, *chain] if (value := one.get(name))), None)  # type: ignore[attr-defined]


def fonts(report: OwnReport, slots: Slots) -> str | None:
    """“Which font is this using?”: every typeface of the texts, with its sizes."""
    draft = Draft(report.template)
    sizes: dict[str, set[float]] = {}
    for piece in report.view.texts:
        font = text_attributes(piece.node, _styles_of(draft, piece)).get("fontName", "SansSerif")
        sizes.setdefault(font, set()).add(piece.size)
    return (
        "\n".join(
            report.say("typeface", font=font, sizes=listed([f"{size:g}" for size in sorted(found)], report.language))
            for font, found in sizes.items()
        )
        or None
    )


def width(report: OwnReport, slots: Slots) -> str | None:
    """“How wide is the item column?”"""
    target = report.target(slots["name"])
    if target is None or target.column is None:
        return None
    points = target.column.width
    return report.say("width", column=target.column.label, points=points, millimetres=f"{points / POINTS_PER_MM:.0f}")


def where(report: OwnReport, slots: Slots) -> str | None:
    """“Where does the invoice number stand?”: the part of the page, and how far from its edges."""
    target = report.target(slots["name"])
    if target is None:
        return None
    if target.column is not None:
        number = report.view.columns.index(target.column) + 1
        return report.say("where_column", column=target.column.label, number=number, count=len(report.view.columns))
    root = Draft(report.template).root
    left, page = int(root.get("leftMargin", "0")), int(root.get("pageWidth", "595"))
    lines = [
        report.say(
            "where",
            name=name_of(report, piece),
            section=text(f"edits.section.{piece.section}", report.language),
            side=report.say(f"side.{_side(left + piece.x + piece.width / 2, page)}"),
            left=f"{(left + piece.x) / POINTS_PER_MM:.0f}",
            top=f"{piece.y / POINTS_PER_MM:.0f}",
        )
        for piece in target.texts[:MAX_PLACES]
    ]
    return "\n".join(lines) or None


def _side(middle: float, page: int) -> str:
    """Return the third of the page that a point is in."""
    return "left" if middle < page / 3 else "right" if middle > page * 2 / 3 else "middle"
