"""The file that names the sources of data."""

from __future__ import annotations

from pathlib import Path

import pytest

from bandsmith.shared.errors import BadInput
from bandsmith.shared.sources import read_sources, source_of, write_sources


def test_what_is_written_is_read_again(tmp_path: Path):
    (tmp_path / "a shop.db").touch()
    shop = source_of("shop", str(tmp_path / "a shop.db")).model_copy(
        update={"sensitive": ['customers.e"mail'], "users": ["ann", "https://login.example.com 1234"]}
    )
    ledger = source_of("ledger", "postgresql://reader:${LEDGER_PASSWORD}@db.example.com/ledger")
    file = tmp_path / "home" / "sources.toml"
    write_sources(file, {"shop": shop, "ledger": ledger})
    assert read_sources(file) == {"shop": shop, "ledger": ledger}
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("place", "dialect"),
    [("a.db", "sqlite"), ("a.sqlite", "sqlite"), ("a.duckdb", "duckdb"), ("a.csv", "duckdb"), ("folder", "duckdb")],
)
def test_a_path_is_the_source_that_its_name_says(tmp_path: Path, place: str, dialect: str):
    (tmp_path / place).mkdir() if place == "folder" else (tmp_path / place).touch()
    source = source_of("x", str(tmp_path / place))
    assert source.dialect == dialect and source.path == tmp_path / place


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("shop", "no such file.db"),
        ("9shop", "postgresql://host/db"),
        ("shop/../x", "postgresql://host/db"),
        ("shop", "postgresql://reader:a-password@host/db"),
        ("shop", "ftp://host/db"),
    ],
    ids=["missing", "name", "path in the name", "password", "scheme"],
)
def test_what_is_no_source_is_refused(name: str, place: str):
    with pytest.raises(BadInput) as error:
        source_of(name, place)
    assert "a-password" not in error.value.message


def test_a_file_that_cannot_be_read_is_named_without_its_path(tmp_path: Path):
    (tmp_path / "sources.toml").write_text("[shop\n")
    with pytest.raises(BadInput) as error:
        read_sources(tmp_path / "sources.toml")
    assert "sources.toml" in error.value.message and str(tmp_path) not in error.value.message
