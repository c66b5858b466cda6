"""Finishing: make a template that prints its form into one that a person would keep.

Theory of operation
===================

Planning and refinement work on single elements and have one aim, that the printed page is the form again. What they
leave is correct and reads badly: every text has a font of its own, left edges differ by a point, fields are declared
as they were found, and a longer value is cut. Finishing runs once, after the fields have names and types, and changes
nothing that the form's own values print.

1. *Edges* (`alignment_grid`) that differ by a point or two are one edge that was measured several times.
2. *Growth* (`growth`). A value may be longer than the one on the form. What prints it grows downwards, what stands
   below moves down, and the cells of a row stay equally high. Where the engine lets nothing grow, type gets smaller.
3. *Styles* (`named_styles`). Texts that look alike and have the same part to play share a named style.
4. *Declarations* (`declaration_order`) follow the page, from top to bottom and from left to right.
"""

from __future__ import annotations

from lxml import etree

from .alignment_grid import align_edges
from .declaration_order import sort_declarations
from .growth import let_values_grow
from .named_styles import share_styles


def finish(root: etree._Element) -> None:
    """Finish a template in place."""
    align_edges(root)
    let_values_grow(root)
    share_styles(root)
    sort_declarations(root)
