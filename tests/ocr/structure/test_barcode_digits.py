"""The digits that stand among the bars of a barcode belong to its picture; a number below the bars is a text."""

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Layout, Picture

from .handmade import HandmadeMarks


def with_code(*texts: tuple[float, float, str]) -> Layout:
    """A delivery note with a barcode from (100, 100) to (180, 130), and texts."""
    page = HandmadeMarks()
    page.write(50, 60, "Delivery note", size=14)
    page.pictures.append(Picture(id="code", box=Box(x=100, y=100, width=80, height=30), kind="barcode"))
    for x, y, text in texts:
        page.write(x, y, text)
    return page.understood()


def texts(layout: Layout) -> list[str]:
    return [block.text for block in layout.blocks]


def test_digits_among_the_bars_are_not_printed_a_second_time():
    assert texts(with_code((105, 122, "012345 678905"))) == ["Delivery note"]


def test_the_first_and_the_last_digit_beside_the_bars_belong_to_the_picture():
    layout = with_code((105, 122, "12345 67890"), (92, 122, "0"), (184, 122, "5"))

    assert texts(layout) == ["Delivery note"]
    (code,) = layout.pictures
    assert code.box.x <= 92 and code.box.right >= 188


def test_a_number_below_the_bars_and_one_further_away_stay_texts():
    assert texts(with_code((110, 133, "0123456789"))) == ["Delivery note", "0123456789"]
    assert "7" in texts(with_code((105, 122, "12345 67890"), (220, 122, "7")))


def test_a_text_on_any_other_picture_stays_a_text():
    page = HandmadeMarks()
    page.pictures.append(Picture(id="logo", box=Box(x=100, y=100, width=80, height=30)))
    page.write(105, 112, "Meadow Bindery")

    assert texts(page.understood()) == ["Meadow Bindery"]
