"""Build the manual as a website in out/site: ``python -m tools.site``.

Its pages load nothing from other hosts, so it can be read without a network. The theme would load Mermaid, which draws
diagrams, from one; instead, a fixed version comes from npm while the site is built, and tools/site_theme/main.html adds
it to the pages that need it.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from tools.node import find_node

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "out" / "site"
MERMAID = "mermaid@12.3.0"
MERMAID_SHA512 = "4113TdXeLAsMruJ79OpFL5O8+LTFXhQqZ260rF3tgUmiNAtRm4Uume04I+65PRN6yZ69J4f8rVYWW8zRk65UYw=="
"""The integrity that npm shows for this version."""
SCRIPT = "dist/mermaid.min.js"
KEPT = ROOT / ".bandsmith" / "site"
LOADED = re.compile(r"<(?:script|link|img|iframe|source)\b[^>]*?\b(?:src|href)=[\"']?(?:https?:)?//[^\"'\s>]+")
"""A tag that makes a browser load something from another host."""


def main() -> int:
    command = [str(Path(sys.executable).with_name("zensical")), "build", "--strict", "--config-file", "zensical.toml"]
    if subprocess.run(command, cwd=ROOT, env=os.environ | {"NO_COLOR": "1"}, check=False).returncode:
        return 1
    (SITE / "assets" / "javascripts" / "mermaid.min.js").write_bytes(mermaid())
    if foreign := foreign_loads(SITE):
        print("These pages load something from another host:", *foreign, sep="\n", file=sys.stderr)
    return bool(foreign)


def mermaid() -> bytes:
    """Return Mermaid's script. Raises ``ValueError`` if the package is not the one that is expected."""
    archive = KEPT / f"{MERMAID.replace('@', '-')}.tgz"
    if not archive.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=KEPT) as folder:
            pack = [*find_node().npm, "pack", MERMAID, "--silent", "--pack-destination", folder]
            subprocess.run(pack, cwd=folder, stdout=subprocess.DEVNULL, check=True)
            (Path(folder) / archive.name).replace(archive)
    if base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode() != MERMAID_SHA512:
        archive.unlink()
        raise ValueError(f"{MERMAID} from npm is not the package whose hash tools/site.py holds")
    with tarfile.open(archive) as package:
        script = package.extractfile(f"package/{SCRIPT}")
        assert script is not None
        return script.read()


def foreign_loads(site: Path) -> list[str]:
    """Return a line for each tag that loads something from another host; links to other sites are none."""
    return [
        f"{page.relative_to(site)}: {tag}"
        for page in sorted(site.rglob("*.html"))
        for tag in LOADED.findall(page.read_text(encoding="utf-8"))
        if "canonical" not in tag
    ]


if __name__ == "__main__":
    sys.exit(main())
