"""Uploads: releases and attacks.

    most = may_upload(place, viewer, "cup")                  # before the body is read
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

from tokumei.contest.desk.entry_rows import beside, entry_view
from tokumei.contest.desk.entry_views import EntryView
from tokumei.contest.desk.membership import require_playing, require_quota, require_team
from tokumei.contest.desk.moment import Moment, looking, moment_of
from tokumei.contest.desk.names import clean_line
from tokumei.contest.desk.place import Place, Viewer
from tokumei.contest.desk.published import NO_TARGET, require_target
from tokumei.contest.desk.receiving import Received, pack, same_bytes, take
from tokumei.contest.jobs.checker import Checked
from tokumei.contest.spec.model import Kind
from tokumei.contest.store.database import aware, lock
from tokumei.contest.store.tables import Entry, Team
from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text
from tokumei.http.refusals import Conflict, NotAllowed, NotFound, Wrong

MOST_LABEL = 100
MEGABYTE = 1 << 20


@dataclass(frozen=True)
class _Upload:
    """Something sent by somebody: a release, or with a `target` an attack on that."""

    place: Place
    viewer: Viewer
    slug: str
    target: str | None
    key: str | None = None
    label: str = ""

    @property
    def kind(self) -> Kind:
        return Kind.ANONYMIZE if self.target is None else Kind.ATTACK

    def rights(self, session: Session) -> tuple[Moment, Team]:
        """The contest and the team; refuses who may not send this."""
        moment = moment_of(self.place, session, self.slug)
        team = require_team(session, moment, self.viewer)
        require_playing(team)
        target = self.target
        if target is not None and require_target(session, moment, target).team_id == team.id:
            own = Text("this is your own team's release", "自分のチームのデータは攻撃できません")
            raise NotAllowed(own)
        return moment, team

    def id_of_key(self, team: Team) -> str | None:
        """The entry's id for an idempotency key: the same again, and nobody can guess it."""
        if self.key is None:
            return None
        told = f"{team.id}\0{self.target}\0{self.key}".encode("utf-8", "surrogatepass")
        return hmac.new(self.place.key, told, hashlib.sha256).hexdigest()[:20]

    def entered(self, received: Received) -> EntryView:
        """The entry of a file; refused, nothing is left of that."""
        try:
            entry_id, notes = self._taken(received)
        except TokumeiError:
            received.discard()
            raise
        with looking(self.place, self.slug) as (session, moment):
            entry = session.get_one(Entry, entry_id)
            return entry_view(beside(session, moment, self.viewer), entry, notes=notes)

    def _taken(self, received: Received) -> tuple[str, list[Text]]:
        """Quotas, then the check, then in one transaction quotas again, the entry and its job."""
        place, at = self.place, aware(received.at)
        shown = clean_line(self.label, MOST_LABEL)
        with place.read() as session:
            moment, team = self.rights(session)
            entry_id = self.id_of_key(team) or received.id
            before = session.get(Entry, entry_id)
            if before is not None:
                return entry_id, _same_again(received, before)
            moment.require_open(self.kind, at)
            require_quota(session, moment, team, target=self.target)
        with place.checking(team.id):
            checked = self._check(moment, team, received)
        costs = checked is None or checked.accepted
        with place.write() as session:
            lock(session, f"team:{team.id}")
            before = session.get(Entry, entry_id)
            if before is not None:
                return entry_id, _same_again(received, before)
            moment, team = self.rights(session)
            moment.require_open(self.kind, at)
            require_quota(session, moment, team, target=self.target, costs=costs)
            notes = same_bytes(session, team, received.sha256)
            held = (place, session, self.viewer, team, received, checked)
            take(*held, entry_id=entry_id, target=self.target, label=shown)
        return entry_id, notes

    def _check(self, moment: Moment, team: Team, received: Received) -> Checked | None:
        """Whether the rules are kept; None if that could not be found out in time."""
        place, public = self.place, None
        if self.target is not None:
            with place.read() as session:
                sha256 = session.get_one(Entry, self.target).public_sha256
            if sha256 is None:
                raise NotFound(NO_TARGET)
            public = place.home.files.path(sha256)
        upload = place.judge_folder(moment.row), received.path, received.name
        return place.checker.check(*upload, public=public, team=team.id)

    def one_file(self, received: Sequence[Received]) -> Received:
        """The guess as one file; several are packed, if they are just the guess files."""
        if len(received) == 1:
            return received[0]
        with self.place.read() as session:
            moment, _ = self.rights(session)
        folder = self.place.judge_folder(moment.row)
        wanted = self.place.described(folder, moment.row.judge_version).guess_files
        if sorted(file.name for file in received) != sorted(wanted):
            names = ", ".join(wanted)
            raise Wrong(
                f"send one file (several guess files as one zip), or exactly these: {names}",
                f"一つのファイル (複数なら zip) か、次のファイルを送ってください: {names}",
            )
        most = moment.spec.quotas.megabytes * MEGABYTE
        return pack(self.place, sorted(received, key=attrgetter("name")), most_bytes=most)


def may_upload(
    place: Place, viewer: Viewer, slug: str, *, target: str | None = None, key: str | None = None
) -> int:
    """How many bytes may come; refuses before a body is read what would be refused anyhow."""
    upload = _Upload(place, viewer, slug, target, key)
    with place.read() as session:
        moment, team = upload.rights(session)
        entry_id = upload.id_of_key(team)
        if entry_id is None or session.get(Entry, entry_id) is None:
            moment.require_open(upload.kind)
            require_quota(session, moment, team, target=target)
            place.require_room(team.id)
        return moment.spec.quotas.megabytes * MEGABYTE


def submit(
    place: Place,
    viewer: Viewer,
    slug: str,
    received: Received,
    *,
    label: str = "",
    key: str | None = None,
) -> EntryView:
    """Take a release. The same `key` again gives the same entry, taken once."""
    return _Upload(place, viewer, slug, None, key, label).entered(received)


def attack(
    place: Place,
    viewer: Viewer,
    slug: str,
    target: str,
    received: Sequence[Received],
    *,
    label: str = "",
    key: str | None = None,
) -> EntryView:
    """Take an attack: one file (for several guess files a zip), or all guess files by name."""
    upload = _Upload(place, viewer, slug, target, key, label)
    try:
        one = upload.one_file(received)
    except TokumeiError:
        for file in received:
            file.discard()
        raise
    return upload.entered(one)


def _same_again(received: Received, before: Entry) -> list[Text]:
    if before.sha256 != received.sha256:
        raise Conflict(
            "this idempotency key was used for another file",
            "この冪等キーは別のファイルに使われています",
        )
    received.discard()
    return [Text("already accepted with the same key", "同じキーで受け付け済みです")]
