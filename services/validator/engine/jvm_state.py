"""What a whole JVM has in common: for each report it must be as it was for the one before. Runs in the worker."""

from __future__ import annotations

from typing import Any

import jpype


class JvmState:
    """The JVM's default locale, time zone and system properties as they were when this was made."""

    def __init__(self) -> None:
        java = jpype.JClass
        self._locales, self._zones = java("java.util.Locale"), java("java.util.TimeZone")
        self._system = java("java.lang.System")
        self._categories = list(java("java.util.Locale$Category").values())
        self._locale, self._zone = self._locales.getDefault(), self._zones.getDefault()
        self._by_category = [self._locales.getDefault(category) for category in self._categories]
        self._properties = self._system.getProperties().clone()

    def restore(self) -> list[str]:
        """Put back what was changed, and return its names."""
        changed = []
        if self._current_locales() != [self._locale, *self._by_category]:
            self._locales.setDefault(self._locale)
            for category, locale in zip(self._categories, self._by_category, strict=True):
                self._locales.setDefault(category, locale)
            changed.append("locale")
        if not self._zone.equals(self._zones.getDefault()):
            self._zones.setDefault(self._zone.clone())
            changed.append("time zone")
        if not self._properties.equals(self._system.getProperties()):
            self._system.setProperties(self._properties.clone())
            changed.append("properties")
        return changed

    def _current_locales(self) -> list[Any]:
        return [self._locales.getDefault(), *(self._locales.getDefault(category) for category in self._categories)]
