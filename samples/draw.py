"""Draw the forms of this folder: `python -m samples.draw`. The same program draws the same pictures.

sales-slip.jpg      a Chinese sales slip, photographed on a desk
invoice.png         an English invoice, as clean as a screenshot
invoice-remarks.png the same invoice, with changes drawn on it in red and blue
delivery-note.jpg   a Chinese delivery note, scanned, with a red seal over its text
quotation.pdf       born digital: its text and lines are in the file
timesheet.docx, stock-list.xlsx   the same forms as an office would keep them
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

from PIL import Image, ImageDraw

from bandsmith.shared.fonts import CJK_FILE
from samples import camera, documents
from samples.pen import MarkerPen
from samples.sheet import DPI, PX, FormCanvas, face

FOLDER = Path(__file__).parent


def money(amount: Decimal) -> str:
    return f"{amount:,.2f}"


# --- the sales slip --------------------------------------------------------------------------------------------------

SALES = [
    ("角磨机 GA-100", "台", 6, "168.00", ""),
    ("冲击钻头 10mm", "支", 40, "7.50", ""),
    ("内六角扳手 9件套", "套", 12, "32.80", "赠螺丝一盒"),
    ("镀锌螺栓 M8x60", "盒", 25, "18.60", ""),
    ("防护手套 L", "双", 60, "4.20", ""),
    ("绝缘胶带 黑", "卷", 100, "2.35", ""),
]


def sales_slip() -> Image.Image:
    """销售单, A5 landscape."""
    canvas = FormCanvas(595, 420)
    _slip_header(canvas)
    edges, top, height = [36.0, 68, 222, 262, 312, 378, 456, 559], 126.0, 25.0
    heads = ["序号", "品名规格", "单位", "数量", "单价", "金额", "备注"]
    canvas.row(edges, top, height, heads, "ccccccc", 10, bold=True)
    amounts = []
    for number, (name, unit, count, price, remark) in enumerate(SALES, 1):
        amounts.append(count * Decimal(price))
        texts = [str(number), name, unit, str(count), price, money(amounts[-1]), remark]
        canvas.row(edges, top + number * height, height, texts, "clcrrrl", 10)
    total = top + (len(SALES) + 1) * height
    canvas.pair(40, total + 16.5, "合计（大写）：", "贰仟陆佰伍拾叁元陆角整", 10)
    canvas.text(373, total + 16.5, "合计：", 10, align="right")
    canvas.text(452, total + 16.5, "¥" + money(sum(amounts, Decimal())), 10, bold=True, align="right")
    assert sum(amounts) == Decimal("2653.60"), "the amount in words says otherwise"

    for y in [top + row * height for row in range(len(SALES) + 3)]:
        canvas.line(edges[0], y, edges[-1], y)
    for x in edges[1:-1]:
        canvas.line(x, top, x, total)
    canvas.frame(edges[0], top, edges[-1] - edges[0], (len(SALES) + 2) * height, 1.2)

    below = total + height + 24
    canvas.pair(36, below, "制单：", "陆佳", 10)
    canvas.pair(180, below, "仓管：", "邵国平", 10)
    canvas.pair(320, below, "送货：", "钱立", 10)
    canvas.text(440, below, "客户签收：", 10)
    canvas.line(496, below + 2, 559, below + 2)
    canvas.text(36, below + 22, "白联：存根    红联：客户    黄联：回单", 8, colour="#555555")
    canvas.text(559, below + 22, "货物如有问题，请于三日内联系。", 8, align="right", colour="#555555")
    return canvas.picture()


def _slip_header(canvas: FormCanvas) -> None:
    canvas.text(297, 44, "海宁市星河五金商行", 17, bold=True, align="center", spacing=1.5)
    canvas.text(297, 69, "销售单", 14, bold=True, align="center", spacing=9)
    canvas.text(448, 69, "No.", 10)
    canvas.text(468, 69, "XS20260318", 11, bold=True, colour="#c01f1f")

    canvas.pair(36, 95, "客户名称：", "宏远机电安装工程队", 10)
    canvas.pair(262, 95, "联系电话：", "0573-8700 2216", 10)
    canvas.pair(440, 95, "日期：", "2026-03-18", 10)
    canvas.pair(36, 114, "送货地址：", "海宁市文苑路 88 号 2 号仓库", 10)
    canvas.pair(440, 114, "业务员：", "沈晓岚", 10)


# --- the invoice -----------------------------------------------------------------------------------------------------

WORK = [
    ("Garden survey and planting plan", "2", "320.00"),
    ("Field maple, 2.5 m, root-balled", "6", "145.00"),
    ("Hedge plants, hornbeam, 60-80 cm", "120", "2.40"),
    ("Topsoil, screened, per cubic metre", "9", "38.50"),
    ("Cedar raised bed, 240 x 120 cm", "4", "189.00"),
    ("Labour, two gardeners, per day", "5", "410.00"),
    ("Removal of green waste", "1", "165.00"),
]


GREEN, PALE, GREY = "#1f5c4a", "#eef4f1", "#5b6770"


def invoice() -> Image.Image:
    """An invoice on A4, with a filled bar and zebra rows instead of ruled cells."""
    canvas = FormCanvas(595, 842)
    _letterhead(canvas)
    edges, top, height = [48.0, 308, 368, 452, 547], 190.0, 24.0
    canvas.bar(48, top, 499, height, GREEN)
    heads = ["Description", "Qty", "Unit price", "Amount"]
    canvas.row(edges, top, height, heads, "lrrr", 9, bold=True, colour="#ffffff")
    amounts = []
    for number, (what, count, price) in enumerate(WORK, 1):
        amounts.append(int(count) * Decimal(price))
        if number % 2 == 0:
            canvas.bar(48, top + number * height, 499, height, PALE)
        canvas.row(edges, top + number * height, height, [what, count, price, money(amounts[-1])], "lrrr", 9)
    bottom = top + (len(WORK) + 1) * height
    canvas.line(48, bottom, 547, bottom, 1, GREEN)

    net = sum(amounts, Decimal())
    vat = (net * Decimal("0.2")).quantize(Decimal("0.01"))
    for row, (label, amount) in enumerate((("Subtotal", net), ("VAT 20 %", vat))):
        canvas.text(448, bottom + 22 + 18 * row, label, 9, align="right", colour=GREY)
        canvas.text(543, bottom + 22 + 18 * row, money(amount), 9, align="right")
    canvas.bar(368, bottom + 50, 179, 26, GREEN)
    canvas.text(448, bottom + 67, "Total due", 10, bold=True, align="right", colour="#ffffff")
    canvas.text(543, bottom + 67, "£" + money(net + vat), 11, bold=True, align="right", colour="#ffffff")

    _payment_details(canvas, bottom)
    return canvas.picture()


def _letterhead(canvas: FormCanvas) -> None:
    canvas.bar(48, 44, 40, 40, GREEN, radius=8)
    canvas.pen.polygon(_leaf(68, 64, 13), fill="#ffffff")
    canvas.pen.line([at * PX for at in (58, 74, 74, 58)], fill=GREEN, width=round(1.4 * PX))
    canvas.text(98, 62, "Larkfield & Moss", 17, bold=True, colour=GREEN)
    canvas.text(98, 78, "Garden builders", 9, colour=GREY)
    canvas.text(547, 70, "INVOICE", 26, bold=True, align="right", colour=GREEN)

    for row, (label, value) in enumerate(
        (("Invoice No.", "LM-2026-0147"), ("Invoice date", "12/05/2026"), ("Due date", "11/06/2026"))
    ):
        canvas.text(447, 116 + 16 * row, label, 9, align="right", colour=GREY)
        canvas.text(547, 116 + 16 * row, value, 9, align="right", bold=row == 0)
    canvas.text(48, 116, "BILL TO", 8, bold=True, colour=GREY)
    for row, text in enumerate(("Mrs Helen Ashdown", "The Old Dairy, Mill Lane", "Wexcombe SN8 3QT")):
        canvas.text(48, 131 + 14 * row, text, 10, bold=row == 0)


def _payment_details(canvas: FormCanvas, bottom: float) -> None:
    canvas.text(48, bottom + 22, "Payment", 9, bold=True)
    canvas.text(48, bottom + 37, "Please pay within 30 days to Larkfield & Moss Ltd.", 9, colour=GREY)
    canvas.pair(48, bottom + 55, "Sort code:", "04-00-75", 9)
    canvas.pair(48, bottom + 70, "Account No.:", "31926819", 9)
    canvas.line(48, 786, 547, 786, 0.5, "#c5ccd0")
    canvas.text(48, 801, "Larkfield & Moss Ltd, Unit 4, Tannery Yard, Wexcombe", 7.5, colour=GREY)
    canvas.text(547, 801, "Page 1 of 1", 7.5, align="right", colour=GREY)


def invoice_with_remarks() -> Image.Image:
    """The invoice with changes requested by two people: with a red pen, and with a blue text tool and its arrow."""
    picture = invoice()
    red = MarkerPen(picture, DPI / 72, "#e0221e", seed=26)
    red.write(330, 30, "make this smaller", 13)
    red.arrow((420, 33), (470, 50), bend=0.15)
    red.loop(42, 106, 58, 15)
    red.write(112, 106, "改成大写", 13)
    red.strike(46, 134, 433)
    blue = MarkerPen(picture, DPI / 72, "#2456e6", shake=0, seed=27)
    blue.write(200, 179, "rename to Service", 12)
    blue.arrow((196, 176), (108, 198), filled=True)
    return picture


def _leaf(x: float, y: float, reach: float) -> list[tuple[float, float]]:
    """A leaf from its stem at the lower left to its tip at the upper right, as a polygon in pixels."""
    steps = [step / 24 for step in range(25)]
    upper = [(2 * t - 1, 0.62 * math.sin(math.pi * t)) for t in steps]
    whole = upper + [(along, -across) for along, across in reversed(upper)]
    turned = [((along - across) * 0.7071, (-along - across) * 0.7071) for along, across in whole]
    return [((x + across * reach) * PX, (y + down * reach) * PX) for across, down in turned]


# --- the delivery note -----------------------------------------------------------------------------------------------

GOODS = [
    ("A-2101", "静音轴承 6204", "个", "500", "JN0412"),
    ("A-2107", "同步带 HTD-5M", "条", "120", "JN0415"),
    ("B-0330", "直线导轨 HG20", "根", "36", "JN0398"),
    ("B-0412", "滚珠丝杠 1605", "根", "24", "JN0420"),
    ("C-1008", "联轴器 D25L30", "只", "80", "JN0421"),
]


def delivery_note(*, is_received: bool = True) -> Image.Image:
    """送货单, A4 portrait, stamped by the receiver if it is received."""
    canvas = FormCanvas(595, 842)
    _delivery_header(canvas)
    edges, top, height = [48.0, 88, 158, 300, 348, 414, 484, 547], 202.0, 28.0
    heads = ["序号", "物料编码", "名称及规格", "单位", "数量", "批号", "备注"]
    canvas.bar(48, top, 499, height, "#e4e4e4")
    canvas.row(edges, top, height, heads, "ccccccc", 10.5, bold=True)
    for number, (code, name, unit, count, batch) in enumerate(GOODS, 1):
        texts = [str(number), code, name, unit, count, batch, ""]
        canvas.row(edges, top + number * height, height, texts, "cclcrcl", 10.5)
    last = top + (len(GOODS) + 1) * height
    canvas.row([48, 348, 414, 547], last, height, ["合计", "760", ""], "crl", 10.5, bold=True)
    assert sum(int(count) for _, _, _, count, _ in GOODS) == 760
    for y in [top + row * height for row in range(len(GOODS) + 3)]:
        canvas.line(48, y, 547, y, 0.7)
    for x in edges[1:-1]:
        canvas.line(x, top, x, last + height if x in {348, 414} else last, 0.7)
    for x in (48, 547):
        canvas.line(x, top, x, last + height, 0.7)

    below = last + height
    canvas.text(48, below + 28, "说明：", 10.5, bold=True)
    canvas.text(48, below + 48, "1. 请当面清点数量，外包装破损的请在备注栏注明。", 10)
    canvas.text(48, below + 66, "2. 质量异议请于收货后七个工作日内书面提出。", 10)
    canvas.pair(48, below + 110, "送货人：", "高志远", 10.5)
    canvas.pair(210, below + 110, "车牌号：", "浙F·6K218", 10.5)
    canvas.pair(370, below + 110, "收货人签章：", "何文静" if is_received else "", 10.5)
    canvas.pair(370, below + 134, "签收日期：", "2026-04-08" if is_received else "", 10.5)
    if is_received:
        _seal(canvas, 445, below + 108, 54, "清川自动化设备有限公司", "收货专用章")
    return canvas.picture()


def _delivery_header(canvas: FormCanvas) -> None:
    canvas.text(297, 70, "锦宁精密传动有限公司", 18, bold=True, align="center", spacing=2)
    canvas.text(297, 100, "送货单", 16, bold=True, align="center", spacing=12)
    canvas.line(48, 112, 547, 112, 1.2)
    canvas.line(48, 115, 547, 115, 0.5)

    canvas.pair(48, 140, "收货单位：", "清川自动化设备有限公司", 10.5)
    canvas.pair(370, 140, "送货单号：", "SH-260407-03", 10.5)
    canvas.pair(48, 162, "收货地址：", "清川市高新区科创路 6 号", 10.5)
    canvas.pair(370, 162, "送货日期：", "2026年4月7日", 10.5)
    canvas.pair(48, 184, "联系人：", "何文静", 10.5)
    canvas.pair(370, 184, "采购订单：", "PO-88213", 10.5)


def _seal(canvas: FormCanvas, x: float, y: float, radius: float, name: str, purpose: str) -> None:
    """A round red seal: a name along its edge, a star, its purpose below; print shows through."""
    size = round(2 * radius * PX)
    ink = Image.new("L", (size, size), 0)
    pen = ImageDraw.Draw(ink)
    middle, edge = size / 2, size / 2
    pen.ellipse([2, 2, size - 3, size - 3], outline=255, width=round(2.2 * PX))
    letters = face(CJK_FILE, radius * 0.235)
    for number, char in enumerate(name):
        angle = math.radians(-118 + 236 * number / (len(name) - 1))
        glyph = Image.new("L", (size, size), 0)
        ImageDraw.Draw(glyph).text((middle, edge * 0.25), char, 255, letters, anchor="mm", stroke_width=1)
        ink.paste(255, mask=glyph.rotate(-math.degrees(angle), Image.Resampling.BICUBIC))
    star = [
        (middle + edge * far * math.sin(turn), middle - edge * far * math.cos(turn))
        for step in range(10)
        for turn, far in [(math.pi * step / 5, 0.3 if step % 2 == 0 else 0.3 * 0.382)]
    ]
    pen.polygon(star, fill=255)
    pen.text((middle, middle + edge * 0.56), purpose, 255, face(CJK_FILE, radius * 0.19), anchor="mm", stroke_width=1)
    # Ink soaks in: where it covers print, both show.
    corner = (round((x - radius) * PX), round((y - radius) * PX))
    under = canvas.image.crop((*corner, corner[0] + size, corner[1] + size))
    red = Image.new("RGB", (size, size), "#d22a2a")
    darker = Image.composite(Image.blend(red, under, 0.12), under, ink.rotate(7, Image.Resampling.BICUBIC))
    printed = under.convert("L").point([255 if grey < 110 else 0 for grey in range(256)])
    darker.paste(Image.blend(red, under, 0.72), mask=printed)
    canvas.image.paste(Image.composite(darker, under, ink.rotate(7, Image.Resampling.BICUBIC)), corner)


# --- all samples -----------------------------------------------------------------------------------------------------

PICTURES: dict[str, Callable[[], Image.Image]] = {
    "sales-slip.jpg": lambda: camera.photograph(
        sales_slip(), seed=318, corners=[(172, 164), (1447, 118), (1506, 1046), (118, 1016)]
    ),
    "invoice.png": invoice,
    "invoice-remarks.png": invoice_with_remarks,
    "delivery-note.jpg": lambda: camera.scan(delivery_note(), seed=407, degrees=0.8),
}
DOCUMENTS: dict[str, Callable[[], bytes]] = {
    "quotation.pdf": documents.quotation,
    "timesheet.docx": documents.timesheet,
    "stock-list.xlsx": documents.stock_list,
}


def main() -> None:
    for name, draw in PICTURES.items():
        picture = draw()
        if name.endswith(".png"):
            picture = picture.quantize(96 if "remarks" in name else 64, dither=Image.Dither.NONE)
        picture.save(FOLDER / name, quality=82, optimize=True, dpi=(150, 150))
    for name, write in DOCUMENTS.items():
        (FOLDER / name).write_bytes(write())


if __name__ == "__main__":
    main()
