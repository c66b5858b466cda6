"""What edits produce is what the engine prints."""

from tests.generator.conftest import engine

__all__ = ["engine"]
