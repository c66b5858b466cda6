"""What requests with a JSON body send."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request

from bandsmith.shared.errors import BadInput
from bandsmith.shared.events.turn import MAX_NAME_CHARS

from .access import MAX_SHARE_DAYS

B = TypeVar("B", bound=BaseModel)


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Answer(_Body):
    """The answer to the question with which the last turn ended."""

    agrees: bool


class NewName(_Body):
    name: str = Field(min_length=1, max_length=MAX_NAME_CHARS)


class NewShare(_Body):
    days: int = Field(default=7, ge=1, le=MAX_SHARE_DAYS)
    """Days for which the link is valid."""


async def body_of(request: Request, model: type[B]) -> B:
    """Return the body of a request. Raises ``BadInput`` for one that does not fit."""
    try:
        return model.model_validate_json(await request.body())
    except ValidationError:
        raise BadInput.of("web.error.request") from None
