"""Announcements, and questions with answers, private or for all.

    announce(place, organiser, "cup", {"en": "The data was corrected.", "ja": "…"})
    asked = ask(place, viewer, "cup", "May we delete rows?")
    answer(place, organiser, "cup", asked.id, {"en": "Yes.", "ja": "はい。"}, public=True)

A question is seen by whoever asked, their team and organisers; answered to all, by everybody,
without a name. What was said stays: an announcement is corrected by another one.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Session

from tokumei.contest.desk.membership import team_of
from tokumei.contest.desk.moment import Moment, changing, looking
from tokumei.contest.desk.names import clean_text, require_number
from tokumei.contest.desk.place import Place, Viewer
from tokumei.contest.desk.published import team_names
from tokumei.contest.desk.views import NoticeView
from tokumei.contest.store.tables import Notice
from tokumei.core.text import Text
from tokumei.http.refusals import NotFound, TooMany, Wrong

MOST = 4000
MOST_A_DAY = 20
SHOWN = 200


def news(place: Place, viewer: Viewer, slug: str) -> tuple[NoticeView, ...]:
    """Everything that the viewer may read, the newest first."""
    with looking(place, slug) as (session, moment):
        query = select(Notice).where(_visible(session, moment, viewer))
        rows = session.scalars(query.order_by(Notice.id.desc()).limit(SHOWN)).all()
        names = team_names(session, moment.id) if viewer.organiser else {}
        return tuple(_view(row, viewer, names) for row in rows)


def newest(place: Place, viewer: Viewer, slug: str) -> NoticeView | None:
    """The last announcement, for every page; None if there is none."""
    with looking(place, slug) as (session, moment):
        mine = Notice.contest_id == moment.id, Notice.kind == "announcement"
        row = session.scalars(select(Notice).where(*mine).order_by(Notice.id.desc())).first()
        return None if row is None else _view(row, viewer, {})


def unanswered(place: Place, viewer: Viewer, slug: str) -> int:
    """How many questions wait for organisers; 0 to others."""
    if not viewer.organiser:
        return 0
    with looking(place, slug) as (session, moment):
        open_ones = Notice.kind == "question", Notice.answered_at.is_(None)
        query = select(func.count()).where(Notice.contest_id == moment.id, *open_ones)
        return session.scalar(query) or 0


def announce(place: Place, viewer: Viewer, slug: str, words: Mapping[str, str]) -> NoticeView:
    """Tell everybody (organisers)."""
    account = viewer.require_organiser()
    said = _both(words)
    with changing(place, viewer, slug) as (session, moment, log):
        row = Notice(
            contest_id=moment.id,
            kind="announcement",
            by_id=account,
            words=said,
            at=place.now(),
            public=True,
        )
        session.add(row)
        session.flush()
        log("news.announce", f"notice {row.id}")
        return _view(row, viewer, {})


def ask(place: Place, viewer: Viewer, slug: str, text: str) -> NoticeView:
    """Ask the organisers; one's team sees it too."""
    account = viewer.require_account()
    said = clean_text(text, MOST)
    if not said:
        raise Wrong("a question needs words", "質問を書いてください")
    with changing(place, viewer, slug) as (session, moment, log):
        _require_patience(place, session, account)
        team = team_of(session, moment.id, viewer)
        row = Notice(
            contest_id=moment.id,
            kind="question",
            by_id=account,
            team_id=None if team is None else team.id,
            words={"en": said, "ja": said},
            at=place.now(),
        )
        session.add(row)
        session.flush()
        log("news.ask", f"notice {row.id}")
        return _view(row, viewer, {})


def answer(
    place: Place,
    viewer: Viewer,
    slug: str,
    notice_id: int,
    words: Mapping[str, str],
    *,
    public: bool,
) -> NoticeView:
    """Answer a question, to who asked or to all (organisers); again: the answer is corrected."""
    account = viewer.require_organiser()
    said = _both(words)
    with changing(place, viewer, slug) as (session, moment, log):
        row = session.get(Notice, require_number(notice_id))
        if row is None or row.contest_id != moment.id or row.kind != "question":
            raise NotFound("there is no such question", "その質問はありません")
        row.answer, row.answered_by_id, row.answered_at = said, account, place.now()
        row.public = public
        log("news.answer", f"notice {row.id}", public=public)
        return _view(row, viewer, team_names(session, moment.id))


def _visible(session: Session, moment: Moment, viewer: Viewer) -> ColumnElement[bool]:
    ours = Notice.contest_id == moment.id
    if viewer.organiser:
        return ours
    own: ColumnElement[bool] = Notice.by_id == (viewer.account_id or 0)
    team = team_of(session, moment.id, viewer)
    if team is not None:
        own = or_(own, Notice.team_id == team.id)
    return ours & or_(Notice.public, own)


def _require_patience(place: Place, session: Session, account: int) -> None:
    since = place.now() - timedelta(days=1)
    recent = Notice.by_id == account, Notice.kind == "question", Notice.at > since
    if (session.scalar(select(func.count()).where(*recent)) or 0) >= MOST_A_DAY:
        raise TooMany(
            f"{MOST_A_DAY} questions a day are enough; ask the next one tomorrow",
            f"質問は 1 日 {MOST_A_DAY} 件までです。次は明日お願いします",
        )


def _both(words: Mapping[str, str]) -> dict[str, str]:
    """Both languages; where one is empty, the other stands for it."""
    en, ja = (clean_text(words.get(lang, ""), MOST) for lang in ("en", "ja"))
    if not (en or ja):
        raise Wrong("a text is needed", "本文を書いてください")
    return {"en": en or ja, "ja": ja or en}


def _view(row: Notice, viewer: Viewer, names: Mapping[int, str]) -> NoticeView:
    return NoticeView.of(
        row,
        words=Text(**row.words),
        answer=None if row.answer is None else Text(**row.answer),
        mine=row.kind == "question" and row.by_id == viewer.account_id,
        team=names.get(row.team_id or 0),
    )
