"""Classify a text by its words alone: a label, a total, a number, a date, a code, a name."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Literal

from bandsmith.shared.fields.vocabulary import SIMPLIFIED

TextKind = Literal["number", "date", "code", "contact", "text"]

_CURRENCY = (
    r"(?:[$€£¥￥₹₩₽₺]|[A-Z]{1,3}\$|Rp\.?|RMB|CNY|USD|EUR|GBP|SAR|JPY|HKD|CHF|SEK|NOK|DKK|PLN|CZK|TRY|INR|AUD|CAD"
    r"|zł|Kč|kr\.?|元)"
)
_NUMBER = re.compile(
    rf"^[-+(]?\s*+(?:{_CURRENCY}\s*+)?[-+]?\d[\d,. '’]*+(?:%|％)?\s*+{_CURRENCY}?-?\)?$", re.IGNORECASE
)
_RANGE = re.compile(rf"^{_CURRENCY}?\s*+\d[\d,.]*+\s*+[-–~]\s*+(?:{_CURRENCY}\s*+)?\d[\d,.]*+$", re.IGNORECASE)
"""Two numbers with a dash between: ``1.35 - 1.42``"""
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
_QUANTITY = re.compile(r"^(?:[^\W\d_]{1,3}\.?\s?|[$€£¥￥]\s?)?[-+]?\d[\d.,]*(?:\s?(?:[^\W\d_]{1,8}\.?|[%°/]\S{0,6}))?$")
"""A number with its unit after it, or its currency before it."""
_PRICE = re.compile(r"^\D{0,4}\d[\d.,]*[.,]\d\d(?!\d)\D{0,4}$")
_CODE = re.compile(r"^(?=.*\d)[A-Za-z0-9][A-Za-z0-9\-_/#.]*$")
_CONTACT = re.compile(r"^(?:[\w.+-]+@[\w-]+\.[\w.]+|(?:https?://|www\.)\S+|\+?[\d(][\d\s()\-]{6,}\d)$", re.IGNORECASE)
_PAGE_TURN = re.compile(
    r"continue[sd]?\s+(?:on|over)\b|\bnext page\b|\bover ?leaf\b|\bplease turn over\b|fortsetzung auf"
    r"|[接转]下页|次ページ",
    re.IGNORECASE,
)
_PAGE = re.compile(r"^(?:page|第|页|ページ)|(?:page|页)\s*\d*$|^\d+\s*/\s*\d+$", re.IGNORECASE)

_LIST_NUMBER = re.compile(
    r"[(（]?(?:\d{1,2}(?:\.\d{1,2}){0,3}|[A-Za-z]|[ivxIVX]{1,5}|[一二三四五六七八九十]{1,3})[.)）、．]|[①-⑳]"
)
"""The number of a paragraph in a list: ``1.``, ``2.1.``, ``b)``, ``（三）``"""
_NUMBERED = re.compile(
    r"^((?:[^\W\d_]+\s+){0,2}(?:no\.|nr\.|№|n[°º]|[^\W\d_]+\s*#)\s*)"
    r"([A-Za-z]{0,4}-*\d[\w/-]*|(?=[A-Z/-]*\d)[A-Z]{1,6}[/-][A-Z\d/-]+)$",
    re.IGNORECASE,
)
"""`No. XS20260318`, `Invoice # 120`, `Facture n° 2022089083`"""
_BANK = re.compile(r"^((?:bic|swift)\s+)([A-Z]{6}[A-Z\d]{2}(?:[A-Z\d]{3})?)$", re.IGNORECASE)
"""The code of a bank, which may have no digit: ``BIC COBADEFFXXX``"""
_BRACKETED = re.compile(r"^([(（][^\W\d_]{1,12}[)）]\s*)(\S.*)$")
"""A label in brackets before a number: ``（小写）¥35559.69``"""


def _names_a_number(text: str) -> bool:
    """Whether the words before "number" are a name of it, and no part of a sentence: its last one is a noun."""
    words = text.split()[:-1]
    plain = [word.lower() for word in words]
    if not _SENTENCE_WORDS.isdisjoint(plain) or plain[-1] in _DETERMINERS:
        return False
    return len(words) == 1 or plain[-1] in LABEL_WORDS or all(word[0].isupper() for word in words)


_CODED = re.compile(r"^([^\W\d_]{2,}\s+)((?=(?:\S*\d){4})[A-Z\d][A-Z\d./-]{5,})$", re.IGNORECASE)
"""A word and the code that it names: ``IBAN NL50INGB0683251309``"""

_TOTALS = re.compile(
    r"\b(?:(?:sub\s*+(?:-\s*+)?|grand )?totals?|sum|balance|amount due|vat|tax|discount|shipping|change due)\b"
    r"|\b(?:sub|sous|zwischen)?[-\s]?(?:totaal|totale|totaux|summe)\b|\bgesamt(?:summe|betrag)\b|\brechnungsbetrag\b"
    r"|\bnet\s+(?:pay|salary|due)\b|\b[àa] payer\b|\bte betalen\b"
    r"|合\s*计|总\s*计|小\s*计|共\s*计|总\s*额|总\s*金\s*额|税\s*额|小計|合計|総計|總計|總額|總金額|[稅税]額"
    r"|(?:营业|營業|增值|消费|消費)[税稅](?!\w)"
    r"|\b(?:importe|suma|subtotal)\b|\b(?:netto|brutto)(?:betrag|summe)?\b|\b(?:ust|mwst)\b(?![-. ]*id)"
    r"|\b(?:[cis]?gst|hst|pst|sst|iva|tva|btw|moms|ppn)(?:\d{1,2}(?:\.\d{1,2})?)?\b\W{0,3}\d{1,2}(?:[.,]\d{1,3})?\s?%",
    re.IGNORECASE,
)

_WORDING = tomllib.loads((Path(__file__).parent / "wording.toml").read_text(encoding="utf-8"))
LABEL_WORDS = frozenset(_WORDING["label_words"].split()) | frozenset(_WORDING["small_words"].split())
"""Words that forms print; wording that consists mostly of them is a label."""

LINK_WORDS = frozenset(_WORDING["link_words"].split())

_ROW_WORDS = frozenset(_WORDING["row_words"].split())

_PAYMENT_WORDS = frozenset(_WORDING["payment_words"].split())
MAX_PAYMENT_WORDS = 3
"""A text of more words that begins with a means of payment is about something else."""

SPACED_LABELS = frozenset(
    word
    for word in (*_WORDING["label_endings"].split(), *_WORDING["row_words"].split())
    if len(word) == 2 and "\u4e00" <= word[0] <= "\u9fff"
)
"""Labels of two characters, which forms often set wide apart."""

_NUMBER_ASKED = re.compile(r"(?:[A-Za-z]{2,15} ){1,4}(?:(?i:numbers?)|(?i:number)\(s\))")
"""Wording that ends in what it asks for, whatever its other words."""
_SENTENCE_WORDS = frozenset(_WORDING["sentence_words"].split())
_DETERMINERS = frozenset(_WORDING["determiners"].split())
_LABEL_CJK = re.compile(rf"(?:{'|'.join(_WORDING['label_endings'].split())})(?:\s*[(（][^()（）]*[)）])?$")

_BILINGUAL = re.compile(r"([A-Za-z][A-Za-z .,'’/&-]++)[\s(（/]*+([\u3400-\u9fff]{2,}[)）]?)")
"""A label in two languages: ``Transport time 用车时间``"""
_NUMBERED_CJK = re.compile(r"\d(?:号|年|月|日|节|室|楼)$")
"""The end of an address or a date: ``园区88号``"""

_TAXED_ITEM = re.compile(r"[*＊][^*＊\s]{1,12}[*＊]\S")
"""An item as Chinese invoices have to name it, behind the category that it is taxed in: ``*餐饮服务*餐费``"""

_SEAL_PLACE = re.compile(
    r"[(（【\[]?\s*+(?:[签盖公印]?\s*+章|签\s*+字|签\s*+名|seal|stamp|signature)\s*+[)）】\]]?", re.IGNORECASE
)
"""Where a form says to stamp or sign it."""
SIGNATURE_ENDINGS = ("签名", "签字")
"""What a label ends in that asks for a signature."""

_SURNAMES = "".join(_WORDING["surnames"].split())
_PERSON_CJK = re.compile(rf"^[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}$")
_DOCUMENT = re.compile(
    r"[\u4e00-\u9fff]{1,12}(?:单|发票|收据|合同|协议书?|报告书?|凭证|清单|明细表|统计表|登记表|申请表|通知书)"
)
_COMPANY = re.compile(
    r"[\u4e00-\u9fff()（）]{2,}(?:有限公司|有限责任公司|股份公司|集团公司)(?:[\u4e00-\u9fff]{2,8}分公司)?"
    r"|(?:株式|有限|合同)会社\s?\S+|\S+\s?(?:株式|有限|合同)会社"
    r"|\S.*\s(?:ltd|llc|inc|gmbh|corp|plc|co|limited|b\.?v|s\.?a|s\.?r\.?l|pty|kg|ag)\.?",
    re.IGNORECASE,
)
"""The name of a company with its legal form at the end, or in Japan also at its beginning."""
MAX_COMPANY_WORDS = 8
"""A longer text that ends with a company is a sentence about it."""
MAX_REMEMBERED = 4_096
"""Texts of which it is remembered what they are: the search for rows asks of each some thousand times."""
_HOUSE_NUMBER = re.compile(r"^\d{1,5}[A-Za-z]?\s+[^\W\d_]|[^\W\d_.]\s+\d{1,5}[A-Za-z]?$")
MAX_ADDRESS_WORDS = 6
"""Words of one line of an address at most."""
POSTCODE = re.compile(
    r"(?:[A-Z]{1,2}-)?\d{4,6}(?:\s[^\W\d_].*)?|.*\b[A-Z]\d[A-Z] ?\d[A-Z]\d|.*\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}"
    r"|.*\b[A-Z]{2} \d{5}(?:-\d{4})?"
)
"""A postcode, perhaps with its place: alone or first, or at the end as in Canada, Britain and the United States"""
_STREET_WORDS = frozenset(_WORDING["street_words"].casefold().split())
_STREET_ENDINGS = tuple(_WORDING["street_endings"].casefold().split())
_DIVIDER = re.compile("[|·•]")
"""What divides the parts of a letterhead's line."""
_LETTERHEAD = re.compile(
    r"(?:有限公司|(?:株式|有限|合同)会社|集团|银行|公司|大学|学院|医院|中心|\b(?:ltd|inc|llc|gmbh|corp|co|ug|ohg|gbr)\b\.?|\be\.\s?[VvKk]\.)",
    re.IGNORECASE,
)


