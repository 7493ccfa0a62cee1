"""Services on a release ledger: create it, add a release, check, verify, forget people.

    location = LedgerLocation(folder="ledger")
    add_release(AddReleaseRequest(ledger=location, release=files, recipient="A")).entry
    check_releases(CheckLedgerRequest(ledger=location, joint_k=5)).check.faults

What a release says of each person depends on its kind of data, which brings the request
(`ReleaseToRecord`) that reads its files.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.files.file_formats import sha256_of_file
from tokumei.files.reading import read_cells
from tokumei.ledger.contribution import Contribution
from tokumei.ledger.entry import ClaimRecord, LedgerEntry, today_iso
from tokumei.ledger.forget_people import ForgetResult, forget_people
from tokumei.ledger.integrity_check import IntegrityResult, verify_ledger
from tokumei.ledger.joint_risk import Check, check_ledger
from tokumei.ledger.ledger import Ledger
from tokumei.ledger.release_draft import DraftRelease, ReleaseDetails


@dataclass(frozen=True, kw_only=True)
class LedgerLocation:
    """A ledger: its folder, and its key (default: where it was made)."""

    folder: str
    key_file: str | None = None

    def open(self) -> Ledger:
        """The ledger, opened with its key."""
        return Ledger(self.folder, self.key_file)


@dataclass(frozen=True)
class ReleaseContent:
    """What the files of a release say: of each person, of itself, and remarks on reading them."""

    contribution: Contribution
    notes: tuple[Message, ...] = ()
    claims: tuple[ClaimRecord, ...] = ()
    method: str = ""


class ReleaseToRecord(Protocol):
    """The files of a release that any tool made, as a kind of data names and reads them."""

    @property
    def release(self) -> str:
        """The file that is handed out."""

    def read(self) -> ReleaseContent:
        """What the files say."""


@dataclass(frozen=True, kw_only=True)
class AddReleaseRequest:
    """A release that left, to be recorded: by default today, and named r1, r2, …"""

    ledger: LedgerLocation
    release: ReleaseToRecord
    recipient: str
    name: str = ""
    date: str | None = None
    k: int | None = None


@dataclass(frozen=True, kw_only=True)
class CheckLedgerRequest:
    """What the releases of a coalition (default: all) say together, within limits.

    `planned` is a release that has not left yet, `recipient` who would get it. `most`: how many
    releases the coalitions have that are looked at one by one.
    """

    ledger: LedgerLocation
    coalition: tuple[str, ...] = ()
    joint_k: int | None = None
    certain: float | None = None
    most: int = 2
    planned: ReleaseToRecord | None = None
    recipient: str | None = None


@dataclass(frozen=True, kw_only=True)
class VerifyLedgerRequest:
    """A ledger whose bytes are to be verified; `head` was noted earlier."""

    ledger: LedgerLocation
    head: str | None = None


@dataclass(frozen=True, kw_only=True)
class ForgetPeopleRequest:
    """People to be taken out of a ledger: a file with a header, and its column of ids."""

    ledger: LedgerLocation
    people: str
    id: str


@dataclass(frozen=True, eq=False)
class AddedRelease:
    """The line of a release that was recorded, and what all releases say together now."""

    entry: LedgerEntry
    check: Check
    notes: tuple[Message, ...]


@dataclass(frozen=True, eq=False)
class CheckedLedger:
    """What the releases say together, with the planned one as it would be recorded."""

    check: Check
    ledger: Ledger = field(repr=False)
    draft: DraftRelease | None = None
    notes: tuple[Message, ...] = ()


def create_ledger(location: LedgerLocation) -> Ledger:
    """Make a ledger, and its key if there is none yet."""
    if location.key_file is None:
        raise UsageError("a new ledger needs a key file")
    return Ledger.create(location.folder, location.key_file)


def add_release(request: AddReleaseRequest) -> AddedRelease:
    """Record a release, and check all of them together."""
    ledger, content = request.ledger.open(), request.release.read()
    public = request.release.release
    details = ReleaseDetails(
        request.recipient,
        request.name,
        request.date or today_iso(),
        content.claims,
        content.method,
        request.k,
    )
    with ledger.writing():
        draft = ledger.draft(content.contribution, details, public=public)
        entry = ledger.begin(draft, sha256=sha256_of_file(public))
        ledger.finish(entry.number)
    return AddedRelease(entry, check_ledger(ledger), content.notes)


def check_releases(request: CheckLedgerRequest) -> CheckedLedger:
    """Compute the joint risk of all releases, with the planned one if there is one."""
    ledger, draft, notes = request.ledger.open(), None, tuple[Message, ...]()
    if request.planned is not None:
        content = request.planned.read()
        details = ReleaseDetails(request.recipient or "?", "", today_iso(), k=request.joint_k)
        draft = ledger.draft(content.contribution, details, public=request.planned.release)
        notes = content.notes
    check = check_ledger(
        ledger,
        request.coalition,
        joint_k=request.joint_k,
        certain=request.certain,
        draft=draft,
        most=request.most,
    )
    return CheckedLedger(check, ledger, draft, notes)


def verify_releases(request: VerifyLedgerRequest) -> IntegrityResult:
    """Find everything that was changed since it was written."""
    location = request.ledger
    return verify_ledger(location.folder, location.key_file, head=request.head)


def forget_listed_people(request: ForgetPeopleRequest) -> tuple[ForgetResult, list[Message]]:
    """Take people out of all releases; return what was done, and the ledger's own notes."""
    cells = read_cells(request.people)
    if request.id not in cells.columns:
        raise UsageError("{people}: no column '{id}'", people=request.people, id=request.id)
    ledger = request.ledger.open()
    return forget_people(ledger, cells[request.id]), ledger.notes
