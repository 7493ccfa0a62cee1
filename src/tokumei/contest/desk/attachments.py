"""Files beside a contest's texts: rules as PDF, a sample, a picture of the schedule.

    attach(place, organiser, "cup", "rules.pdf", content)
    attachment(place, viewer, "cup", "rules.pdf")        # a Download, for everybody

Texts link to them as `/c/cup/files/rules.pdf`. Under the same name a new file replaces the old one.
They are sent as bytes to be saved: nothing that an organiser attaches runs on a page of the site.
"""

from __future__ import annotations

import re
import unicodedata

from sqlalchemy import select
from sqlalchemy.orm import Session

from tokumei.contest.desk.moment import changing, looking
from tokumei.contest.desk.names import file_name, require_number
from tokumei.contest.desk.place import Place, Viewer
from tokumei.contest.desk.views import AttachmentView, Download
from tokumei.contest.store.files import TooLargeUpload
from tokumei.contest.store.tables import Attachment
from tokumei.http.refusals import Conflict, NotFound, Wrong

MOST_BYTES = 20_000_000
MOST_FILES = 50
_ODD = re.compile(r"[^\w.\-]+")


def attachments(place: Place, viewer: Viewer, slug: str) -> tuple[AttachmentView, ...]:
    """All of a contest, by name."""
    with looking(place, slug) as (session, moment):
        return tuple(AttachmentView.of(row) for row in _rows(session, moment.id))


def attachment(place: Place, viewer: Viewer, slug: str, name: str) -> Download:
    """One of them; whoever sees the contest may have it."""
    with looking(place, slug) as (session, moment):
        found = [row for row in _rows(session, moment.id) if row.name == name]
        if not found:
            raise NotFound("there is no such file", "そのファイルはありません")
        return Download(place.home.attached.path(found[0].sha256), found[0].name)


def attach(place: Place, viewer: Viewer, slug: str, name: str, content: bytes) -> AttachmentView:
    """Add a file, or replace the one of this name (organisers)."""
    account = viewer.require_organiser()
    shown = plain_name(name)
    _require_some(content)
    with changing(place, viewer, slug) as (session, moment, log):
        rows = _rows(session, moment.id)
        same = [row for row in rows if row.name == shown]
        if not same and len(rows) >= MOST_FILES:
            raise Conflict(
                f"a contest has {MOST_FILES} attachments at the most",
                f"添付ファイルは {MOST_FILES} 個までです",
            )
        for row in same:
            row.removed_at = place.now()
        made = Attachment(
            contest_id=moment.id,
            name=shown,
            sha256=place.home.attached.put(content),
            size=len(content),
            by_id=account,
            at=place.now(),
        )
        session.add(made)
        session.flush()
        log("attachment.add", shown)
        return AttachmentView.of(made)


def detach(place: Place, viewer: Viewer, slug: str, attachment_id: int) -> None:
    """Give a file out no longer (organisers)."""
    viewer.require_organiser()
    with changing(place, viewer, slug) as (session, moment, log):
        row = session.get(Attachment, require_number(attachment_id))
        if row is None or row.contest_id != moment.id or row.removed_at is not None:
            raise NotFound("there is no such file", "そのファイルはありません")
        row.removed_at = place.now()
        log("attachment.remove", row.name)


def plain_name(given: str) -> str:
    """A name that needs no quotes in a link: letters of any script, digits, dot, hyphen, _."""
    name = unicodedata.normalize("NFKC", file_name(given)).replace("…", "")
    plain = _ODD.sub("_", name).strip("._")
    if not plain:
        raise Wrong("the file needs a name", "ファイル名がありません")
    return plain[:100]


def _require_some(content: bytes) -> None:
    if not content:
        raise Wrong("the file is empty", "ファイルが空です")
    if len(content) > MOST_BYTES:
        most = f"{MOST_BYTES // 10**6} MB"
        raise TooLargeUpload(f"the file is larger than {most}", f"ファイルが {most} を超えています")


def _rows(session: Session, contest_id: int) -> list[Attachment]:
    given_out = Attachment.contest_id == contest_id, Attachment.removed_at.is_(None)
    return list(session.scalars(select(Attachment).where(*given_out).order_by(Attachment.name)))
