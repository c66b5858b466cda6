"""Hostile PDF files, by kind: each is a name with a suffix and what makes its content."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable

Kind = tuple[str, Callable[[], bytes]]
FONT = b"<< /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> %s >>"


def pdf(content: bytes, *more: bytes, resources: bytes = b"", page: bytes = b"", pages: int = 1) -> bytes:
    """A PDF whose pages draw `content`. `more` are objects 5 and up."""
    kids = b"4 0 R " * pages
    packed = zlib.compress(content)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d /MediaBox [0 0 595 842] >>" % (kids, pages),
        b"<< /Filter /FlateDecode /Length %d >> stream\n%s\nendstream" % (len(packed), packed),
        b"<< /Type /Page /Parent 2 0 R /Contents 3 0 R /Resources %s %s >>" % (FONT % resources, page),
        *more,
    ]
    numbered = b"".join(b"%d 0 obj %s endobj\n" % (number, each) for number, each in enumerate(objects, 1))
    return b"%PDF-1.7\n" + numbered + b"trailer << /Root 1 0 R >>"


def stream(entries: bytes, data: bytes) -> bytes:
    return b"<< %s /Length %d >> stream\n%s\nendstream" % (entries, len(data), data)


def packed_often(times: int) -> bytes:
    """A stream that was packed several times, whose content is much larger than each step."""
    data = b"0 0 m 9 9 l S " * 3_000_000
    for _ in range(times):
        data = zlib.compress(data, 9)
    return stream(b"/Filter [" + b"/FlateDecode " * times + b"]", data)


def forms(depth: int, width: int) -> list[bytes]:
    """Drawings each of which draws the next one several times."""
    entries = b"/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /N %d 0 R >> >>"
    return [stream(entries % (6 + level), b"/N Do " * width) for level in range(depth)] + [
        stream(b"/Type /XObject /Subtype /Form /BBox [0 0 9 9]", b"0 0 m 9 9 l S")
    ]


def words(count: int, size: float, text: bytes = b"word") -> bytes:
    lines = (
        b"BT /F %f Tf %d %d Td (%s) Tj ET" % (size, 20 + n % 60 * 9, 20 + n // 60 % 800, text) for n in range(count)
    )
    return b"\n".join(lines)


def boxes(count: int) -> bytes:
    return b"\n".join(b"%d %d %d %d re S" % (n % 500, n // 7 % 700, 5 + n % 90, 5 + n % 70) for n in range(count))


IMAGE = b"/Type /XObject /Subtype /Image /Width %d /Height %d /BitsPerComponent 8 /ColorSpace /DeviceGray"
SHADING = b"/Shading << /S << /ShadingType 1 /ColorSpace /DeviceRGB /Function 5 0 R >> >>"
PATTERN = b"/Pattern << /P 5 0 R >>"
TILE = (
    b"/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep 0.01 /YStep 0.01 /Resources << >>"
)
FUNCTION = b"/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1]"
WIDGET = b"<< /Type /Annot /Subtype /Widget /FT /Tx /T (n%d) /V (%s) /DA (/F 9 Tf) /Rect [10 10 90 90] /F 4 >>"

PDFS: dict[str, Kind] = {
    "PDF packed five times": ("a.pdf", lambda: pdf(b"", packed_often(5)).replace(b"/Contents 3", b"/Contents 5")),
    "PDF of drawings in drawings": (
        "a.pdf",
        lambda: pdf(b"/N Do", *forms(12, 9), resources=b"/XObject << /N 5 0 R >>"),
    ),
    "PDF of a slow shading": (
        "a.pdf",
        lambda: pdf(b"/S sh", stream(FUNCTION, b"{" + b"sin cos " * 9_000 + b"0 0}"), resources=SHADING),
    ),
    "PDF of a pattern of tiny tiles": (
        "a.pdf",
        lambda: pdf(b"/Pattern cs /P scn 0 0 595 842 re f", stream(TILE, b"0 0 1 1 re f"), resources=PATTERN),
    ),
    "PDF of nine thousand words": ("a.pdf", lambda: pdf(words(9_000, 4.0))),
    "PDF of sixty thousand words": ("a.pdf", lambda: pdf(words(60_000, 6.0))),
    "PDF of one word in one place": ("a.pdf", lambda: pdf(b"BT /F 9 Tf 90 90 Td (word) Tj ET " * 9_000)),
    "PDF of letters as large as the page": ("a.pdf", lambda: pdf(b"BT /F 2000 Tf 1 1 Td (WWWWWWWW) Tj ET " * 400)),
    "PDF of one line of a hundred thousand letters": (
        "a.pdf",
        lambda: pdf(b"BT /F 9 Tf 9 99 Td (" + b"a" * 100_000 + b") Tj ET"),
    ),
    "PDF of one word of nine thousand letters": (
        "a.pdf",
        lambda: pdf(b"BT /F 0.06 Tf 9 99 Td (" + b"a" * 9_000 + b") Tj ET"),
    ),
    "PDF of twenty thousand boxes": ("a.pdf", lambda: pdf(boxes(20_000))),
    "PDF of three thousand boxes and words": ("a.pdf", lambda: pdf(boxes(3_000) + b"\n" + words(3_000, 5.0))),
    "PDF of dashes": ("a.pdf", lambda: pdf(b"[0.001 0.001] 0 d 0 0 m 595 842 l S " * 300)),
    "PDF of curves": ("a.pdf", lambda: pdf(b"0 0 m " + b"9 9 500 800 20 400 c " * 200_000 + b"S")),
    "PDF of clips": ("a.pdf", lambda: pdf(b"0 0 500 500 re W n " * 200_000)),
    "PDF of transparent layers": (
        "a.pdf",
        lambda: pdf(b"/G gs 0 0 595 842 re f " * 3_000, resources=b"/ExtGState << /G << /ca 0.1 /BM /Luminosity >> >>"),
    ),
    "PDF with an image of a hundred million pixels": (
        "a.pdf",
        lambda: pdf(
            b"595 0 0 842 0 0 cm /I Do",
            stream(IMAGE % (10_000, 10_000) + b" /Filter /FlateDecode", zlib.compress(bytes(10**8))),
            resources=b"/XObject << /I 5 0 R >>",
        ),
    ),
    "PDF with one image, five thousand times": (
        "a.pdf",
        lambda: pdf(
            b"q 99 0 0 99 0 0 cm /I Do Q " * 5_000,
            stream(IMAGE % (900, 900), bytes(810_000)),
            resources=b"/XObject << /I 5 0 R >>",
        ),
    ),
    "PDF of ten thousand pages": ("a.pdf", lambda: pdf(words(20, 9.0), pages=10_000)),
    "PDF whose pages are in themselves": ("a.pdf", lambda: pdf(b"").replace(b"/Kids [4 0 R ]", b"/Kids [2 0 R 2 0 R]")),
    "PDF with five thousand form fields": (
        "a.pdf",
        lambda: pdf(
            b"",
            *[WIDGET % (n, b"x" * 50) for n in range(5_000)],
            page=b"/Annots [%s]" % b" ".join(b"%d 0 R" % n for n in range(5, 5_005)),
        ),
    ),
    "PDF of a page of one point": ("a.pdf", lambda: pdf(words(50, 9.0), page=b"/MediaBox [0 0 1 1]")),
    "PDF of a page five metres long": ("a.pdf", lambda: pdf(words(500, 9.0), page=b"/MediaBox [0 0 595 14400]")),
    "PDF with a font of noise": (
        "a.pdf",
        lambda: pdf(
            words(90, 9.0),
            stream(b"/Length1 20000", random.Random(2).randbytes(20_000)),
            b"<< /Type /FontDescriptor /FontName /X /Flags 4 /FontFile2 5 0 R >>",
            resources=b"/Font << /F << /Type /Font /Subtype /TrueType /BaseFont /X /FontDescriptor 6 0 R >> >>",
        ),
    ),
    "PDF that is cut in the middle": ("a.pdf", lambda: pdf(words(900, 9.0))[:3_000]),
}
