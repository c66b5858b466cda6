"""What lines of a receipt are called on it: 收到谁的钱 is 交款人."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..sentence_templates import listed
from .item import Item


def renamed(lines: Sequence[Item]) -> tuple[list[Item], dict[str, str]]:
    """Return lines with the names that receipts print, and those names by the words that said what the lines hold."""
    names = {line.label: name for line in lines if (name := listed("spec_labels", "called", line.label))}
    return [replace(line, label=names.get(line.label, line.label)) for line in lines], names
