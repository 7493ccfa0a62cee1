"""Who organises a contest, and people who left.

    viewer = entering(place, viewer, "cup")          # with the rights that they have there
    add_organiser(place, organiser, "cup", "Aoi")
    close_account(place, viewer, password)           # one's own

An organiser of one contest may do there whatever organisers may, but nothing that concerns the
whole server: new contests, codes and removal of its organisers, accounts. Drafts exist for
organisers alone.
"""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from tokumei.contest.desk.console_views import OrganiserView
from tokumei.contest.desk.membership import team_of
from tokumei.contest.desk.moment import NO_CONTEST, changing, looking, record
from tokumei.contest.desk.names import is_slug, look_alike_key, require_number
from tokumei.contest.desk.passwords import end_sessions, forget_attempts, require_own
from tokumei.contest.desk.place import Place, Viewer
from tokumei.contest.store.database import lock
from tokumei.contest.store.tables import Account, Contest, Member, Organiser, Team
from tokumei.core.text import Text
from tokumei.http.refusals import Conflict, NotFound

NOBODY = ("there is no such account", "そのアカウントはありません")


def entering(place: Place, viewer: Viewer, slug: str) -> Viewer:
    """The viewer with the rights that they have in a contest; NotFound for others' drafts."""
    if not is_slug(slug):
        return viewer
    with place.read() as session:
        row = session.scalars(select(Contest).where(Contest.slug == slug)).one_or_none()
        if row is None:
            return viewer
        role = (row.id, viewer.account_id or 0)
        if not viewer.organiser and session.get(Organiser, role) is not None:
            viewer = replace(viewer, organiser=True, only=slug)
    if row.stage == "draft" and not viewer.organiser:
        raise NotFound(NO_CONTEST)
    return viewer


def organised(session: Session, viewer: Viewer) -> set[int]:
    """The contests that somebody organises by a role of their own."""
    query = select(Organiser.contest_id).where(Organiser.account_id == viewer.account_id)
    return set(session.scalars(query)) if viewer.account_id is not None else set()


def organisers(place: Place, viewer: Viewer, slug: str) -> tuple[OrganiserView, ...]:
    """Those of the server and of this contest, by name (organisers)."""
    viewer.require_organiser()
    with looking(place, slug) as (session, moment):
        roles = select(Organiser.account_id).where(Organiser.contest_id == moment.id)
        query = select(Account).where(Account.organiser | Account.id.in_(roles))
        rows = session.scalars(query.where(~Account.disabled).order_by(Account.name)).all()
    return tuple(
        OrganiserView(
            account_id=row.id, name=row.name, server=row.organiser, me=row.id == viewer.account_id
        )
        for row in rows
    )


def add_organiser(place: Place, viewer: Viewer, slug: str, name: str) -> None:
    """Let an account organise this contest (organisers)."""
    viewer.require_organiser()
    with changing(place, viewer, slug) as (session, moment, log):
        row = _named(session, name)
        other = Viewer(row.id, row.name)
        if row.organiser or session.get(Organiser, (moment.id, row.id)) is not None:
            raise Conflict(
                f"“{row.name}” organises this contest already",
                f"「{row.name}」はすでにこのコンテストの主催者です",
            )
        if team_of(session, moment.id, other) is not None:
            raise Conflict(
                f"“{row.name}” is in a team of this contest; organisers see every upload",
                f"「{row.name}」はこのコンテストのチームに入っています。主催者はすべての提出を"
                "見られるため、兼ねられません",
            )
        session.add(Organiser(contest_id=moment.id, account_id=row.id, at=place.now()))
        log("organiser.add", f"account {row.id}")


def remove_organiser(place: Place, viewer: Viewer, slug: str, account_id: int) -> None:
    """End somebody's role here; one of the server's by another of the server, never the last."""
    viewer.require_organiser()
    with changing(place, viewer, slug) as (session, moment, log):
        lock(session, "accounts")
        row = session.get(Account, require_number(account_id))
        role = None if row is None else session.get(Organiser, (moment.id, row.id))
        if row is None or (role is None and not row.organiser):
            raise NotFound(*NOBODY)
        if role is not None:
            session.delete(role)
        else:
            viewer.require_server()
            _require_another(session, row)
            row.organiser = False
        log("organiser.remove", f"account {row.id}")


def close_account(place: Place, viewer: Viewer, password: str) -> None:
    """Leave: the name is forgotten, nobody can log in; what the team sent stays."""
    account_id = viewer.require_account()
    wrong = Text("the password is wrong", "パスワードが違います")
    require_own(place, account_id, password, wrong)
    with place.write() as session:
        _close(place, session, viewer, session.get_one(Account, account_id))
    forget_attempts(place, name_key=f"#{account_id}")


def close_account_of(place: Place, viewer: Viewer, name: str) -> None:
    """Close somebody's account for them (organisers of the server).

    A captain who is gone can name nobody: the next member, by name, leads the team.
    """
    viewer.require_server()
    with place.write() as session:
        row = _named(session, name)
        for member, team in _crews(session, row):
            session.get_one(Member, (team.id, row.id)).captain = False
            member.captain = True
            record(
                place,
                session,
                viewer,
                "team.captain",
                subject=f"team {team.id}",
                contest_id=team.contest_id,
                account=member.account_id,
            )
        session.flush()
        _close(place, session, viewer, row)


def _close(place: Place, session: Session, viewer: Viewer, row: Account) -> None:
    lock(session, "accounts")
    if row.organiser:
        _require_another(session, row)
    if _crews(session, row):  # a captain whose team goes on
        raise Conflict(
            "a captain names another captain first (page Team)",
            "先に別のメンバーをキャプテンにしてください（チームのページ）",
        )
    session.execute(delete(Organiser).where(Organiser.account_id == row.id))
    end_sessions(place, session, row.id)
    row.name = row.key = f"left-{row.id}"
    row.organiser, row.disabled, row.password = False, True, ""
    record(place, session, viewer, "account.close", subject=f"account {row.id}")


def _crews(session: Session, row: Account) -> list[tuple[Member, Team]]:
    """The teams that somebody leads and that go on without them, each with its next member."""
    led = select(Member.team_id).where(Member.account_id == row.id, Member.captain)
    others = (
        select(Member, Team)
        .join(Account, Account.id == Member.account_id)
        .join(Team, Team.id == Member.team_id)
        .where(Member.team_id.in_(led), Member.account_id != row.id, ~Account.disabled)
        .order_by(Account.name.desc())
    )
    return list({team.id: (member, team) for member, team in session.execute(others)}.values())


def _require_another(session: Session, row: Account) -> None:
    others = select(Account).where(Account.organiser, ~Account.disabled, Account.id != row.id)
    if session.scalars(others).first() is None:
        raise Conflict(
            "the server needs an organiser; make another one first",
            "サーバーには主催者が必要です。先に別の主催者を登録してください",
        )


def _named(session: Session, name: str) -> Account:
    key = look_alike_key(name[:200])[:64]
    row = session.scalars(select(Account).where(Account.key == key)).one_or_none()
    if row is None or row.disabled:
        raise NotFound(*NOBODY)
    return row
