"""JasperReports in this process's JVM: compile, fill, draw, export."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import cv2
import jpype
import numpy as np

from . import charts, exports, visible
from .cells import CellReader
from .filling import ReportData, SampleData, data_source
from .grid import GridBoxes
from .harmless_output import make_harmless
from .lockdown import DENIED_LANGUAGES, MAX_PAGES, PAGE_LIMIT, PROPERTIES
from .lost_texts import CAN_LOSE_TEXTS, PrintedTexts
from .printed_cells import CellWriter

DPI = 150
_WARM_UP = Path(__file__).with_name("warm.jrxml")
MAX_PIXELS = 40_000_000
"""A page that would have more pixels is drawn at a lower resolution."""
MAX_PAGES_PER_ROW = 2
"""Pages that each row of a report may add to the engine's limit."""
MAX_REASONS, MAX_REASON_CHARS = 20, 300
"""How many of the engine's error messages are reported, and how many characters of each."""

_ENGINE = "net.sf.jasperreports.engine."
_NUMBERED = re.compile(r"^[^\S\n]*\d+\.\s+(?=\S)", re.MULTILINE)
_QUOTED = re.compile(r"value = (.*); //\$JR_EXPR_ID")
_EVALUATED = re.compile(r"Error evaluating expression.*?for source text:?(.*)", re.DOTALL)
_GETTER = re.compile(r"\(\([\w.$]+\)(field|parameter|variable)_(\w+)\.get\w*Value\(\)\)")
_PATH = re.compile(r"(?:file:)?(?:/[\w.@+-]+){2,}/?|[A-Za-z]:\\[^\s:]+")


class JasperError(Exception):
    """JasperReports rejected a template or its data. `stage` is ``compile``, ``fill`` or ``draw``."""

    def __init__(self, stage: str, error: Any) -> None:
        super().__init__(stage)
        self.stage, self.reasons = stage, _reasons(error)


def _start_jvm(classpath: list[str], heap_mb: int, scratch: str, options: Sequence[str]) -> None:
    jpype.startJVM(
        "-Djava.awt.headless=true",
        "-Duser.language=en",
        "-Duser.country=US",
        f"-Xmx{heap_mb}m",
        "-Xss2m",
        "-XX:+UseSerialGC",
        "-XX:+ExitOnOutOfMemoryError",
        "-XX:TieredStopAtLevel=1",
        "-Xshare:auto",
        f"-Djava.io.tmpdir={scratch}",
        f"-Duser.home={scratch}",
        f"-XX:ErrorFile={scratch}/crash.log",
        # After some calls Java generates a faster constructor for a report's class, in a class that no report may see.
        "-Dsun.reflect.inflationThreshold=2147483647",
        "-XX:-UsePerfData",  # would write a file to /tmp, whatever the folder for temporary files
        *options,
        # The archive of classes was made with the jars alone, and must be the beginning of the path.
        classpath=sorted(classpath, key=lambda entry: not entry.endswith(".jar")),
    )


