"""A temporary knowledge base, and an embedding model that knows the meaning of a few words."""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncIterator, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from bandsmith.services.planner.knowledge.base import Knowledge
from bandsmith.services.planner.settings import KnowledgeSettings
from bandsmith.shared.llm.embeddings import OpenAIEmbedder
from bandsmith.shared.model.base import Ref
from bandsmith.shared.settings import EmbeddingSettings


@pytest.fixture
def settings(tmp_path: Path) -> KnowledgeSettings:
    return KnowledgeSettings(knowledge=str(tmp_path / "knowledge.db"))


@pytest.fixture
async def knowledge(settings: KnowledgeSettings) -> AsyncIterator[Knowledge]:
    """A knowledge base on a real Milvus Lite, whose folder does not exist yet."""
    knowledge = Knowledge(settings)
    yield knowledge
    await knowledge.close()


class Objects:
    """An object store in memory."""

    def __init__(self) -> None:
        self.stored: dict[str, bytes] = {}

    async def put(self, data: bytes, media: str) -> Ref:
        key = f"{len(self.stored):064}"
        self.stored[key] = data
        return Ref(key=key, media=media, size=len(data))

    async def get(self, ref: Ref) -> bytes:
        return self.stored[ref.key]


@pytest.fixture
def objects() -> Objects:
    return Objects()


SENSES = (("price", "cost", "单价", "价格"), ("customer", "client", "客户"), ("date", "day", "日期"))


class _Embeddings(BaseHTTPRequestHandler):
    """OpenAI's embeddings API. A text's vector says which of the senses its words have."""

    def do_POST(self) -> None:
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        vectors = [[float(any(word in text.lower() for word in sense)) for sense in SENSES] + [0.1] for text in texts]
        data = [{"index": number, "embedding": vector} for number, vector in enumerate(vectors)]
        body = json.dumps({"data": data[::-1]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None: ...


@pytest.fixture
def embedder() -> Iterator[OpenAIEmbedder]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Embeddings)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield OpenAIEmbedder(EmbeddingSettings(url=f"http://127.0.0.1:{server.server_port}/v1", model="senses"))
    server.shutdown()
    server.server_close()
