"""Symbols of symbol fonts as characters of Unicode: Wingdings' box with a tick is ☑, whatever font prints it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from docx.oxml import OxmlElement
from docx.oxml.ns import qn

_PRIVATE = 0xF000
"""Word writes the character of code 0x41 as 0xF041, in the area for private use."""
_FONTS: Mapping[str, Mapping[str, str]] = tomllib.loads(
    Path(__file__).with_name("symbol_fonts.toml").read_text(encoding="utf-8")
)


def is_symbol_font(name: str | None) -> bool:
    return (name or "").casefold() in _FONTS


def as_unicode(text: str, font: str | None) -> str | None:
    """Return a text of a symbol font in Unicode; None where a symbol is not known."""
    table = _FONTS.get((font or "").casefold(), {})
    found = ""
    for char in text:
        code = ord(char) - _PRIVATE if _PRIVATE <= ord(char) <= _PRIVATE + 0xFF else ord(char)
        known = char if char.isspace() else table.get(f"{code:02X}")
        if known is None:
            return None
        found += known
    return found


def write_symbols(root: Any) -> int:
    """Replace the symbols below an element by text in Unicode. Return how many are not known and left out."""
    unknown = 0
    for symbol in list(root.iter(qn("w:sym"))):
        text = as_unicode(_character(symbol.get(qn("w:char"))), symbol.get(qn("w:font")))
        unknown += not text
        node = OxmlElement("w:t")
        node.text = text or ""
        symbol.getparent().replace(symbol, node)
    for fonts in root.iter(qn("w:rFonts")):
        run, name = fonts.getparent().getparent(), fonts.get(qn("w:ascii")) or fonts.get(qn("w:hAnsi"))
        if run is not None and run.tag == qn("w:r") and is_symbol_font(name):
            for node in run.findall(qn("w:t")):
                text = as_unicode(node.text or "", name)
                unknown += text is None
                node.text = text or ""
    return unknown


def _character(code: str | None) -> str:
    """Return the character of a hexadecimal code; a code that is none is no known symbol."""
    try:
        return chr(int(code or "", 16))
    except (ValueError, OverflowError):
        return "\ufffd"
