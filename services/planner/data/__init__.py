"""The doors to sources of data: their schema, and queries that passed the checks. Everything is read only."""
