"""Objects on the bus: chunks of their content, and the sessions that they were stored for.

Theory of operation
===================

Objects are named by their content, so equal files of two sessions are one object. The header of its first chunk lists
the sessions that it was stored for. Deleting a session takes it off these lists, and removes what was stored for no
other. An object without a list stays until it expires: another program or an older version has stored it, or a user for
later.

A change of a list names the revision that was read, so that two changes at the same time are both made. An object is
removed with its list, by that revision: if it was stored for another session meanwhile, it stays.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from functools import partial

from nats.js import api
from nats.js.errors import APIError, NotFoundError

from ...model.base import Ref
from ...settings import BusSettings
from ..base import OBJECT_KEY, current_session, valid_name
from .cache import ObjectCache
from .connection import Connection
from .headers import SESSIONS, deduplicated_by, object_headers

CHUNK_BYTES = 512 * 1024
"""Size of an object's chunks: below every server's message limit, and faster than larger ones."""
MAX_CONCURRENT_CHUNKS = 8
MAX_CONCURRENT_DELETIONS = 16
MAX_LISTED_SESSIONS = 32
"""An object that more sessions have stored loses its list, and stays until it expires."""
WRONG_LAST_SEQUENCE = 10071

Sessions = frozenset[str] | None
"""The sessions that an object was stored for; None: it is not known."""


class Objects(Connection):
    """The part of ``base.Bus`` for objects."""

    def __init__(self, settings: BusSettings) -> None:
        super().__init__(settings)
        self._cache = ObjectCache(settings.object_cache)

    async def put(self, data: bytes, media: str) -> Ref:
        key = hashlib.sha256(data).hexdigest()
        is_new = await self._put_first_chunk(f"{key}.0", data[:CHUNK_BYTES])
        for number, start in enumerate(range(CHUNK_BYTES, len(data), CHUNK_BYTES), 1):
            await self._put_chunk(f"{key}.{number}", data[start : start + CHUNK_BYTES], is_new=is_new)
        self._cache.put(key, data)
        return Ref(key=key, media=media, size=len(data))

    async def get(self, ref: Ref) -> bytes:
        if not OBJECT_KEY.fullmatch(ref.key):
            raise KeyError(ref.key)
        if (known := self._cache.get(ref.key)) is not None:
            return known
        numbers = range(max(-(-ref.size // CHUNK_BYTES), 1))
        chunks: list[bytes] = []
        for start in numbers[::MAX_CONCURRENT_CHUNKS]:
            batch = numbers[start : start + MAX_CONCURRENT_CHUNKS]
            chunks += await asyncio.gather(*(self._chunk(ref.key, number) for number in batch))
        data = b"".join(chunks)
        if hashlib.sha256(data).hexdigest() != ref.key:
            raise KeyError(ref.key)
        self._cache.put(ref.key, data)
        return data

    async def delete_objects(self, session: str, keys: Iterable[str]) -> None:
        free = asyncio.Semaphore(MAX_CONCURRENT_DELETIONS)

        async def delete(key: str) -> None:
            async with free:
                await self._take_off(session, valid_name(key))

        await asyncio.gather(*map(delete, keys))

    async def _put_first_chunk(self, name: str, chunk: bytes) -> bool:
        """Store it with its list of sessions. Return false if it was stored for this session a moment ago."""
        session = current_session()
        sessions: Sessions = frozenset({session}) if session else None
        message_id, sequence = self._own_id(f"{name}.{session}"), 0
        while True:
            try:
                headers = object_headers(message_id, sequence, sessions)
                if not await self._store((f"obj.{name}", chunk, headers)):
                    return True
            except APIError as error:
                if error.err_code != WRONG_LAST_SEQUENCE:
                    raise
                is_duplicate = False
            else:
                is_duplicate = True
            message_id, existing = "", await self._last_chunk(name)
            known = sessions_of(existing) if existing else frozenset[str]()
            sequence = (existing.seq or 0) if existing else 0
            if existing and is_duplicate and (known is None or session in known):
                return False
            sessions = _joined(known, session)

    async def _put_chunk(self, name: str, chunk: bytes, *, is_new: bool) -> None:
        is_known = await self._store((f"obj.{name}", chunk, "" if is_new else deduplicated_by(self._own_id(name))))
        if is_known and await self._last_chunk(name) is None:  # it was deleted meanwhile
            await self._store((f"obj.{name}", chunk, ""))

    async def _chunk(self, key: str, number: int) -> bytes:
        for direct in (True, False):  # any server of a cluster, then the leader, which has the newest objects
            if message := await self._last_chunk(f"{key}.{number}", direct=direct):
                return message.data or b""
        raise KeyError(key)

    async def _last_chunk(self, name: str, *, direct: bool = True) -> api.RawStreamMsg | None:
        with suppress(NotFoundError):
            return await self._call_api(partial(self._jetstream.get_last_msg, "OBJ", f"obj.{name}", direct=direct))
        return None

    async def _take_off(self, session: str, key: str) -> None:
        """Take a session off an object's list, and remove the object if it was the last one."""
        while (first := await self._last_chunk(f"{key}.0", direct=False)) is not None:
            sessions = sessions_of(first)
            if sessions is None or session not in sessions:
                return
            if others := sessions - {session}:
                with suppress(APIError):  # it has changed meanwhile
                    headers = object_headers("", first.seq or 0, others)
                    await self._store((f"obj.{key}.0", first.data or b"", headers))
                continue
            further = [sequence async for sequence in self._further_chunks(key)]
            if await self._remove("OBJ", first.seq or 0):
                self._cache.remove(key)
                await asyncio.gather(*(self._remove("OBJ", sequence) for sequence in further))

    async def _further_chunks(self, key: str) -> AsyncIterator[int]:
        number = 1
        while message := await self._last("OBJ", f"obj.{key}.{number}"):
            yield message["seq"]
            number += 1


def sessions_of(first_chunk: api.RawStreamMsg) -> Sessions:
    """Return the sessions that an object was stored for."""
    listed = (first_chunk.headers or {}).get(SESSIONS)
    return frozenset(listed.split(",")) if listed else None


def _joined(known: Sessions, session: str) -> Sessions:
    """Return the list of an object that is stored for one more session; for none, it stays until it expires."""
    if known is None or not session or len(known) >= MAX_LISTED_SESSIONS:
        return None
    return known | {session}
