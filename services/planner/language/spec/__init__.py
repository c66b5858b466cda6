"""Read a sentence, or a table beside it, as a new report: by rules, and by a model where they are unsure."""

from .read_spec import from_model, read_spec, read_spec_by_rules

__all__ = ["from_model", "read_spec", "read_spec_by_rules"]
