"""Embeddings from an OpenAI-compatible embeddings API."""

from __future__ import annotations

from typing import Protocol

import httpx2
from pydantic import BaseModel, Field, ValidationError

from ..settings import EmbeddingSettings
from .base import ModelFailed

BATCH_SIZE = 32
"""Texts per request."""
MAX_TEXT_CHARS = 4_000
"""Longer texts are truncated; the smallest models accept about this much."""


class Embedder(Protocol):
    name: str

    def embed(self, texts: list[str]) -> list[list[float]]:
        """Return one vector per text, all of the same dimension. Blocks. Raises ``ModelFailed``."""
        ...


class OpenAIEmbedder:
    """The embedding model at `settings.url`; the address and the model's name are required."""

    def __init__(self, settings: EmbeddingSettings) -> None:
        self.name = settings.model or ""
        headers = {"Authorization": f"Bearer {settings.key.get_secret_value()}"} if settings.key else {}
        self._client = httpx2.Client(base_url=settings.url or "", headers=headers, timeout=settings.timeout)

    def embed(self, texts: list[str]) -> list[list[float]]:
        vectors: list[list[float]] = []
        for start in range(0, len(texts), BATCH_SIZE):
            vectors += self._embed([text[:MAX_TEXT_CHARS] or " " for text in texts[start : start + BATCH_SIZE]])
        return vectors

    def _embed(self, texts: list[str]) -> list[list[float]]:
        try:
            response = self._client.post("embeddings", json={"model": self.name, "input": texts})
            response.raise_for_status()
            items = sorted(_Response.model_validate_json(response.content).data, key=lambda item: item.index)
        except (httpx2.HTTPError, ValidationError):
            raise _failed() from None
        if len(items) != len(texts):
            raise _failed()
        return [item.embedding for item in items]


class _Item(BaseModel):
    index: int
    embedding: list[float] = Field(min_length=1)


class _Response(BaseModel):
    data: list[_Item]


def embedder(settings: EmbeddingSettings | None = None) -> Embedder | None:
    """Return the configured embedding model, if there is one."""
    settings = settings or EmbeddingSettings()
    return OpenAIEmbedder(settings) if settings.url and settings.model else None


def _failed() -> ModelFailed:
    return ModelFailed.of("llm.embedding", code="embedding")
