"""The checks, each a file, in the order they run: see ``bandsmith.services.validator.validate``."""
