"""The engine's font extension and settings: the files on its classpath beside the jars.

Each family of ``shared.fonts`` is a font set: its own faces for what they can display, the CJK face for han, kana and
hangul, and the symbols face (DejaVu Sans without what the families have) for characters such as ☑ and ① and letters of
further scripts, such as Arabic. Names of common typefaces that must not be shipped are aliases of the most similar
family, so that templates from elsewhere print too. Exported documents name the typefaces that the reader's machine is
likely to have.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from pathlib import Path
from xml.sax.saxutils import escape

from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

from bandsmith.shared.fonts import (
    CJK_FAMILY,
    CJK_FILE,
    DEFAULT_FAMILY,
    FAMILIES,
    SYMBOLS_FROM,
    Family,
    font_file,
    is_cjk,
    symbols,
)

from .lockdown import PROPERTIES

_SANS, _NARROW, _SERIF, _MONO = "Liberation Sans", "Liberation Sans Narrow", "Liberation Serif", "Liberation Mono"
_NAMES = {
    _SANS: "Arial,Helvetica,SansSerif,Sans,Dialog,Calibri,Verdana,Tahoma,Segoe UI,Trebuchet MS,Open Sans,Roboto,Lato,"
    "Microsoft Sans Serif,Arial Unicode MS,黑体,SimHei,微软雅黑,Microsoft YaHei,等线,DengXian,幼圆,YouYuan,华文黑体,"
    "STHeiti,Microsoft JhengHei,微軟正黑體,Noto Sans CJK SC,Noto Sans SC,Source Han Sans SC,MS Gothic,MS PGothic,"
    "Meiryo,Yu Gothic,WenQuanYi Zen Hei,Droid Sans Fallback,Malgun Gothic",
    _NARROW: "Arial Narrow,Helvetica Narrow",
    _SERIF: "Times New Roman,Times,Serif,Georgia,Cambria,Garamond,Book Antiqua,Palatino Linotype,宋体,SimSun,新宋体,"
    "NSimSun,华文宋体,STSong,STSong-Light,华文中宋,方正宋体,楷体,KaiTi,楷体_GB2312,仿宋,FangSong,仿宋_GB2312,华文楷体,"
    "华文仿宋,STFangsong,隶书,LiSu,PMingLiU,MingLiU,新細明體,細明體,標楷體,MS Mincho,MS PMincho,Noto Serif CJK SC,"
    "Source Han Serif SC,Batang",
    _MONO: "Courier New,Courier,Monospaced,Consolas,Lucida Console,Monaco,Menlo",
    "DejaVu Sans": "Bitstream Vera Sans,Lucida Sans",
    "DejaVu Serif": "Bitstream Vera Serif,Lucida Bright",
}
ALIASES = {alias: family for family, names in _NAMES.items() for alias in names.split(",")}
"""The families by other names that templates use for them."""

_IN_DOCUMENTS = {
    _SANS: ("Arial", "Arial, 'Liberation Sans', 'Microsoft YaHei', 'PingFang SC', sans-serif"),
    _NARROW: ("Arial Narrow", "'Arial Narrow', 'Liberation Sans Narrow', 'Microsoft YaHei', 'PingFang SC', sans-serif"),
    _SERIF: ("Times New Roman", "'Times New Roman', 'Liberation Serif', SimSun, 'Songti SC', serif"),
    _MONO: ("Courier New", "'Courier New', 'Liberation Mono', SimSun, monospace"),
    "DejaVu Sans": ("Verdana", "'DejaVu Sans', Verdana, 'Microsoft YaHei', 'PingFang SC', sans-serif"),
    "DejaVu Serif": ("Georgia", "'DejaVu Serif', Georgia, SimSun, 'Songti SC', serif"),
}
"""By family, the typeface in Word and Excel files, whose metrics Liberation fonts share, and those in web pages."""

CHARTS = "Bandsmith Charts"
"""The family for charts, which use a single font instead of a set: Latin and Chinese in one."""

SETTINGS = {
    "net.sf.jasperreports.default.font.name": DEFAULT_FAMILY,
    "net.sf.jasperreports.awt.ignore.missing.font": "true",
    # Barcodes as pixels: as SVG, they would need the libraries of Batik.
    "net.sf.jasperreports.components.barcode4j.image.producer": "image",
}
"""Settings of the engine that decide how reports look."""

_VERSION = 6
"""Increased when the way that fonts are written changes."""

_SYMBOLS_FILE, _CHARTS_FILE = "symbols.ttf", "charts.ttf"
_RESERVED = "Liberation"
"""The reserved name of the Liberation fonts: changed faces have another."""
_FIRST_NOT_LATIN = 0x2100
_SCRIPTS = "".join(f"<includedScript>{name}</includedScript>" for name in ("han", "hiragana", "katakana", "hangul"))


@lru_cache
def fingerprint() -> str:
    """Return a hash of the extension's files and the fonts' sizes. Raises ``MissingPart`` for a missing font."""
    sizes = {name: font_file(name).stat().st_size for name in (*_faces(), SYMBOLS_FROM)}
    return hashlib.sha256(repr((_VERSION, _text_files(), sizes)).encode()).hexdigest()[:12]


def write(folder: Path) -> None:
    """Write the extension into an empty folder. Raises ``MissingPart`` when a font file is not installed."""
    for name, text in _text_files().items():
        (folder / name).write_text(text, encoding="utf-8")
    for name in _faces():
        font = TTFont(font_file(name), lazy=True)
        if name == CJK_FILE:
            _keep(font, lambda code: is_cjk(chr(code)))
        # The engine looks for a single font of a name before it looks for a set, and would find this one.
        _rename(font, (1, 4, 6, 16), f"Bandsmith{Path(name).stem.removeprefix(_RESERVED)}")
        font.save(folder / _shipped(name))
    font = TTFont(font_file(SYMBOLS_FROM))
    _keep(font, symbols().__contains__)
    _rename(font, (1, 4, 6, 16), "BandsmithSymbols")
    font.save(folder / _SYMBOLS_FILE)
    _charts_face().save(folder / _CHARTS_FILE)


def _charts_face() -> TTFont:
    """Return the CJK face with the Latin glyphs of the default family, on a coarse grid that is enough for charts."""
    font, latin = TTFont(font_file(CJK_FILE)), TTFont(font_file(FAMILIES[DEFAULT_FAMILY].regular), lazy=True)
    outlines, scale = latin.getGlyphSet(), font["head"].unitsPerEm / latin["head"].unitsPerEm
    added = {code: f"latin.{name}" for code, name in latin.getBestCmap().items() if code < _FIRST_NOT_LATIN}
    for name in dict.fromkeys(added.values()):
        outline, pen = DecomposingRecordingPen(outlines), TTGlyphPen(None)
        outlines[name.removeprefix("latin.")].draw(outline)
        outline.replay(TransformPen(pen, (scale, 0, 0, scale, 0, 0)))
        glyph = font["glyf"][name] = pen.glyph(round=round)
        glyph.recalcBounds(font["glyf"])
        width = round(outlines[name.removeprefix("latin.")].width * scale)
        font["hmtx"][name] = width, getattr(glyph, "xMin", 0)
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap = {**table.cmap, **added}
    font["cmap"].tables = [table for table in font["cmap"].tables if table.isUnicode()]
    for table in ("GDEF", "GPOS", "GSUB", "vhea", "vmtx", "fpgm", "prep", "cvt "):
        if table in font:
            del font[table]
    _rename(font, (1, 4, 6, 16), "BandsmithCharts")
    return font


def _keep(font: TTFont, wanted: Callable[[int], bool]) -> None:
    """Reduce a face to the wanted characters.

    The engine stays with a face as long as that face can display what follows. With all of DejaVu Sans, the words after
    a tick would be printed in it too, and the CJK face has a space of a different width.
    """
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap = {code: glyph for code, glyph in table.cmap.items() if wanted(code)}
    font["cmap"].tables = [table for table in font["cmap"].tables if table.isUnicode()]


def _rename(font: TTFont, ids: tuple[int, ...], name: str) -> None:
    for record in font["name"].names:
        if record.nameID in ids:
            record.string = name


def _shipped(file: str) -> str:
    """Return the file name of a face in the extension.

    The faces are changed, and archives for Java pass them on. The licences of Liberation, the OFL of version 2 and the
    one of version 1, do not allow changed files under that name.
    """
    return file.replace(_RESERVED, "Bandsmith")


def _faces() -> list[str]:
    files = [f for family in FAMILIES.values() for f in family.model_dump().values() if f]
    return sorted({*files, CJK_FILE})


def _text_files() -> dict[str, str]:
    texts, _ = extension((*FAMILIES, CHARTS))
    return texts | {"jasperreports.properties": settings_file(SETTINGS | PROPERTIES)}


def settings_file(settings: Mapping[str, str]) -> str:
    """Return settings of the engine as a file of properties."""
    return "".join(f"{name}={value}\n" for name, value in settings.items())


def extension(names: Collection[str]) -> tuple[dict[str, str], list[str]]:
    """Return the text files and the names of the font files of an extension with the fonts that some names stand for.

    Names that are unknown stand for nothing; the default family is always part of it.
    """
    wanted = {DEFAULT_FAMILY, *(ALIASES.get(name, name) for name in names)}
    families = {name: family for name, family in FAMILIES.items() if name in wanted}
    texts = {
        "fonts.xml": _fonts_xml(families, with_charts=CHARTS in wanted),
        "jasperreports_extension.properties": (
            "net.sf.jasperreports.extension.registry.factory.simple.font.families="
            "net.sf.jasperreports.engine.fonts.SimpleFontExtensionsRegistryFactory\n"
            "net.sf.jasperreports.extension.simple.font.families.bandsmith=fonts.xml\n"
        ),
    }
    faces = {_shipped(face) for family in families.values() for face in family.model_dump().values() if face}
    return texts, sorted({*faces, CJK_FILE, _SYMBOLS_FILE, *([_CHARTS_FILE] if CHARTS in wanted else [])})


def _fonts_xml(families: Mapping[str, Family], *, with_charts: bool) -> str:
    parts = [
        _family(
            f"{name} Faces",
            {
                "normal": family.regular,
                "bold": family.bold,
                "italic": family.italic,
                "boldItalic": family.bold_italic,
            },
        )
        for name, family in families.items()
    ]
    parts += [_family(f"{CJK_FAMILY} Faces", {"normal": CJK_FILE}), _family("Symbols", {"normal": _SYMBOLS_FILE})]
    if with_charts:
        parts.append(_family(CHARTS, {"normal": _CHARTS_FILE}))
    parts += [_font_set(name, name) for name in families]
    parts += [_font_set(alias, family) for alias, family in ALIASES.items() if family in families]
    body = "\n".join(parts)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<fontFamilies>\n{body}\n</fontFamilies>\n'


def _family(name: str, faces: dict[str, str | None]) -> str:
    inner = "".join(f"<{face}>{_shipped(file)}</{face}>" for face, file in faces.items() if file)
    # Without Identity-H and embedding, every character beyond Latin-1 is missing in PDFs.
    return (
        f'<fontFamily name="{name}">{inner}'
        "<pdfEncoding>Identity-H</pdfEncoding><pdfEmbedded>true</pdfEmbedded></fontFamily>"
    )


def _font_set(name: str, family: str) -> str:
    office, web = _IN_DOCUMENTS[family]
    if name != family:
        office = name  # the person who made the template has the typeface that it names
        web = f"'{name}', {web}"
    exports = {"docx": office, "xlsx": office, "html": web}
    named = "".join(
        f'<export key="net.sf.jasperreports.{key}"><![CDATA[{value}]]></export>' for key, value in exports.items()
    )
    return (
        f'<fontSet name="{escape(name)}"><family familyName="{family} Faces" primary="true"/>'
        f'<family familyName="{CJK_FAMILY} Faces">{_SCRIPTS}</family><family familyName="Symbols"/>'
        f"<exportFonts>{named}</exportFonts></fontSet>"
    )
