"""The names of a report's fields and the types of their values."""
