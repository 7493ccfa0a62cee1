"""Changes settings that need no rejudging, and deletes contests that were never used.

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

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from tokumei.apps.contest.services.administration import require_reason
from tokumei.apps.contest.services.contest_state import read_contest, update_contest
from tokumei.apps.contest.services.contests import get_contest_view
from tokumei.apps.contest.services.context import AppContext, Viewer
from tokumei.apps.contest.services.validation import clean_file_name, require_row_id
from tokumei.apps.contest.services.view_models import AttachmentView, ContestView, Download
from tokumei.apps.contest.spec.folder import validate_contest
from tokumei.apps.contest.spec.model import ContestSpec
from tokumei.apps.contest.store.database import lock_subject
from tokumei.apps.contest.store.file_store import TooLargeUpload
from tokumei.apps.contest.store.tables import Attachment, AuditRecord, Contest, ContestEntry, Invite
from tokumei.apps.http.errors import Conflict, NotFound, UnprocessableContent
from tokumei.core.messages import join_messages

CHANGEABLE_KEYS = ("title", "about", "quotas", "feedback", "bands", "leaderboard", "registration")
JUDGED_QUOTA = "megabytes"
"""The quota that the judge itself keeps to."""
SETTINGS_ACTION = "contest.settings"
STAGES = ("draft", "open", "archived")
MOST_BYTES = 20_000_000
MOST_FILES = 50
_UNSAFE_CHARACTERS = re.compile(r"[^\w.\-]+")


def change_settings(
    context: AppContext, viewer: Viewer, slug: str, changes: Mapping[str, object], *, reason: str
) -> ContestView:
    """New values of keys of contest.yaml; mappings are merged key by key (organisers)."""
    viewer.require_organiser()
    why = require_reason(reason)
    quotas = changes.get("quotas")
    changes_judge = isinstance(quotas, Mapping) and JUDGED_QUOTA in quotas
    if set(changes) - set(CHANGEABLE_KEYS) or changes_judge:
        raise UnprocessableContent(
            "only these can be changed here: {keys} (of the quotas, not {quota})",
            keys=join_messages(CHANGEABLE_KEYS),
            quota=JUDGED_QUOTA,
        )
    with update_contest(context, viewer, slug) as (session, contest_state, log):
        lock_subject(session, f"settings:{contest_state.id}")
        before = contest_state.row.spec
        merged = {key: _merge_mappings(before.get(key), value) for key, value in changes.items()}
        spec = validate_contest({**before, **merged}, where=slug)
        row = session.get_one(Contest, contest_state.id)
        row.spec = spec.model_dump(mode="json", by_alias=True)
        new = {key: row.spec[key] for key in merged if row.spec[key] != before.get(key)}
        if not new:
            raise UnprocessableContent("nothing would change")
        log(SETTINGS_ACTION, slug, old={key: before.get(key) for key in new}, new=new, reason=why)
    return get_contest_view(context, viewer, slug)


def _merge_mappings(old: object, new: object) -> object:
    return {**old, **new} if isinstance(old, Mapping) and isinstance(new, Mapping) else new


def changed_settings(session: Session, contest_id: int, spec: ContestSpec) -> dict[str, object]:
    """What was changed here, which a new judge leaves as it is."""
    query = select(AuditRecord.details).where(
        AuditRecord.contest_id == contest_id, AuditRecord.action == SETTINGS_ACTION
    )
    changed = {key for details in session.scalars(query) for key in details["new"]}
    return {key: getattr(spec, key) for key in sorted(changed)}


def set_stage(
    context: AppContext, viewer: Viewer, slug: str, stage: str, *, reason: str
) -> ContestView:
    """Open a draft, archive a contest, or take either back (organisers).

    With uploads nothing becomes a draft again: its teams would lose sight of what they sent.
    """
    viewer.require_organiser()
    why = require_reason(reason)
    if stage not in STAGES:
        raise UnprocessableContent("a stage is one of {stages}", stages=join_messages(STAGES))
    with update_contest(context, viewer, slug) as (session, contest_state, log):
        row = session.get_one(Contest, contest_state.id)
        if stage == "draft" and _has_uploads(session, row.id):
            raise Conflict("teams have uploaded to it; archive it instead")
        if row.stage == stage:
            raise UnprocessableContent("nothing would change")
        log("contest.stage", slug, old=row.stage, new=stage, reason=why)
        row.stage = stage
    return get_contest_view(context, viewer, slug)


def _has_uploads(session: Session, contest_id: int) -> bool:
    uploads = select(ContestEntry.id).where(ContestEntry.contest_id == contest_id).limit(1)
    return session.scalars(uploads).first() is not None


def delete_contest(context: AppContext, viewer: Viewer, slug: str, *, reason: str) -> None:
    """Remove a contest that nobody has uploaded to; its address is free again (organisers)."""
    viewer.require_organiser()
    why = require_reason(reason)
    with update_contest(context, viewer, slug) as (session, contest_state, log):
        lock_subject(session, "contests")
        if _has_uploads(session, contest_state.id):
            raise Conflict("teams have uploaded to it; a contest with uploads cannot be deleted")
        row = session.get_one(Contest, contest_state.id)
        folder, row.slug, row.closed = row.folder, f"deleted-{row.id}", True
        of_contest = update(Invite).where(Invite.contest_id == row.id)
        session.execute(of_contest.values(uses_left=0))
        log("contest.delete", slug, reason=why)
    for path in (context.home.contests / folder, *context.home.contests.glob(f"{folder}.*")):
        shutil.rmtree(path, ignore_errors=True)  # the workers' copies may be another user's


def list_attachments(context: AppContext, viewer: Viewer, slug: str) -> tuple[AttachmentView, ...]:
    """All of a contest, by name."""
    with read_contest(context, slug) as (session, contest_state):
        return tuple(
            AttachmentView.of(row) for row in _current_attachments(session, contest_state.id)
        )


def get_attachment(context: AppContext, viewer: Viewer, slug: str, name: str) -> Download:
    """One of them; whoever sees the contest may have it."""
    with read_contest(context, slug) as (session, contest_state):
        rows = [row for row in _current_attachments(session, contest_state.id) if row.name == name]
        if not rows:
            raise NotFound("there is no such file")
        return Download(context.home.attachment_files.path(rows[0].sha256), rows[0].name)


def add_attachment(
    context: AppContext, viewer: Viewer, slug: str, name: str, content: bytes
) -> AttachmentView:
    """Add a file, or replace the one of this name (organisers)."""
    account = viewer.require_organiser()
    safe_name = link_safe_name(name)
    if not content:
        raise UnprocessableContent("the file is empty")
    if len(content) > MOST_BYTES:
        raise TooLargeUpload("the file is larger than {most} MB", most=MOST_BYTES // 10**6)
    with update_contest(context, viewer, slug) as (session, contest_state, log):
        rows = _current_attachments(session, contest_state.id)
        replaced_rows = [row for row in rows if row.name == safe_name]
        if not replaced_rows and len(rows) >= MOST_FILES:
            raise Conflict("a contest has at most {most} attachments", most=MOST_FILES)
        for row in replaced_rows:
            row.removed_at = context.now()
        new_row = Attachment(
            contest_id=contest_state.id,
            name=safe_name,
            sha256=context.home.attachment_files.put(content),
            size=len(content),
            by_id=account,
            at=context.now(),
        )
        session.add(new_row)
        session.flush()
        log("attachment.add", safe_name)
        return AttachmentView.of(new_row)


def remove_attachment(context: AppContext, viewer: Viewer, slug: str, attachment_id: int) -> None:
    """Give a file out no longer (organisers)."""
    viewer.require_organiser()
    with update_contest(context, viewer, slug) as (session, contest_state, log):
        row = session.get(Attachment, require_row_id(attachment_id))
        if row is None or row.contest_id != contest_state.id or row.removed_at is not None:
            raise NotFound("there is no such file")
        row.removed_at = context.now()
        log("attachment.remove", row.name)


def link_safe_name(file_name_text: str) -> str:
    """A name that needs no quotes in a link: letters of any script, digits, dot, hyphen, _."""
    name = unicodedata.normalize("NFKC", clean_file_name(file_name_text)).replace("…", "")
    plain = _UNSAFE_CHARACTERS.sub("_", name).strip("._")
    if not plain:
        raise UnprocessableContent("the file needs a name")
    return plain[:100]


def _current_attachments(session: Session, contest_id: int) -> list[Attachment]:
    given_out = Attachment.contest_id == contest_id, Attachment.removed_at.is_(None)
    return list(session.scalars(select(Attachment).where(*given_out).order_by(Attachment.name)))
