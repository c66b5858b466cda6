"""The pages of a form that follow its first page, or its rows, within one template.

Where no rows are printed, they are footers of a group of everything, with page breaks between them. Where rows are,
the page that follows them is the engine's summary on a page of its own: no other band may be as high as a page then.
What is printed below the rows is the footer of a group of all rows in that case. It does what a summary does, so it is
called one: edits, prompts and findings know bands by what they are for.
"""

from __future__ import annotations

from lxml import etree

from .dom import child, local_name, tag

FURTHER_PAGES = "further_pages"
"""The group whose footers are the pages after the title."""
END_OF_ROWS = "end_of_rows"
"""The group of all rows whose footer is what a page that follows them has as its summary otherwise."""
FURTHER_PAGE = "furtherPage"
"""What the band is called that is the page after the rows."""


def further_pages(root: etree._Element) -> list[etree._Element]:
    """Return the bands that are pages after the title or the rows, in order."""
    group = _group(root, FURTHER_PAGES)
    section = child(group, "groupFooter") if group is not None else None
    if group is None and _group(root, END_OF_ROWS) is not None:
        section = child(root, "summary")
    return section.findall(tag("band")) if section is not None else []


def end_of_rows(root: etree._Element) -> etree._Element | None:
    """Return the section below the rows that stands for the summary, if a page follows the rows."""
    group = _group(root, END_OF_ROWS)
    return child(group, "groupFooter") if group is not None else None


def called(section: etree._Element) -> str:
    """Return what a section is called: by its tag, unless a page follows the rows."""
    name, parent = local_name(section), section.getparent()
    if name == "groupFooter" and parent is not None and parent.get("name") == END_OF_ROWS:
        return "summary"
    if name == "summary" and parent is not None and _group(parent, END_OF_ROWS) is not None:
        return FURTHER_PAGE
    return name


def printed_groups(root: etree._Element) -> list[etree._Element]:
    """Return the groups of a template, without the one of all rows before a page."""
    return [one for one in root.findall(tag("group")) if one.get("name") != END_OF_ROWS]


def _group(root: etree._Element, name: str) -> etree._Element | None:
    return next((one for one in root.iterchildren(tag("group")) if one.get("name") == name), None)
