"""The tools that fill the session's report, and that schedule its runs."""

ABOUT = "fill the report of the conversation from a source, also one for each customer, deliver it, schedule runs of it"
RULES = """\
fill_report fills the report of this conversation now; schedule_run adds a run that fills it at given times. "each"
divides the rows: a report for each customer is one call with "each": "customer". Both use the queries that filled the
report before and that the user has reviewed: if there are none, the result says what the user has to do first. Never
make up an address or a folder: ask for it."""
"""What a model is told once tools of the domain are offered."""
