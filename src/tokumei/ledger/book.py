"""The ledger itself: opened with its key, read by everyone, written by one at a time.

    Ledger.create("ledger", "ledger.key")
    book = Ledger("ledger", "ledger.key")
    with book.writing():
        draft = book.draft(contribution, Said("A"), public="y.csv")
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
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokumei.core.errors import InputError, OutputError, UnknownNameError, UsageError
from tokumei.core.reasons import system_reason
from tokumei.core.text import Text
from tokumei.files.atomic import write_all
from tokumei.files.containers import AnyPath, sha256
from tokumei.files.keys import read_key, write_key
from tokumei.ledger.chain import START, Chain, Codes
from tokumei.ledger.classes import (
    PEOPLE,
    Recorded,
    class_outputs,
    hashes,
    packed,
    read_recorded,
    recorded,
)
from tokumei.ledger.contribution import Contribution
from tokumei.ledger.entry import BEGIN, FORGET, INIT, RELEASED, VOID, Entry, claimed_k, plain_claim
from tokumei.ledger.lines import LINES, RECOVERED, extend, load_chain, only_writer

if TYPE_CHECKING:
    from tokumei.ledger.check import Check

CLASSES = "classes"
RELEASE = Text("release", "匿名加工データ")


@dataclass(frozen=True)
class Said:
    """What whoever releases says of it."""

    recipient: str
    name: str = ""
    made: str = ""
    claims: tuple[Mapping[str, Any], ...] = ()
    method: str = ""
    k: int | None = None
    chance: str = ""
    recipe: str = ""


@dataclass(frozen=True, eq=False)
class Draft:
    """A release that is not recorded yet."""

    entry: Entry
    recorded: Recorded


class Ledger:
    """A folder of lines and codes; see the module."""

    def __init__(self, path: AnyPath, key: AnyPath | None = None) -> None:
        self.path = Path(path)
        self.notes: list[Text] = []
        place = key if key is not None else self._key_file()
        self.codes = Codes.read(place)
        first = load_chain(self.path, None).events
        if not first or first[0].get("key") != self.codes.key_id:
            raise InputError(
                f"{place}: not the key of this ledger: its people would match nobody",
                f"{place}: この台帳の鍵ではありません (誰とも一致しなくなります)",
            )
        self._chain = load_chain(self.path, self.codes)

    @classmethod
    def create(cls, path: AnyPath, key: AnyPath) -> Ledger:
        """A new ledger, and its key if there is none yet; the key must stand elsewhere."""
        folder, place = Path(path), Path(key)
        if place.resolve().is_relative_to(folder.resolve()):
            raise UsageError(
                f"{key}: keep the key outside the ledger: together they name people",
                f"{key}: 鍵は台帳の外に置いてください (一緒にすると個人を特定できます)",
            )
        if (folder / LINES).exists():
            raise UsageError(f"{path}: there is a ledger already", f"{path}: 台帳は既にあります")
        _make_folder(folder)
        if not place.exists():
            write_key(place)
        read_key(place)
        codes = Codes.read(place)
        where = os.path.relpath(place.resolve(), folder.resolve())
        event = {"event": INIT, "format": 1, "key": codes.key_id, "key_file": where}
        with only_writer(folder):
            extend(folder, Chain((), START, 0), event, codes)
        return cls(path, key)

    def _key_file(self) -> Path:
        """Where the key was when the ledger was made."""
        events = load_chain(self.path, None).events
        where = events[0].get("key_file", "") if events else ""
        return Path(os.path.normpath(self.path.resolve() / str(where)))

    @property
    def head(self) -> str:
        """The hash of the last line: noted elsewhere, it proves that no line was taken away."""
        return self._chain.last

    @property
    def events(self) -> tuple[Mapping[str, Any], ...]:
        """All lines."""
        return self._chain.events

    @cached_property
    def entries(self) -> list[Entry]:
        """The releases that left, in order; what was announced counts if its file stands."""
        done = {one["number"] for one in self.events if one["event"] == RELEASED}
        void = {one["number"] for one in self.events if one["event"] == VOID}
        begun = [Entry.of(one) for one in self.events if one["event"] == BEGIN]
        left = [one for one in begun if one.number not in void]
        found = [one for one in left if one.number in done or self._stands(one)]
        return [self._as_forgotten(one) for one in found]

    @property
    def open_numbers(self) -> list[int]:
        """Releases that were announced, and neither confirmed nor withdrawn."""
        closed = {one["number"] for one in self.events if one["event"] in (RELEASED, VOID)}
        begun = (one["number"] for one in self.events if one["event"] == BEGIN)
        return [number for number in begun if number not in closed]

    def entry(self, name: str) -> Entry:
        """A release by its name or number."""
        for one in self.entries:
            if name in (one.name, str(one.number)):
                return one
        raise UnknownNameError(RELEASE, name, [one.name for one in self.entries])

    def recorded(self, entry: Entry) -> Recorded:
        """Who is in which class of a release, as codes."""
        return read_recorded(self.path / CLASSES, entry)

    def public_path(self, entry: Entry) -> Path:
        """Where the file of a release stood when it was recorded."""
        return Path(os.path.normpath(self.path.resolve() / entry.public))

    @contextmanager
    def writing(self) -> Iterator[Ledger]:
        """The right to write; lines of others are read first, and what was interrupted settled."""
        with only_writer(self.path):
            self._reload(load_chain(self.path, self.codes))
            if self._chain.torn:
                self.notes.append(RECOVERED)
            self._settle()
            yield self

    def draft(self, given: Contribution, said: Said, *, public: AnyPath) -> Draft:
        """A release as it would be recorded."""
        number = 1 + sum(one["event"] == BEGIN for one in self.events)
        name = said.name or f"r{number}"
        if name in {one.name for one in self.entries}:
            raise UsageError(
                f"there is a release '{name}' in the ledger already",
                f"'{name}' という匿名加工データは台帳に既にあります",
            )
        entry = Entry(
            number=number,
            name=name,
            kind=given.kind,
            recipient=said.recipient,
            made=said.made,
            public=os.path.relpath(Path(public).resolve(), self.path.resolve()),
            sha256="",
            rows=given.released_rows,
            people=len(given.ids),
            known=given.known,
            k=said.k or claimed_k(said.claims),
            claims=tuple(plain_claim(claim) for claim in said.claims),
            method=said.method,
            columns=given.columns,
            cells=tuple(given.cells),
            sensitive=given.sensitive,
            linked=given.linked,
            repeated=given.repeated,
            labels=given.labels,
            chance=said.chance,
            recipe=said.recipe,
        )
        return Draft(entry, recorded(given, self.codes))

    def begin(self, draft: Draft, *, sha256: str) -> Entry:
        """Announce a release: from now on, the file with this hash counts where it stands."""
        files = packed(draft.recorded)
        entry = replace(draft.entry, sha256=sha256, files=hashes(files))
        write_all(class_outputs(self.path / CLASSES, entry.stem, files))
        self._extend(entry.as_event())
        return entry

    def finish(self, number: int) -> None:
        """The release left."""
        self._extend({"event": RELEASED, "number": number})

    def withdraw(self, number: int) -> None:
        """The release did not leave."""
        self._extend({"event": VOID, "number": number})

    def check(self, coalition: Sequence[str] = (), **limits: Any) -> Check:
        """What the releases of a coalition say together (all recipients by default)."""
        from tokumei.ledger.check import check_ledger

        return check_ledger(self, coalition, **limits)

    def forget(self, changed: Mapping[int, Recorded], people: int) -> None:
        """Take people out of releases; the line tells how many, and the new hashes."""
        files = {number: packed(parts) for number, parts in changed.items()}
        later = {
            one.number: replace(one, version=one.version + 1, files=hashes(files[one.number]))
            for one in self.entries
            if one.number in files
        }
        for number, data in files.items():
            write_all(class_outputs(self.path / CLASSES, later[number].stem, data))
        told = {str(n): {"version": one.version, "files": one.files} for n, one in later.items()}
        self._extend({"event": FORGET, "people": people, "changed": told})
        self._remove_unused()

    def _settle(self) -> None:
        """Close what a killed writer left open: its file stands, or it never was released."""
        for one in [Entry.of(one) for one in self.events if one["event"] == BEGIN]:
            if one.number in self.open_numbers:
                stands = self._stands(one)
                self._extend({"event": RELEASED if stands else VOID, "number": one.number})
                self.notes.append(_settled(one, self.public_path(one), stands=stands))
        self._remove_unused()

    def _remove_unused(self) -> None:
        """Files that no line names: of a release that never left, or with people forgotten."""
        used = {f"{one.stem}{end}" for one in self.entries for end in one.files}
        for path in (self.path / CLASSES).iterdir():
            if path.name.endswith(PEOPLE) and path.name not in used:
                path.unlink()

    def _stands(self, entry: Entry) -> bool:
        path = self.public_path(entry)
        return path.is_file() and sha256(path) == entry.sha256

    def _as_forgotten(self, entry: Entry) -> Entry:
        for one in self.events:
            if one["event"] == FORGET and str(entry.number) in one["changed"]:
                entry = replace(entry, **one["changed"][str(entry.number)])
        return entry

    def _extend(self, event: Mapping[str, Any]) -> None:
        self._reload(extend(self.path, self._chain, event, self.codes))

    def _reload(self, chain: Chain) -> None:
        self._chain = chain
        self.__dict__.pop("entries", None)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / CLASSES).mkdir(mode=0o700, exist_ok=True)
    except OSError as err:
        raise OutputError(
            f"{folder}: cannot be made: {system_reason(err).en}",
            f"{folder}: 作成できません: {system_reason(err).ja}",
        ) from None


def _settled(entry: Entry, path: Path, *, stands: bool) -> Text:
    if stands:
        return Text(
            f"release '{entry.name}' was interrupted after its file stood: it counts as released",
            f"'{entry.name}' は、ファイルを置いた後に中断されていました。公開済みとして扱います",
        )
    return Text(
        f"release '{entry.name}' was interrupted before its file stood at {path}: it counts as "
        "never released; if a copy left all the same, record it with: tokumei ledger add",
        f"'{entry.name}' は、{path} にファイルを置く前に中断されていました。公開されていないものと"
        "して扱います。写しを渡した場合は tokumei ledger add で記録してください",
    )
