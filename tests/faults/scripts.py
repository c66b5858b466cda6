"""Turns about data for the fault tests, and what the scripted services answer in them."""

from __future__ import annotations

from bandsmith.shared.events import AnalysisPlanned, Envelope, PlaceholdersRead, PlanAnalysis, ReadPlaceholders
from bandsmith.shared.model.filling import Filling
from bandsmith.shared.model.source import Asking

from ..gateway.scripted import Script
from ..workflow.play import TEMPLATE, starting
from ..workflow.service_events import ROWS_OPEN, TITLE_OPEN, ref, step

PLAN = [step("first"), step("forecast", uses=["first"], kind="python")]
FILLING = Filling(source="shop")
SCRIPT: Script = {
    PlanAnalysis: [AnalysisPlanned(question="How many?", plan=PLAN)],
    ReadPlaceholders: [
        PlaceholdersRead(source="shop", database=ref("database"), works=[ROWS_OPEN, TITLE_OPEN], filling=FILLING)
    ],
}
TURNS: dict[str, Envelope] = {
    "a question": starting("how many?", attachments=(), asking=Asking(source="shop")),
    "an analysis": starting("why?", attachments=(), asking=Asking(source="shop", analyse=True)),
    "a filling": starting(attachments=(TEMPLATE,), filling=FILLING),
}
NODES: dict[str, set[str]] = {
    "a question": {
        *("recall_evidence", "enhance_question", "recall_schema", "relate_tables", "assess"),
        *("write_sql", "check_sql", "judge_sql", "run_sql", "finalize"),
    },
    "an analysis": {
        *("recall_evidence", "enhance_question", "recall_schema", "relate_tables", "assess"),
        *("plan_analysis", "write_sql", "check_sql", "judge_sql", "run_sql"),
        *("write_python", "run_python", "analyse_python", "write_report", "render_report", "finalize"),
    },
    "a filling": {
        *("process_input", "read_placeholders", "write_binding", "check_binding", "try_binding"),
        *("store_bindings", "fetch_rows", "read_data", "fill", "finalize"),
    },
}
"""The nodes at which each turn waits for a service, or ends."""
