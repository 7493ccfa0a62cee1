"""What of a contest changes without judging anything again; removal of one before it was used.

Phases have their own page (`console.change_phase`). What decides figures or rules (data, schema,
scoring, the size of files) is changed in the contest's folder, and then judged again.

Attachments are files beside a contest's texts, which link to them as `/c/cup/files/rules.pdf`.
Under the same name a new file replaces the old one. They are sent as bytes to be saved: nothing
that an organiser attaches runs on a page of the site.
"""

from __future__ import annotations

import re
import shutil
import unicodedata
from collections.abc import Mapping
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from tokumei.contest.desk.console import require_reason
from tokumei.contest.desk.contests import contest_of
from tokumei.contest.desk.moment import changing, looking
from tokumei.contest.desk.names import file_name, require_number
from tokumei.contest.desk.place import Place, Viewer
from tokumei.contest.desk.views import AttachmentView, ContestView, Download
from tokumei.contest.spec.folder import validated_contest
from tokumei.contest.spec.model import ContestSpec
from tokumei.contest.store.database import lock
from tokumei.contest.store.files import TooLargeUpload
from tokumei.contest.store.tables import Attachment, Audit, Contest, Entry, Invite
from tokumei.http.refusals import Conflict, NotFound, Wrong

CHANGEABLE = ("title", "about", "quotas", "feedback", "bands", "leaderboard", "registration")
JUDGED = "megabytes"
"""The quota that the judge itself keeps to."""
ACTION = "contest.settings"
STAGES = ("draft", "open", "archived")
MOST_BYTES = 20_000_000
MOST_FILES = 50
_ODD = re.compile(r"[^\w.\-]+")


def change_settings(
    place: Place, viewer: Viewer, slug: str, changes: Mapping[str, Any], *, reason: str
) -> ContestView:
    """New values of keys of contest.yaml; mappings are merged key by key (organisers)."""
    viewer.require_organiser()
    why = require_reason(reason)
    if set(changes) - set(CHANGEABLE) or JUDGED in (changes.get("quotas") or {}):
        listed = ", ".join(CHANGEABLE)
        raise Wrong(
            f"only these change here: {listed} (of quotas not {JUDGED})",
            f"ここで変更できるのは次の項目だけです: {listed} (quotas の {JUDGED} を除く)",
        )
    with changing(place, viewer, slug) as (session, moment, log):
        lock(session, f"settings:{moment.id}")
        before = moment.row.spec
        merged = {key: _merged(before.get(key), value) for key, value in changes.items()}
        spec = validated_contest({**before, **merged}, where=slug)
        row = session.get_one(Contest, moment.id)
        row.spec = spec.model_dump(mode="json", by_alias=True)
        new = {key: row.spec[key] for key in merged if row.spec[key] != before.get(key)}
        if not new:
            raise Wrong("nothing would change", "変更がありません")
        log(ACTION, slug, old={key: before.get(key) for key in new}, new=new, reason=why)
    return contest_of(place, viewer, slug)


def _merged(old: Any, new: Any) -> Any:
    return {**old, **new} if isinstance(old, Mapping) and isinstance(new, Mapping) else new


def kept_settings(session: Session, contest_id: int, held: ContestSpec) -> dict[str, Any]:
    """What was changed here, which a new judge leaves as it is."""
    query = select(Audit.details).where(Audit.contest_id == contest_id, Audit.action == ACTION)
    changed = {key for details in session.scalars(query) for key in details["new"]}
    return {key: getattr(held, key) for key in sorted(changed)}


def set_stage(place: Place, viewer: Viewer, slug: str, stage: str, *, reason: str) -> ContestView:
    """Open a draft, archive a contest, or take either back (organisers).

    With uploads nothing becomes a draft again: its teams would lose sight of what they sent.
    """
    viewer.require_organiser()
    why = require_reason(reason)
    if stage not in STAGES:
        raise Wrong(f"a stage is one of {', '.join(STAGES)}", f"段階は {', '.join(STAGES)} です")
    with changing(place, viewer, slug) as (session, moment, log):
        row = session.get_one(Contest, moment.id)
        if stage == "draft" and _has_uploads(session, row.id):
            raise Conflict(
                "teams have uploaded to it; archive it instead",
                "提出があるため下書きには戻せません。保管してください",
            )
        if row.stage == stage:
            raise Wrong("nothing would change", "変更がありません")
        log("contest.stage", slug, old=row.stage, new=stage, reason=why)
        row.stage = stage
    return contest_of(place, viewer, slug)


def _has_uploads(session: Session, contest_id: int) -> bool:
    uploads = select(Entry.id).where(Entry.contest_id == contest_id).limit(1)
    return session.scalars(uploads).first() is not None


def delete_contest(place: Place, viewer: Viewer, slug: str, *, reason: str) -> None:
    """Remove a contest that nobody has uploaded to; its address is free again (organisers)."""
    viewer.require_organiser()
    why = require_reason(reason)
    with changing(place, viewer, slug) as (session, moment, log):
        lock(session, "contests")
        if _has_uploads(session, moment.id):
            raise Conflict(
                "teams have uploaded to it; a contest with uploads stays",
                "提出のあるコンテストは削除できません",
            )
        row = session.get_one(Contest, moment.id)
        folder, row.slug, row.closed = row.folder, f"deleted-{row.id}", True
        of_contest = update(Invite).where(Invite.contest_id == row.id)
        session.execute(of_contest.values(uses_left=0))
        log("contest.delete", slug, reason=why)
    for path in (place.home.contests / folder, *place.home.contests.glob(f"{folder}.*")):
        shutil.rmtree(path, ignore_errors=True)  # the workers' copies may be another user's


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
    if not content:
        raise Wrong("the file is empty", "ファイルが空です")
    if len(content) > MOST_BYTES:
        most = f"{MOST_BYTES // 10**6} MB"
        raise TooLargeUpload(f"the file is larger than {most}", f"ファイルが {most} を超えています")
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


def _rows(session: Session, contest_id: int) -> list[Attachment]:
    given_out = Attachment.contest_id == contest_id, Attachment.removed_at.is_(None)
    return list(session.scalars(select(Attachment).where(*given_out).order_by(Attachment.name)))
