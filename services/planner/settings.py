"""The planner's settings: where the knowledge is."""

from __future__ import annotations

from pathlib import Path

from pydantic_settings import SettingsConfigDict

from bandsmith.shared.settings import HomeSettings, Settings


class KnowledgeSettings(Settings):
    knowledge: str = ""
    """Where knowledge is kept: a path for Milvus Lite, by default `knowledge.db` in the home folder, or the address of
    a Milvus server, `http://user:password@host:19530`. One process at a time takes a path."""

    @property
    def is_server(self) -> bool:
        return self.knowledge.startswith(("http://", "https://", "tcp://"))

    @property
    def folder(self) -> Path | None:
        """Milvus Lite's; None on a server."""
        if self.is_server:
            return None
        return Path(self.knowledge).expanduser() if self.knowledge else HomeSettings().home / "knowledge.db"


class HistorySettings(Settings):
    model_config = SettingsConfigDict(env_prefix="BANDSMITH_HISTORY_")

    tokens: int = 6000
    """Above so many tokens the older part of a session's history is compressed to a summary."""
