"""The base of the model: values that are immutable and have no unknown fields."""

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """A value: equal by content and immutable (use ``model_copy(update=...)``)."""

    # A process uses few of the hundreds of models: a validator is built when it is needed.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Ref(Value):
    """A reference to bytes in the object store."""

    key: str
    media: str
    """Media type: ``image/png``, ``application/json``, ``application/xml``, ``application/pdf``."""
    size: int
