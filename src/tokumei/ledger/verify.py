"""Whether a ledger is what was written: every byte of it, and the files that it names."""

from __future__ import annotations

import stat
from dataclasses import dataclass

from tokumei.core.errors import Fault, InputError
from tokumei.core.text import Text
from tokumei.files.containers import AnyPath, sha256
from tokumei.ledger.book import CLASSES, Ledger
from tokumei.ledger.chain import line_hash
from tokumei.ledger.entry import Entry
from tokumei.ledger.lines import LINES


@dataclass(frozen=True)
class Verified:
    """What was found to be changed, and what could not be looked at."""

    faults: list[Fault]
    notes: list[Text]
    releases: int = 0
    head: str | None = None

    def lines(self) -> list[Text]:
        """What was looked at."""
        return [
            Text(
                f"{self.releases} releases, head {self.head}",
                f"匿名加工データ {self.releases} 件、head {self.head}",
            )
        ]


def verify(folder: AnyPath, key: AnyPath | None = None, *, head: str | None = None) -> Verified:
    """Everything that was changed since it was written."""
    try:
        book = Ledger(folder, key)
    except InputError as err:
        if not err.faults:
            raise
        return Verified(list(err.faults), [])
    faults: list[Fault] = []
    notes: list[Text] = []
    for entry in book.entries:
        faults += _classes(book, entry)
        _public(book, entry, faults, notes)
    lines = (book.path / LINES).read_bytes().splitlines(keepends=True)
    if head is not None and head not in map(line_hash, lines):
        faults.append(_other_head())
    if book.open_numbers:
        notes.append(_left_open(len(book.open_numbers)))
    return Verified(faults, notes, len(book.entries), book.head)


def _classes(book: Ledger, entry: Entry) -> list[Fault]:
    found = []
    try:
        book.recorded(entry)
    except InputError as err:
        found.append(Fault(rule="ledger-classes", message=err.message))
    for end in entry.files:
        path = book.path / CLASSES / f"{entry.stem}{end}"
        if path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077:
            message = Text(
                f"classes/{path.name}: others may read it (chmod 600)",
                f"classes/{path.name}: 他の利用者にも読めます (chmod 600)",
            )
            found.append(Fault(rule="ledger-mode", message=message))
    return found


def _public(book: Ledger, entry: Entry, faults: list[Fault], notes: list[Text]) -> None:
    path = book.public_path(entry)
    if not path.is_file():
        notes.append(
            Text(
                f"{path}: the file of '{entry.name}' is not there, so it was not compared",
                f"{path}: '{entry.name}' のファイルがないため、比較していません",
            )
        )
    elif sha256(path) != entry.sha256:
        message = Text(
            f"{path}: the file is not the one that was recorded as '{entry.name}'",
            f"{path}: '{entry.name}' として記録されたファイルとは異なります",
        )
        faults.append(Fault(rule="released-file", message=message))


def _other_head() -> Fault:
    message = Text(
        "the ledger does not hold the head given: lines were taken away, or it is another ledger",
        "指定された head が台帳にありません。行が失われたか、別の台帳です",
    )
    return Fault(rule="ledger-head", message=message)


def _left_open(number: int) -> Text:
    return Text(
        f"{number} release(s) were interrupted while they were recorded; the next command that "
        "writes settles them",
        f"記録中に中断されたものが {number} 件あります。次に書き込むときに整理します",
    )
