"""An error about an invalid setting names the variable and what is valid."""

from __future__ import annotations

import pytest

from bandsmith.services.ocr.settings import OcrSettings
from bandsmith.shared.errors import BadInput
from bandsmith.shared.settings import BusSettings, EmbeddingSettings, LogSettings, ModelSettings, Settings


@pytest.mark.parametrize(
    ("settings", "variable", "value", "english", "chinese"),
    [
        (
            BusSettings,
            "BANDSMITH_DRAIN_TIMEOUT",
            "soon",
            "'soon'. Use seconds, for example 10.",
            "例如 10",
        ),
        (
            BusSettings,
            "BANDSMITH_MAX_DELIVERIES",
            "0",
            "Use a whole number of at least 1",
            "例如 4",
        ),
        (LogSettings, "BANDSMITH_LOG_LEVEL", "loud", "Use one of debug, info, warning, error.", "debug、info"),
        (OcrSettings, "BANDSMITH_OCR_DEVICE", "tpu", "Use one of cpu, cuda.", "cpu、cuda"),
    ],
)
def test_an_invalid_setting_is_named_with_what_is_valid(
    monkeypatch: pytest.MonkeyPatch, settings: type[Settings], variable: str, value: str, english: str, chinese: str
):
    monkeypatch.setenv(variable, value)
    with pytest.raises(BadInput) as caught:
        settings()
    assert variable in caught.value.message and english in caught.value.message
    assert variable in caught.value.message_zh and chinese in caught.value.message_zh


@pytest.mark.parametrize(
    "address",
    ["bob:secret", "nats://bob:secret@host:port", "http://secret@host", "nats://bob:se/cret@host", "nats://", "a,,b"],
)
def test_an_invalid_server_address_is_an_error(monkeypatch: pytest.MonkeyPatch, address: str):
    monkeypatch.setenv("NATS_URL", address)
    with pytest.raises(BadInput, match="NATS_URL is not a server address") as caught:
        BusSettings()
    assert "cret" not in caught.value.message + caught.value.message_zh


@pytest.mark.parametrize(
    "address", ["localhost", "host:4222", "nats://[::1]:4222", "tls://token@host", "nats://a:1, nats://u:p%40@b:2/"]
)
def test_valid_server_addresses_are_accepted(monkeypatch: pytest.MonkeyPatch, address: str):
    monkeypatch.setenv("NATS_URL", address)
    assert BusSettings().nats_url == address


@pytest.mark.parametrize(
    ("settings", "old", "new", "field"),
    [
        (BusSettings, "BANDSMITH_DELIVERIES", "BANDSMITH_MAX_DELIVERIES", "max_deliveries"),
        (BusSettings, "BANDSMITH_PATIENCE", "BANDSMITH_BUS_TIMEOUT", "bus_timeout"),
        (BusSettings, "BANDSMITH_DRAIN", "BANDSMITH_DRAIN_TIMEOUT", "drain_timeout"),
        (ModelSettings, "BANDSMITH_MODEL_CONNECT", "BANDSMITH_MODEL_CONNECT_TIMEOUT", "connect_timeout"),
        (ModelSettings, "BANDSMITH_MODEL_PAUSE", "BANDSMITH_MODEL_READ_TIMEOUT", "read_timeout"),
        (ModelSettings, "BANDSMITH_MODEL_PATIENCE", "BANDSMITH_MODEL_TIMEOUT", "timeout"),
        (EmbeddingSettings, "BANDSMITH_EMBEDDING_PATIENCE", "BANDSMITH_EMBEDDING_TIMEOUT", "timeout"),
    ],
)
def test_a_renamed_setting_still_has_its_old_name(
    monkeypatch: pytest.MonkeyPatch, settings: type[Settings], old: str, new: str, field: str
):
    monkeypatch.setenv(old, "7")
    assert getattr(settings(), field) == 7
    monkeypatch.setenv(new, "8")
    assert getattr(settings(), field) == 8
    assert getattr(settings(**{field: 9}), field) == 9


def test_an_error_names_the_variable_that_was_set(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BANDSMITH_PATIENCE", "long")
    with pytest.raises(BadInput, match="Invalid value for BANDSMITH_PATIENCE: 'long'"):
        BusSettings()
