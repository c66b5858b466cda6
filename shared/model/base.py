"""The base of every noun: immutable, closed to unknown fields."""

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """A value: equal by content, never changed after it was made (use ``model_copy(update=...)``)."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Ref(Value):
    """Bytes that live in the object store and travel by reference."""

    key: str
    media: str
    """Media type: ``image/png``, ``application/json``, ``application/xml``, ``application/pdf``."""
    size: int
