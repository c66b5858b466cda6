"""The part of the table that fills a report with a person's own data.

A filling prints the report; neither the report nor its sample data change, so there is nothing to undo.
"""

from __future__ import annotations

from bandsmith.shared.events import (
    BindData,
    DataBound,
    DeliverFiles,
    FilesDelivered,
    FillReport,
    IntentClassified,
    ReadTable,
    ReportFilled,
    StageFailed,
    TableRead,
    TurnFailed,
)
from bandsmith.shared.model.filling import Print

from ..state import Turn
from ..workflow import Row
from .head import a_filling_is_wanted, there_is_nothing_to_fill


def the_prints(turn: Turn) -> list[Print]:
    return turn.prints


def every_format_is_filled(turn: Turn) -> bool:
    return not turn.awaiting


def the_files_are_to_be_delivered(turn: Turn) -> bool:
    """Whether the files are to be delivered. A report that lacks values is not sent to anyone."""
    return not turn.awaiting and turn.delivery is not None and not (turn.left_out or turn.without_value)


ROWS: tuple[Row, ...] = (
    Row("classify_intent", IntentClassified, "read_data", ReadTable, a_filling_is_wanted),
    Row("classify_intent", IntentClassified, "finalize", when=there_is_nothing_to_fill),
    Row("read_data", TableRead, "read_data", BindData),
    Row("read_data", DataBound, "fill", FillReport, each=the_prints),
    Row("read_data", StageFailed, TurnFailed),
    Row("fill", ReportFilled, "deliver_files", DeliverFiles, the_files_are_to_be_delivered),
    Row("fill", ReportFilled, "finalize", when=every_format_is_filled),
    Row("fill", ReportFilled, "fill"),
    Row("fill", StageFailed, TurnFailed),
    Row("deliver_files", FilesDelivered, "finalize"),
    Row("deliver_files", StageFailed, "finalize"),
)
