"""Hostile documents: each ends in a sentence or a page, and the reader reads the next one."""

from __future__ import annotations

import io
import os
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bandsmith.services.ocr.reader import DocumentReader
from bandsmith.shared.errors import BadInput
from tests.ocr.sample_forms import SAMPLES

pytestmark = pytest.mark.slow

FILES = int(os.environ.get("BANDSMITH_FUZZ_FILES", "200"))
"""Damaged files that are made up in a run."""
MAX_MEMORY_BYTES = 10**9
CONTENT_TYPES = '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def picture(width: int, height: int, *, depth: int = 8, colour: int = 2) -> bytes:
    """A PNG that states its size and holds little."""
    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    body = zlib.compress(bytes(min(width * height * 3, 1_000_000)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def package(parts: dict[str, str | bytes], main: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for name, part in {"[Content_Types].xml": CONTENT_TYPES, main: "<x/>", **parts}.items():
            made.writestr(name, part)
    return file.getvalue()


def pdf(objects: list[str], stream: bytes = b"") -> bytes:
    body = "\n".join(f"{n} 0 obj {each} endobj" for n, each in enumerate(objects, 1)).encode()
    return b"%PDF-1.7\n" + body.replace(b"STREAM", stream) + b"\ntrailer << /Root 1 0 R >>"


def page(content: bytes, box: str = "0 0 595 842", more: str = "") -> bytes:
    stream = zlib.compress(content)
    return pdf(
        [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox [{box}] /Contents 4 0 R {more} >>",
            f"<< /Filter /FlateDecode /Length {len(stream)} >> stream\nSTREAM\nendstream",
        ],
        stream,
    )


def commented(comment: bytes) -> bytes:
    """A PNG whose comment is small only as long as it is compressed."""
    start = picture(64, 64)
    return start[:33] + chunk(b"zTXt", b"note\0\0" + zlib.compress(comment)) + start[33:]


SHEET = "xl/worksheets/sheet1.xml"
WIDE = '<worksheet><cols><col min="1" max="999999999" width="255"/></cols><sheetData/></worksheet>'
WORD, BOOK = "word/document.xml", "xl/workbook.xml"
LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY c "&b;&b;&b;">]><x>&c;</x>'
UPLOADS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "a long picture": (".png", lambda: picture(100_000, 999)),
    "a thin picture": (".png", lambda: picture(3_000_000, 32)),
    "a picture of four billion pixels": (".png", lambda: picture(65_000, 65_000)),
    "a picture without pixels": (".png", lambda: picture(0, 0)),
    "a deep picture": (".png", lambda: picture(9_000, 9_000, depth=16, colour=6)),
    "a picture that ends": (".jpg", lambda: b"\xff\xd8\xff\xe0" + bytes(100)),
    "a picture of another kind": (".tif", lambda: b"II*\0" + b"\xff" * 400),
    "a bitmap with a negative size": (
        ".bmp",
        lambda: b"BM" + struct.pack("<IIIIii", 54, 0, 54, 40, -5, -5) + bytes(90),
    ),
    "a webp of noise": (".webp", lambda: b"RIFF" + struct.pack("<I", 4000) + b"WEBPVP8L" + b"\x2f" * 4000),
    "a package full of zeros": (".docx", lambda: package({"word/media/x.bin": bytes(300_000_000)}, WORD)),
    "an XML bomb": (".docx", lambda: package({WORD: LAUGHS}, WORD)),
    "an XML bomb under another name": (".docx", lambda: package({"word/x.bin": LAUGHS}, WORD)),
    "ten thousand parts": (".xlsx", lambda: package({f"x/{n}": "x" for n in range(10_000)}, BOOK)),
    "deep XML": (".docx", lambda: package({WORD: "<x>" * 5_000 + "</x>" * 5_000}, WORD)),
    "a package of nothing": (".xlsx", lambda: package({}, BOOK)),
    "a package that ends": (".docx", lambda: package({}, WORD)[:60]),
    "a path outside": (".docx", lambda: package({"../../../tmp/made": "x"}, WORD)),
    "a sheet of noise": (".xlsx", lambda: package({SHEET: "<worksheet><sheetData>" * 40}, BOOK)),
    "a locked document": (".docx", lambda: b"\xd0\xcf\x11\xe0" + bytes(2_000)),
    "a compressed bomb in a PDF": (".pdf", lambda: page(b"0 0 m 1 1 l S " * 8_000_000)),
    "a PDF of a square mile": (".pdf", lambda: page(b"", "0 0 9999999 9999999")),
    "a PDF without an area": (".pdf", lambda: page(b"", "0 0 0 0")),
    "a PDF that contains itself": (".pdf", lambda: pdf(["<< /Pages 2 0 R >>", "<< /Kids [2 0 R] /Count 9 >>"])),
    "a form that draws itself": (".pdf", lambda: page(b"/F Do " * 99, more="/Resources << /XObject << /F 4 0 R >> >>")),
    "deep brackets in a PDF": (".pdf", lambda: page(b"[" * 1_000_000)),
    "many saved states in a PDF": (".pdf", lambda: page(b"q " * 3_000_000)),
    "a PDF that runs code": (".pdf", lambda: page(b"", more="/AA << /O << /S /JavaScript /JS (app.alert(1)) >> >>")),
    "a PDF that ends": (".pdf", lambda: b"%PDF-1.7"),
    "a picture with a compressed comment": (".png", lambda: commented(bytes(100_000_000))),
    "words below each other in one place": (".pdf", lambda: page(b"BT /F 9 Tf 1 1 Td (a) Tj ET " * 50_000)),
    "coordinates that are no numbers": (".pdf", lambda: page(b"nan inf 0 0 1 1 cm 0 0 m 9 9 l S")),
    "a page that is turned by 37 degrees": (".pdf", lambda: page(b"0 0 m 9 9 l S", more="/Rotate 37")),
    "a sheet of a billion columns": (".xlsx", lambda: package({SHEET: WIDE}, BOOK)),
}


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocumentReader]:
    """A reader of many documents, which leaves no file behind."""
    folder = tmp_path_factory.mktemp("reader")
    with mock.patch.object(tempfile, "tempdir", str(folder)):
        reader = DocumentReader(limit=20)
        yield reader
        reader.stop()
    assert list(folder.iterdir()) == []


