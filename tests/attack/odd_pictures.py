"""Hostile pictures, archives and texts, by kind: each is a name with a suffix and what makes its content."""

from __future__ import annotations

import io
import json
import random
import struct
import zipfile
import zlib
from collections.abc import Callable

import numpy as np
from PIL import Image

Kind = tuple[str, Callable[[], bytes]]


def saved(image: Image.Image, kind: str, **options: object) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def noise(width: int, height: int) -> Image.Image:
    return Image.fromarray(np.random.default_rng(3).integers(0, 256, (height, width, 3), np.uint8))


def stripes(width: int, height: int, step: int) -> Image.Image:
    pixels = np.full((height, width, 3), 255, np.uint8)
    pixels[::step] = 0
    return Image.fromarray(pixels)


def lattice(width: int, height: int, step: int) -> Image.Image:
    pixels = np.full((height, width, 3), 255, np.uint8)
    pixels[::step] = 0
    pixels[:, ::step] = 0
    return Image.fromarray(pixels)


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, body: bytes, depth: int = 8, colour: int = 2, interlaced: int = 0) -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced))
    return b"\x89PNG\r\n\x1a\n" + head + body + chunk(b"IEND", b"")


def tiff(entries: list[tuple[int, int, int, int]], following: int = 0, tail: bytes = b"") -> bytes:
    """A little-endian TIFF of one directory; each entry is a tag, a type, a count and a value."""
    table = b"".join(struct.pack("<HHII", *entry) for entry in entries)
    return b"II*\0" + struct.pack("<IH", 8, len(entries)) + table + struct.pack("<I", following) + tail


SMALL_TIFF = [(256, 4, 1, 64), (257, 4, 1, 64), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1), (273, 4, 1, 8)]
HUGE_TIFF = [(256, 4, 1, 2**31 - 1), (257, 4, 1, 2**31 - 1), *SMALL_TIFF[2:]]
LONG_STRIPS = [*SMALL_TIFF[:5], (273, 4, 2**28, 8), (279, 4, 2**28, 8)]


def many_pages() -> bytes:
    page = Image.new("1", (64, 64), 1)
    return saved(page, "TIFF", save_all=True, append_images=[page] * 1_500)


def frames(kind: str, count: int) -> bytes:
    first = Image.new("P", (200, 200))
    others = [Image.new("P", (200, 200), number % 250) for number in range(1, count)]
    return saved(first, kind, save_all=True, append_images=others)


def jpeg_with(marker: int, data: bytes, count: int) -> bytes:
    plain = saved(noise(80, 80), "JPEG")
    return plain[:2] + (b"\xff" + bytes([marker]) + struct.pack(">H", len(data) + 2) + data) * count + plain[2:]


def resized_jpeg(width: int, height: int) -> bytes:
    plain = bytearray(saved(noise(80, 80), "JPEG"))
    at = plain.index(b"\xff\xc0") + 5
    plain[at : at + 4] = struct.pack(">HH", height, width)
    return bytes(plain)


