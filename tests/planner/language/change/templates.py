"""Three reports of our own to talk about: an English list of sales, a Chinese slip, a form without rows."""

from __future__ import annotations

from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.model.layout import Align
from bandsmith.shared.model.plan import (
    AnyElement,
    Band,
    BandName,
    Borders,
    Data,
    DataField,
    Font,
    Image,
    Line,
    Margins,
    Pen,
    Plan,
    StaticText,
    TextField,
)

STRING, INTEGER = "java.lang.String", "java.lang.Integer"
DECIMAL, DATE = "java.math.BigDecimal", "java.util.Date"
SANS = "Liberation Sans"
MONEY = "#,##0.00"
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
GRID = Borders(top=Pen(width=0.5), left=Pen(width=0.5), bottom=Pen(width=0.5), right=Pen(width=0.5))
HEAD = "#DDE6EE"


def words(
    key: str, text: str, x: int, y: int, width: int, height: int = 15, *,
    size: float = 10, bold: bool = False, align: Align = "Left", fill: str | None = None, grid: bool = False,
) -> StaticText:  # fmt: skip
    return StaticText(
        key=key, text=text, x=x, y=y, width=width, height=height, font=Font(family=SANS, size=size, bold=bold),
        align=align, valign="Middle", backcolour=fill, borders=GRID if grid else Borders(),
    )  # fmt: skip


def field(
    key: str, expression: str, x: int, y: int, width: int, height: int = 15, *,
    pattern: str | None = None, align: Align = "Left", size: float = 10, bold: bool = False, grid: bool = False,
) -> TextField:  # fmt: skip
    return TextField(
        key=key, expression=expression, x=x, y=y, width=width, height=height, pattern=pattern, align=align,
        valign="Middle", font=Font(family=SANS, size=size, bold=bold), borders=GRID if grid else Borders(),
    )  # fmt: skip


Column = tuple[str, str, str, str, str | None, int]
"""Key, label, field, class, pattern, width."""


def rows(columns: list[Column], height: int) -> tuple[Band, Band, list[DataField]]:
    """The column header and the detail of a ruled table, and its fields."""
    heads: list[AnyElement] = []
    cells: list[AnyElement] = []
    x = 0
    for key, label, name, java_class, pattern, width in columns:
        align: Align = "Right" if java_class in (INTEGER, DECIMAL) else "Left"
        heads.append(words(f"h_{key}", label, x, 0, width, height, bold=True, align=align, fill=HEAD, grid=True))
        place = (x, 0, width, height)
        cells.append(field(f"d_{key}", f"$F{{{name}}}", *place, pattern=pattern, align=align, grid=True))
        x += width
    fields = [DataField(name=name, java_class=java_class) for _, _, name, java_class, _, _ in columns]
    return (
        Band(name="columnHeader", height=height, elements=heads),
        Band(name="detail", height=height, elements=cells),
        fields,
    )


def report(name: str, size: tuple[int, int], bands: list[Band], parameters: dict[str, str], fields: list[DataField]):
    order: list[BandName] = ["title", "columnHeader", "detail", "pageFooter", "summary"]
    margins = Margins(top=30, left=30, bottom=30, right=30)
    return build_jrxml(
        Plan(
            name=name, page_width=size[0], page_height=size[1], margins=margins, fields=fields,
            bands=sorted(bands, key=lambda band: order.index(band.name)),
            parameters=[DataField(name=key, java_class=value) for key, value in parameters.items()],
        )
    )  # fmt: skip


