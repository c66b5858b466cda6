"""How wide the fields of values are, which shall hold other values than the one on the form."""

from bandsmith.services.generator.planning import plan
from bandsmith.shared.model.layout import Layout, Slot
from bandsmith.shared.model.plan import TextField

from .forms import Form, blank


def field(layout: Layout, number: int) -> TextField:
    """The field of the value with this number."""
    report, _ = plan(layout, blank(), "form")
    elements = [one for band in report.bands for one in band.elements]
    names = {f"$P{{value_{number}}}", f"$F{{column_{number}}}"}
    return next(one for one in elements if isinstance(one, TextField) and one.expression in names)


def test_a_value_reaches_to_the_text_beside_it():
    form = Form()
    form.text("Customer", 30, 40)
    form.text("Ann", 90, 40, value=True)
    form.text("Paid", 330, 40)
    form.text("A long line of wording that ends far to the right", 90, 120)
    found = field(form.layout(), 1)
    assert 200 <= found.width <= 240


def test_a_value_reaches_no_farther_than_what_is_printed_on_the_page():
    form = Form()
    form.text("Customer", 30, 40)
    form.text("Ann", 90, 40, value=True)
    form.text("All prices are in euros", 90, 120)
    assert field(form.layout(), 1).width < 120


def test_two_values_that_grow_towards_each_other_share_what_is_between_them():
    form = Form()
    form.text("Ann", 90, 40, value=True)
    form.text("12.50", 330, 40, value=True, align="Right")
    left, right = (field(form.layout(), number) for number in (1, 2))
    assert left.x + left.width <= right.x
    assert left.width > 60 and right.width > 60


def test_a_number_that_ends_at_the_rule_of_its_column_grows_towards_the_other_rule():
    form = Form()
    form.text("Item", 40, 40)
    form.text("Quantity", 210, 40)
    form.text("Price", 340, 40)
    for x in (30, 200, 300, 390):
        form.rule(x, 28, x, 90)
    names = [form.text(words, x, 60, value=True) for words, x in (("Pen", 40), ("1", 290), ("2.00", 340))]
    labels = ["Item", "Quantity", "Price"]
    form.repeats([48], 20, [Slot(label=label, blocks=[name]) for label, name in zip(labels, names, strict=True)], [])
    found = field(form.layout(), 2)
    assert found.align == "Right" and found.width > 60


def test_a_number_at_the_right_reaches_to_its_label_at_the_left():
    form = Form()
    form.text("Telephone", 40, 40)
    form.text("555 0170", 380, 40, value=True, align="Right")
    assert field(form.layout(), 1).width > 270
