"""What a PDF writes with radicals is read as the ideographs that it shows."""

from bandsmith.services.ocr.documents.ideographs import unified


def test_radicals_and_compatibility_forms_become_ordinary_ideographs():
    assert "".join(map(unified, "\u2f47\u4ed8 \u2fa6\u984d \u2ec4\u5927 \uf90a")) == "日付 金額 西大 金"


def test_everything_else_stays_as_it_is():
    assert "".join(map(unified, "金額（10%） ﾌｱ①")) == "金額（10%） ﾌｱ①"
