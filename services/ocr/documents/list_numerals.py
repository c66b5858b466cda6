"""Numerals of automatic lists, by the names of Word's number formats."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

MAX_LETTERED = 780
"""The largest number that Word writes in letters; larger ones are decimal."""
MAX_ROMAN = 3999
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
          (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip
_DIGITS, _LEGAL_DIGITS = "〇一二三四五六七八九", "零壹贰叁肆伍陆柒捌玖"
_UNITS, _LEGAL_UNITS = ("千", "百", "十", ""), ("仟", "佰", "拾", "")


def numeral(number: int, form: str) -> str | None:
    """Return a number in a format of Word; None for a format that is not known."""
    write = _FORMATS.get(form)
    return write(max(0, number)) if write else None


def _lettered(number: int) -> str:
    """1 is a, 26 is z, 27 is aa, 28 is bb."""
    if not 0 < number <= MAX_LETTERED:
        return str(number)
    times, letter = divmod(number - 1, 26)
    return chr(ord("a") + letter) * (times + 1)


def _roman(number: int) -> str:
    if not 0 < number <= MAX_ROMAN:
        return str(number)
    text = ""
    for value, letters in _ROMAN:
        times, number = divmod(number, value)
        text += letters * times
    return text


def _chinese(digits: str = _DIGITS, units: Sequence[str] = _UNITS, *, full_ten: bool = False) -> Callable[[int], str]:
    """Return what writes numbers below 10,000 in words: 十二, 一百零五. With `full_ten`, 12 is 一十二."""

    def write(number: int) -> str:
        if not 0 < number < 10_000:
            return digits[0] if number == 0 else str(number)
        text, skipped = "", False
        for digit, unit in zip(map(int, f"{number:04d}"), units, strict=True):
            if digit:
                text += ("零" if skipped and text else "") + digits[digit] + unit
            skipped = not digit
        return text[1:] if 10 <= number < 20 and not full_ten else text

    return write


def _digits(characters: str) -> Callable[[int], str]:
    """Return what writes each digit of a number as one of ten characters."""
    return lambda number: "".join(characters[int(digit)] for digit in str(number))


def _listed(characters: str) -> Callable[[int], str]:
    """Return what writes the first numbers as one character each, and further ones as decimals."""
    return lambda number: characters[number - 1] if 0 < number <= len(characters) else str(number)


def _from(first: str, count: int) -> Callable[[int], str]:
    return _listed("".join(chr(ord(first) + step) for step in range(count)))


_FORMATS: Mapping[str, Callable[[int], str]] = {
    "decimal": str,
    "decimalZero": lambda number: f"{number:02d}",
    "numberInDash": lambda number: f"- {number} -",
    "none": lambda _: "",
    "lowerLetter": _lettered,
    "upperLetter": lambda number: _lettered(number).upper(),
    "lowerRoman": _roman,
    "upperRoman": lambda number: _roman(number).upper(),
    "chineseCounting": _chinese(),
    "chineseCountingThousand": _chinese(),
    "taiwaneseCounting": _chinese(),
    "taiwaneseCountingThousand": _chinese(),
    "japaneseCounting": _chinese(),
    "chineseLegalSimplified": _chinese(_LEGAL_DIGITS, _LEGAL_UNITS, full_ten=True),
    "ideographDigital": _digits(_DIGITS),
    "japaneseDigitalTenThousand": _digits(_DIGITS),
    "taiwaneseDigital": _digits(_DIGITS),
    "decimalFullWidth": _digits("０１２３４５６７８９"),
    "decimalFullWidth2": _digits("０１２３４５６７８９"),
    "ideographTraditional": _listed("甲乙丙丁戊己庚辛壬癸"),
    "ideographZodiac": _listed("子丑寅卯辰巳午未申酉戌亥"),
    "ideographEnclosedCircle": _from("㊀", 10),
    "decimalEnclosedCircle": _from("①", 20),
    "decimalEnclosedCircleChinese": _from("①", 20),
    "decimalEnclosedParen": lambda number: f"({number})",
    "decimalEnclosedFullstop": lambda number: f"{number}.",
    "aiueoFullWidth": _listed(
        "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン"
    ),
}
