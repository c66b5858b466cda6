"""npm, provided as for the other tests."""

from tests.integration.conftest import javascript, npm_ci

__all__ = ["javascript", "npm_ci"]
