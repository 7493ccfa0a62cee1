"""What opens the commitments: rows, truth and salts of a contest's published releases.

    reveal(home, "spring", Path("revealed.zip"))       # after the last phase

Only whoever may read the vault can do this: the pages cannot. Everything is checked against the
commitments that were shown during the contest before a byte is written.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tokumei.contest.desk.export import csv_text
from tokumei.contest.desk.moment import moment_of
from tokumei.contest.desk.place import open_place
from tokumei.contest.desk.published import published
from tokumei.contest.store.files import write_file
from tokumei.contest.store.home import Home
from tokumei.contest.store.tables import Entry
from tokumei.contest.store.vault import Vault
from tokumei.core.errors import ClaimError, UsageError

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
            raise _not_over(slug, moment.end.isoformat())
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


def _not_over(slug: str, end: str) -> UsageError:
    return UsageError(
        f"'{slug}' ends at {end}; until then the truth stays secret (--early reveals it anyway)",
        f"'{slug}' の終了は {end} です。それまで正解は秘密です (--early で強制)",
    )