class JasperReports:
    """JasperReports in a JVM, which lives as long as the process."""

    def __init__(self, classpath: list[str], heap_mb: int, scratch: str, options: Sequence[str] = ()) -> None:
        """`scratch` is the folder for temporary files; `options` are more options of the JVM."""
        _start_jvm(classpath, heap_mb, scratch, options)
        java = jpype.JClass
        self._java = java
        self._lists, self._maps = java("java.util.ArrayList"), java("java.util.HashMap")
        self._text, self._frame = java(_ENGINE + "JRPrintText"), java(_ENGINE + "JRPrintFrame")
        self._no_rows = java(_ENGINE + "JREmptyDataSource")
        self._without_rows = java(_ENGINE + "type.WhenNoDataTypeEnum").ALL_SECTIONS_NO_DETAIL
        self._context = self._locked_context()
        self._compiler, self._filler, self._drawer = (
            java(_ENGINE + name).getInstance(self._context)
            for name in ("JasperCompileManager", "JasperFillManager", "JasperPrintManager")
        )
        self._styled = java(_ENGINE + "util.JRStyledTextUtil").getInstance(self._context)
        self._cells = CellReader(self._context)
        self._compiled: tuple[bytes, Any] | None = None
        self._filled: tuple[bytes, Any] | None = None

    def warm_up(self) -> None:
        """Fill a small report of the project, so that the first real template meets loaded classes."""
        template = _WARM_UP.read_bytes()
        row = {"amount": 1.5, "day": "2020-01-01"}
        data = SampleData({"parameters": {"p": "x"}, "rows": [row, row]})
        self.print(template, data, pages=1)
        self.export(template, data, "pdf")

    def compile(self, template: bytes) -> Any:
        """Return the compiled report. The last one is cached. Raises ``JasperError``."""
        digest = hashlib.sha256(template).digest()
        if self._compiled and self._compiled[0] == digest:
            return self._compiled[1]
        stream = self._java("java.io.ByteArrayInputStream")(template)
        try:
            report = self._compiler.compile(stream)
        except jpype.JException as error:
            raise JasperError("compile", error) from None
        self._compiled = digest, report
        return report

    def fill(self, template: bytes, data: ReportData, *, pageless: bool = False) -> Any:
        """Return the filled report, `pageless` on one endless page. The last one is cached. Raises ``JasperError``."""
        digest = hashlib.sha256(hashlib.sha256(template).digest() + data.digest + bytes([pageless])).digest()
        if self._filled and self._filled[0] == digest:
            return self._filled[1]
        report = self.compile(template)
        try:
            filled = self._fill(report, data, pageless)
            if any(word in template for word in (b"yperlink", b"markup", b"ookmarkLevel")):
                make_harmless(filled)
        except jpype.JException as error:
            raise JasperError("fill", error) from None
        self._filled = digest, filled
        return filled

    def print(
        self, template: bytes, data: ReportData, *, pages: int, listed: int = 1
    ) -> tuple[dict[str, Any], list[bytes]]:
        """Fill a template, draw its first `pages` pages and list the elements of its first `listed` pages.

        Raises ``JasperError``.
        """
        filled = self.fill(template, data)
        count = int(filled.getPages().size())
        try:
            elements = [self._elements(filled, page) for page in range(min(count, listed))]
        except jpype.JException as error:
            raise JasperError("fill", error) from None
        try:
            scale = self._scale(filled)
            pictures = [self._draw(filled, index, scale) for index in range(min(count, pages))]
        except jpype.JException as error:
            raise JasperError("draw", error) from None
        size = [int(filled.getPageWidth()), int(filled.getPageHeight())]
        first, *later = elements or [[]]
        return {"pages": count, "size": size, "elements": first, "later": later}, pictures

    def look(self, template: bytes, data: ReportData) -> dict[str, Any]:
        """Return what a reader sees of the first pages. Raises ``JasperError``."""
        filled = self.fill(template, data)
        count = int(filled.getPages().size())
        look, scale = visible.PrintedLook(count), min(1.0, self._scale(filled))
        try:
            for page in range(min(count, visible.MAX_PAGES)):
                elements = self._elements(filled, page) if scale == 1.0 else []
                look.add(self._pixels(filled, page, scale), elements)
        except jpype.JException as error:
            raise JasperError("draw", error) from None
        return look.result()

    def export(self, template: bytes, data: ReportData, file_format: str) -> tuple[dict[str, Any], bytes]:
        """Return the file in a format of ``exports``, with the number of pages, and the texts and shapes that it lacks.

        Raises ``JasperError``.
        """
        filled = self.fill(template, data)
        boxes = GridBoxes(self._context)
        try:
            printed = PrintedTexts(self._context, filled) if file_format in CAN_LOSE_TEXTS else None
            if file_format in exports.WITH_GRID:
                self._filled = None  # its boxes change
                boxes.separate(filled)
            content = exports.export(self._context, filled, file_format)
        except jpype.JException as error:
            raise JasperError("draw", error) from None
        missing = printed.missing_in(file_format, content) if printed else []
        return {"pages": int(filled.getPages().size()), "missing": missing, "missing_shapes": boxes.left_out}, content

    def cells(self, template: bytes, data: ReportData) -> CellWriter:
        """Return the texts of the report, filled on one endless page, with their values. Raises ``JasperError``."""
        filled = self.fill(template, data, pageless=True)
        try:
            return self._cells.read(filled)
        except jpype.JException as error:
            raise JasperError("draw", error) from None

    def _fill(self, report: Any, data: ReportData, pageless: bool) -> Any:
        given = data.parameters
        parameters = self._maps()
        if pageless:
            parameters.put("IS_IGNORE_PAGINATION", self._java("java.lang.Boolean").TRUE)
        if locale := given.get("REPORT_LOCALE"):
            tag = str(locale).replace("_", "-")
            parameters.put("REPORT_LOCALE", self._java("java.util.Locale").forLanguageTag(tag))
        datasets = {str(dataset.getName()): dataset for dataset in report.getDatasets() or []}
        for parameter in report.getParameters():
            name = str(parameter.getName())
            if parameter.isSystemDefined():
                continue
            if name in datasets and name in data.lists:
                parameters.put(name, self._list(data.lists[name], datasets[name]))
            elif name in given:
                parameters.put(name, self._value(given[name], str(parameter.getValueClassName())))
        fields = _fields(report)

        def as_map(row: Mapping[str, Any]) -> Any:
            return self._map(row, fields)

        if data.row_count == 0 and report.getWhenNoDataTypeValue() is None:
            report.setWhenNoDataType(self._without_rows)  # the title and the totals of no rows
        source = self._no_rows(1) if data.row_count is None else data_source(data, as_map)
        with self._page_limit((data.row_count or 0) + sum(map(len, data.lists.values()))):
            return self._filler.fill(report, parameters, source)

    def _list(self, rows: Sequence[Mapping[str, Any]], dataset: Any) -> Any:
        """Return the rows of a further table as a collection of maps."""
        fields, collected = _fields(dataset), self._lists()
        for row in rows:
            collected.add(self._map(row, fields))
        return collected

    def _map(self, row: Mapping[str, Any], fields: Mapping[str, str]) -> Any:
        item = self._maps()
        for name, java_class in fields.items():
            item.put(name, self._value(row.get(name), java_class))
        return item

    @contextmanager
    def _page_limit(self, rows: int) -> Iterator[None]:
        """Let a report of many rows have more pages: `MAX_PAGES`, and some for each row."""
        self._context.setProperty(PAGE_LIMIT, str(MAX_PAGES + MAX_PAGES_PER_ROW * rows))
        try:
            yield
        finally:
            self._context.setProperty(PAGE_LIMIT, str(MAX_PAGES))

    def _value(self, raw: Any, java_class: str) -> Any:
        """Convert a JSON value to the declared class; null where that is impossible."""
        if raw is None:
            return None
        java, name = self._java, java_class.rsplit(".", 1)[-1]
        try:
            if name in ("Integer", "Long", "Short", "Byte"):
                return java(java_class)(str(int(Decimal(str(raw)))))
            if name == "Number":
                return java("java.lang.Double")(str(float(raw)))
            if name in ("Double", "Float"):
                return java(java_class)(str(float(raw)))
            if name in ("BigDecimal", "BigInteger"):
                return java(java_class)(str(raw))
            if name == "Boolean":
                return java(java_class).valueOf(str(raw).lower())
            if name in ("Date", "Timestamp", "Time"):
                millis = int(dt.datetime.fromisoformat(str(raw)).timestamp() * 1000)
                return java(java_class)(jpype.JLong(millis))
            if name == "LocalDate":
                return java(java_class).parse(str(raw)[:10])
            if name == "LocalDateTime":
                return java(java_class).parse(str(raw))
        except (ValueError, TypeError, ArithmeticError, jpype.JException):
            return None
        return java("java.lang.String")(str(raw))

    def _elements(self, filled: Any, page: int) -> list[dict[str, Any]]:
        """List the elements printed on a page and in its frames: key, kind, box, text, and the end that was cut."""
        found: list[dict[str, Any]] = []
        seen: Counter[str] = Counter()

        def walk(elements: Any, left: int, top: int) -> None:
            for element in elements:
                x, y = int(element.getX()) + left, int(element.getY()) + top
                key = str(element.getKey()) if element.getKey() is not None else None
                item: dict[str, Any] = {
                    "key": key,
                    "kind": str(element.getClass().getSimpleName()).removeprefix("JRTemplatePrint").lower(),
                    "box": [x, y, int(element.getWidth()), int(element.getHeight())],
                    "row": seen[key] if key else 0,
                }
                if key:
                    seen[key] += 1
                if isinstance(element, self._text):
                    shown = self._styled.getTruncatedText(element)
                    item["text"] = "" if shown is None else str(shown)
                    whole = element.getFullText()
                    item["rest"] = "" if whole is None else str(whole)[len(item["text"]) :]
                found.append(item)
                if isinstance(element, self._frame):
                    box = element.getLineBox()
                    walk(element.getElements(), x + int(box.getLeftPadding()), y + int(box.getTopPadding()))

        walk(filled.getPages().get(page).getElements(), 0, 0)
        return found

    def _scale(self, filled: Any) -> float:
        area = int(filled.getPageWidth()) * int(filled.getPageHeight())
        return float(min(DPI / 72, (MAX_PIXELS / max(area, 1)) ** 0.5))

    def _draw(self, filled: Any, page: int, scale: float) -> bytes:
        return bytes(cv2.imencode(".png", self._pixels(filled, page, scale))[1])

    def _pixels(self, filled: Any, page: int, scale: float) -> Any:
        image = self._drawer.printToImage(filled, page, jpype.JFloat(scale))
        # This reads the raster's array, one integer per pixel. image.getRGB takes ten times as long.
        packed = np.asarray(memoryview(image.getRaster().getDataBuffer().getData()))
        pixels = packed.view(np.uint8).reshape(int(image.getHeight()), int(image.getWidth()), 4)
        return cv2.cvtColor(pixels, cv2.COLOR_BGRA2BGR)

    def _locked_context(self) -> Any:
        """Create a context that reads nothing from anywhere. See ``lockdown``."""
        java = self._java
        context = java(_ENGINE + "SimpleJasperReportsContext")()
        for name, value in PROPERTIES.items():
            context.setProperty(name, value)
        context.setProperty("net.sf.jasperreports.print.keep.full.text", "true")  # to know what was cut
        for language in DENIED_LANGUAGES:
            context.setProperty(f"net.sf.jasperreports.query.executer.factory.{language}", "")
        error = java(_ENGINE + "JRRuntimeException")

        def no_file(*_: Any) -> Any:
            raise error("a template may not read or write files or addresses")

        def no_query(*_: Any) -> Any:
            raise error("a template may not query anything")

        def no_languages() -> Any:
            return jpype.JArray(java("java.lang.String"))(0)

        files = {"getResource": no_file, "saveResource": no_file, "getResourceInfo": lambda *_: None}
        queries = {"getLanguages": no_languages, "getQueryExecuterFactory": no_query}
        for name, methods in (
            ("net.sf.jasperreports.repo.RepositoryService", files),
            (_ENGINE + "query.JRQueryExecuterFactoryBundle", queries),
        ):
            extensions = self._lists()
            extensions.add(jpype.JProxy(java(name), dict=methods))
            context.setExtensions(java(name), extensions)
        themes = self._lists()
        themes.add(charts.ChartTheme(context).bundle())
        context.setExtensions(java("net.sf.jasperreports.charts.ChartThemeBundle"), themes)
        context.setProperty("net.sf.jasperreports.chart.theme", charts.THEME)
        return context


