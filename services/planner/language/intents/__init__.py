"""What a user wants of a turn, by rules."""

from .exports_besides import TAKES_BACK, BesideExport, export_besides
from .replacement import names_replacement, without_replacement
from .rules import Guess, classify
from .versions import drops_request, points_back, steps_named, version_named

__all__ = [
    "TAKES_BACK",
    "BesideExport",
    "Guess",
    "classify",
    "drops_request",
    "export_besides",
    "names_replacement",
    "points_back",
    "steps_named",
    "version_named",
    "without_replacement",
]
