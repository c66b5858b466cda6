"""Read a sentence, or a table beside it, as a new report: by rules, and by a model where they are unsure."""

from .catalogue import standard_of
from .from_model import from_model, reviewer
from .read_spec import describes_report, is_whole_report, read_spec, read_spec_by_rules

__all__ = [
    "describes_report",
    "from_model",
    "is_whole_report",
    "read_spec",
    "read_spec_by_rules",
    "reviewer",
    "standard_of",
]