def peak_memory(pid: int) -> int:
    """Return the most bytes of memory that a process has used."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


@pytest.mark.parametrize("name", UPLOADS)
def test_a_hostile_document_ends_in_a_sentence_or_a_page(reader: DocumentReader, name: str):
    suffix, make = UPLOADS[name]
    try:
        decoded = reader.decode(f"form{suffix}", make(), None)
        assert min(decoded.pixels.shape) > 0
    except BadInput as refused:
        assert refused.message and refused.message_zh
        assert "/" not in refused.message
    assert reader.decode("form.png", SAMPLES[".png"](), None).pixels.size


def test_a_name_is_used_for_its_suffix_only(reader: DocumentReader):
    for name in ("../../etc/passwd.png", "/etc/passwd.png", "a\0b.png", "x" * 5_000 + ".png", "\u202egnp.png"):
        assert reader.decode(name, SAMPLES[".png"](), None).pixels.size


damage = st.lists(
    st.tuples(
        st.sampled_from(["cut", "flip", "zero", "repeat", "noise", "large"]),
        st.floats(0, 1, exclude_max=True),
        st.integers(1, 64),
        st.binary(min_size=1, max_size=16),
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=FILES, deadline=None, derandomize="BANDSMITH_FUZZ_FILES" not in os.environ,
          suppress_health_check=list(HealthCheck))  # fmt: skip
@given(suffix=st.sampled_from(sorted(SAMPLES)), changes=damage)
def test_a_damaged_document_ends_in_a_sentence_or_a_page(reader: DocumentReader, suffix: str, changes: list):
    content = bytearray(sample(suffix))
    for kind, where, length, noise in changes:
        change(content, kind, int(where * max(1, len(content))), length, noise)
    with suppress(BadInput):
        reader.decode(f"form{suffix}", bytes(content), None)
    assert not reader.pid or peak_memory(reader.pid) < MAX_MEMORY_BYTES


def test_the_reader_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    reader = DocumentReader(limit=20)
    for suffix in SAMPLES:
        with suppress(BadInput):
            reader.decode(f"form{suffix}", sample(suffix)[:-9], None)
    reader.stop()
    assert list(tmp_path.iterdir()) == []


_made: dict[str, bytes] = {}


def sample(suffix: str) -> bytes:
    if suffix not in _made:
        _made[suffix] = SAMPLES[suffix]()
    return _made[suffix]


def change(content: bytearray, kind: str, at: int, length: int, noise: bytes) -> None:
    match kind:
        case "cut":
            del content[at : at + length * 64]
        case "flip":
            for index in range(at, min(at + length, len(content))):
                content[index] ^= 0xFF
        case "zero":
            content[at : at + length] = bytes(length)
        case "repeat":
            content[at:at] = content[at : at + length] * 50
        case "noise":
            content[at : at + len(noise)] = noise
        case "large":
            content[at : at + 4] = b"\xff\xff\xff\x7f"
