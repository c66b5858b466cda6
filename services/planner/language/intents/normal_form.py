"""The normal form of a sentence that intent rules read: lower case, simplified characters, no quotations."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bandsmith.shared.language import normalized_characters

from ..quotations import quotation_pattern

MAX_CHARS = 2000
"""Characters that are read; no command is longer."""
QUOTE = "§"
"""Stands for a quotation."""

_QUOTATION = re.compile(quotation_pattern(0, MAX_CHARS))
_SIMPLIFIED = str.maketrans(
    "導匯輸預覽顯報標題頁欄換刪復銷還變寬邊線圖檔產這個們嗎麼樣給為從請幫開關對話會數據單價額紅藍綠黃顏體"
    "號碼說問區別與裡裏後轉網輯態頭來過將讓動點謝歡樂聽氣訂買東車電時間條應當處調縮範種類統計錄紀歷歸無資"
    "訊設製創寫選項樓萬兩並億傳發測試驗書證稅務財經濟總課學業員備註縱橫齊儲載麵張現檢級稱鍵簡層畫圓雙細貨"
    "購庫廠戶僅隱啟誤錯週聲訴釋義屬參斷續麗幾幣餘實貼圍塊長淺內鮮輕適該沒",
    "导汇输预览显报标题页栏换删复销还变宽边线图档产这个们吗么样给为从请帮开关对话会数据单价额红蓝绿黄颜体"
    "号码说问区别与里里后转网辑态头来过将让动点谢欢乐听气订买东车电时间条应当处调缩范种类统计录纪历归无资"
    "讯设制创写选项楼万两并亿传发测试验书证税务财经济总课学业员备注纵横齐储载面张现检级称键简层画圆双细货"
    "购库厂户仅隐启误错周声诉释义属参断续丽几币余实贴围块长浅内鲜轻适该没",
)
"""Simplified forms of the traditional characters that requests contain."""
_COMMANDS = ("undo", "redo", "reset", "preview", "export", "download", "excel", "jrxml")
_OTHER_WORDS = {"rest", "review", "redo", "undo", "reset"}


def _typos(word: str) -> set[str]:
    """Return a word's usual typing errors: one letter left out, doubled or swapped with the next."""
    spots = range(1, len(word))
    return (
        ({word[:at] + word[at + 1 :] for at in spots} if len(word) > 4 else set())
        | {word[:at] + word[at - 1] + word[at:] for at in range(1, len(word) + 1)}
        | {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)}
    )


_TYPOS = {typo: word for word in _COMMANDS for typo in _typos(word) if typo not in _OTHER_WORDS}


@dataclass(frozen=True)
class NormalForm:
    plain: str
    """In lower case and simplified characters, with quotations as §."""
    letters: str
    """Only its letters, of any script."""

    @property
    def says_something(self) -> bool:
        return bool(self.letters) or QUOTE in self.plain


def normalized(text: str) -> NormalForm:
    """Return the normal form of a sentence. One that is quoted as a whole stands for what it quotes."""
    text = normalized_characters(text[:MAX_CHARS]).lower().translate(_SIMPLIFIED)
    text = text if "‘" in text else text.replace("’", "'")
    plain = _QUOTATION.sub(f" {QUOTE} ", text)
    if not re.search(r"\w", plain.replace(QUOTE, "")):
        plain = re.sub("[“”「」『』《》«»‘’\"`']", " ", text)
    plain = re.sub(r"[a-z]+", lambda word: _TYPOS.get(word[0], word[0]), plain)
    return NormalForm(" ".join(plain.split()), "".join(filter(str.isalpha, plain)))