def sales() -> tuple[bytes, Data]:
    """A4 upright, 535 points of columns: a logo, a title, six columns, a note and a page number at the foot."""
    head, detail, fields = rows(
        [
            ("date", "Date", "order_date", DATE, "yyyy-MM-dd", 80),
            ("customer", "Customer", "customer", STRING, None, 120),
            ("item", "Item", "item", STRING, None, 135),
            ("quantity", "Quantity", "quantity", INTEGER, None, 60),
            ("price", "Unit price", "unit_price", DECIMAL, MONEY, 65),
            ("amount", "Amount", "amount", DECIMAL, MONEY, 75),
        ],
        20,
    )
    logo = Image(
        key="logo", x=0, y=0, width=60, height=40,
        expression="new java.io.ByteArrayInputStream(java.util.Base64.getDecoder().decode($P{picture}))",
    )  # fmt: skip
    title: list[AnyElement] = [
        logo,
        words("title", "Sales report", 100, 5, 335, 26, size=18, bold=True, align="Center"),
        words("period_label", "Period:", 0, 50, 45),
        field("period", "$P{period}", 50, 50, 150),
        Line(key="line", x=0, y=70, width=535, height=1, pen=Pen(width=1)),
    ]
    foot: list[AnyElement] = [
        words("note", "Internal use only", 0, 5, 150),
        field("page_number", '"Page " + $V{PAGE_NUMBER}', 200, 5, 60),
    ]
    bands = [Band(name="title", height=80, elements=title), head, detail]
    bands.append(Band(name="pageFooter", height=25, elements=foot))
    made = [
        ("2026-03-02", "Tamarack", "Wall lamp", 4, 312.5, 1250.0),
        ("2026-03-05", "Hollis & Co", "Elm board", 12, 80.5, 966.0),
        ("2026-03-05", "Tamarack", "Linen roll", 3, 64.0, 192.0),
    ]
    names = [one.name for one in fields]
    data = Data(
        parameters={"period": "March 2026", "picture": PIXEL},
        rows=[dict(zip(names, (f"{row[0]}T00:00:00", *row[1:]), strict=True)) for row in made],
    )
    return report("sales", (595, 842), bands, {"period": STRING, "picture": STRING}, fields), data


def slip() -> tuple[bytes, Data]:
    """A4 across, 782 points of columns: a shop's name, a title, seven columns, a total beneath, places to sign."""
    head, detail, fields = rows(
        [
            ("number", "序号", "number", STRING, None, 50),
            ("product", "品名", "product", STRING, None, 222),
            ("unit", "单位", "unit", STRING, None, 60),
            ("quantity", "数量", "quantity", INTEGER, None, 80),
            ("price", "单价", "unit_price", DECIMAL, MONEY, 100),
            ("amount", "金额", "amount", DECIMAL, MONEY, 120),
            ("remark", "备注", "remark", STRING, None, 150),
        ],
        24,
    )
    title: list[AnyElement] = [
        words("company", "青禾五金商行", 291, 0, 200, 20, size=14, align="Center"),
        words("title", "销售单", 291, 22, 200, 30, size=22, bold=True, align="Center"),
        field("customer", '"客户名称：" + $P{customer}', 0, 60, 250),
        field("date", '"日期：" + $P{date}', 600, 60, 182),
    ]
    below: list[AnyElement] = [
        words("total_label", "合计：", 520, 6, 50),
        field("total", "$P{total}", 580, 6, 100, pattern="¥#,##0.00", bold=True),
        words("terms", "货物如有问题，请于三日内联系。", 0, 40, 250),
        words("sign", "客户签收：", 600, 40, 80),
    ]
    bands = [Band(name="title", height=85, elements=title), head, detail]
    bands.append(Band(name="summary", height=60, elements=below))
    names = [one.name for one in fields]
    made = [("1", "角磨机", "台", 6, 168.0, 1008.0, None), ("2", "冲击钻头", "支", 40, 7.5, 300.0, "赠品另计")]
    data = Data(
        parameters={"customer": "宏达机电", "date": "2026-03-18", "total": 1308.0},
        rows=[dict(zip(names, row, strict=True)) for row in made],
    )
    return report("slip", (842, 595), bands, {"customer": STRING, "date": STRING, "total": DECIMAL}, fields), data


def leave() -> tuple[bytes, Data]:
    """A4 upright, a form without rows: names and dates to fill in, two ruling lines."""
    labels = [("name", "Name:"), ("department", "Department:"), ("from_date", "From:"), ("reason", "Reason:")]
    title: list[AnyElement] = [words("title", "Leave request", 0, 0, 535, 24, size=16, bold=True, align="Center")]
    for number, (name, label) in enumerate(labels):
        title.append(words(f"{name}_label", label, 0, 50 + 25 * number, 80))
        title.append(field(name, f"$P{{{name}}}", 90, 50 + 25 * number, 200))
    title.append(words("approved", "Approved by:", 0, 180, 80))
    title.append(Line(key="line1", x=0, y=40, width=535, height=1, pen=Pen(width=1)))
    title.append(Line(key="line2", x=90, y=195, width=150, height=1, pen=Pen(width=0.5)))
    data = Data(
        parameters={"name": "Iris Vandermeer", "department": "Bindery", "from_date": "2026-08-03", "reason": "Holiday"}
    )
    bands = [Band(name="title", height=220, elements=title)]
    return report("leave", (595, 842), bands, {name: STRING for name, _ in labels}, []), data


ALL = {"sales": sales, "slip": slip, "leave": leave}