def archive(parts: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for name, part in parts.items():
            made.writestr(name, part)
    return file.getvalue()


def nested_archive(depth: int) -> bytes:
    content = bytes(5_000_000)
    for _ in range(depth):
        content = archive({f"{number}.zip": content for number in range(4)})
    return content


def false_sizes() -> bytes:
    """An archive whose table of contents says that each part is small."""
    content = bytearray(archive({"word/document.xml": b"<x>" + b"a" * 50_000_000 + b"</x>"}))
    at = content.rindex(b"PK\x01\x02") + 24
    content[at : at + 4] = struct.pack("<I", 100)
    return bytes(content)


def rows(count: int, width: int, cell: str = "1") -> bytes:
    header = ",".join(f"c{number}" for number in range(width))
    return "\n".join([header, *[",".join([cell] * width)] * count]).encode()


def random_bytes(length: int, seed: int = 5) -> bytes:
    return random.Random(seed).randbytes(length)


PICTURES: dict[str, Kind] = {
    "PNG of noise as large as is allowed": ("a.png", lambda: saved(noise(3_000, 3_000), "PNG", compress_level=1)),
    "PNG of nothing but rules": ("a.png", lambda: saved(stripes(2_000, 3_000, 3), "PNG")),
    "PNG of a fine lattice": ("a.png", lambda: saved(lattice(2_000, 2_800, 8), "PNG")),
    "PNG of very coarse squares": ("a.png", lambda: saved(lattice(1_240, 1_754, 60), "PNG")),
    "PNG, one pixel wide strips": ("a.png", lambda: saved(stripes(40, 90_000, 2), "PNG")),
    "PNG with a wrong checksum": ("a.png", lambda: saved(noise(90, 90), "PNG")[:-20] + bytes(20)),
    "PNG of 16 bits, interlaced, cut": (
        "a.png",
        lambda: png(4_000, 4_000, chunk(b"IDAT", zlib.compress(b"1")), 16, 2, 1),
    ),
    "PNG with a palette that is missing": (
        "a.png",
        lambda: png(99, 99, chunk(b"IDAT", zlib.compress(bytes(9_900))), 8, 3),
    ),
    "PNG with ten thousand comments": ("a.png", lambda: png(64, 64, chunk(b"tEXt", b"k\0v") * 10_000)),
    "PNG with a compressed profile": (
        "a.png",
        lambda: png(64, 64, chunk(b"iCCP", b"p\0\0" + zlib.compress(bytes(90_000_000)))),
    ),
    "PNG with two headers": (
        "a.png",
        lambda: png(64, 64, chunk(b"IHDR", struct.pack(">IIBBBBB", 9**9, 9**9, 8, 2, 0, 0, 0))),
    ),
    "PNG animation": ("a.png", lambda: frames("PNG", 500)),
    "PNG without any data": ("a.png", lambda: png(500, 500, b"")),
    "JPEG of 65,500 pixels a side": ("a.jpg", lambda: resized_jpeg(65_500, 65_500)),
    "JPEG that is larger than it holds": ("a.jpg", lambda: resized_jpeg(9_000, 9_000)),
    "JPEG of no height": ("a.jpg", lambda: resized_jpeg(80, 0)),
    "JPEG with a hundred comments": ("a.jpg", lambda: jpeg_with(0xFE, b"x" * 60_000, 100)),
    "JPEG with a false EXIF": ("a.jpg", lambda: jpeg_with(0xE1, b"Exif\0\0II*\0\xff\xff\xff\xff" + b"\xff" * 900, 2)),
    "JPEG with ten thousand restarts": ("a.jpg", lambda: saved(noise(80, 80), "JPEG")[:-2] + b"\xff\xd0" * 10_000),
    "JPEG, progressive, cut": ("a.jpg", lambda: saved(noise(1_500, 1_500), "JPEG", progressive=True)[:40_000]),
    "JPEG in CMYK": ("a.jpeg", lambda: saved(noise(800, 800).convert("CMYK"), "JPEG")),
    "TIFF of two thousand million pixels a side": ("a.tif", lambda: tiff(HUGE_TIFF)),
    "TIFF whose directory follows itself": ("a.tif", lambda: tiff(SMALL_TIFF, 8)),
    "TIFF with a strip for each byte": ("a.tif", lambda: tiff(LONG_STRIPS)),
    "TIFF of fifteen hundred pages": ("a.tiff", many_pages),
    "TIFF with sixty thousand tags": ("a.tif", lambda: tiff([(300 + n % 60_000, 2, 4, 8) for n in range(60_000)])),
    "TIFF packed by LZW, damaged": (
        "a.tif",
        lambda: saved(noise(300, 300), "TIFF", compression="tiff_lzw")[:-900] + random_bytes(900),
    ),
    "TIFF as a fax, damaged": (
        "a.tif",
        lambda: saved(Image.new("1", (2_000, 3_000)), "TIFF", compression="group4")[:300] + random_bytes(300),
    ),
    "GIF": ("a.gif", lambda: frames("GIF", 3)),
    "GIF under the name of a PNG": ("a.png", lambda: frames("GIF", 800)),
    "GIF of 65,535 pixels a side": ("a.gif", lambda: b"GIF89a" + struct.pack("<HH", 65_535, 65_535) + bytes(90)),
    "WEBP of noise": ("a.webp", lambda: saved(noise(1_200, 1_200), "WEBP", lossless=True, method=0)),
    "WEBP animation": ("a.webp", lambda: frames("WEBP", 120)),
    "WEBP that states another size": ("a.webp", lambda: b"RIFF" + b"\xff" * 4 + b"WEBPVP8X" + b"\xff" * 60),
    "WEBP, cut": ("a.webp", lambda: saved(noise(900, 900), "WEBP")[:5_000]),
    "BMP packed by run lengths": (
        "a.bmp",
        lambda: b"BM" + struct.pack("<IIIIiiHHII", 99, 0, 54, 40, 9_000, 9_000, 1, 8, 1, 9) + b"\xff\0" * 9_000,
    ),
}

TEXTS: dict[str, Kind] = {
    "ZIP": ("a.zip", lambda: archive({"a.txt": b"x"})),
    "ZIP in ZIP in ZIP": ("a.zip", lambda: nested_archive(4)),
    "ZIP in ZIP as a Word file": ("a.docx", lambda: nested_archive(4)),
    "ZIP whose sizes are false": ("a.docx", false_sizes),
    "ZIP of one part, sixty thousand times": (
        "a.xlsx",
        lambda: archive({f"xl/{n}.xml": b"<x/>" for n in range(60_000)}),
    ),
    "ZIP with the same part twice": ("a.docx", lambda: archive({"word/document.xml": b"<x/>"}) * 2),
    "ZIP with a long comment": (
        "a.xlsx",
        lambda: archive({"xl/workbook.xml": b"<x/>"})[:-2] + b"\xff\xff" + b"c" * 65_535,
    ),
    "TXT": ("a.txt", lambda: b"one line\nand another\n"),
    "TXT of a line of ten million letters": ("a.txt", lambda: b"a" * 10_000_000),
    "TXT under the name of a PDF": ("a.pdf", lambda: b"%PDF" + b"\n" * 100_000),
    "TXT under the name of a table": ("a.csv", lambda: b"just words\n" * 50_000),
    "CSV of four thousand columns": ("a.csv", lambda: rows(10, 4_000)),
    "CSV of three million cells": ("a.csv", lambda: rows(300_000, 10)),
    "CSV of one cell of thirty million letters": ("a.csv", lambda: b"name\n" + b"x" * 30_000_000),
    "CSV with a quotation mark that is open": ("a.csv", lambda: b'a,b\n"' + b"x,y\n" * 2_000_000),
    "CSV of quotation marks": ("a.csv", lambda: b"a,b\n" + b'"' * 5_000_001),
    "CSV of delimiters": ("a.csv", lambda: b"," * 5_000_000),
    "CSV of empty lines": ("a.csv", lambda: b"a,b\n" + b"\n" * 5_000_000),
    "CSV of null bytes": ("a.csv", lambda: b"a,b\n" + bytes(1_000_000)),
    "CSV of formulas": ("a.csv", lambda: b"name\n" + b"=cmd|'/c calc'!A1\n" * 20_000),
    "CSV of noise": ("a.csv", lambda: random_bytes(2_000_000)),
    "CSV in half of a character": ("a.csv", lambda: "姓名,金额\n张三,1\n".encode("gb18030")[:-5] + b"\x81"),
    "CSV in UTF-16 without an end": ("a.csv", lambda: b"\xff\xfe" + "a,b\n1,2\n".encode("utf-16-le") * 99_999 + b"1"),
    "CSV of numbers with large exponents": ("a.csv", lambda: b"n\n" + b"1e999999999\n" * 20_000),
    "JSON of a hundred thousand brackets": ("a.json", lambda: b"[" * 100_000 + b"]" * 100_000),
    "JSON of an endless number": ("a.json", lambda: b'[{"a": ' + b"9" * 2_000_000 + b"}]"),
    "JSON of one key, many times": ("a.json", lambda: b"[{" + b'"a": 1, ' * 500_000 + b'"b": 2}]'),
    "JSON of rows that differ": ("a.json", lambda: json.dumps([{f"k{n}": n} for n in range(20_000)]).encode()),
}
