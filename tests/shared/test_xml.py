"""XML from outside is parsed, or refused with one sentence; nothing is fetched and nothing is expanded."""

from pathlib import Path

import pytest

from bandsmith.shared.errors import BadInput
from bandsmith.shared.xml import parse

LAUGHS = (
    b'<!DOCTYPE r [<!ENTITY a "ha">'
    + b"".join(b'<!ENTITY %c "%s">' % (code, b"&%c;" % (code - 1) * 10) for code in range(98, 110))
    + b"]>"
)


def test_ordinary_xml_gives_its_root():
    assert parse(b'<a x="1"><b>text &amp; more</b></a>')[0].text == "text & more"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "xml.empty"),
        (b"  \n", "xml.empty"),
        (b"no xml at all", "xml.syntax"),
        (b"<a><b></a>", "xml.syntax"),
        (b"\x89PNG\r\n\x1a\n", "xml.syntax"),
        (b'<!DOCTYPE a SYSTEM "http://127.0.0.1:9/a.dtd"><a/>', "xml.dtd"),
        (b'<!DOCTYPE a [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]><a/>', "xml.dtd"),
        (LAUGHS + b"<r>&m;</r>", "xml.syntax"),
        (LAUGHS + b'<r x="&m;"/>', "xml.syntax"),
        (b"<a>" * 100 + b"</a>" * 100, "xml.depth"),
        (b"<a>" * 100_000, "xml.syntax"),
    ],
    ids=["empty", "blank", "no-xml", "unclosed", "png", "dtd", "parameter-entity", "laughs", "laughs-in-attribute",
         "deep", "very-deep"],
)  # fmt: skip
def test_unsafe_xml_is_refused(content: bytes, code: str):
    with pytest.raises(BadInput) as refused:
        parse(content)
    assert refused.value.code == code
    assert refused.value.message.endswith(".")
    assert refused.value.message_zh != refused.value.message


def test_a_file_named_by_an_entity_is_not_read(tmp_path: Path):
    secret = tmp_path / "secret.txt"
    secret.write_text("hidden words")
    with pytest.raises(BadInput) as refused:
        parse(f'<!DOCTYPE a [<!ENTITY x SYSTEM "{secret.as_uri()}">]><a>&x;</a>'.encode())
    assert "hidden" not in refused.value.message


def test_more_bytes_than_allowed_are_not_parsed():
    with pytest.raises(BadInput) as refused:
        parse(b"<a>" + b" " * 1000 + b"</a>", max_bytes=100)
    assert refused.value.code == "xml.size"
