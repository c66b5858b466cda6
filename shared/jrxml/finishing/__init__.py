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
3. *Looks* (`equal_sizes`, `common_looks`). What the form prints in one size gets one size, though each text was set as
   wide as it is there. Sizes half a point apart, shades of one colour and a heading in another weight are what was
   measured, not what was drawn: what most texts have wins.
4. *Styles* (`named_styles`). Texts that look alike and have the same part to play share a named style.
5. *Declarations* (`declaration_order`) follow the page, from top to bottom and from left to right.
6. *Names* (`readable_keys`). Elements are called after what they print, no longer after the marks that they came from.
7. *Order* (`tidy`). Elements follow the page, too, and attributes one order; what is empty is left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from lxml import etree

from ...model.layout import Block
from .alignment_grid import align_edges
from .common_looks import share_looks
from .declaration_order import sort_declarations
from .equal_sizes import share_form_sizes
from .growth import let_values_grow
from .named_styles import share_styles
from .readable_keys import name_elements
from .tidy import drop_sources, tidy


def finish(root: etree._Element, blocks: Sequence[Block] = (), *, keep_sources: bool = False) -> bytes:
    """Finish a template in place, and return it in UTF-8.

    `blocks` are those of the form. With `keep_sources` elements still tell the marks that they were made from.
    """
    align_edges(root)
    let_values_grow(root)
    share_form_sizes(root, {block.id: block for block in blocks})
    share_looks(root)
    share_styles(root)
    sort_declarations(root)
    name_elements(root)
    if not keep_sources:
        drop_sources(root)
    tidy(root)
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True))
