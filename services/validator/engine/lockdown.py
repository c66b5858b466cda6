"""What a template may not do, said to the engine: which classes its expressions may name, and no other languages.

A template is a program: its expressions are Java. The checks before the engine are the first wall, these settings are
the second, and the process around it (killable, little memory, no network) is the third.
"""

from __future__ import annotations

MAX_PAGES = 200

_BY_PACKAGE = {
    "java.lang": "Object String Boolean Character Number Byte Short Integer Long Float Double Math StringBuilder "
    "CharSequence Comparable",
    "java.math": "BigDecimal BigInteger RoundingMode MathContext",
    "java.text": "NumberFormat DecimalFormat DecimalFormatSymbols DateFormat SimpleDateFormat MessageFormat",
    "java.util": "Date Calendar GregorianCalendar Locale TimeZone Objects Arrays List Collection Set Map ArrayList "
    "HashMap Base64 Base64$Decoder",
    "java.io": "InputStream ByteArrayInputStream",
    "java.sql": "Date Time Timestamp",
    "java.time": "LocalDate LocalDateTime LocalTime ZoneId ZonedDateTime Instant Duration Period",
    "java.time.format": "DateTimeFormatter",
    "java.time.temporal": "ChronoUnit",
    "java.awt": "Color",
    "net.sf.jasperreports.engine": "JREmptyDataSource",
    "net.sf.jasperreports.engine.data": "JRBeanCollectionDataSource JRMapCollectionDataSource",
}
CLASSES = [f"{package}.{name}" for package, names in _BY_PACKAGE.items() for name in names.split()]
"""The classes that expressions may name; `java.io.ByteArrayInputStream` over `Base64` is how a picture comes in."""

_FILTER = "net.sf.jasperreports.report.class"
PROPERTIES = {
    f"{_FILTER}.filter.enabled": "true",
    # The engine's own lists hold data sources that open files and connections.
    f"{_FILTER}.whitelist.jasperreports.data.sources": "",
    f"{_FILTER}.whitelist.jasperreports.date.range": "",
    f"{_FILTER}.whitelist.jasperreports.misc": "",
    f"{_FILTER}.whitelist.jasperreports.java": "",
    f"{_FILTER}.whitelist.bandsmith": ",".join(CLASSES),
    "net.sf.jasperreports.compiler.groovy": "disabled",
    "net.sf.jasperreports.compiler.javascript": "disabled",
    "net.sf.jasperreports.governor.max.pages.enabled": "true",
    "net.sf.jasperreports.governor.max.pages": str(MAX_PAGES),
}
"""Settings that hold wherever the engine runs with our classpath."""

DENIED_LANGUAGES = [
    spelled
    for name in ("sql", "plsql", "hql", "mdx", "ejbql", "csv", "xls", "xlsx", "json", "jsonql", "olap4j")
    for spelled in (name, name.upper())
] + ["xPath", "XPath"]
"""The query languages that the engine knows, and that our worker unlearns."""
