"""What the wheel installs: every data file, and one importable name. ``make wheel-check`` builds and runs it."""

import tomllib
from fnmatch import fnmatch
from pathlib import Path

from tools import wheel_check

ROOT = Path(__file__).resolve().parent.parent
SETUPTOOLS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]


def is_installed(path: str) -> bool:
    """Apply the patterns of package-data, which hold for a package's own folder or below it."""
    folder, name = str(Path(path).parent), Path(path).name
    for package, patterns in SETUPTOOLS["package-data"].items():
        base = package.replace(".", "/")
        for pattern in patterns:
            if package == "*" and fnmatch(name, pattern):
                return True
            if folder == str(Path(base, pattern).parent) and fnmatch(name, Path(pattern).name):
                return True
    return False


def test_every_data_file_is_installed():
    data = {path for path in wheel_check.package_files() if not path.endswith(".py")}
    forgotten = sorted(path for path in data if not is_installed(path))
    assert forgotten == [], "package-data in pyproject.toml lacks patterns for these files"


def test_one_importable_name_is_installed():
    assert SETUPTOOLS["packages"]["find"]["include"] == ["bandsmith*"]
