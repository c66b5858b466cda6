"""What has to stay: negations and “keep”; they ask for no edit."""

from __future__ import annotations

from ...reference_resolver import Target
from ..reading import Clause, Reading

_NOT_ZH = r"(?:请?不要|请勿|别|勿|不用|无需|不必|不需要)"
_CHANGE_ZH = r"(?:删掉|删除|删去|删|去掉|去除|移除|移动|移|改动|改变|修改|更改|改|动|碰|变)"


def keep(clause: Clause) -> Reading | None:
    found = clause.match(
        r"(?:do not|don'?t|don’t|never|without)\s+(?:delet\w*|remov\w*|chang\w*|touch\w*|mov\w*|hid\w*"
        r"|drop\w*|alter\w*|"
        r"edit\w*)\s+(?P<name>.+)",
        r"(?:keep|leave|preserve|retain)\s+(?P<name>.+?)(?:\s+(?:as (?:it is|they are|is)|unchanged|alone"
        r"|where it is))?",
        r"(?P<name>.+?)\s+(?:should |must |has to )?(?:stays?|remains?)(?:\s+(?:as (?:it is|is)|unchanged"
        r"|there|where it is))?",
        rf"{_NOT_ZH}{_CHANGE_ZH}(?P<name>.+)",
        rf"(?P<name>.+?){_NOT_ZH}{_CHANGE_ZH}",
        r"(?:保留|留着)(?P<name>.+)",
        r"(?P<name>.+?)(?:保留|留着|不变|保持不变|不动)",
    )
    if not found:
        return None
    targets = clause.targets(found["name"])
    if not isinstance(targets, list):
        return None
    return Reading(kept=_keys(targets), target=targets[-1])


def _keys(targets: list[Target]) -> tuple[str, ...]:
    return tuple(piece.key for target in targets for piece in target.pieces)


RULES = (keep,)
