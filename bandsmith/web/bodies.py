"""What requests with a JSON body send."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request

from bandsmith.shared.errors import BadInput
from bandsmith.shared.events.turn import MAX_NAME_CHARS
from bandsmith.shared.model.filling import MAX_PARAMETERS, Filling
from bandsmith.shared.model.session_parts import Format

from .access import MAX_SHARE_DAYS

B = TypeVar("B", bound=BaseModel)


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Agreement(_Body):
    """The answer to the question with which the last turn ended."""

    agrees: bool
    question: str = Field(default="", max_length=80)
    """Id of the question: the answer to another one than the last is not taken. Without one, it is to the last."""


class NewName(_Body):
    name: str = Field(min_length=1, max_length=MAX_NAME_CHARS)


class NewShare(_Body):
    days: int = Field(default=7, ge=1, le=MAX_SHARE_DAYS)
    """Days for which the link is valid."""


class FillBody(_Body):
    """What a report is filled with: a source of data, or the file that comes with the request."""

    source: str | None = None
    """Name of the source; empty for the only one, null for the file."""
    period: str = Field(default="", max_length=200)
    """Period of the source's rows in the user's words: "last month"."""
    parameters: dict[str, str] = Field(default={}, max_length=MAX_PARAMETERS)
    formats: list[Format] = []
    """The formats of the filled report; none means a PDF."""
    review: bool = False
    """Whether the user sees new queries of the source before the report is filled."""

    @property
    def filling(self) -> Filling:
        return Filling.model_validate(self.model_dump())


async def body_of(request: Request, model: type[B]) -> B:
    """Return the body of a request. Raises ``BadInput`` for one that does not fit."""
    try:
        return model.model_validate_json(await request.body())
    except ValidationError:
        raise BadInput.of("web.error.request") from None
