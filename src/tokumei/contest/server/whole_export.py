"""An export with all uploads and the judge in force: whoever has it can judge everything again.

    export_whole(open_home(path), "spring", Path("spring.zip"))

Only whoever may read the vault can make it. It holds what teams kept secret: mode 0600.
"""

from __future__ import annotations

import io
import zipfile
from contextlib import closing
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from tokumei.contest.desk.export import write_export
from tokumei.contest.desk.moment import moment_of
from tokumei.contest.desk.place import Place, open_place
from tokumei.contest.store.files import write_file
from tokumei.contest.store.home import Home
from tokumei.contest.store.tables import Entry
from tokumei.core.errors import InputError, UsageError

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
        f"the upload of entry {entry.id} is missing",
        f"提出 {entry.id} のファイルがありません",
    )
