"""The ledger: opened with its key, read by many, written by one process at a time.

    Ledger.create("ledger", "ledger.key")
    book = Ledger("ledger", "ledger.key")
    with book.writing():
        draft = book.draft(contribution, ReleaseDetails("A"), public="y.csv")
        entry = book.begin(draft, sha256=digest)        # before it leaves
        …                                               # it leaves
        book.finish(entry.number)

A release is announced before its file gets its name and confirmed afterwards. Killed in between,
the next writer looks: where the file stands with that hash, it was released; else it never was.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tokumei.core.errors import InputError, UnknownNameError, UsageError
from tokumei.core.fields import field_name
from tokumei.core.messages import Message
from tokumei.files.atomic_write import write_all
from tokumei.files.file_formats import AnyPath, sha256_of_file
from tokumei.files.key_files import read_key, write_key
from tokumei.ledger.contribution import Contribution
from tokumei.ledger.entry import (
    BEGIN_EVENT,
    FORGET_EVENT,
    INIT_EVENT,
    RELEASED_EVENT,
    VOID_EVENT,
    LedgerEntry,
    LedgerEvent,
    describe_settlement,
)
from tokumei.ledger.hash_chain import CHAIN_START, KeyedCodes, LedgerChain
from tokumei.ledger.ledger_file import (
    CLASSES_FOLDER,
    LEDGER_FILE,
    TORN_LINE_REMOVED,
    append_line,
    hold_write_lock,
    load_chain,
    make_ledger_folder,
)
from tokumei.ledger.recorded_classes import (
    PEOPLE_SUFFIX,
    RecordedClasses,
    class_file_outputs,
    hash_files,
    read_recorded_classes,
    to_parquet_files,
)
from tokumei.ledger.release_draft import DraftRelease, ReleaseDetails

if TYPE_CHECKING:
    from tokumei.ledger.joint_risk import Check

RELEASE_LABEL = Message("release")


class Ledger:
    """A folder of lines and codes; see the module."""

    def __init__(self, path: AnyPath, key: AnyPath | None = None) -> None:
        self.path = Path(path)
        self.notes: list[Message] = []
        key_path = key if key is not None else self._recorded_key_file()
        self.codes = KeyedCodes.read(key_path)
        first_events = load_chain(self.path, None).events
        if not first_events or first_events[0].get("key") != self.codes.key_id:
            raise InputError(
                "{path}: not the key of this ledger: its people would match nobody",
                path=key_path,
            )
        self._chain = load_chain(self.path, self.codes)

    @classmethod
    def create(cls, path: AnyPath, key: AnyPath) -> Ledger:
        """A new ledger, and its key if there is none yet; the key must stand elsewhere."""
        folder, key_path = Path(path), Path(key)
        if key_path.resolve().is_relative_to(folder.resolve()):
            raise UsageError(
                "{key}: keep the key outside the ledger: together they name people", key=key
            )
        if (folder / LEDGER_FILE).exists():
            raise UsageError("{path}: there is a ledger already", path=path)
        make_ledger_folder(folder)
        if not key_path.exists():
            write_key(key_path)
        read_key(key_path)
        codes = KeyedCodes.read(key_path)
        relative_key_path = os.path.relpath(key_path.resolve(), folder.resolve())
        event = {
            "event": INIT_EVENT,
            "format": 1,
            "key": codes.key_id,
            "key_file": relative_key_path,
        }
        with hold_write_lock(folder):
            append_line(folder, LedgerChain((), CHAIN_START, 0), event, codes)
        return cls(path, key)

    def _recorded_key_file(self) -> Path:
        """Where the key was when the ledger was made."""
        events = load_chain(self.path, None).events
        where = events[0].get("key_file", "") if events else ""
        return Path(os.path.normpath(self.path.resolve() / str(where)))

    @property
    def head(self) -> str:
        """The hash of the last line: noted elsewhere, it proves that no line was taken away."""
        return self._chain.last

    @property
    def events(self) -> tuple[LedgerEvent, ...]:
        """All lines."""
        return self._chain.events

    @cached_property
    def entries(self) -> list[LedgerEntry]:
        """The releases that left, in order; what was announced counts if its file stands."""
        released_numbers = {
            record["number"] for record in self.events if record["event"] == RELEASED_EVENT
        }
        void_numbers = {record["number"] for record in self.events if record["event"] == VOID_EVENT}
        announced = [
            LedgerEntry.of(record) for record in self.events if record["event"] == BEGIN_EVENT
        ]
        not_withdrawn = [record for record in announced if record.number not in void_numbers]
        released = [
            record
            for record in not_withdrawn
            if record.number in released_numbers or self._is_file_in_place(record)
        ]
        return [self._apply_forget_events(record) for record in released]

    @property
    def unconfirmed_numbers(self) -> list[int]:
        """Releases that were announced, and neither confirmed nor withdrawn."""
        closed_numbers = {
            event["number"]
            for event in self.events
            if event["event"] in (RELEASED_EVENT, VOID_EVENT)
        }
        announced = (event["number"] for event in self.events if event["event"] == BEGIN_EVENT)
        return [number for number in announced if number not in closed_numbers]

    def entry(self, name: str) -> LedgerEntry:
        """A release by its name or number."""
        for candidate in self.entries:
            if name in (candidate.name, str(candidate.number)):
                return candidate
        if not self.entries:
            raise no_releases_error()
        raise UnknownNameError(RELEASE_LABEL, name, [candidate.name for candidate in self.entries])

    def recorded(self, entry: LedgerEntry) -> RecordedClasses:
        """Who is in which class of a release, as codes."""
        return read_recorded_classes(self.path / CLASSES_FOLDER, entry)

    def public_path(self, entry: LedgerEntry) -> Path:
        """Where the file of a release stood when it was recorded."""
        return Path(os.path.normpath(self.path.resolve() / entry.public))

    @contextmanager
    def writing(self) -> Iterator[Ledger]:
        """The right to write; lines of others are read first, and what was interrupted settled."""
        with hold_write_lock(self.path):
            self._set_chain(load_chain(self.path, self.codes))
            if self._chain.torn:
                self.notes.append(TORN_LINE_REMOVED)
            self._settle_interrupted()
            yield self

    def draft(self, given: Contribution, said: ReleaseDetails, *, public: AnyPath) -> DraftRelease:
        """A release as it would be recorded."""
        number = 1 + sum(record["event"] == BEGIN_EVENT for record in self.events)
        name = said.name or f"r{number}"
        if name in {record.name for record in self.entries}:
            raise UsageError("there is a release '{name}' in the ledger already", name=name)
        public_path = os.path.relpath(Path(public).resolve(), self.path.resolve())
        return DraftRelease.of(
            given, replace(said, name=name), number=number, public=public_path, codes=self.codes
        )

    def begin(self, draft: DraftRelease, *, sha256: str) -> LedgerEntry:
        """Announce a release: from now on, the file with this hash counts where it stands."""
        files = to_parquet_files(draft.recorded)
        entry = replace(draft.entry, sha256=sha256, files=hash_files(files))
        write_all(class_file_outputs(self.path / CLASSES_FOLDER, entry.file_stem, files))
        self._append_event(entry.as_event())
        return entry

    def finish(self, number: int) -> None:
        """The release left."""
        self._append_event({"event": RELEASED_EVENT, "number": number})

    def withdraw(self, number: int) -> None:
        """The release did not leave."""
        self._append_event({"event": VOID_EVENT, "number": number})

    def check(
        self,
        coalition: Sequence[str] = (),
        *,
        joint_k: int | None = None,
        certain: float | None = None,
        most: int = 2,
    ) -> Check:
        """What the releases of a coalition say together (all recipients by default)."""
        from tokumei.ledger.joint_risk import check_ledger

        return check_ledger(self, coalition, joint_k=joint_k, certain=certain, most=most)

    def forget(self, changed: Mapping[int, RecordedClasses], people: int) -> None:
        """Take people out of releases; the line tells how many, and the new hashes."""
        files = {number: to_parquet_files(parts) for number, parts in changed.items()}
        updated_entries = {
            entry.number: replace(
                entry, version=entry.version + 1, files=hash_files(files[entry.number])
            )
            for entry in self.entries
            if entry.number in files
        }
        for number, data in files.items():
            stem = updated_entries[number].file_stem
            write_all(class_file_outputs(self.path / CLASSES_FOLDER, stem, data))
        changed_files = {
            str(n): {"version": entry.version, "files": entry.files}
            for n, entry in updated_entries.items()
        }
        self._append_event({"event": FORGET_EVENT, "people": people, "changed": changed_files})
        self._remove_unused_files()

    def _settle_interrupted(self) -> None:
        """Close what a killed writer left open: its file stands, or it never was released."""
        begun = [LedgerEntry.of(event) for event in self.events if event["event"] == BEGIN_EVENT]
        for entry in begun:
            if entry.number in self.unconfirmed_numbers:
                stands = self._is_file_in_place(entry)
                event = RELEASED_EVENT if stands else VOID_EVENT
                self._append_event({"event": event, "number": entry.number})
                note = describe_settlement(entry, self.public_path(entry), stands=stands)
                self.notes.append(note)
        self._remove_unused_files()

    def _remove_unused_files(self) -> None:
        """Files that no line names: of a release that never left, or with people forgotten."""
        used_names = {f"{entry.file_stem}{end}" for entry in self.entries for end in entry.files}
        for path in (self.path / CLASSES_FOLDER).iterdir():
            if path.name.endswith(PEOPLE_SUFFIX) and path.name not in used_names:
                path.unlink()

    def _is_file_in_place(self, entry: LedgerEntry) -> bool:
        path = self.public_path(entry)
        return path.is_file() and sha256_of_file(path) == entry.sha256

    def _apply_forget_events(self, entry: LedgerEntry) -> LedgerEntry:
        for event in self.events:
            if event["event"] == FORGET_EVENT and str(entry.number) in event["changed"]:
                entry = replace(entry, **event["changed"][str(entry.number)])
        return entry

    def _append_event(self, event: LedgerEvent) -> None:
        self._set_chain(append_line(self.path, self._chain, event, self.codes))

    def _set_chain(self, chain: LedgerChain) -> None:
        self._chain = chain
        self.__dict__.pop("entries", None)


def no_releases_error() -> InputError:
    """Why nothing can be said of an empty ledger, and what to do."""
    ledger, recipient = field_name("ledger"), field_name("recipient")
    return InputError(
        "the ledger has no releases yet: record those that left with tokumei ledger add, or make "
        "the next one with {ledger} and {recipient}",
        ledger=ledger,
        recipient=recipient,
    )
