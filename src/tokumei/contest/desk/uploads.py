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

from sqlalchemy.orm import Session

from tokumei.contest.desk.entry_rows import beside, entry_view
from tokumei.contest.desk.entry_views import EntryView
from tokumei.contest.desk.membership import require_playing, require_team
from tokumei.contest.desk.moment import Moment, looking, moment_of
from tokumei.contest.desk.names import clean_line
from tokumei.contest.desk.place import Place, Viewer
from tokumei.contest.desk.published import NO_TARGET, require_target
from tokumei.contest.desk.quotas import require_quota
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


def may_upload(
    place: Place, viewer: Viewer, slug: str, *, target: str | None = None, key: str | None = None
) -> int:
    """How many bytes may come; refuses before a body is read what would be refused anyhow."""
    with place.read() as session:
        moment, team = _require_rights(place, session, viewer, slug, target)
        entry_id = None if key is None else _id_of_key(place, team, target, key)
        if entry_id is None or session.get(Entry, entry_id) is None:
            moment.require_open(_kind(target))
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
    return _upload(place, viewer, slug, received, target=None, label=label, key=key)


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
    try:
        one = _one_file(place, viewer, slug, target, received)
    except TokumeiError:
        for file in received:
            file.discard()
        raise
    return _upload(place, viewer, slug, one, target=target, label=label, key=key)


def _upload(
    place: Place,
    viewer: Viewer,
    slug: str,
    received: Received,
    *,
    target: str | None,
    label: str,
    key: str | None,
) -> EntryView:
    try:
        entry_id, notes = _taken(place, viewer, slug, received, target, label, key)
    except TokumeiError:
        received.discard()
        raise
    with looking(place, slug) as (session, moment):
        entry = session.get_one(Entry, entry_id)
        return entry_view(beside(session, moment, viewer), entry, notes=notes)


def _taken(
    place: Place,
    viewer: Viewer,
    slug: str,
    received: Received,
    target: str | None,
    label: str,
    key: str | None,
) -> tuple[str, list[Text]]:
    """Quotas, then the check, then in one transaction quotas again, the entry and its job."""
    shown = clean_line(label, MOST_LABEL)
    with place.read() as session:
        moment, team = _require_rights(place, session, viewer, slug, target)
        entry_id = received.id if key is None else _id_of_key(place, team, target, key)
        before = session.get(Entry, entry_id)
        if before is not None:
            return entry_id, _same_again(received, before)
        moment.require_open(_kind(target), aware(received.at))
        require_quota(session, moment, team, target=target)
    with place.checking(team.id):
        checked = _check(place, moment, team, received, target)
    costs = checked is None or checked.accepted
    with place.write() as session:
        lock(session, f"team:{team.id}")
        before = session.get(Entry, entry_id)
        if before is not None:
            return entry_id, _same_again(received, before)
        moment, team = _require_rights(place, session, viewer, slug, target)
        moment.require_open(_kind(target), aware(received.at))
        require_quota(session, moment, team, target=target, costs=costs)
        notes = same_bytes(session, team, received.sha256)
        entry = {"entry_id": entry_id, "label": shown}
        take(place, session, viewer, team, received, checked, target=target, **entry)
    return entry_id, notes


def _same_again(received: Received, before: Entry) -> list[Text]:
    if before.sha256 != received.sha256:
        raise Conflict(
            "this idempotency key was used for another file",
            "この冪等キーは別のファイルに使われています",
        )
    received.discard()
    return [Text("already accepted with the same key", "同じキーで受け付け済みです")]


def _require_rights(
    place: Place, session: Session, viewer: Viewer, slug: str, target: str | None
) -> tuple[Moment, Team]:
    moment = moment_of(place, session, slug)
    team = require_team(session, moment, viewer)
    require_playing(team)
    if target is not None and require_target(session, moment, target).team_id == team.id:
        raise NotAllowed("this is your own team's release", "自分のチームのデータは攻撃できません")
    return moment, team


def _check(
    place: Place, moment: Moment, team: Team, received: Received, target: str | None
) -> Checked | None:
    """Whether the rules are kept; None if that could not be found out in time."""
    folder = place.judge_folder(moment.row)
    if target is None:
        return place.checker.check(folder, received.path, received.name, team=team.id)
    with place.read() as session:
        public = session.get_one(Entry, target).public_sha256
    if public is None:
        raise NotFound(NO_TARGET)
    path = place.home.files.path(public)
    return place.checker.check_guess(folder, path, received.path, received.name, team=team.id)


def _one_file(
    place: Place, viewer: Viewer, slug: str, target: str, received: Sequence[Received]
) -> Received:
    """The guess as one file; several are packed, if they are just the guess files."""
    if len(received) == 1:
        return received[0]
    with place.read() as session:
        moment, _ = _require_rights(place, session, viewer, slug, target)
    wanted = place.described(place.judge_folder(moment.row), moment.row.judge_version).guess_files
    if sorted(file.name for file in received) != sorted(wanted):
        names = ", ".join(wanted)
        raise Wrong(
            f"send one file (several guess files as one zip), or exactly these: {names}",
            f"一つのファイル (複数なら zip) か、次のファイルを送ってください: {names}",
        )
    most = moment.spec.quotas.megabytes * MEGABYTE
    return pack(place, sorted(received, key=lambda file: file.name), most_bytes=most)


def _kind(target: str | None) -> Kind:
    return Kind.ANONYMIZE if target is None else Kind.ATTACK


def _id_of_key(place: Place, team: Team, target: str | None, key: str) -> str:
    """The entry's id for an idempotency key: the same again, and nobody can guess it."""
    told = f"{team.id}\0{target}\0{key}".encode("utf-8", "surrogatepass")
    return hmac.new(place.key, told, hashlib.sha256).hexdigest()[:20]
