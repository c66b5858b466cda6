"""The check of SQL before it runs: one query that only reads, of known tables and columns, by an allow-list."""
