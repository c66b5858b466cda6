"""What is on the bus, as an AsyncAPI 3.0 document generated from the registry of messages."""

from .document import PUBLIC, as_json, as_yaml, document

__all__ = ["PUBLIC", "as_json", "as_yaml", "document"]
