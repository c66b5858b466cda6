"""The language of the user's locale."""

from __future__ import annotations

import os

from bandsmith.shared.language import Language


def user_language() -> Language:
    """Return Chinese where the locale says so, English for any other."""
    locale = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return "zh" if locale.lower().startswith("zh") else "en"
