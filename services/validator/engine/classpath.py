"""Where the engine's parts are: the jars named by pom.xml, and the font extension written from ``shared.fonts``."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from bandsmith.shared.errors import MissingPart

from . import fonts

POM = Path(__file__).with_name("pom.xml")


def home() -> Path:
    """The user's cache folder for the engine; ``BANDSMITH_ENGINE`` names another."""
    if chosen := os.environ.get("BANDSMITH_ENGINE"):
        return Path(chosen)
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "bandsmith" / "engine"


def jars_folder() -> Path:
    """Named by the pom's content, so that a changed pom is a new folder and a finished one is never touched again."""
    return home() / f"jars-{hashlib.sha256(POM.read_bytes()).hexdigest()[:12]}"


def extension_folder() -> Path:
    """Named by the extension's content. Raises ``MissingPart`` when a font file is not installed."""
    return home() / f"fonts-{fonts.fingerprint()}"


def classpath() -> list[str]:
    """The engine's jars and its font extension. Raises ``MissingPart`` when they have not been set up."""
    fonts, jars = extension_folder(), jars_folder()
    if not fonts.is_dir() or not jars.is_dir():
        raise MissingPart(
            "The report engine is not installed: run `bandsmith doctor --fix`.",
            message_zh="报表引擎尚未安装：请运行 `bandsmith doctor --fix`。",
        )
    return [str(fonts), *sorted(str(jar) for jar in jars.glob("*.jar"))]
