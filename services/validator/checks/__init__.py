"""The checks, each a file, in the order they run: see ``services.validator.validate``."""