@lru_cache(MAX_REMEMBERED)
def text_kind(text: str) -> TextKind:
    """Return the kind of value that the text would be."""
    plain = " ".join(text.split())
    if _DATE.match(plain):
        return "date"
    if _NUMBER.match(plain):
        return "number"
    if _CONTACT.match(plain):
        return "contact"
    if _CODE.match(plain):
        return "code"
    return "number" if _RANGE.match(plain) else "text"


@lru_cache(MAX_REMEMBERED)
def ends_like_label(text: str) -> bool:
    """Whether the text ends as a label does before its value: with a colon, ``#`` or ``No.``"""
    return bool(re.search(r"(?:[:：]|#|№|\bno\.?)\s*$", text.strip(), re.IGNORECASE))


def ends_in_colon(text: str) -> bool:
    """Whether this is wording with a colon at its end. A colon alone is a sign, or dots that were misread."""
    return text.rstrip().endswith((":", "：")) and any(map(str.isalpha, text))


def begins_with_colon(text: str) -> bool:
    """Whether a text is a value behind the colon of its label, or that colon alone, as where all colons are aligned."""
    return text.lstrip().startswith((":", "："))


@lru_cache(MAX_REMEMBERED)
def split_prefix(text: str) -> tuple[str, str]:
    """Split ``Order #: C40217`` or ``No. 120`` into its fixed prefix and its value; the prefix may be empty.

    A time (``12:48``), a URL and a colon at the end do not separate a prefix.
    """
    if numbered := _NUMBERED.match(text) or _BANK.match(text):
        return numbered.group(1), numbered.group(2)
    if (bracketed := _BRACKETED.match(text)) and text_kind(bracketed.group(2)) == "number":
        return bracketed.group(1), bracketed.group(2)
    if (coded := _CODED.match(text)) and coded.group(1).strip().lower() in LABEL_WORDS:
        return coded.group(1), coded.group(2)
    match = re.match(r"^([^:：\n]{1,40}?[:：]\s*)(\S.*)$", text, re.DOTALL)
    if not match or text_kind(text) in ("date", "contact"):
        return "", text
    head, value = match.groups()
    if is_seal_place(value):
        return "", text
    if re.search(r"\d\s*[:：]\s*$", head) or value.startswith("//") or not re.search(r"[^\W\d_]", head):
        return "", text
    if text_kind(head.rstrip(" :：")) == "code":
        return "", text
    return head, value


