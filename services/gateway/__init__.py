"""Each session's state and the one table of routes."""
