"""The arguments and options of ``bandsmith fill``, as its help shows them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Template = Annotated[Path, typer.Argument(metavar="TEMPLATE", help="A JRXML file, from Bandsmith or from elsewhere.")]
Data = Annotated[
    Path | None, typer.Option(metavar="FILE", help="The rows: a CSV, XLSX or JSON file.", show_default=False)
]
Source = Annotated[
    str, typer.Option(metavar="NAME", help="Fill from this source of data instead, by queries.", show_default=False)
]
Review = Annotated[
    bool, typer.Option("--review", help="Show new queries, and wait for a yes before they fill the report.")
]
Into = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the template with the query of its rows, which runs over JDBC."),
]
Param = Annotated[
    list[str] | None, typer.Option(metavar="NAME=VALUE", help="Value of a parameter; may be given several times.")
]
Each = Annotated[
    str, typer.Option(metavar="NAME", help="Print a report for each value of this column.", show_default=False)
]
Pdf = Annotated[bool, typer.Option("--pdf", help="Write a PDF; this is the default if no format is named.")]
Xlsx = Annotated[bool, typer.Option("--xlsx", help="Write an Excel workbook.")]
Docx = Annotated[bool, typer.Option("--docx", help="Write a Word document.")]
Html = Annotated[bool, typer.Option("--html", help="Write a web page.")]
Csv = Annotated[bool, typer.Option("--csv", help="Write a CSV file.")]
Png = Annotated[bool, typer.Option("--png", help="Write a picture of each page, at most 20.")]