@lru_cache(MAX_REMEMBERED)
def is_label(text: str) -> bool:
    """Whether the text is wording that forms print."""
    plain = " ".join(text.split()).strip()
    if not plain or text_kind(plain) in ("number", "date", "contact") or _TAXED_ITEM.match(plain):
        return False
    if ends_like_label(plain):
        return True
    if (both := _BILINGUAL.fullmatch(plain)) is not None:
        return is_label(both[1]) or is_label(both[2])
    squeezed = re.sub(r"\s", "", plain)
    if _NUMBERED_CJK.search(squeezed):
        return False
    if re.search(r"[\u3040-\u9fff]", squeezed):
        is_worded = bool(_LABEL_CJK.search(squeezed) or _LABEL_CJK.search(squeezed.translate(SIMPLIFIED)))
        return len(squeezed) <= 16 and is_worded and not _PERSON_CJK.match(squeezed)
    if _NUMBER_ASKED.fullmatch(plain) and _names_a_number(plain):
        return True
    joined = re.sub(r"\b([a-z])\.\s?(?=[a-z]\b)", r"\1", plain.lower())  # P.O. is one word
    words = [w for w in re.split(r"[\s/&,.\-:#()]+", joined) if w and not w.isdigit() and w not in LINK_WORDS]
    known = [w for w in words if w in LABEL_WORDS or w.rstrip("s") in LABEL_WORDS]
    return 0 < len(words) <= 6 and len(known) >= max(1, 0.6 * len(words))


