"""The table of routes: the rows of every flow, joined. The order of the flows is the order of precedence.

python -m bandsmith.services.gateway.workflow_docs         prints the table and its diagram, as the documentation shows
"""

from ..workflow import Workflow
from . import analysis, binding, data, head, query, report, runs, task

ROWS = (
    *head.BEGINNING,
    *binding.ROWS,
    *data.ROWS,
    *analysis.ROWS,
    *query.ROWS,
    *task.ROWS,
    *runs.ROWS,
    *report.ROWS,
    *head.ENDING,
)
WORKFLOW = Workflow(ROWS)
