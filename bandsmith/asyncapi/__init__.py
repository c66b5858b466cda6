"""What is on the bus, as an AsyncAPI 3.0 document made from the registry of messages."""

from .document import as_json, as_yaml, document

__all__ = ["as_json", "as_yaml", "document"]