def is_total(text: str) -> bool:
    return bool(_TOTALS.search(text) or _TOTALS.search(text.translate(SIMPLIFIED)))


def is_payment(text: str) -> bool:
    """Whether a text says how something was paid, as below the total of a receipt: ``Cash``, ``Visa card``, ``Bar``."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    return 0 < len(words) <= MAX_PAYMENT_WORDS and words[0] in _PAYMENT_WORDS


def is_figure(text: str) -> bool:
    """Whether this is a number, date or code, or a quantity with its unit: ``3 pcs``, ``1.00 kg``, ``Rs 1939``."""
    return text_kind(text) in ("number", "date", "code") or bool(_QUANTITY.match(" ".join(text.split())))


def is_price(text: str) -> bool:
    """Whether this is an amount with two decimals, perhaps with letters or signs around it: ``$899.99 S``"""
    return bool(_PRICE.search(text))


def names_row_value(text: str) -> bool:
    """Whether a heading names what rows of business documents hold: an item, a quantity, a price, an amount."""
    plain = re.sub(r"\s", "", text)
    if re.search(r"[\u3040-\u9fff]", plain):
        return any(word in plain for word in _ROW_WORDS)
    words = re.split(r"[^\w]+", text.lower())
    return any(word in _ROW_WORDS or word.rstrip("s") in _ROW_WORDS for word in words)


def is_page_number(text: str) -> bool:
    return bool(_PAGE.search(" ".join(text.split()))) and bool(re.search(r"\d", text))


def is_person(text: str) -> bool:
    """Whether this is a Chinese personal name, judged by its surname and length."""
    return bool(_PERSON_CJK.match("".join(text.split())))


def is_name(text: str) -> bool:
    """Whether this is two to four capitalised words that forms do not print: a person, a company, a place."""
    words = text.split()
    proper = all(re.fullmatch(r"[A-Z][a-z]+\.?|[A-Z]\.|&", w) for w in words)
    plain = [word.lower().rstrip(".") for word in words]
    is_printed = any(word in LABEL_WORDS or word.rstrip("s") in LABEL_WORDS for word in plain)
    return 2 <= len(words) <= 4 and proper and not is_printed


def is_list_number(text: str) -> bool:
    """Whether a text is nothing but the number of a paragraph, which a form prints."""
    return bool(_LIST_NUMBER.fullmatch(text.strip()))


def is_document_name(text: str) -> bool:
    """Whether a text says what kind of document the page is: 送 货 单, 增值税专用发票."""
    return bool(_DOCUMENT.fullmatch(re.sub(r"\s", "", text)))


def is_organisation(text: str) -> bool:
    return bool(_LETTERHEAD.search(text))


def is_company(text: str) -> bool:
    """Whether this is the name of a company, as its legal form shows: 上海华东有限公司, ``Haitong Tools Co., Ltd.``"""
    words = text.split()
    return len(words) <= MAX_COMPANY_WORDS and bool(_COMPANY.fullmatch(" ".join(words))) and not split_prefix(text)[0]


def is_seal_place(text: str) -> bool:
    """Whether a text is where to stamp or to sign: （章）, 盖章, ``[seal]``."""
    return bool(_SEAL_PLACE.fullmatch(text.strip()))


def is_page_turn(text: str) -> bool:
    """Whether a text says that the page goes on elsewhere: ``continued on page 2``, 接下页."""
    return bool(_PAGE_TURN.search(text))


def is_address(text: str) -> bool:
    """Whether these are short lines below each other, most with a house number: ``48 Harbour Road``, ``Elm Lane 5``.

    One of them names a street or has a postcode with its place; none is wording such as ``Step 1``.
    """
    lines = text.splitlines()
    short = all(len(n.split()) <= MAX_ADDRESS_WORDS and (n[0].isdigit() or n[0].isupper()) for n in lines if n)
    numbered = sum(bool(_HOUSE_NUMBER.search(line)) for line in lines)
    if len(lines) < 2 or not short or numbered < 0.5 * len(lines) or any(map(is_label, lines)):
        return False
    return any(_names_street(line) or (POSTCODE.fullmatch(line) and re.search(r"[^\W\d_]", line)) for line in lines)


def _names_street(text: str) -> bool:
    """Whether a word for a street stands beside its name, or ends it."""
    words = re.findall(r"[^\W\d_]+", text.casefold())
    has_word = len(words) > 1 and not _STREET_WORDS.isdisjoint(words)
    return has_word or any(word.endswith(_STREET_ENDINGS) and word not in _STREET_WORDS for word in words)


def holds_contact(text: str) -> bool:
    """Whether a part of a line that bars or dots divide is a telephone number, an e-mail or a web address."""
    parts = [part.strip() for part in _DIVIDER.split(" ".join(text.split()))]
    return len(parts) > 1 and any(text_kind(part) == "contact" for part in parts)


def is_statement(text: str) -> bool:
    """Whether this is a whole sentence with its full stop, which a form prints and a person does not fill in."""
    plain = text.strip()
    if is_company(plain):
        return False
    return (plain.endswith("。") and len(plain) >= 8) or (plain.endswith(".") and len(plain.split()) >= 5)
