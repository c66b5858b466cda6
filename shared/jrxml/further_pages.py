"""The pages of a template after its title: footers of a group of everything, with page breaks between them."""

from __future__ import annotations

from lxml import etree

from .dom import child, tag

FURTHER_PAGES = "further_pages"
"""The group whose footers are the pages after the title."""


def further_pages(root: etree._Element) -> list[etree._Element]:
    """Return the bands that are pages after the title, in order."""
    group = next((one for one in root.iterchildren(tag("group")) if one.get("name") == FURTHER_PAGES), None)
    section = child(group, "groupFooter") if group is not None else None
    return section.findall(tag("band")) if section is not None else []
