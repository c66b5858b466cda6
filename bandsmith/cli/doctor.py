"""`bandsmith doctor`: is each real part there, and if not, how to get it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bandsmith.shared.bus.server import find_server
from bandsmith.shared.errors import MissingPart
from bandsmith.shared.fonts import CJK_FILE, FAMILIES, font_file
from bandsmith.shared.settings import BusSettings

from .messages import sentence

PYTHON = (3, 11)
JAVA = 11


@dataclass(frozen=True)
class Part:
    """One real part: what was found, or the sentence that says how to get it."""

    name: str
    there: bool
    detail: str


def report(as_json: bool) -> int:
    """Print what was found; 0 when everything is there, 3 when something is missing."""
    parts = examine()
    if as_json:
        print(json.dumps({"parts": [asdict(part) for part in parts]}, ensure_ascii=False, indent=2))
    else:
        table = Table(box=None, pad_edge=False, show_header=False)
        for part in parts:
            mark = "[green]✓[/]" if part.there else "[red]✗[/]"
            table.add_row(mark, part.name, escape(part.detail))
        Console().print(table, highlight=False)
    return 0 if all(part.there for part in parts) else 3


def examine() -> list[Part]:
    return [_look(name, check) for name, check in CHECKS.items()]


def _look(name: str, check: Callable[[], str]) -> Part:
    try:
        return Part(name, True, check())
    except MissingPart as error:
        return Part(name, False, sentence(error))


# --- one function for each part: what is there, in a few words, or MissingPart --------------------------------------


def python() -> str:
    if sys.version_info < PYTHON:
        raise MissingPart("Bandsmith needs Python 3.11 or newer.", message_zh="需要 Python 3.11 或更新的版本。")
    return ".".join(map(str, sys.version_info[:3]))


def java() -> str:
    home = os.environ.get("JAVA_HOME")
    program = shutil.which("java", path=str(Path(home, "bin"))) if home else shutil.which("java")
    said = _ask(program, "-version")
    version = re.search(r'version "((?:1\.)?(\d+)[^"]*)"', said)
    if not version or int(version[2]) < JAVA:
        raise MissingPart(
            f"Java {JAVA} or newer is not installed: run `apt-get install openjdk-17-jre-headless`.",
            message_zh=f"没有安装 Java {JAVA} 或更新的版本：请运行 `apt-get install openjdk-17-jre-headless`。",
        )
    return version[1]


def engine() -> str:
    from bandsmith.services.validator.engine import classpath  # noqa: PLC0415 - a part that is missing must not hide the others

    entries = [Path(entry) for entry in classpath()]
    jars = [entry for entry in entries if entry.suffix == ".jar"]
    if not jars or not all(entry.exists() for entry in entries):
        raise MissingPart(
            "The report engine is not complete; run `make setup`.", message_zh="报表引擎不完整；请运行 `make setup`。"
        )
    reports = next((jar.stem for jar in jars if jar.name.startswith("jasperreports-")), "")
    return f"{reports}, {len(jars)} jars and the font extension"


def fonts() -> str:
    files = {CJK_FILE}
    for family in FAMILIES.values():
        files |= {name for name in (family.regular, family.bold, family.italic, family.bold_italic) if name}
    for name in sorted(files):
        font_file(name)
    return f"{len(FAMILIES)} families and the CJK face"


def nats_server() -> str:
    settings = BusSettings()
    if settings.nats_url:
        return "the running server that NATS_URL names"
    version = re.search(r"v\d+(?:\.\d+)*", _ask(find_server(settings.nats_server), "--version"))
    return version[0] if version else "of an unknown version"


def ocr_models() -> str:
    from bandsmith.services.ocr.engines.models import DETECTION, RECOGNITION, onnx_file  # noqa: PLC0415

    for model in (DETECTION, RECOGNITION):
        onnx_file(model)
    return f"{DETECTION}, {RECOGNITION}"


def ocr_device() -> str:
    from bandsmith.services.ocr.engines import device  # noqa: PLC0415
    from bandsmith.services.ocr.settings import OcrSettings  # noqa: PLC0415

    return device.describe(OcrSettings())


CHECKS: dict[str, Callable[[], str]] = {
    "Python": python,
    "Java": java,
    "report engine": engine,
    "fonts": fonts,
    "nats-server": nats_server,
    "OCR models": ocr_models,
    "OCR device": ocr_device,
}


def _ask(program: str | None, option: str) -> str:
    """What a program says of itself, or nothing when it is not there."""
    if program is None:
        return ""
    try:
        said = subprocess.run([program, option], capture_output=True, text=True, check=False, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return said.stdout + said.stderr
