"""The YAML files of the tests: some have thousands of lines, and each process that runs tests reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(path: Path) -> Any:
    """Return the content of a file, by libyaml where PyYAML has it: it takes a tenth of the time."""
    return parse_yaml(path.read_text(encoding="utf-8"))


def parse_yaml(text: str) -> Any:
    return yaml.load(text, Loader=_Loader)
