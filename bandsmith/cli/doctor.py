"""``bandsmith doctor``: check each required component, say how to install what is missing, and install the engine."""

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

from .messages import message, sentence

MIN_PYTHON = (3, 11)
MIN_JAVA = 11
PROGRAM_TIMEOUT_S = 20


@dataclass(frozen=True)
class Component:
    """A required component: its version or a short description, or how to install it."""

    name: str
    there: bool
    detail: str


def report(as_json: bool, *, fix: bool = False) -> int:
    """Print every component; return 0 if all are present, 3 if one is missing."""
    failure = _install_engine() if fix else ""
    components = [_examine(name, check) for name, check in CHECKS.items()]
    if as_json:
        print(json.dumps({"parts": [asdict(component) for component in components]}, ensure_ascii=False, indent=2))
    else:
        table = Table(box=None, pad_edge=False, show_header=False)
        for component in components:
            mark = "[green]✓[/]" if component.there else "[red]✗[/]"
            table.add_row(mark, component.name, escape(component.detail))
        Console().print(table, highlight=False)
    if failure:
        print(failure, file=sys.stderr)
    return 0 if all(component.there for component in components) and not failure else 3


def _install_engine() -> str:
    """Install the report engine; return why that failed, or nothing."""
    from bandsmith.services.validator.engine.setup import set_up  # noqa: PLC0415

    print(message("cli.doctor.installing_engine"), file=sys.stderr)
    try:
        set_up()
    except MissingPart as error:
        return sentence(error)
    return ""


def _examine(name: str, check: Callable[[], str]) -> Component:
    try:
        return Component(name, True, check())
    except MissingPart as error:
        return Component(name, False, sentence(error))


# --- one function per component: returns its version or a description, or raises MissingPart --------------------------


def python() -> str:
    if sys.version_info < MIN_PYTHON:
        raise MissingPart.of("cli.doctor.python")
    return ".".join(map(str, sys.version_info[:3]))


def java() -> str:
    home = os.environ.get("JAVA_HOME")
    program = shutil.which("java", path=str(Path(home, "bin"))) if home else shutil.which("java")
    version = re.search(r'version "((?:1\.)?(\d+)[^"]*)"', _output(program, "-version"))
    if not version or int(version[2]) < MIN_JAVA:
        raise MissingPart.of("cli.doctor.java", version=MIN_JAVA)
    return version[1]


def engine() -> str:
    # Imported here: if a component fails to import, the others are still checked.
    from bandsmith.services.validator.engine import classpath  # noqa: PLC0415

    entries = [Path(entry) for entry in classpath()]
    jars = [entry for entry in entries if entry.suffix == ".jar"]
    if not jars or not all(entry.exists() for entry in entries):
        raise MissingPart.of("cli.doctor.engine_incomplete")
    version = next((jar.stem for jar in jars if jar.name.startswith("jasperreports-")), "")
    return message("cli.doctor.engine", version=version, count=len(jars))


def fonts() -> str:
    files = {CJK_FILE}
    for family in FAMILIES.values():
        files |= {name for name in (family.regular, family.bold, family.italic, family.bold_italic) if name}
    for name in sorted(files):
        font_file(name)
    return message("cli.doctor.fonts", count=len(FAMILIES))


def nats_server() -> str:
    settings = BusSettings()
    if settings.nats_url:
        return message("cli.doctor.nats_url")
    version = re.search(r"v\d+(?:\.\d+)*", _output(find_server(settings.nats_server), "--version"))
    return version[0] if version else message("cli.doctor.unknown_version")


def ocr_models() -> str:
    from bandsmith.services.ocr.engines.models import DETECTION, RECOGNITION, onnx_file  # noqa: PLC0415

    for model in (DETECTION, RECOGNITION):
        onnx_file(model)
    return f"{DETECTION}, {RECOGNITION}"


def ocr_device() -> str:
    from bandsmith.services.ocr.engines import device  # noqa: PLC0415
    from bandsmith.services.ocr.settings import OcrSettings  # noqa: PLC0415

    return device.describe(OcrSettings())


def walls() -> str:
    """Return what workers cannot reach. A wall that the kernel does not offer is named; it cannot be installed."""
    from bandsmith.services.ocr.settings import OcrSettings  # noqa: PLC0415
    from bandsmith.shared.confined.probe import probe  # noqa: PLC0415

    found = probe()
    standing, missing = (", ".join(names) for names in (found.standing, found.missing))
    if not standing:
        return message("cli.doctor.no_walls")
    told = message("cli.doctor.some_walls", standing=standing, missing=missing) if missing else standing
    return message("cli.doctor.gpu_outside", walls=told) if OcrSettings().device == "cuda" else told


CHECKS: dict[str, Callable[[], str]] = {
    "Python": python,
    "Java": java,
    "report engine": engine,
    "fonts": fonts,
    "nats-server": nats_server,
    "OCR models": ocr_models,
    "OCR device": ocr_device,
    "walls": walls,
}


def _output(program: str | None, option: str) -> str:
    """Return what a program prints, or nothing when it does not exist or hangs."""
    if program is None:
        return ""
    try:
        done = subprocess.run([program, option], capture_output=True, text=True, check=False, timeout=PROGRAM_TIMEOUT_S)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout + done.stderr
