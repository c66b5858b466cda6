"""The engine's restrictions on templates: the classes that expressions may use, no other languages, no queries.

These settings are the second line of defence, behind the checks and before the process. See the package.
"""

from __future__ import annotations

MAX_PAGES = 200
"""Pages after which the engine stops filling a report."""

PAGE_LIMIT = "net.sf.jasperreports.governor.max.pages"
"""The engine's property for it."""

_BY_PACKAGE = {
    "java.lang": "Object String Boolean Character Number Byte Short Integer Long Float Double Math StringBuilder "
    "CharSequence Comparable",
    "java.math": "BigDecimal BigInteger RoundingMode MathContext",
    "java.text": "NumberFormat DecimalFormat DecimalFormatSymbols DateFormat SimpleDateFormat MessageFormat",
    "java.util": "Date Calendar GregorianCalendar Locale TimeZone Objects Arrays List Collection Set Map ArrayList "
    "HashMap LinkedHashMap Base64 Base64$Decoder",
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
"""The classes that expressions may use. `java.io.ByteArrayInputStream` and `Base64` are how pictures come in."""

_FILTER = "net.sf.jasperreports.report.class"
PROPERTIES = {
    f"{_FILTER}.filter.enabled": "true",
    # The engine's built-in lists contain data sources that open files and connections.
    f"{_FILTER}.whitelist.jasperreports.data.sources": "",
    f"{_FILTER}.whitelist.jasperreports.date.range": "",
    f"{_FILTER}.whitelist.jasperreports.misc": "",
    f"{_FILTER}.whitelist.jasperreports.java": "",
    f"{_FILTER}.whitelist.bandsmith": ",".join(CLASSES),
    "net.sf.jasperreports.compiler.groovy": "disabled",
    "net.sf.jasperreports.compiler.javascript": "disabled",
    "net.sf.jasperreports.governor.max.pages.enabled": "true",
    PAGE_LIMIT: str(MAX_PAGES),
}
"""Settings that apply wherever the engine runs with our classpath."""

DENIED_LANGUAGES = [
    spelling
    for name in ("sql", "plsql", "hql", "mdx", "ejbql", "csv", "xls", "xlsx", "json", "jsonql", "olap4j")
    for spelling in (name, name.upper())
] + ["xPath", "XPath"]
"""The engine's query languages, which the worker unregisters."""
