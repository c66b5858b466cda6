"""Planning: turn a layout into a plan and the data that fill it.

Theory of operation
===================

A *layout* says what is on a page: lines of text joined to blocks, ruling lines, filled areas, pictures, grids, and
which blocks repeat in rows. A *plan* says how a report prints it: bands with elements, fields and parameters. The aim
is that the engine, given the plan and the data read off the form, prints the form again, and that the template looks
as if a person had drawn it. All measures are points (1/72 inch) from the top left of the page. Elements have whole
points; the layout does not, and most of the care below goes into that difference.

1. Regions (`regions`). The page is divided from top to bottom, without gaps, into the regions of its bands. The
   repeated rows are the detail region. A row is a whole number of points high, so rows of 17.4 points would drift by
   almost a point every two rows. Where the drift of the last row stays below a tolerance it is accepted; otherwise the
   fraction is kept as `Region.spare` and a one-point spacer band is printed after as many rows as it takes. Rows with
   different heights keep their tops in `Region.tops`: the band is as high as a row with as few lines as any, and the
   engine stretches it where a text has more. The
   detail region is moved within the play that its texts allow, to the position where the fewest other texts reach into
   it. Column headers go directly above it, a page footer begins below a wide gap near the foot of the page, and what
   remains is title and summary. A page without rows is all title.

2. Texts (`text_metrics`, `element_boxes`). A block records where its ink is; the engine starts from a box. Knowing the
   engine's font metrics, `typeset` computes the box from which the engine prints ink at the recorded position: across
   by the alignment, down by the first baseline. Ink read slightly too large is centred on the form's.

3. Cells (`cell_areas`, `ruling`, `text_placement`). Each text gets an element by the first rule that fits:

   - It is alone in a ruled cell or filled bar. The element is that cell, with padding that moves the text to its
     position, and it draws the cell's borders and background.
   - It shares a bar or a row with others. The bar is divided between them, at the edges that their alignments suggest,
     and the element fills its part. Nothing is drawn.
   - It stands free. The element is as large as the text, with some slack on the side that the alignment leaves open,
     as far as no neighbour is in the way. The field of a value of one line takes all the space up to its neighbour
     (`free_space`), as other values are longer.

   Text that is a little too wide for its cell is set smaller, by half points. `Ruling` records which stretch of which
   rule has become a border, and `TextPlacer.fills` loses every fill that became a background, so that nothing is
   drawn twice.

4. Rows (`rows`). The copies of one slot in all rows become one element: style and alignment by majority, position and
   size by the median, relative to the tops of the rows as the engine prints them. A value that begins with its own
   label in every row prints the label as wording. Column headers above a single column take its width. The borders of
   a column's element are drawn in every row, so that the rules there are taken for all rows. What stands below the
   rows follows them, even if its cell begins within the last one; so does a text beside a further table.

5. Marks (`marks`). What no cell draws is drawn as it is: rules as lines, fills as rectangles, pictures as images. A
   vertical rule or a fill that crosses bands is cut at their boundaries; a picture that does goes to the background.
   Marks that recur at the same position in most rows become one element of the detail band; those of every second
   row, or between rows only, get a `printWhen` condition on the row number.

6. The page (`page_builder`). Elements collect by band in page coordinates. At the end the margins become as wide as
   every element allows, elements are made relative to their bands and ordered from back to front, and each value
   becomes a parameter or field with a placeholder name, which field mapping later replaces.

7. Several pages (`joined`). A table that runs over several pages is planned on the joined page, which the layout
   holds: page 1 with what follows the last row. The plan then gets the height of page 1 again. What stands below the
   rows of page 1 is the page footer, so that a page has as many rows as on the form. The head that only later pages
   have is the page header from the second page on (`running_head`).

8. Further pages (`further_pages`). Of a document whose later pages are no rows, each page is planned as one band: the
   first one is the title, which has its page for itself, and the others are footers of a group of everything, with
   page breaks between them. Tables are lists in them. A page has the band's height at most, and a band the page's.
   Where page 1 has rows with values, these stay the report's rows. The engine then wants title, page header, column
   header, page footer and any band of a group to fit on one page together, so no group has a band as high as a page.
   Only the summary has, with `isSummaryNewPage`: it is the one page that may follow, without the page's header and
   footer. What stands below the rows becomes the footer of a group of all rows. In the template, that footer is called
   the summary by edits and prompts (`shared/jrxml/further_pages`), so that a total that is added later comes below the
   rows. Page numbers have evaluation time Master, since no row belongs to such a page. Nothing tells the background of
   that page from others, so marks in the background are printed on page 1 only.
"""

from __future__ import annotations

from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.plan import Data, Plan

from .build import LayoutPlanner
from .further_pages import plan_pages
from .joined import on_pages
from .pictures import FormImage


def plan(layout: Layout, form: bytes, name: str) -> tuple[Plan, Data]:
    """Return the plan of a layout, and the values read off the form by placeholder name.

    `form` is the page as a PNG, or all pages below each other, from which pictures are cropped.
    """
    if layout.later:
        return plan_pages(layout, form, name)
    report, data = LayoutPlanner(layout.whole, FormImage(form, layout.page), layout.joined).plan(name)
    return (on_pages(report, layout.page, layout.joined) if layout.joined else report), data
