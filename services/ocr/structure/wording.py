"""What a piece of text looks like by its words alone: a label, a total, a number, a date, a code, a name."""

from __future__ import annotations

import re
from typing import Literal

Shape = Literal["number", "date", "code", "contact", "text"]

_CURRENCY = r"(?:[$€£¥￥₹]|US\$|RMB|CNY|USD|EUR|GBP|SAR|JPY|HKD|元)"
_NUMBER = re.compile(rf"^[-+(]?\s*{_CURRENCY}?\s*[-+]?\d[\d,. ]*(?:%|％)?\s*{_CURRENCY}?\)?$", re.IGNORECASE)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATE = re.compile(
    rf"""^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s*)?(?:
        \d{{1,4}}[-/.]\d{{1,2}}[-/.]\d{{1,4}}
      | \d{{4}}\s*年\s*\d{{1,2}}\s*月(?:\s*\d{{1,2}}\s*日)?
      | {_MONTH}\s*\d{{1,2}},?\s*\d{{2,4}}
      | \d{{1,2}}[-\s]{_MONTH}[-\s,]*\d{{2,4}}
      | \d{{1,2}}:\d{{2}}(?::\d{{2}})?(?:\s*[ap]m)?
    )(?:[,\sT]+\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?:\s*[ap]m)?(?:\s*[A-Z]{{3,4}})?)?$""",
    re.IGNORECASE | re.VERBOSE,
)
_CODE = re.compile(r"^(?=.*\d)[A-Za-z0-9][A-Za-z0-9\-_/#.]*$")
_CONTACT = re.compile(r"^(?:[\w.+-]+@[\w-]+\.[\w.]+|(?:https?://|www\.)\S+|\+?[\d(][\d\s()\-]{6,}\d)$", re.IGNORECASE)
_PAGE = re.compile(r"^(?:page|第|页|ページ)|(?:page|页)\s*\d*$|^\d+\s*/\s*\d+$", re.IGNORECASE)

_TOTALS = re.compile(
    r"\b(?:sub\s*-?\s*total|grand total|total|sum|balance|amount due|vat|tax|discount|shipping|change due)\b"
    r"|合\s*计|总\s*计|小\s*计|共\s*计|总\s*额|税\s*额|小計|合計|総計|\b(?:importe|suma|subtotal)\b",
    re.IGNORECASE,
)

LABEL_WORDS = frozenset(
    """
    account action address agent amount approved area attention authorized balance bank batch bill billing branch brand
    buyer campus carrier cashier category challenge charge city class client code color colour comment comments commission
    company condition consignee consignor contact contract cost count country coupon created currency customer date
    delivered delivery department dept deposit desc description destination detail details disc disco discount
    doc document driver due email employee end expiry fax fee fees field first freight from full gender generated
    grade gross group groups guest header hours id info information insurance invoice issue issued item items
    job label last late late(hrs) ledger level line list location lot manager material member method mobile mode model
    month name net no notes note number of off on operator option order ordered organization origin other others page
    paid partner party pay payable payee payer payment period person phone pickup place plan po point position post
    prepared price priority product products program project promised purchase purpose qty quantity quote rate reason
    receipt received receiver recipient ref reference referral region register registration remark remarks rep report
    request required requested response result return role room salary sale sales salesperson schedule seller sender
    serial service services ship shipped shipper shipping shop sign signature size sku source specification spec standing
    start state statement status step store street student subject sub subtotal sum summary supplier supply tax tel
    telephone teller term terms time title to total totals transaction type unit uom update user username valid value vat
    vehicle vendor version via volume warehouse website week weight year zip bic iban swift gpa email: hrs by and the per
    cuenta cliente fecha nombre precio cantidad cant unit. producto descripcion direccion factura importe pedido plato
    estado pago tipo ciudad telefono mesa
    """.split()  # noqa: SIM905
)
"""Words that forms print; wording made of nothing else is a label."""

