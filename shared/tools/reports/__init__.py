"""The tools that make, change, show and fill the session's report, and that schedule its runs."""

ABOUT = (
    "build a report from words, change, show and export the one of the conversation; fill it from a source, also one "
    "for each customer, deliver it, schedule runs of it; list conversations"
)
RULES = """\
build_report makes a new report of the conversation, change_report changes it; what could not be done of their words is
stated, and then nothing has changed. fill_report fills the report of this conversation now; schedule_run adds a run
that fills it at given times. "each" divides the rows: a report for each customer is one call with "each": "customer".
Both use the queries that filled the report before and that the user has reviewed. Where there are none, fill_report has
them written and shows them with the filling; schedule_run is refused until the report was filled once, or comes after
that filling in one call of several. Never make up an address or a folder: ask for it."""
"""What a model is told once tools of the domain are offered."""
