"""Tools of the project: set-up, generated documentation, and the check of the wheel."""
