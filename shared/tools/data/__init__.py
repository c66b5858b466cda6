"""The tools that read the user's sources of data."""

ABOUT = "ask a source of data a question, run a query that only reads, state the tables of a source"
RULES = """\
ask_data answers a question in words with the rows of a source; the program writes, checks and runs the query.
run_query runs a SELECT of yours; describe_source states the tables that it can name. All only read."""
"""What a model is told once tools of the domain are offered."""
