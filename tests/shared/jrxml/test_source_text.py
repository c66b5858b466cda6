"""An edited template keeps the bytes of everything that was not edited."""

from __future__ import annotations

import difflib

import pytest

from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add import Add
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.set_text import SetText
from bandsmith.shared.jrxml.draft import Draft
from bandsmith.shared.jrxml.source_text import write_edited

SOURCE = """<?xml version='1.0' encoding='UTF-8'?>
<!-- drawn by hand -->
<jasperReport xmlns="http://jasperreports.sourceforge.net/jasperreports" name='x'
   pageWidth="400" pageHeight="300" columnWidth="400"
   leftMargin="0" rightMargin="0" topMargin="0" bottomMargin="0" >
  <property   name="ireport.zoom" value="1.0"/>
  <title><band height="100">
      <!-- the heading -->
      <staticText>
        <reportElement y="0" x="0" width = "300" height="20" key='heading'/>
        <text>a &amp; b > c</text>
      </staticText>
      <staticText><reportElement key="second" x="0" y="40" width="90" height="20"></reportElement>
        <text><![CDATA[more]]></text></staticText>
  </band></title>
</jasperReport>
"""


def edited(source: bytes, *edits: AnyEdit) -> bytes:
    editor = Editor(source)
    assert all(outcome.changed for outcome in editor.carry_out(edits))
    assert write_edited(source, editor.root) is not None
    return editor.bytes()


def changes(before: bytes, after: bytes) -> list[str]:
    """The lines that differ, with their indentation."""
    lines = difflib.ndiff(before.decode().splitlines(), after.decode().splitlines())
    return [line for line in lines if line[0] in "+-"]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_without_an_edit_every_byte_stays(newline: str, mark: bytes):
    source = mark + SOURCE.replace("\n", newline).encode()
    assert Draft(source).bytes() == source


def test_an_attribute_is_replaced_in_its_tag():
    after = edited(SOURCE.encode(), Move(element="heading", x=7))
    assert changes(SOURCE.encode(), after) == [
        """-         <reportElement y="0" x="0" width = "300" height="20" key='heading'/>""",
        """+         <reportElement y="0" x="7" width = "300" height="20" key='heading'/>""",
    ]


def test_a_text_is_replaced_in_its_element():
    after = edited(SOURCE.encode(), SetText(element="second", text="less <b>"))
    assert changes(SOURCE.encode(), after) == [
        "-         <text><![CDATA[more]]></text></staticText>",
        "+         <text><![CDATA[less <b>]]></text></staticText>",
    ]


def test_a_removed_element_takes_its_lines_along():
    after = edited(SOURCE.encode(), Delete(element="heading"))
    assert changes(SOURCE.encode(), after) == [
        "-       <staticText>",
        """-         <reportElement y="0" x="0" width = "300" height="20" key='heading'/>""",
        "-         <text>a &amp; b > c</text>",
        "-       </staticText>",
    ]


def test_a_new_element_is_indented_like_its_neighbours():
    new = Add(band="title", text="new", x=200, y=40, width=50, height=20, key="new")
    added = [line[2:] for line in changes(SOURCE.encode(), edited(SOURCE.encode(), new)) if line[0] == "+"]
    assert added[0] == "      <staticText>" and added[-1] == "      </staticText>"
    assert any("<![CDATA[new]]>" in line for line in added)


def test_a_file_in_another_encoding_stays_in_it():
    source = SOURCE.replace("UTF-8", "ISO-8859-1").replace("more", "mehr für").encode("iso-8859-1")
    after = edited(source, SetText(element="heading", text="größer als 大"))
    assert "mehr für".encode("iso-8859-1") in after and "größer als &#22823;".encode("iso-8859-1") in after
