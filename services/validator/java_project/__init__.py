"""A ZIP archive with what a Java program needs to fill a report: template, sample data, fonts, libraries, and code."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

from lxml import etree

from bandsmith.shared.model.plan import Data
from bandsmith.shared.xml import parse

from ..engine import fonts
from ..engine.classpath import POM, extension_folder

_FOLDER = Path(__file__).parent
_COPIED = {"FillReport.java": "FillReport.java", "README.md": "README.en.md", "README.zh.md": "README.zh.md"}
"""The project's files, each with the one here that it is a copy of."""
_FIRST_DAY = (1980, 1, 1, 0, 0, 0)
"""The time of every file: the same report gives the same archive."""


def java_project(template: bytes, data: Data) -> bytes:
    """Return the archive. Raises ``MissingPart`` where the engine's fonts are not set up."""
    files = {name: (_FOLDER / source).read_bytes() for name, source in _COPIED.items()}
    return _zipped(
        {
            "report.jrxml": template,
            "data.json": data.model_dump_json(indent=2).encode(),
            "bandsmith-fonts.jar": _fonts_jar(template),
            "jasperreports.properties": fonts.settings_file(fonts.SETTINGS).encode(),
            "pom.xml": _pom(),
            **files,
        }
    )


def _fonts_jar(template: bytes) -> bytes:
    """Return the font extension with the families that a template names, by any of their names."""
    named = {str(name) for name in parse(template).xpath("//@fontName")}
    texts, faces = fonts.extension(named)
    folder = extension_folder()
    content = {name: text.encode() for name, text in texts.items()}
    return _zipped(content | {name: (folder / name).read_bytes() for name in faces})


def _pom() -> bytes:
    """Return the engine's list of jars as a separate project."""
    project = parse(POM.read_bytes())
    etree.strip_tags(project, etree.Comment)
    for node in project.findall("{*}artifactId"):
        node.text = "report"
    return etree.tostring(project, xml_declaration=True, encoding="UTF-8", pretty_print=True)


def _zipped(files: Mapping[str, bytes]) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, _FIRST_DAY)
            entry.compress_type = zipfile.ZIP_STORED if name.endswith(".jar") else zipfile.ZIP_DEFLATED
            zipped.writestr(entry, content)
    return archive.getvalue()
