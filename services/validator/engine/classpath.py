"""Locations of the engine's parts: the jars listed in pom.xml, and the font extension made from ``shared.fonts``."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from bandsmith.shared.errors import MissingPart

from . import fonts

POM = Path(__file__).with_name("pom.xml")


def home() -> Path:
    """Return the cache folder of the engine. ``BANDSMITH_ENGINE`` overrides it."""
    if chosen := os.environ.get("BANDSMITH_ENGINE"):
        return Path(chosen)
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "bandsmith" / "engine"


def jars_folder() -> Path:
    """Return the folder of the jars. Its name has the hash of the pom, so a changed pom gets a new folder."""
    return home() / f"jars-{hashlib.sha256(POM.read_bytes()).hexdigest()[:12]}"


def extension_folder() -> Path:
    """Return the folder of the font extension. Raises ``MissingPart`` when a font file is not installed."""
    return home() / f"fonts-{fonts.fingerprint()}"


def classpath() -> list[str]:
    """Return the engine's jars and its font extension. Raises ``MissingPart`` when they are not set up."""
    fonts, jars = extension_folder(), jars_folder()
    if not fonts.is_dir() or not jars.is_dir():
        raise MissingPart.of("validator.engine.missing")
    return [str(fonts), *sorted(str(jar) for jar in jars.glob("*.jar"))]
