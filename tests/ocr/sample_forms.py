"""Forms, photos and documents that the OCR tests draw."""

from __future__ import annotations

import functools
import io
from collections.abc import Callable

import cv2
import docx
import numpy as np
import openpyxl
from PIL import Image, ImageDraw, ImageFont

from bandsmith.services.ocr.page import SCALE
from bandsmith.shared.fonts import CJK_FILE, font_file, is_cjk

LINES = [
    (60, 60, 20, "Delivery note 送货单"),
    (60, 110, 11, "Customer: Eastgate Traders"),
    (60, 130, 11, "Delivered on: 2024-03-18"),
    (330, 110, 11, "Number: DN-20417"),
    (330, 130, 11, "收货人: 张建国"),
    (60, 420, 10, "Goods were received complete and undamaged."),
    (60, 440, 10, "Any claim has to be made within eight days."),
    (60, 700, 10, "Signed by the driver:"),
]
TABLE = [
    ["Article", "Description", "Quantity"],
    ["A-1001", "Black tea 200g", "14"],
    ["A-1002", "Elm board 80cm", "40"],
    ["A-1003", "办公用纸", "120"],
]
COLUMNS, ROWS = [60, 150, 400, 535], [170, 194, 218, 242, 266]


def form(ink: str = "black", paper: str = "white") -> np.ndarray:
    """An A4 form of 1240 by 1754 pixels (BGR): title, labelled values and a ruled table, as a program draws it."""
    return _drawn_form(ink, paper).copy()


@functools.cache
def _drawn_form(ink: str, paper: str) -> np.ndarray:
    image = Image.new("RGB", (1240, 1754), paper)
    pen = ImageDraw.Draw(image)
    for x, y, size, text in LINES:
        write(pen, x, y, size, text, ink)
    for x in COLUMNS:
        pen.line((x * SCALE, ROWS[0] * SCALE, x * SCALE, ROWS[-1] * SCALE), fill=ink, width=2)
    for y in ROWS:
        pen.line((COLUMNS[0] * SCALE, y * SCALE, COLUMNS[-1] * SCALE, y * SCALE), fill=ink, width=2)
    for top, cells in zip(ROWS, TABLE, strict=False):
        for left, text in zip(COLUMNS, cells, strict=False):
            write(pen, left + 5, top + 16, 10, text, ink)
    return np.asarray(image)[:, :, ::-1].copy()


def write(pen: ImageDraw.ImageDraw, x: float, baseline: float, size: float, text: str, ink: str = "black") -> None:
    """Write one line of text; x, baseline and size are in points."""
    x *= SCALE
    for char in text:
        name = CJK_FILE if is_cjk(char) else "LiberationSans-Regular.ttf"
        face = ImageFont.truetype(str(font_file(name)), size * SCALE)
        pen.text((x, baseline * SCALE), char, fill=ink, font=face, anchor="ls")
        x += face.getlength(char)


def photo(page: np.ndarray, turns: int = 0) -> np.ndarray:
    """The page on a brown desk, seen at an angle, unevenly lit, blurred and grainy, turned by quarter turns."""
    random = np.random.default_rng(7)
    height, width = page.shape[:2]
    size = (round(width * 1.25), round(height * 1.2))
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    seen = corners * 0.95 + np.array([[170, 130], [110, 190], [60, 90], [150, 160]], np.float32)
    warp = cv2.getPerspectiveTransform(corners - 0.5, seen - 0.5)
    desk = np.full((size[1], size[0], 3), (60, 85, 110), np.float32)
    shot = cv2.warpPerspective(page.astype(np.float32), warp, size, flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.ones((height, width), np.float32), warp, size)[..., None]
    shot = shot * mask + desk * (1 - mask)
    y, x = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32)
    shot *= (0.95 - 0.25 * (x / size[0] * 0.6 + y / size[1] * 0.4))[..., None]
    shot = cv2.GaussianBlur(shot, (0, 0), 0.8) + random.normal(0, 3.5, shot.shape)
    return np.ascontiguousarray(np.rot90(np.clip(shot, 0, 255).astype(np.uint8), turns))


