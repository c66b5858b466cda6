"""What the fields of a report are called, and which values they hold."""
