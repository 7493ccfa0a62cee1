"""Accepts uploads of releases and attacks.

    most = allowed_upload_bytes(place, viewer, "cup")                  # before the body is read
    received = receive_file(place, stream, "A.csv", most_bytes=most)
    submit(place, viewer, "cup", received, label="k = 5")

`received` files lie in the home's inbox already. The deadline holds for the last byte.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from sqlalchemy.orm import Session

from tokumei.apps.contest.jobs.upload_checker import RuleCheckResult
from tokumei.apps.contest.services.contest_state import (
    ContestState,
    load_contest_state,
    read_contest,
)
from tokumei.apps.contest.services.context import AppContext, Viewer
from tokumei.apps.contest.services.entry_view_builder import build_entry_view, load_entry_context
from tokumei.apps.contest.services.entry_views import EntryView
from tokumei.apps.contest.services.permissions import (
    require_not_banned,
    require_quota,
    require_team,
)
from tokumei.apps.contest.services.published_releases import NO_TARGET, require_target
from tokumei.apps.contest.services.upload_intake import (
    ReceivedFile,
    create_entry,
    duplicate_upload_notes,
    pack_files,
)
from tokumei.apps.contest.services.validation import clean_line
from tokumei.apps.contest.spec.model import PhaseType
from tokumei.apps.contest.store.database import lock_subject, to_aware_utc
from tokumei.apps.contest.store.tables import ContestEntry, Team
from tokumei.apps.http.errors import Conflict, Forbidden, NotFound, UnprocessableContent
from tokumei.core.errors import TokumeiError
from tokumei.core.messages import Message

MOST_LABEL = 100
MEGABYTE = 1 << 20


@dataclass(frozen=True)
class _UploadRequest:
    """Something sent by somebody: a release, or with a `target` an attack on that."""

    place: AppContext
    viewer: Viewer
    slug: str
    target: str | None
    key: str | None = None
    label: str = ""

    @property
    def kind(self) -> PhaseType:
        return PhaseType.ANONYMIZE if self.target is None else PhaseType.ATTACK

    def require_rights(self, session: Session) -> tuple[ContestState, Team]:
        """The contest and the team; refuses who may not send this."""
        contest_state = load_contest_state(self.place, session, self.slug)
        team = require_team(session, contest_state, self.viewer)
        require_not_banned(team)
        target = self.target
        if target is not None and require_target(session, contest_state, target).team_id == team.id:
            own = Message("this is your own team's release")
            raise Forbidden(own)
        return contest_state, team

    def entry_id_for_key(self, team: Team) -> str | None:
        """The entry's id for an idempotency key: the same again, and nobody can guess it."""
        if self.key is None:
            return None
        payload = f"{team.id}\0{self.target}\0{self.key}".encode("utf-8", "surrogatepass")
        return hmac.new(self.place.key, payload, hashlib.sha256).hexdigest()[:20]

    def enter_upload(self, received: ReceivedFile) -> EntryView:
        """The entry of a file; refused, nothing is left of that."""
        try:
            entry_id, notes = self._store_entry(received)
        except TokumeiError:
            received.discard()
            raise
        with read_contest(self.place, self.slug) as (session, contest_state):
            entry = session.get_one(ContestEntry, entry_id)
            return build_entry_view(
                load_entry_context(session, contest_state, self.viewer), entry, notes=notes
            )

    def _store_entry(self, received: ReceivedFile) -> tuple[str, list[Message]]:
        """Quotas, then the check, then in one transaction quotas again, the entry and its job."""
        context, at = self.place, to_aware_utc(received.at)
        clean_label = clean_line(self.label, MOST_LABEL)
        with context.read() as session:
            contest_state, team = self.require_rights(session)
            entry_id = self.entry_id_for_key(team) or received.id
            before = session.get(ContestEntry, entry_id)
            if before is not None:
                return entry_id, _require_same_file(received, before)
            contest_state.require_open(self.kind, at)
            require_quota(session, contest_state, team, target=self.target)
        with context.hold_check_slot(team.id):
            checked = self._check_rules(contest_state, team, received)
        costs = checked is None or checked.accepted
        with context.write() as session:
            lock_subject(session, f"team:{team.id}")
            before = session.get(ContestEntry, entry_id)
            if before is not None:
                return entry_id, _require_same_file(received, before)
            contest_state, team = self.require_rights(session)
            contest_state.require_open(self.kind, at)
            require_quota(session, contest_state, team, target=self.target, costs=costs)
            notes = duplicate_upload_notes(session, team, received.sha256)
            entry_arguments = (context, session, self.viewer, team, received, checked)
            create_entry(*entry_arguments, entry_id=entry_id, target=self.target, label=clean_label)
        return entry_id, notes

    def _check_rules(
        self, contest_state: ContestState, team: Team, received: ReceivedFile
    ) -> RuleCheckResult | None:
        """Whether the rules are kept; None if that could not be found out in time."""
        context, public = self.place, None
        if self.target is not None:
            with context.read() as session:
                sha256 = session.get_one(ContestEntry, self.target).public_sha256
            if sha256 is None:
                raise NotFound(NO_TARGET)
            public = context.home.files.path(sha256)
        upload = context.judge_folder(contest_state.row), received.path, received.name
        return context.checker.check(*upload, public=public, team=team.id)

    def merge_guess_files(self, received: Sequence[ReceivedFile]) -> ReceivedFile:
        """The guess as one file; several are packed, if they are just the guess files."""
        if len(received) == 1:
            return received[0]
        with self.place.read() as session:
            contest_state, _ = self.require_rights(session)
        folder = self.place.judge_folder(contest_state.row)
        expected_files = self.place.judge_description(
            folder, contest_state.row.judge_version
        ).guess_files
        if sorted(file.name for file in received) != sorted(expected_files):
            names = ", ".join(expected_files)
            raise UnprocessableContent(
                "send one file (several guess files as one zip), or exactly these: {names}",
                names=names,
            )
        most = contest_state.spec.quotas.megabytes * MEGABYTE
        return pack_files(self.place, sorted(received, key=attrgetter("name")), most_bytes=most)


