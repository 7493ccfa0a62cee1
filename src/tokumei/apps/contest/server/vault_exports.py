"""Exports that need to read the vault, which the web process cannot.

    reveal_releases(home, "spring", Path("revealed.zip"))     # after the last phase
    export_with_uploads(home, "spring", Path("spring.zip"))   # to judge everything again

The first opens the commitments: rows, truth and salts of published releases. Everything is checked
against the commitments that were shown during the contest before a byte is written. The second is
an export with all uploads, which teams kept secret, and the judge in force: mode 0600.
"""

from __future__ import annotations

import hashlib
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from tokumei.apps.contest.services.contest_state import load_contest_state
from tokumei.apps.contest.services.context import AppContext, open_app_context
from tokumei.apps.contest.services.export import to_csv_text, write_export
from tokumei.apps.contest.services.published_releases import list_published_releases
from tokumei.apps.contest.store.server_home import ContestHome
from tokumei.apps.contest.store.tables import ContestEntry
from tokumei.apps.contest.store.vault import Vault
from tokumei.core.errors import ClaimError, InputError, UsageError
from tokumei.core.messages import Message
from tokumei.files.archives import ArchiveWriter, write_archive

COMMITMENT_COLUMNS = ("file", "team", "salt", "commitment")
README = Message(
    "commitments.csv: the commitment to a file is the SHA-256 of its salt (as bytes) and its "
    "content."
)


@dataclass(frozen=True)
class RevealedFile:
    """One file and what it was committed to with."""

    name: str
    team: str
    data: bytes
    salt: str
    commitment: str

    def require_commitment_match(self) -> None:
        """Fail if the commitment was to something else."""
        if hashlib.sha256(bytes.fromhex(self.salt) + self.data).hexdigest() != self.commitment:
            raise ClaimError("{name} is not what the server committed to", name=self.name)


def reveal_releases(home: ContestHome, slug: str, out: Path, *, early: bool = False) -> int:
    """Write one zip; how many releases are in it."""
    files = _collect_published(home, slug, early=early)
    for file in files:
        file.require_commitment_match()
    rows = [[file.name, file.team, file.salt, file.commitment] for file in files]

    def add_members(archive: ArchiveWriter) -> None:
        archive.add("README.txt", "".join(f"{text}\n" for text in README.texts().values()))
        archive.add("commitments.csv", to_csv_text(COMMITMENT_COLUMNS, rows))
        for file in files:
            archive.add(file.name, file.data)

    write_archive(out, add_members, secret=True)
    return len(files) // 2


def _collect_published(home: ContestHome, slug: str, *, early: bool) -> list[RevealedFile]:
    vault, files = home.vault(), list[RevealedFile]()
    with (
        closing(open_app_context(home.path, settings=home.settings)) as context,
        context.read() as session,
    ):
        contest_state = load_contest_state(context, session, slug)
        if contest_state.now < contest_state.contest_end and not early:
            end = contest_state.contest_end.isoformat()
            raise UsageError(
                "'{slug}' ends at {end}; until then the truth stays secret (--early reveals it "
                "anyway)",
                slug=slug,
                end=end,
            )
        for release in list_published_releases(session, contest_state):
            files += _release_files(
                home, vault, session.get_one(ContestEntry, release.entry), release.team
            )
    return files


def _release_files(
    home: ContestHome, vault: Vault, entry: ContestEntry, team: str
) -> list[RevealedFile]:
    """S and F of a release."""
    if None in (entry.public_sha256, entry.public_commitment, entry.truth_commitment):
        return []
    salts, truth = vault.salts(entry.id), vault.truth_path(entry.id).read_bytes()
    public = home.files.read(str(entry.public_sha256))
    return [
        RevealedFile(
            f"{entry.id}/S.csv", team, public, salts["public"], str(entry.public_commitment)
        ),
        RevealedFile(f"{entry.id}/F.csv", team, truth, salts["truth"], str(entry.truth_commitment)),
    ]


UPLOADS_FOLDER, JUDGE_FOLDER = "uploads", "judge"


def export_with_uploads(home: ContestHome, slug: str, out: Path) -> int:
    """Write the zip; how many uploads are in it."""
    if out.exists():
        raise UsageError("{out} exists already", out=out)
    counts = []
    with closing(open_app_context(home.path, settings=home.settings)) as context:

        def add_members(archive: ArchiveWriter) -> None:
            write_export(archive, context, slug)
            with context.read() as session:
                counts.append(_add_judge_and_uploads(archive, context, session, slug))

        write_archive(out, add_members, secret=True)
    return counts[-1]


def _add_judge_and_uploads(
    archive: ArchiveWriter, context: AppContext, session: Session, slug: str
) -> int:
    contest_state = load_contest_state(context, session, slug)
    judge = context.home.contests / context.judge_folder(contest_state.row)
    for path in sorted(judge.iterdir()):
        archive.add_file(f"{JUDGE_FOLDER}/{path.name}", path)
    entries = session.scalars(
        select(ContestEntry).where(ContestEntry.contest_id == contest_state.id)
    ).all()
    for entry in entries:
        archive.add(f"{UPLOADS_FOLDER}/{entry.id}", _read_upload(context.home, entry))
    return len(entries)


def _read_upload(home: ContestHome, entry: ContestEntry) -> bytes:
    """An upload, taken by a worker or still waiting for one."""
    for path in (home.inbox.path(entry.id), home.vault().uploads.path(entry.sha256)):
        if path.is_file():
            return path.read_bytes()
    raise InputError("the upload of entry {id} is missing", id=entry.id)
