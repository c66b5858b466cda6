"""Each person who signs has a line of their own."""

from __future__ import annotations

import pytest

from bandsmith.shared.language import language_of

from .specs import spec_of


@pytest.mark.parametrize(
    ("text", "signers"),
    [
        ("tool check: tool, state. packed by and released by to sign at the bottom", ["packed by", "released by"]),
        ("handover list: part, count. the driver and the foreman to sign", ["driver", "foreman"]),
        ("delivery list with item, qty. a line for the driver and the customer to sign", ["driver", "customer"]),
        ("audit list: area, result. the health and safety officer must sign", ["health and safety officer"]),
        ("lease list: item, state. both parties must sign", ["First party", "Second party"]),
        ("交接清单：物品、数量。交出人和接收人签字", ["交出人", "接收人"]),
        ("交接清单：物品、数量、备注，下面双方盖章", ["甲方(盖章)", "乙方(盖章)"]),
        ("交接清单：物品、数量、备注，最后双方签字", ["甲方", "乙方"]),
        ("交接清单：物品、数量。甲方、乙方签字，双方盖章", ["甲方(盖章)", "乙方(盖章)"]),
        ("交接清单：物品、数量、备注，班长签字", ["班长"]),
    ],
)
def test_who_signs_has_a_line_each(text, signers):
    assert spec_of(text, language_of(text)).signatures == signers
