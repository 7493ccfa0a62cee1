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
                "{count} release, head {head}",
                plural="{count} releases, head {head}",
                count=self.releases,
                head=self.head,
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
            message = Message("classes/{file}: others may read it (chmod 600)", file=path.name)
            violations.append(Violation(rule="ledger-mode", message=message))
    return violations


def _check_public_file(
    book: Ledger, entry: LedgerEntry, faults: list[Violation], notes: list[Message]
) -> None:
    path = book.public_path(entry)
    if not path.is_file():
        notes.append(
            Message(
                "{path}: the file of '{name}' is not there, so it was not compared",
                path=path,
                name=entry.name,
            )
        )
    elif sha256_of_file(path) != entry.sha256:
        message = Message(
            "{path}: the file is not the one that was recorded as '{name}'",
            path=path,
            name=entry.name,
        )
        faults.append(Violation(rule="released-file", message=message))


def _head_violation() -> Violation:
    message = Message(
        "the ledger does not contain the given head: lines were removed, or it is another ledger"
    )
    return Violation(rule="ledger-head", message=message)


def _interrupted_message(number: int) -> Message:
    return Message(
        "{count} release was interrupted while it was recorded; the next command that writes "
        "settles it",
        plural="{count} releases were interrupted while they were recorded; the next command that "
        "writes settles them",
        count=number,
    )
