"""A filled report as a table: one column for each column of its rows, with the values before they were formatted.

Theory of operation
===================

The engine's own exporters cut a page at every edge of every element, so that a title, a rule or a label beside the
table splits its columns into shards of merged cells. Here the table comes first (`columns`): each field of the detail
band is a column, and the texts of the column header that stand above it are its heading. Everything else, from the
title to the totals, is read line by line (`arrange`), and each text goes into the column that it stands in; where that
is taken, into the next one. Page numbers and page footers belong to pages and are left out. A report without rows, a
form, has the columns in which its texts stand below each other.

A workbook (`workbook`) contains all lines, a CSV file (`csv_file`) the heading and the rows only, so that a program
that adds up a column does not count the totals too. There, what a group's header says of its rows is repeated in each.
"""

from .arrange import Sheet, arrange
from .csv_file import as_csv
from .left_out import left_out
from .workbook import as_workbook

__all__ = ["Sheet", "arrange", "as_csv", "as_workbook", "left_out"]
