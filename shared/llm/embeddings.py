"""Embeddings: texts as vectors, from an address that speaks OpenAI's embeddings."""

from __future__ import annotations

from typing import Protocol

import httpx2
from pydantic import BaseModel, Field, ValidationError

from ..settings import EmbeddingSettings
from .base import ModelFailed

AT_ONCE = 32
"""Texts in one call."""
LONGEST = 4_000
"""Characters of a text that are looked at: the smallest models take about so many."""


class Embedder(Protocol):
    name: str

    def embed(self, texts: list[str]) -> list[list[float]]:
        """One vector for each text, all of one length. It blocks. Raises ``ModelFailed``."""
        ...


class OpenAIEmbedder:
    """The embedding model at `settings.url`; both it and a name have to be set."""

    def __init__(self, settings: EmbeddingSettings) -> None:
        self.name = settings.model or ""
        key = {"Authorization": f"Bearer {settings.key.get_secret_value()}"} if settings.key else {}
        self._client = httpx2.Client(base_url=settings.url or "", headers=key, timeout=settings.timeout)

    def embed(self, texts: list[str]) -> list[list[float]]:
        vectors: list[list[float]] = []
        for start in range(0, len(texts), AT_ONCE):
            vectors += self._embed([text[:LONGEST] or " " for text in texts[start : start + AT_ONCE]])
        return vectors

    def _embed(self, texts: list[str]) -> list[list[float]]:
        try:
            answer = self._client.post("embeddings", json={"model": self.name, "input": texts})
            answer.raise_for_status()
            items = sorted(_Answer.model_validate_json(answer.content).data, key=lambda item: item.index)
        except (httpx2.HTTPError, ValidationError):
            raise _failed() from None
        if len(items) != len(texts):
            raise _failed()
        return [item.embedding for item in items]


class _Item(BaseModel):
    index: int
    embedding: list[float] = Field(min_length=1)


class _Answer(BaseModel):
    data: list[_Item]


def embedder(settings: EmbeddingSettings | None = None) -> Embedder | None:
    """The embedding model that is configured, if one is."""
    settings = settings or EmbeddingSettings()
    return OpenAIEmbedder(settings) if settings.url and settings.model else None


def _failed() -> ModelFailed:
    return ModelFailed(
        "The embedding model gives no answer; check BANDSMITH_EMBEDDING_URL and BANDSMITH_EMBEDDING_MODEL.",
        message_zh="嵌入模型没有给出结果，请检查 BANDSMITH_EMBEDDING_URL 和 BANDSMITH_EMBEDDING_MODEL。",
        code="embedding",
    )