def allowed_upload_bytes(
    context: AppContext,
    viewer: Viewer,
    slug: str,
    *,
    target: str | None = None,
    key: str | None = None,
) -> int:
    """How many bytes may come; refuses before a body is read what would be refused anyhow."""
    upload = _UploadRequest(context, viewer, slug, target, key)
    with context.read() as session:
        contest_state, team = upload.require_rights(session)
        entry_id = upload.entry_id_for_key(team)
        if entry_id is None or session.get(ContestEntry, entry_id) is None:
            contest_state.require_open(upload.kind)
            require_quota(session, contest_state, team, target=target)
            context.require_check_slot(team.id)
        return contest_state.spec.quotas.megabytes * MEGABYTE


def submit_release(
    context: AppContext,
    viewer: Viewer,
    slug: str,
    received: ReceivedFile,
    *,
    label: str = "",
    key: str | None = None,
) -> EntryView:
    """Take a release. The same `key` again gives the same entry, taken once."""
    return _UploadRequest(context, viewer, slug, None, key, label).enter_upload(received)


def submit_attack(
    context: AppContext,
    viewer: Viewer,
    slug: str,
    target: str,
    received: Sequence[ReceivedFile],
    *,
    label: str = "",
    key: str | None = None,
) -> EntryView:
    """Take an attack: one file (for several guess files a zip), or all guess files by name."""
    upload = _UploadRequest(context, viewer, slug, target, key, label)
    try:
        merged_file = upload.merge_guess_files(received)
    except TokumeiError:
        for file in received:
            file.discard()
        raise
    return upload.enter_upload(merged_file)


def _require_same_file(received: ReceivedFile, before: ContestEntry) -> list[Message]:
    if before.sha256 != received.sha256:
        raise Conflict("this idempotency key was used for another file")
    received.discard()
    return [Message("the file was already accepted with the same key")]
