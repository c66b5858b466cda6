"""Measures the speed, as ratios within one run: `python -m benchmarks [--write]`. `--write` puts it into the README."""

import asyncio
import os
import sys

from tools import docs

from . import pages
from .table import markdown


def main() -> None:
    rows = asyncio.run(pages.rows())
    table = f"{markdown(rows)}\n\nMeasured on {os.cpu_count()} cores."
    print(table)
    if "--write" in sys.argv[1:]:
        docs.README.write_text(docs.put(docs.README.read_text(), "speed", table))


if __name__ == "__main__":
    main()
