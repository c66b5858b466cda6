"""Fetches the files of a session's last finished turn: `python files.py march out/`. Needs nats-py alone."""

import asyncio
import json
import os
import sys
from pathlib import Path, PurePath

import nats

PIECE = 524288


async def main(session: str, folder: str) -> None:
    user, password = os.environ.get("NATS_USER"), os.environ.get("NATS_PASSWORD")
    client = await nats.connect(os.environ["NATS_URL"], user=user, password=password, inbox_prefix="_INBOX_reports")
    get = client.jetstream().get_msg
    finished = await get("EVT", subject=f"evt.v1.{session}.turn.TurnFinished", direct=True)
    for name, ref in json.loads(finished.data)["payload"]["files"].items():
        subjects = [f"obj.{ref['key']}.{number}" for number in range(-(-ref["size"] // PIECE))]
        pieces = [(await get("OBJ", subject=subject, direct=True)).data for subject in subjects]
        Path(folder, PurePath(name).name).write_bytes(b"".join(pieces))
    await client.close()


asyncio.run(main(*sys.argv[1:]))
