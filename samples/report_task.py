"""The second task of ``make demo-task``: a report is built, filled and scheduled, and its run is started once.

The replies were written by hand, as models write them; where each belongs follows from what happened before it.
"""

from __future__ import annotations

import json

from bandsmith.shared.llm.scripted import ScriptedRequest

RUN = "monthly-sales"
REQUEST = (
    "/task build a sales report with customer and amount, fill it for October, and do that each first working day of "
    "the month for the month before; put the PDFs into reports"
)
ANSWERS = ("yes", "yes", "yes", "yes")
"""To the plan, the new report, the filling with its queries, and the run."""
QUERY = (
    "SELECT customers.name AS customer, ROUND(SUM(order_lines.quantity * order_lines.price), 2) AS amount FROM orders "
    "JOIN customers ON customers.id = orders.customer_id JOIN order_lines ON order_lines.order_id = orders.id "
    "WHERE orders.ordered_on >= :period_start AND orders.ordered_on < :period_end "
    "GROUP BY customers.name ORDER BY amount DESC LIMIT 20"
)
PLAN: dict[str, object] = {
    "action": "plan_done",
    "complexity": "moderate",
    "plan_steps": [
        {"content": "Build a sales report with customer and amount.", "done_when": "The report is built."},
        {"content": "Fill it for October, into reports.", "done_when": "The file is in reports."},
        {
            "content": "Schedule that for each first working day of the month, for the month before.",
            "done_when": "The run is added.",
        },
    ],
}
EACH_FIRST_WORKING_DAY = "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1;BYHOUR=8;BYMINUTE=0"
SCHEDULED = {"run_name": RUN, "rule": EACH_FIRST_WORKING_DAY, "period": "last month", "folder": "reports"}


def _call(action: str, name: str, **arguments: object) -> dict[str, object]:
    return {"action": action, "speak": "", "tool_call": {"name": name, "arguments": arguments}}


STEPS: list[dict[str, object]] = [
    _call("continue", "context_tools_add", domain="reports"),
    _call("confirm", "build_report", description="a sales report with customer and amount"),
    {"action": "next_plan", "goal_check": "The result says that the report is built and passed every check."},
    _call("confirm", "fill_report", period="2026-10", folder="reports"),
    {"action": "next_plan", "goal_check": "The result names the file in reports."},
    _call("confirm", "schedule_run", **SCHEDULED),
    {"action": "done", "goal_check": "The result says that the run is added."},
]
OTHERS: dict[str, dict[str, object]] = {
    "task_plan": PLAN,
    "task_summary": {"summary": "The report of October is in reports, and so will be that of each month."},
    "write_binding": {"query": QUERY, "reason": ""},
    "initial_generation": {
        "spec": {
            "title": "Sales by customer",
            "columns": [
                {"label": "Customer", "name": "customer", "type": "text"},
                {"label": "Amount", "name": "amount", "type": "money", "total": "sum"},
            ],
            "group_by": None,
            "language": "en",
        }
    },
}


def reply(asked: ScriptedRequest) -> str:
    """Return the recorded reply to a request."""
    if asked.prompt != "task_step":
        return json.dumps(OTHERS[asked.prompt])
    taken = sum(message["role"] == "assistant" for message in asked.messages)
    return json.dumps(STEPS[min(taken, len(STEPS) - 1)])
