"""Files of every kind that an outsider may send: each ends in a sentence, a page or a table, in time and memory."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from bandsmith.services.ocr.reader import DocumentReader
from bandsmith.shared.errors import BadInput

from .odd_office import SHEETS, WORDS
from .odd_pdfs import PDFS
from .odd_pictures import PICTURES, TEXTS

pytestmark = pytest.mark.slow

UPLOADS = {**PICTURES, **TEXTS, **PDFS, **WORDS, **SHEETS}
MAX_SECONDS, MAX_MEMORY_BYTES = 20.0, 10**9
"""Processor time and memory that one file may take of the worker that decodes it."""


def processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int, kind: str = "VmHWM") -> int:
    """Return a figure of a process's memory in bytes; by default, the most that it ever had."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition(f"{kind}:")[2].split()[0]) * 1024


@pytest.fixture(scope="module")
def reader() -> Iterator[DocumentReader]:
    reader = DocumentReader(limit=MAX_SECONDS)
    yield reader
    reader.stop()


@pytest.mark.parametrize("name", UPLOADS)
def test_a_file_is_read_or_refused_with_a_sentence(reader: DocumentReader, name: str):
    reads_or_refuses(reader, *UPLOADS[name])


def reads_or_refuses(reader: DocumentReader, file: str, make: Callable[[], bytes]) -> None:
    """Read a file as a form and as a table: each ends with a sentence or a result, within time and memory."""
    content = make()
    doors: list[Callable[[str, bytes], object]] = [
        lambda name, content: reader.decode(name, content, None),
        reader.read_table,
    ]
    for read in doors:
        reader.start()
        worker, before = reader.pid, processor_seconds(reader.pid)
        try:
            read(file, content)
        except BadInput as refused:
            assert refused.message and refused.message_zh
            assert "/" not in refused.message
        if reader.pid == worker:  # else it was killed at a limit
            assert processor_seconds(worker) - before < MAX_SECONDS
            assert memory(worker) < MAX_MEMORY_BYTES


@pytest.mark.parametrize("suffix", [".pdf", ".csv", ".jrxml"])
def test_a_name_with_half_a_character_is_a_name(reader: DocumentReader, suffix: str):
    for read in (
        lambda name: reader.decode(name, b"a,b\n1,2\n", None),
        lambda name: reader.read_table(name, b"a,b\n1,2\n"),
    ):
        with suppress(BadInput):
            read(f"\ud800{suffix}")


def test_a_worker_dies_before_it_has_a_gigabyte(reader: DocumentReader):
    # A file may be too much on a fast machine, and only too slow on another, where its worker is killed before.
    reader.start()
    written, _ = resource.prlimit(reader.pid, resource.RLIMIT_DATA)
    assert written + memory(reader.pid, "RssFile") < MAX_MEMORY_BYTES


def test_there_are_as_many_as_the_manual_says():
    assert len(UPLOADS) == 155
