"""The report of a filling: what did not match, and which values could not be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bandsmith.shared.model.filling import Cell
from bandsmith.shared.replies import Text, listed
from bandsmith.shared.shortening import shortened

from .values import Kind, Reason

MAX_NAMED = 8
"""Names that a sentence lists."""
MAX_EXAMPLE_CHARS, MAX_NAME_CHARS = 40, 80


@dataclass
class _Unread:
    """The values of a column that could not be read."""

    kind: Kind | None
    example: str
    row: int
    count: int = 1
    why: Reason = "kind"


@dataclass
class FillingNotes:
    """Collects the notes of a filling."""

    missing: list[str] = field(default_factory=list)
    """Fields without a column."""
    spare: list[str] = field(default_factory=list)
    """Columns and values of the file that are not on the report."""
    ambiguous: list[str] = field(default_factory=list)
    """Columns that could be several fields, or the same one."""
    varying: list[str] = field(default_factory=list)
    """Columns with several values, of which the report prints one."""
    without_value: list[str] = field(default_factory=list)
    """Parameters without a value."""
    _unread: dict[str, _Unread] = field(default_factory=dict)
    _assumed: list[tuple[str, str]] = field(default_factory=list)

    def unreadable(self, column: str, kind: Kind | None, cell: Cell, row: int, why: Reason) -> None:
        """Note a value that is not of its field's kind; `row` is 0 for a value beside the rows."""
        if column in self._unread:
            self._unread[column].count += 1
        else:
            self._unread[column] = _Unread(kind, shortened(str(cell), MAX_EXAMPLE_CHARS), row, why=why)

    def assumed(self, column: str, example: str) -> None:
        """Note a column whose decimal mark nothing shows."""
        self._assumed.append((column, example))

    @property
    def left_out(self) -> int:
        """How many fields and values of the file could not be filled."""
        return len(self.missing) + len(self.varying) + sum(unread.count for unread in self._unread.values())

    def notes(self) -> list[Text]:
        """Return the sentences, those about what is lacking on the report first."""
        lists = {
            "missing": self.missing,
            "ambiguous": self.ambiguous,
            "varying": self.varying,
        }
        said = [_names(f"planner.filling.{code}", names) for code, names in lists.items() if names]
        said += [self._sentence(column, unread) for column, unread in self._unread.items()]
        said += [
            Text.of("planner.filling.assumed", column=shortened(column, MAX_NAME_CHARS), value=value)
            for column, value in self._assumed
        ]
        lists = {"without_value": self.without_value, "spare": self.spare}
        return said + [_names(f"planner.filling.{code}", names) for code, names in lists.items() if names]

    @staticmethod
    def _sentence(column: str, unread: _Unread) -> Text:
        values = {
            "column": shortened(column, MAX_NAME_CHARS),
            "count": unread.count,
            "value": unread.example,
            "row": unread.row,
        }
        if unread.why != "kind":
            return Text.of(f"planner.filling.{unread.why}", **values)
        kind = Text.of(f"planner.filling.kinds.{unread.kind or 'other'}")
        code = "unreadable" if unread.row else "unreadable_once"
        return Text.of(f"planner.filling.{code}", kind=kind, **values)


def names_of(names: Sequence[str]) -> Text:
    """Return the first names as a list, and how many more there are."""
    shown = [shortened(name, MAX_NAME_CHARS) for name in dict.fromkeys(names)]
    if len(shown) > MAX_NAMED:
        more = len(shown) - MAX_NAMED + 1
        kept = shown[: MAX_NAMED - 1]
        return Text(
            listed([*kept, Text.of("planner.filling.more", count=more).en], "en"),
            listed([*kept, Text.of("planner.filling.more", count=more).zh], "zh"),
        )
    return Text(listed(shown, "en"), listed(shown, "zh"))


def _names(code: str, names: Sequence[str]) -> Text:
    return Text.of(code, count=len(dict.fromkeys(names)), names=names_of(names))
