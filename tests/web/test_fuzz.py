"""Requests that are made up from the OpenAPI document never make the server fail.

``make fuzz-web`` sends ten thousand and more; that takes a processor for a quarter of an hour.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
from pathlib import Path

import pytest

from .conftest import Place
from .test_api import build

EXAMPLES = os.environ.get("FUZZ_EXAMPLES", "8")
"""How many requests are made up for each operation, in each phase."""
CONFIG = """
[parameters]
session = "march"
"""
"""Names a session that exists: what is made up for it is rarely more than a 404."""


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("config", ["", CONFIG], ids=["made_up", "existing"])
async def test_no_made_up_request_makes_the_server_fail(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, config: str
):
    monkeypatch.setattr(place.door.rates, "_per_minute", 10**9)
    (tmp_path / "schemathesis.toml").write_text(config)
    key = place.keys.add("ann", "editor")
    async with place.with_token(key) as ann:
        await build(ann)
        document = (await ann.get("/api/openapi.json")).text
        (tmp_path / "openapi.json").write_text(document)
    command = [
        *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(tmp_path / "schemathesis.toml")),
        *("run", str(tmp_path / "openapi.json"), "--url", place.address, "-H", f"Authorization: Bearer {key}"),
        *("--checks", "not_a_server_error", "--max-examples", EXAMPLES, "--phases", "examples,coverage,fuzzing"),
        *("--exclude-path-regex", "/events$", "--request-timeout", "20", "--seed", "1", "--no-color"),
        *("--suppress-health-check", "all"),
    ]
    process = await asyncio.create_subprocess_exec(
        *command, cwd=tmp_path, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    output = (await process.communicate())[0].decode()
    assert process.returncode == 0, output[-5000:]
    [requests] = re.findall(r"(\d+) generated", output)
    print(f"{requests} requests")
