"""Charts whose words may be Chinese: the engine draws them in one face each, not in a set of faces as its texts.

So every font of a chart is replaced by the charts' face of the font extension, which has both Latin and Chinese.
"""

from __future__ import annotations

from typing import Any

import jpype

from .fonts import CHARTS

THEME = "bandsmith"

_ENGINE = "net.sf.jasperreports."


class Theme:
    """The engine's own theme, in the charts' face."""

    def __init__(self, context: Any) -> None:
        self._usual = jpype.JClass(_ENGINE + "engine.fill.DefaultChartTheme")()
        fonts = jpype.JClass(_ENGINE + "engine.fonts.FontUtil").getInstance(context)
        family = fonts.getFontInfo(CHARTS, jpype.JClass("java.util.Locale").US).getFontFamily()
        self._face = family.getNormalFace().getFont()

    def bundle(self) -> Any:
        """What the engine's context wants of it."""
        theme = jpype.JProxy(_ENGINE + "charts.ChartTheme", dict={"createChart": self._create})
        names = jpype.JArray(jpype.JString)([THEME])
        methods = {"getChartThemeNames": lambda: names, "getChartTheme": lambda name: theme if name == THEME else None}
        return jpype.JProxy(_ENGINE + "charts.ChartThemeBundle", dict=methods)

    def _create(self, chart_context: Any) -> Any:
        chart = self._usual.createChart(chart_context)
        self._set(chart.getTitle(), "Font")
        for index in range(chart.getSubtitleCount()):
            self._set(chart.getSubtitle(index), "Font", "ItemFont")
        plot = chart.getPlot()
        self._set(plot, "LabelFont", "NoDataMessageFont")
        for side in ("Domain", "Range"):
            if hasattr(plot, f"get{side}Axis"):
                self._set(getattr(plot, f"get{side}Axis")(), "LabelFont", "TickLabelFont")
        if hasattr(plot, "getRenderer"):
            self._set(plot.getRenderer(), "BaseItemLabelFont")
        return chart

    def _set(self, part: Any, *names: str) -> None:
        """Change the face of these fonts of a part, where it has them; size and style stay."""
        for name in names:
            old = getattr(part, f"get{name}")() if hasattr(part, f"get{name}") else None
            if old is not None:
                getattr(part, f"set{name}")(self._face.deriveFont(old.getStyle(), jpype.JFloat(old.getSize2D())))