_LABEL_CJK = re.compile(
    r"(?:名称|名|姓名|编号|编码|号码|号|日期|时间|年月|年代|金额|单价|价|价格|总价|数量|单位|规格|型号|类型|类别|种类|分类|合计|总计|小计|"
    r"备注|说明|地址|电话|手机|传真|邮箱|邮编|网址|联系人|负责人|经办人|制单人|制单|审核|审核人|复核|编制|批准|签字|签名|签收|盖章|"
    r"客户|供应商|公司|部门|项目|产品|商品|品名|品目|货物|税率|税额|税种|税价|税|费|佣金|酬金|折扣|余额|账号|帐号|账户|开户行|开户名称|银行|"
    r"大写|小写|方式|条款|合同|订单|发票|仓库|车号|司机|收货人|发货人|收款人|付款人|提货人|接收人|委托人|委托方|纳税人|义务人|机关|识别|"
    r"序号|项|目|节|细目|指标|比例|范围|状态|结果|标准值|检测值|标题|材料|尺寸|其他|其它|摘要|科目|借方|贷方|年|月|日|性别|年龄|学历|职务|"
    r"工号|班级|学号|成绩|签章|印|签|背签|次数|件数|率|額|番号|品名|単価|金額|数量|備考|小計|合計|商品名|発行日|請求書|連絡先|御中|住所)"
    r"(?:\s*[(（][^()（）]*[)）])?$"
)

_SURNAMES = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
_PERSON_CJK = re.compile(rf"^[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}$")
_LETTERHEAD = re.compile(
    r"(?:有限公司|集团|银行|公司|大学|学院|医院|中心|\b(?:ltd|inc|llc|gmbh|corp|co)\b\.?)", re.IGNORECASE
)


def shape(text: str) -> Shape:
    """Which kind of value the text would be."""
    plain = " ".join(text.split())
    if _DATE.match(plain):
        return "date"
    if _NUMBER.match(plain):
        return "number"
    if _CONTACT.match(plain):
        return "contact"
    if _CODE.match(plain):
        return "code"
    return "text"


def ends_like_label(text: str) -> bool:
    """Whether the text ends as a label before its value does: with a colon, or ``#`` or ``No.``"""
    return bool(re.search(r"(?:[:：]|#|№|\bno\.?)\s*$", text.strip(), re.IGNORECASE))


def split_prefix(text: str) -> tuple[str, str]:
    """Part ``Order #: A93081`` into its fixed beginning and its value; the beginning is empty where there is none.

    A time (``12:48``), an address of the web and a colon at the end are no such parting.
    """
    found = re.match(r"^([^:：\n]{1,40}?[:：]\s*)(\S.*)$", text, re.DOTALL)
    if not found or shape(text) in ("date", "contact"):
        return "", text
    head, value = found.groups()
    if re.search(r"\d\s*[:：]\s*$", head) or value.startswith("//") or not re.search(r"[^\W\d_]", head):
        return "", text
    if shape(head.rstrip(" :：")) == "code":
        return "", text
    return head, value


def is_label(text: str) -> bool:
    """Whether the words are those that forms print."""
    plain = " ".join(text.split()).strip()
    if not plain or shape(plain) in ("number", "date", "contact"):
        return False
    if ends_like_label(plain):
        return True
    squeezed = re.sub(r"\s", "", plain)
    if re.search(r"[\u3040-\u9fff]", squeezed):
        return len(squeezed) <= 16 and bool(_LABEL_CJK.search(squeezed)) and not _PERSON_CJK.match(squeezed)
    words = [w for w in re.split(r"[\s/&,.\-:#()]+", plain.lower()) if w and not w.isdigit()]
    known = [w for w in words if w in LABEL_WORDS or w.rstrip("s") in LABEL_WORDS]
    return 0 < len(words) <= 6 and len(known) >= max(1, 0.6 * len(words))


def is_total(text: str) -> bool:
    return bool(_TOTALS.search(text))


def is_page_number(text: str) -> bool:
    return bool(_PAGE.search(" ".join(text.split()))) and bool(re.search(r"\d", text))


def is_person(text: str) -> bool:
    """A Chinese personal name by its surname and length."""
    return bool(_PERSON_CJK.match("".join(text.split())))


def is_name(text: str) -> bool:
    """Two to four capitalised words of which forms print none: a person, a firm, a place."""
    words = text.split()
    proper = all(re.fullmatch(r"[A-Z][a-z]+\.?|[A-Z]\.|&", w) for w in words)
    return 2 <= len(words) <= 4 and proper and not any(w.lower().rstrip(".s") in LABEL_WORDS for w in words)


def is_organisation(text: str) -> bool:
    return bool(_LETTERHEAD.search(text))
