"""Office files that tests write, and the words of their pages."""

import io
import zipfile

from bandsmith.services.ocr.documents import decode_document
from bandsmith.services.ocr.page import Page
from bandsmith.shared.model.geometry import Size
from tests.ocr.sample_forms import (
    logo,
)

A4 = Size(width=595, height=842)


def repacked(package: io.BytesIO, part: str, change) -> bytes:
    """An office document with one part changed."""
    out = io.BytesIO()
    with zipfile.ZipFile(package) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, change(content) if name == part else content)
    return out.getvalue()


def saved_office(document) -> bytes:
    """A document of python-docx or openpyxl as a file."""
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def saved_logo() -> bytes:
    file = io.BytesIO()
    logo().save(file, "PNG")
    return file.getvalue()


def words_of(name: str, content: bytes, number: int) -> list[str]:
    page = decode_document(name, content, None, number)
    assert isinstance(page, Page)
    return [word.text for word in page.words or []]


class NoEngine:
    """Reads nothing: a workbook carries its words."""

    def start(self):
        pass

    def detect(self, pixels):
        return []

    def read(self, crops):
        return [("", 0.0)] * len(crops)
