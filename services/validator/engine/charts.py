"""A chart theme for text in any script.

The engine draws a chart's text in a single font, without the fallback fonts that report texts have. The theme replaces
every font of a chart by one font of the font extension that has both Latin and Chinese characters.
"""

from __future__ import annotations

from typing import Any

import jpype

from .fonts import CHARTS

THEME = "bandsmith"

_ENGINE = "net.sf.jasperreports."


class ChartTheme:
    """The engine's default theme in another font."""

    def __init__(self, context: Any) -> None:
        self._default = jpype.JClass(_ENGINE + "engine.fill.DefaultChartTheme")()
        fonts = jpype.JClass(_ENGINE + "engine.fonts.FontUtil").getInstance(context)
        family = fonts.getFontInfo(CHARTS, jpype.JClass("java.util.Locale").US).getFontFamily()
        self._font = family.getNormalFace().getFont()

    def bundle(self) -> Any:
        """Return the theme in the form in which the engine's context registers it."""
        theme = jpype.JProxy(_ENGINE + "charts.ChartTheme", dict={"createChart": self._create})
        names = jpype.JArray(jpype.JString)([THEME])
        methods = {"getChartThemeNames": lambda: names, "getChartTheme": lambda name: theme if name == THEME else None}
        return jpype.JProxy(_ENGINE + "charts.ChartThemeBundle", dict=methods)

    def _create(self, chart_context: Any) -> Any:
        chart = self._default.createChart(chart_context)
        self._replace_fonts(chart.getTitle(), "Font")
        for index in range(chart.getSubtitleCount()):
            self._replace_fonts(chart.getSubtitle(index), "Font", "ItemFont")
        plot = chart.getPlot()
        self._replace_fonts(plot, "LabelFont", "NoDataMessageFont")
        for side in ("Domain", "Range"):
            if hasattr(plot, f"get{side}Axis"):
                self._replace_fonts(getattr(plot, f"get{side}Axis")(), "LabelFont", "TickLabelFont")
        if hasattr(plot, "getRenderer"):
            self._replace_fonts(plot.getRenderer(), "BaseItemLabelFont")
        return chart

    def _replace_fonts(self, part: Any, *names: str) -> None:
        """Replace the named fonts of a part where it has them. Size and style stay."""
        for name in names:
            old = getattr(part, f"get{name}")() if hasattr(part, f"get{name}") else None
            if old is not None:
                getattr(part, f"set{name}")(self._font.deriveFont(old.getStyle(), jpype.JFloat(old.getSize2D())))
