"""Fetches the files of a session's last finished turn: `python files.py march out/`. Needs nats-py alone."""

import asyncio
import json
import os
import sys
from pathlib import Path, PurePath

import nats

PIECE = 524288


async def files(session: str) -> dict[str, bytes]:
    user, password = os.environ.get("NATS_USER"), os.environ.get("NATS_PASSWORD")
    client = await nats.connect(os.environ["NATS_URL"], user=user, password=password, inbox_prefix="_INBOX_reports")
    get = client.jetstream().get_msg
    finished = await get("EVT", subject=f"evt.v1.{session}.turn.TurnFinished", direct=True)
    found = {}
    for name, ref in json.loads(finished.data)["payload"]["files"].items():
        subjects = [f"obj.{ref['key']}.{number}" for number in range(-(-ref["size"] // PIECE))]
        found[name] = b"".join([(await get("OBJ", subject=subject, direct=True)).data for subject in subjects])
    await client.close()
    return found


for name, content in asyncio.run(files(sys.argv[1])).items():
    Path(sys.argv[2], PurePath(name).name).write_bytes(content)
