"""npm, as the tests of other programs have it."""

from tests.integration.conftest import javascript, npm_ci

__all__ = ["javascript", "npm_ci"]