def displacements(truth: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Return how far print is from where it should be, in points, wherever there is print."""
    far = []
    side = 96
    window = cv2.createHanningWindow((side, side), cv2.CV_32F)
    one, other = (255 - cv2.cvtColor(page, cv2.COLOR_BGR2GRAY).astype(np.float32) for page in (truth, seen))
    for top in range(0, one.shape[0] - side, side // 2):
        for left in range(0, one.shape[1] - side, side // 2):
            place = np.s_[top : top + side, left : left + side]
            # A shift along a single straight rule cannot be measured.
            if (one[place] > 100).mean() < 0.03:
                continue
            (dx, dy), sure = cv2.phaseCorrelate(one[place], other[place], window)
            if sure > 0.4:
                far.append(np.hypot(dx, dy) / SCALE)
    return np.array(far)


def png(pixels: np.ndarray) -> bytes:
    return cv2.imencode(".png", pixels)[1].tobytes()


def jpeg(pixels: np.ndarray, quality: int = 85) -> bytes:
    return cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def pdf(text: str, pages: int = 1, *, locked: bool = False) -> bytes:
    """A PDF of A4 pages, each with `text` at 12 points, its baseline 100 points below the top."""
    stream = f"BT /F1 12 Tf 60 742 Td ({text}) Tj ET".encode()
    kids = " ".join(f"{4 + i} 0 R" for i in range(pages))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[{kids}]/Count {pages}/MediaBox[0 0 595 842]"
        f"/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>".encode(),
        b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream),
        *[b"<</Type/Page/Parent 2 0 R/Contents 3 0 R>>"] * pages,
    ]
    secret = b"<" + b"5a" * 32 + b">"
    lock = b"/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O %s/U %s>>" % (secret, secret) if locked else b""
    return pdf_file(objects, lock)


def pdf_file(objects: list[bytes], lock: bytes = b"") -> bytes:
    """A PDF of numbered objects, the first of which is its catalogue."""
    out, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj%s endobj\n" % (number, content)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + b"trailer<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, lock, start)


FONTS = b"<</Helv<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>"


def pdf_page(content: str, *annotations: bytes, form: bytes = b"") -> bytes:
    """A PDF of one A4 page that draws `content`. Annotations are objects 5 and up; `form` is its AcroForm."""
    numbers = b" ".join(b"%d 0 R" % number for number in range(5, 5 + len(annotations)))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R%s>>" % (b"/AcroForm" + form if form else b""),
        b"<</Type/Pages/Kids[4 0 R]/Count 1/MediaBox[0 0 595 842]/Resources<</Font%s>>>>" % FONTS,
        pdf_stream(content),
        b"<</Type/Page/Parent 2 0 R/Contents 3 0 R/Annots[%s]>>" % numbers,
        *annotations,
    ]
    return pdf_file(objects)


def pdf_stream(content: str, entries: bytes = b"") -> bytes:
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (entries, len(content), content.encode())


def filled_pdf() -> bytes:
    """A PDF form: a printed label, and a field that holds a name but no appearance."""
    field = (
        b"<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(Ada Lovelace)/DA(/Helv 12 Tf 0 g)"
        b"/Rect[120 730 300 755]/F 4/P 4 0 R>>"
    )
    form = b"<</Fields[5 0 R]/DA(/Helv 12 Tf 0 g)/DR<</Font%s>>>>" % FONTS
    return pdf_page("BT /Helv 12 Tf 60 737 Td (Name) Tj ET", field, form=form)


def annotated_pdf() -> bytes:
    """A PDF without form fields, on which an answer was typed with a PDF viewer."""
    note = (
        b"<</Type/Annot/Subtype/FreeText/Contents(Ada)/DA(/Helv 12 Tf 0 g)"
        b"/Rect[120 730 300 750]/F 4/P 4 0 R/AP<</N 6 0 R>>>>"
    )
    entries = b"/Type/XObject/Subtype/Form/BBox[0 0 180 20]/Resources<</Font%s>>" % FONTS
    return pdf_page(
        "BT /Helv 12 Tf 60 737 Td (Name) Tj ET", note, pdf_stream("BT /Helv 12 Tf 2 4 Td (Ada) Tj ET", entries)
    )


def logo() -> Image.Image:
    """A logo of 200 by 100 pixels: an orange disc and a slanting stroke on navy."""
    image = Image.new("RGB", (200, 100), "navy")
    pen = ImageDraw.Draw(image)
    pen.ellipse((20, 20, 80, 80), fill="orange")
    pen.line((90, 10, 190, 90), fill="white", width=6)
    return image


def order() -> io.BytesIO:
    document = docx.Document()
    document.add_heading("Purchase order", 1)
    document.add_paragraph("供应商: 上海某某有限公司")
    table = document.add_table(2, 2, style="Table Grid")
    for cell, text in zip(table._cells, ["Item", "Price", "Green tea", "12.50"], strict=True):
        cell.text = text
    file = io.BytesIO()
    document.save(file)
    return file


def sales() -> bytes:
    book = openpyxl.Workbook()
    book.active.append(["Item", "Sold on", "Amount"])
    book.active.append(["Green tea", "2024-03-05", 1234.5])
    book.active["C2"].number_format = "#,##0.00"
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def saved(pixels: np.ndarray, kind: str) -> bytes:
    """A picture in one of Pillow's formats."""
    file = io.BytesIO()
    Image.fromarray(pixels[:, :, ::-1]).save(file, kind)
    return file.getvalue()


SAMPLES: dict[str, Callable[[], bytes]] = {
    ".png": lambda: saved(form(), "PNG"),
    ".jpg": lambda: saved(form(), "JPEG"),
    ".jpeg": lambda: saved(form(), "JPEG"),
    ".bmp": lambda: saved(form(), "BMP"),
    ".tif": lambda: saved(form(), "TIFF"),
    ".tiff": lambda: saved(form(), "TIFF"),
    ".webp": lambda: saved(form(), "WEBP"),
    ".pdf": lambda: pdf("Invoice No. 20417"),
    ".docx": lambda: order().getvalue(),
    ".xlsx": sales,
}
"""A document for each suffix that can be read."""
