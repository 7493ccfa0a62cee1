"""Verifies every byte of a ledger and the files that it names."""

from __future__ import annotations

import stat
from dataclasses import dataclass

from tokumei.core.errors import InputError, Violation
from tokumei.core.messages import Message
from tokumei.files.file_formats import AnyPath, sha256_of_file
from tokumei.ledger.entry import LedgerEntry
from tokumei.ledger.hash_chain import hash_line
from tokumei.ledger.ledger import Ledger
from tokumei.ledger.ledger_file import CLASSES_FOLDER, LEDGER_FILE


@dataclass(frozen=True)
class IntegrityResult:
    """What was found to be changed, and what could not be looked at."""

    faults: list[Violation]
    notes: list[Message]
    releases: int = 0
    head: str | None = None

    def lines(self) -> list[Message]:
        """What was looked at."""
        return [
            Message(
                f"{self.releases} releases, head {self.head}",
                f"匿名加工データ {self.releases} 件、head {self.head}",
            )
        ]


def verify_ledger(
    folder: AnyPath, key: AnyPath | None = None, *, head: str | None = None
) -> IntegrityResult:
    """Everything that was changed since it was written."""
    try:
        book = Ledger(folder, key)
    except InputError as err:
        if not err.faults:
            raise
        return IntegrityResult(list(err.faults), [])
    faults: list[Violation] = []
    notes: list[Message] = []
    for entry in book.entries:
        faults += _class_file_violations(book, entry)
        _check_public_file(book, entry, faults, notes)
    lines = (book.path / LEDGER_FILE).read_bytes().splitlines(keepends=True)
    if head is not None and head not in map(hash_line, lines):
        faults.append(_head_violation())
    if book.unconfirmed_numbers:
        notes.append(_interrupted_message(len(book.unconfirmed_numbers)))
    return IntegrityResult(faults, notes, len(book.entries), book.head)


def _class_file_violations(book: Ledger, entry: LedgerEntry) -> list[Violation]:
    violations = []
    try:
        book.recorded(entry)
    except InputError as err:
        violations.append(Violation(rule="ledger-classes", message=err.message))
    for end in entry.files:
        path = book.path / CLASSES_FOLDER / f"{entry.file_stem}{end}"
        if path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077:
            message = Message(
                f"classes/{path.name}: others may read it (chmod 600)",
                f"classes/{path.name}: 他の利用者にも読めます (chmod 600)",
            )
            violations.append(Violation(rule="ledger-mode", message=message))
    return violations


def _check_public_file(
    book: Ledger, entry: LedgerEntry, faults: list[Violation], notes: list[Message]
) -> None:
    path = book.public_path(entry)
    if not path.is_file():
        notes.append(
            Message(
                f"{path}: the file of '{entry.name}' is not there, so it was not compared",
                f"{path}: '{entry.name}' のファイルがないため、比較していません",
            )
        )
    elif sha256_of_file(path) != entry.sha256:
        message = Message(
            f"{path}: the file is not the one that was recorded as '{entry.name}'",
            f"{path}: '{entry.name}' として記録されたファイルとは異なります",
        )
        faults.append(Violation(rule="released-file", message=message))


def _head_violation() -> Violation:
    message = Message(
        "the ledger does not hold the head given: lines were taken away, or it is another ledger",
        "指定された head が台帳にありません。行が失われたか、別の台帳です",
    )
    return Violation(rule="ledger-head", message=message)


def _interrupted_message(number: int) -> Message:
    return Message(
        f"{number} release(s) were interrupted while they were recorded; the next command that "
        "writes settles them",
        f"記録中に中断されたものが {number} 件あります。次に書き込むときに整理します",
    )
