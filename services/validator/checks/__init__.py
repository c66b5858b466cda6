"""The checks, one file each, found by their ``CHECK``. ``services.validator.validate`` runs them by stage."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from bandsmith.shared.turns.verdict import Finding

from .base import Check, FindingCode, Stage

__all__ = ["Check", "FindingCode", "Stage", "all_checks", "all_codes", "blocks_the_engine", "run_checks"]


@cache
def all_checks() -> Mapping[str, Check[Any]]:
    """Every check by the name of its module."""
    names = (module.name for module in pkgutil.iter_modules(__path__) if module.name != "base")
    return {name: import_module(f"{__name__}.{name}").CHECK for name in names}


@cache
def all_codes() -> frozenset[FindingCode]:
    """Every code that a check may report."""
    return frozenset(code for check in all_checks().values() for code in check.codes)


def run_checks(stage: Stage, subject: object) -> list[Finding]:
    """Run the checks of a stage."""
    runs = [check.run for check in all_checks().values() if check.stage == stage and check.run is not None]
    return [finding for run in runs for finding in run(subject)]


def blocks_the_engine(findings: Sequence[Finding]) -> bool:
    """Whether one of the findings makes running the engine pointless."""
    blocking = {code for check in all_checks().values() for code in check.blocking}
    return any(finding.severity == "error" and finding.code in blocking for finding in findings)