def _fields(dataset: Any) -> dict[str, str]:
    """Return the classes of the fields of a report or dataset by name."""
    return {str(field.getName()): str(field.getValueClassName()) for field in dataset.getFields() or []}


def _reasons(error: Any) -> list[tuple[str, str]]:
    """Return the engine's messages without paths and stack traces, each with the expression that it concerns."""
    cause, source = error, ""
    while cause.getCause() is not None:
        source = _evaluated(str(cause.getMessage())) or source
        cause = cause.getCause()
    message = str(cause.getMessage() or error.getMessage() or cause.getClass().getSimpleName())
    kind = str(cause.getClass().getSimpleName())
    parts = _NUMBERED.split(message)
    found: dict[str, str] = {}
    for part in (parts[1:] or parts)[:MAX_REASONS]:
        if part.strip():
            line = _PATH.sub("…", part.strip().splitlines()[0])[:MAX_REASON_CHARS]
            found.setdefault(line if " " in line else f"{kind}: {line}", _expression(part) or source)
    return list(found.items()) or [(kind, source)]


def _evaluated(message: str) -> str:
    """Return the expression that could not be evaluated, if that is what the message says."""
    evaluated = _EVALUATED.search(message)
    return evaluated[1].strip() if evaluated else ""


def _expression(message: str) -> str:
    """Return the expression that the compiler quotes as Java, as the template has it; empty where it quotes none."""
    quoted = _QUOTED.search(message)
    return _GETTER.sub(lambda get: f"${get[1][0].upper()}{{{get[2]}}}", quoted[1]) if quoted else ""
