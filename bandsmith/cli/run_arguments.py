"""The arguments and options of ``bandsmith runs``, as its help shows them."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

Name = Annotated[str, typer.Argument(metavar="NAME", help="The run's name.")]
Template = Annotated[Path, typer.Argument(metavar="TEMPLATE", help="A JRXML file.")]
At = Annotated[str, typer.Option(metavar="WHEN", help="Five fields of cron, or an RRULE of iCalendar.")]
Data = Annotated[Path | None, typer.Option(metavar="FILE", help="The rows, as they are now: a CSV, XLSX or JSON file.")]
Source = Annotated[str, typer.Option(metavar="NAME", help="The source that the rows are read from each time.")]
To = Annotated[str, typer.Option("--to", metavar="FOLDER", help="Folder that the files are written to.")]
Mail = Annotated[list[str] | None, typer.Option(metavar="ADDRESS", help="Address that gets the files by mail.")]
Webhook = Annotated[str, typer.Option(metavar="URL", help="Address that the files are posted to.")]
Param = Annotated[
    list[str] | None,
    typer.Option("--param", metavar="NAME=VALUE", help="Value of a parameter, as text or {last_month}."),
]
Each = Annotated[str, typer.Option(metavar="NAME", help="Print a report for each value of this column.")]
Formats = Annotated[
    list[str] | None, typer.Option("--format", metavar="FORMAT", help="Format of the files [default: pdf].")
]
OtherFormats = Annotated[list[str] | None, typer.Option("--format", metavar="FORMAT", help="Format of the files.")]
Zone = Annotated[str, typer.Option(metavar="ZONE", help="Time zone [default: that of this machine].")]
Begins = Annotated[
    datetime | None,
    typer.Option("--from", formats=["%Y-%m-%d", "%Y-%m-%d %H:%M"], help="Start of the schedule [default: now]."),
]
Excluded = Annotated[
    list[datetime] | None, typer.Option("--except", formats=["%Y-%m-%d"], help="A day on which nothing is due.")
]
Retries = Annotated[int, typer.Option(min=0, max=5, help="How often a run that fails is tried again.")]
Tell = Annotated[list[str] | None, typer.Option(metavar="ADDRESS", help="Address to notify when a run fails.")]
Paused = Annotated[bool, typer.Option("--paused", help="Begin paused: `bandsmith runs resume` starts it.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")]
