"""What only whoever may read the vault can write: the pages cannot.

    reveal(home, "spring", Path("revealed.zip"))       # after the last phase
    export_whole(home, "spring", Path("spring.zip"))   # to judge everything again

The first opens the commitments: rows, truth and salts of published releases. Everything is checked
against the commitments that were shown during the contest before a byte is written. The second is
an export with all uploads, which teams kept secret, and the judge in force: mode 0600.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from tokumei.contest.desk.export import csv_text, write_export
from tokumei.contest.desk.moment import moment_of
from tokumei.contest.desk.place import Place, open_place
from tokumei.contest.desk.published import published
from tokumei.contest.store.files import write_file
from tokumei.contest.store.home import Home
from tokumei.contest.store.tables import Entry
from tokumei.contest.store.vault import Vault
from tokumei.core.errors import ClaimError, InputError, UsageError

HEADER = ("file", "team", "salt", "commitment")
README = """\
commitments.csv: the commitment to a file is the SHA-256 of its salt (as bytes) and its content.
commitments.csv: コミットメントは、ソルト (バイト列) にファイルの内容を続けたものの SHA-256 です。
"""


@dataclass(frozen=True)
class Revealed:
    """One file and what it was committed to with."""

    name: str
    team: str
    data: bytes
    salt: str
    commitment: str

    def check(self) -> None:
        """Fail if the commitment was to something else."""
        if hashlib.sha256(bytes.fromhex(self.salt) + self.data).hexdigest() != self.commitment:
            raise ClaimError(
                f"{self.name} is not what the server committed to",
                f"{self.name} はコミットメントと一致しません",
            )


def reveal(home: Home, slug: str, out: Path, *, early: bool = False) -> int:
    """Write one zip; how many releases are in it."""
    found = _published(home, slug, early=early)
    for one in found:
        one.check()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", README)
        rows = [[one.name, one.team, one.salt, one.commitment] for one in found]
        archive.writestr("commitments.csv", csv_text(HEADER, rows))
        for one in found:
            archive.writestr(one.name, one.data)
    write_file(out, packed.getvalue(), secret=True)
    return len(found) // 2


def _published(home: Home, slug: str, *, early: bool) -> list[Revealed]:
    vault, found = home.vault(), list[Revealed]()
    with closing(open_place(home.path, settings=home.settings)) as place, place.read() as session:
        moment = moment_of(place, session, slug)
        if moment.now < moment.end and not early:
            end = moment.end.isoformat()
            raise UsageError(
                f"'{slug}' ends at {end}; until then the truth stays secret "
                "(--early reveals it anyway)",
                f"'{slug}' の終了は {end} です。それまで正解は秘密です (--early で強制)",
            )
        for release in published(session, moment):
            found += _files(home, vault, session.get_one(Entry, release.entry), release.team)
    return found


def _files(home: Home, vault: Vault, entry: Entry, team: str) -> list[Revealed]:
    """S and F of a release."""
    if None in (entry.public_sha256, entry.public_commitment, entry.truth_commitment):
        return []
    salts, truth = vault.salts(entry.id), vault.truth_path(entry.id).read_bytes()
    public = home.files.read(str(entry.public_sha256))
    return [
        Revealed(f"{entry.id}/S.csv", team, public, salts["public"], str(entry.public_commitment)),
        Revealed(f"{entry.id}/F.csv", team, truth, salts["truth"], str(entry.truth_commitment)),
    ]


UPLOADS, JUDGE = "uploads", "judge"


def export_whole(home: Home, slug: str, out: Path) -> int:
    """Write the zip; how many uploads are in it."""
    if out.exists():
        raise UsageError(f"{out} exists already", f"{out} は既に存在します")
    packed = io.BytesIO()
    with (
        closing(open_place(home.path, settings=home.settings)) as place,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        write_export(archive, place, slug)
        with place.read() as session:
            count = _add_secrets(archive, place, session, slug)
    write_file(out, packed.getvalue(), secret=True)
    return count


def _add_secrets(archive: zipfile.ZipFile, place: Place, session: Session, slug: str) -> int:
    moment = moment_of(place, session, slug)
    judge = place.home.contests / place.judge_folder(moment.row)
    for path in sorted(judge.iterdir()):
        archive.write(path, f"{JUDGE}/{path.name}")
    entries = session.scalars(select(Entry).where(Entry.contest_id == moment.id)).all()
    for entry in entries:
        archive.writestr(f"{UPLOADS}/{entry.id}", _upload(place.home, entry))
    return len(entries)


def _upload(home: Home, entry: Entry) -> bytes:
    """An upload, taken by a worker or still waiting for one."""
    for path in (home.inbox.path(entry.id), home.vault().uploads.path(entry.sha256)):
        if path.is_file():
            return path.read_bytes()
    raise InputError(
        f"the upload of entry {entry.id} is missing", f"提出 {entry.id} のファイルがありません"
    )
