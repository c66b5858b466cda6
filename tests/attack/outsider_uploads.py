"""Hostile uploads of an attacker who has read the manual and not the code: a name with a suffix, and its content."""

from __future__ import annotations

import base64
import io
import random
import struct
import zipfile
import zlib
from collections.abc import Callable

Upload = tuple[str, Callable[[], bytes]]
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
WORDS = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def archive(parts: dict[str, str], kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", kind) as made:
        for name, text in parts.items():
            made.writestr(name, text)
    return file.getvalue()


def related(target: str, kind: str = "officeDocument", mode: str = "") -> str:
    more = f' TargetMode="{mode}"' if mode else ""
    link = f'<Relationship Id="r1" Type="{RELATIONS}/{kind}" Target="{target}"{more}/>'
    return f'<Relationships xmlns="{PACKAGE}/relationships">{link}</Relationships>'


def types(part: str, kind: str) -> str:
    media = f"application/vnd.openxmlformats-officedocument.{kind}.main+xml"
    return (
        f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/>'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/{part}" ContentType="{media}"/></Types>'
    )


def book(sheet: str, **more: str) -> bytes:
    """A workbook with one sheet, whose XML is given."""
    main = (
        f'<workbook xmlns="{SHEETS}" xmlns:r="{RELATIONS}"><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets>'
        f"{more.pop('after', '')}</workbook>"
    )
    return archive(
        {
            "[Content_Types].xml": types("xl/workbook.xml", "spreadsheetml.sheet"),
            "_rels/.rels": related("xl/workbook.xml"),
            "xl/workbook.xml": main,
            "xl/_rels/workbook.xml.rels": related("worksheets/sheet1.xml", "worksheet"),
            "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{SHEETS}">{sheet}</worksheet>',
            **more,
        }
    )


def word(body: str, **more: str) -> bytes:
    """A Word file with this body."""
    return archive(
        {
            "[Content_Types].xml": types("word/document.xml", "wordprocessingml.document"),
            "_rels/.rels": related("word/document.xml"),
            "word/document.xml": f'<w:document xmlns:w="{WORDS}"><w:body>{body}</w:body></w:document>',
            **more,
        }
    )


def paragraph(text: str, properties: str = "") -> str:
    return f"<w:p><w:r>{properties}<w:t>{text}</w:t></w:r></w:p>"


def pdf(*objects: bytes) -> bytes:
    body = b"\n".join(b"%d 0 obj\n%s\nendobj" % (number, each) for number, each in enumerate(objects, 1))
    return b"%PDF-1.4\n" + body + b"\ntrailer\n<< /Root 1 0 R /Size 9 >>\n%%EOF"


def drawn(content: bytes, page: bytes = b"", more: tuple[bytes, ...] = ()) -> bytes:
    packed = zlib.compress(content)
    return pdf(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R %s >>" % page,
        b"<< /Filter /FlateDecode /Length %d >> stream\n%s\nendstream" % (len(packed), packed),
        *more,
    )


def png(width: int, height: int, body: bytes, *chunks: tuple[bytes, bytes]) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    middle = b"".join(chunk(kind, data) for kind, data in chunks)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + middle + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def noise(size: int) -> bytes:
    return random.Random(7).randbytes(size)


ROWS = "".join(f'<row r="{n}"><c r="A{n}"><v>{n}</v></c></row>' for n in range(1, 30_001))
UPLOADS: dict[str, Upload] = {
    "an empty file that says it is a picture": ("a.png", lambda: b""),
    "one byte": ("a.pdf", lambda: b"%"),
    "noise with the name of a scan": ("a.jpg", lambda: noise(200_000)),
    "noise with the name of a workbook": ("a.xlsx", lambda: noise(200_000)),
    "a script with the name of a picture": ("a.png", lambda: b"#!/bin/sh\ntouch /tmp/made\n"),
    "a page of HTML with the name of a PDF": ("a.pdf", lambda: b"<html><img src='http://127.0.0.1:9/x'></html>"),
    "a PDF with the name of a picture": ("a.png", lambda: drawn(b"0 0 m 9 9 l S")),
    "a picture with the name of a table": ("a.csv", lambda: png(9, 9, zlib.compress(bytes(90)))),
    "an SVG with the name of a picture": ("a.png", lambda: b"<svg xmlns='http://www.w3.org/2000/svg'><image/></svg>"),
    "PostScript with the name of a PDF": ("a.pdf", lambda: b"%!PS\n(/etc/passwd) (r) file 100 string readstring\n"),
    "a picture larger than its data": ("a.png", lambda: png(30_000, 30_000, zlib.compress(bytes(9)))),
    "a picture whose data are larger than it": ("a.png", lambda: png(8, 8, zlib.compress(bytes(200_000_000)))),
    "a picture with a huge colour profile": (
        "a.png",
        lambda: png(8, 8, zlib.compress(bytes(72)), (b"iCCP", b"p\0\0" + zlib.compress(bytes(90_000_000)))),
    ),
    "a picture of a million frames": (
        "a.gif",
        lambda: b"GIF89a\x10\0\x10\0\0\0\0" + b",\0\0\0\0\x10\0\x10\0\0\2\2D\1\0" * 90_000 + b";",
    ),
    "a TIFF whose directories are a ring": ("a.tif", lambda: b"II*\0\x08\0\0\0" + b"\0\0" + struct.pack("<I", 8)),
    "a TIFF with a negative strip": (
        "a.tiff",
        lambda: (
            b"II*\0\x08\0\0\0"
            + struct.pack("<H", 3)
            + struct.pack("<HHII", 256, 4, 1, 0xFFFFFFFF)
            + struct.pack("<HHII", 257, 4, 1, 0xFFFFFFFF)
            + struct.pack("<HHII", 273, 4, 1, 0xFFFFFFF0)
            + bytes(4)
        ),
    ),
    "a JPEG that says 65,535 x 65,535": (
        "a.jpg",
        lambda: b"\xff\xd8\xff\xc0\0\x11\x08\xff\xff\xff\xff\3\1\x11\0\2\x11\0\3\x11\0\xff\xda" + noise(5_000),
    ),
    "a bitmap of run lengths": (
        "a.bmp",
        lambda: (
            b"BM"
            + struct.pack("<IIIIiiHHIIiiII", 999, 0, 54, 40, 40_000, 40_000, 1, 8, 1, 0, 0, 0, 0, 0)
            + b"\xff\1" * 90_000
        ),
    ),
    "a PDF whose pages are each other's parents": (
        "a.pdf",
        lambda: pdf(
            b"<< /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>", b"<< /Type /Pages /Kids [2 0 R] >>"
        ),
    ),
    "a PDF that says it has two billion pages": (
        "a.pdf",
        lambda: pdf(b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [] /Count 2147483647 >>"),
    ),
    "a PDF that opens an address": (
        "a.pdf",
        lambda: drawn(
            b"", b"/Annots [<< /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (http://127.0.0.1:9/) >> >>]"
        ),
    ),
    "a PDF with a file attached": ("a.pdf", lambda: drawn(b"", b"/AF [<< /Type /Filespec /F (/etc/passwd) >>]")),
    "a PDF whose picture is another file": (
        "a.pdf",
        lambda: drawn(
            b"/I Do",
            b"/Resources << /XObject << /I 5 0 R >> >>",
            (
                b"<< /Subtype /Image /Width 9 /Height 9 /BitsPerComponent 8 /ColorSpace /DeviceGray /F (/etc/passwd)"
                b" /Length 0 >> stream\n\nendstream",
            ),
        ),
    ),
    "a PDF of a million lines": (
        "a.pdf",
        lambda: drawn(b"".join(b"%d %d m %d 9 l S\n" % (n % 600, n % 800, n % 599) for n in range(1_000_000))),
    ),
    "a PDF with clips in clips": ("a.pdf", lambda: drawn(b"q 0 0 500 500 re W n " * 40_000)),
    "a PDF whose numbers are too long": ("a.pdf", lambda: drawn(b"9" * 500_000 + b" 0 m 9 9 l S")),
    "a PDF with a scale of zero": ("a.pdf", lambda: drawn(b"0 0 0 0 0 0 cm 0 0 m 9 9 l S 0 0 9 9 re f")),
    "a PDF packed as ASCII of ASCII": (
        "a.pdf",
        lambda: pdf(
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>",
            b"<< /Filter [/ASCIIHexDecode /ASCII85Decode /LZWDecode] /Length 90000 >> stream\n%s\nendstream"
            % noise(90_000).hex().encode(),
        ),
    ),
    "a workbook whose rows are far apart": (
        "a.xlsx",
        lambda: book(
            '<sheetData><row r="1"><c r="A1"><v>1</v></c></row>'
            '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
        ),
    ),
    "a workbook whose cells are nowhere": (
        "a.xlsx",
        lambda: book('<sheetData><row r="-5"><c r="!!"><v>x</v></c></row></sheetData>'),
    ),
    "a workbook of one long column": ("a.xlsx", lambda: book(f"<sheetData>{ROWS}</sheetData>")),
    "a workbook whose cell is merged with all": (
        "a.xlsx",
        lambda: book(
            '<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData>'
            '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'
        ),
    ),
    "a workbook with a formula that fetches": (
        "a.xlsx",
        lambda: book('<sheetData><row r="1"><c r="A1"><f>WEBSERVICE("http://127.0.0.1:9/")</f></c></row></sheetData>'),
    ),
    "a workbook whose sheet is at an address": (
        "a.xlsx",
        lambda: book(
            "<sheetData/>", **{"xl/_rels/workbook.xml.rels": related("http://127.0.0.1:9/x", "worksheet", "External")}
        ),
    ),
    "a workbook whose sheet is the workbook": (
        "a.xlsx",
        lambda: book("<sheetData/>", **{"xl/_rels/workbook.xml.rels": related("workbook.xml", "worksheet")}),
    ),
    "a Word file with a field that fetches": (
        "a.docx",
        lambda: word(
            '<w:p><w:fldSimple w:instr="INCLUDEPICTURE http://127.0.0.1:9/x"><w:r><w:t>x</w:t></w:r></w:fldSimple>'
            "</w:p>"
        ),
    ),
    "a Word file with tables in tables": (
        "a.docx",
        lambda: word("<w:tbl><w:tr><w:tc>" * 400 + paragraph("x") + "</w:tc></w:tr></w:tbl>" * 400),
    ),
    "a Word file with a letter as large as a house": (
        "a.docx",
        lambda: word(paragraph("x", '<w:rPr><w:sz w:val="2147483647"/></w:rPr>')),
    ),
    "a Word file with an entity": (
        "a.docx",
        lambda: archive(
            {
                "[Content_Types].xml": types("word/document.xml", "wordprocessingml.document"),
                "_rels/.rels": related("word/document.xml"),
                "word/document.xml": '<!DOCTYPE d [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
                f'<w:document xmlns:w="{WORDS}"><w:body>{paragraph("&e;")}</w:body></w:document>',
            }
        ),
    ),
    "a table with a cell of a million letters": ("a.csv", lambda: b"name,city\n" + b"x" * 1_000_000 + b",Ulm\n"),
    "a table whose quotation never ends": ("a.csv", lambda: b'name,city\n"Anna,Ulm\n' + b"Ben,Ulm\n" * 40_000),
    "a table of fifty thousand columns": (
        "a.csv",
        lambda: ",".join(f"c{n}" for n in range(50_000)).encode() + b"\n" + b"1," * 49_999 + b"1\n",
    ),
    "a list of lists of lists": ("a.json", lambda: b"[" * 200_000 + b"]" * 200_000),
    "numbers beyond all numbers": ("a.json", lambda: b'[{"a": 1e99999, "b": ' + b"9" * 100_000 + b', "c": NaN}]'),
    "a text of half a letter": ("a.csv", lambda: "name,city\nAnna,Ülm\n".encode("utf-16")[:-1] + b"\xd8"),
    "a file in a file in a file": ("a.zip", lambda: archive({"a.zip": base64.b64encode(archive({"b": "x"})).decode()})),
}
