"""The planner's settings."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from bandsmith.shared.settings import HomeSettings, Seconds, Settings


class KnowledgeSettings(Settings):
    knowledge: str = ""
    """The knowledge base: a path for Milvus Lite, by default `knowledge.db` in the home folder, or the address of a
    Milvus server, `http://user:password@host:19530`. A path is for one process at a time."""

    @property
    def is_server(self) -> bool:
        return self.knowledge.startswith(("http://", "https://", "tcp://"))

    @property
    def folder(self) -> Path | None:
        """The folder of Milvus Lite; None for a server."""
        if self.is_server:
            return None
        return Path(self.knowledge).expanduser() if self.knowledge else HomeSettings().home / "knowledge.db"


class HistorySettings(Settings):
    model_config = SettingsConfigDict(env_prefix="BANDSMITH_HISTORY_")

    tokens: int = 6000
    """Maximum number of tokens of a session's history. The older part of a longer one is replaced by a summary."""


class DataSettings(Settings):
    model_config = SettingsConfigDict(env_prefix="BANDSMITH_QUERY_")

    seconds: Seconds = Field(default=30.0, gt=0)
    """Seconds that a query of a source may take."""
    rows: int = Field(default=10_000, ge=1)
    """Maximum number of rows that are read of a query's result; a reply says so if there are more."""
