"""Announcements, and questions with answers, private or public.

    post_announcement(context, organiser, "cup", {"en": "The data was corrected.", "ja": "…"})
    question = ask_question(context, viewer, "cup", "May we delete rows?")
    answer_question(context, organiser, "cup", question.id, {"en": "Yes.", "ja": "…"}, public=True)

A question is seen by whoever asked, their team and organisers; answered to all, by everybody,
without a name. What was said stays: an announcement is corrected by another one.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Session

from tokumei.apps.contest.services.contest_state import ContestState, read_contest, update_contest
from tokumei.apps.contest.services.context import AppContext, Viewer
from tokumei.apps.contest.services.permissions import find_team
from tokumei.apps.contest.services.published_releases import team_names
from tokumei.apps.contest.services.validation import clean_text, require_row_id
from tokumei.apps.contest.services.view_models import NoticeView
from tokumei.apps.contest.store.tables import Notice
from tokumei.apps.http.errors import NotFound, TooManyRequests, UnprocessableContent
from tokumei.core.messages import Message

MOST_CHARACTERS = 4000
MOST_QUESTIONS_PER_DAY = 20
MOST_SHOWN = 200


def list_news(context: AppContext, viewer: Viewer, slug: str) -> tuple[NoticeView, ...]:
    """Everything that the viewer may read, the newest first."""
    with read_contest(context, slug) as (session, contest_state):
        query = select(Notice).where(_visible_notices(session, contest_state, viewer))
        rows = session.scalars(query.order_by(Notice.id.desc()).limit(MOST_SHOWN)).all()
        names = team_names(session, contest_state.id) if viewer.organiser else {}
        return tuple(_build_notice_view(row, viewer, names) for row in rows)


def latest_announcement(context: AppContext, viewer: Viewer, slug: str) -> NoticeView | None:
    """The last announcement, for every page; None if there is none."""
    with read_contest(context, slug) as (session, contest_state):
        mine = Notice.contest_id == contest_state.id, Notice.kind == "announcement"
        row = session.scalars(select(Notice).where(*mine).order_by(Notice.id.desc())).first()
        return None if row is None else _build_notice_view(row, viewer, {})


def count_unanswered_questions(context: AppContext, viewer: Viewer, slug: str) -> int:
    """How many questions wait for organisers; 0 to others."""
    if not viewer.organiser:
        return 0
    with read_contest(context, slug) as (session, contest_state):
        open_questions = Notice.kind == "question", Notice.answered_at.is_(None)
        query = select(func.count()).where(Notice.contest_id == contest_state.id, *open_questions)
        return session.scalar(query) or 0


def post_announcement(
    context: AppContext, viewer: Viewer, slug: str, words: Mapping[str, str]
) -> NoticeView:
    """Tell everybody (organisers)."""
    account = viewer.require_organiser()
    texts = _clean_both_languages(words)
    with update_contest(context, viewer, slug) as (session, contest_state, log):
        row = Notice(
            contest_id=contest_state.id,
            kind="announcement",
            by_id=account,
            words=texts,
            at=context.now(),
            public=True,
        )
        session.add(row)
        session.flush()
        log("news.announce", f"notice {row.id}")
        return _build_notice_view(row, viewer, {})


def ask_question(context: AppContext, viewer: Viewer, slug: str, text: str) -> NoticeView:
    """Ask the organisers; one's team sees it too."""
    account = viewer.require_account()
    question = clean_text(text, MOST_CHARACTERS)
    if not question:
        raise UnprocessableContent("write a question")
    with update_contest(context, viewer, slug) as (session, contest_state, log):
        _require_question_quota(context, session, account)
        team = find_team(session, contest_state.id, viewer)
        row = Notice(
            contest_id=contest_state.id,
            kind="question",
            by_id=account,
            team_id=None if team is None else team.id,
            words={"en": question, "ja": question},
            at=context.now(),
        )
        session.add(row)
        session.flush()
        log("news.ask", f"notice {row.id}")
        return _build_notice_view(row, viewer, {})


def answer_question(
    context: AppContext,
    viewer: Viewer,
    slug: str,
    notice_id: int,
    words: Mapping[str, str],
    *,
    public: bool,
) -> NoticeView:
    """Answer a question, to who asked or to all (organisers); again: the answer is corrected."""
    account = viewer.require_organiser()
    texts = _clean_both_languages(words)
    with update_contest(context, viewer, slug) as (session, contest_state, log):
        row = session.get(Notice, require_row_id(notice_id))
        if row is None or row.contest_id != contest_state.id or row.kind != "question":
            raise NotFound("there is no such question")
        row.answer, row.answered_by_id, row.answered_at = texts, account, context.now()
        row.public = public
        log("news.answer", f"notice {row.id}", public=public)
        return _build_notice_view(row, viewer, team_names(session, contest_state.id))


def _visible_notices(
    session: Session, contest_state: ContestState, viewer: Viewer
) -> ColumnElement[bool]:
    of_contest = Notice.contest_id == contest_state.id
    if viewer.organiser:
        return of_contest
    own: ColumnElement[bool] = Notice.by_id == (viewer.account_id or 0)
    team = find_team(session, contest_state.id, viewer)
    if team is not None:
        own = or_(own, Notice.team_id == team.id)
    return of_contest & or_(Notice.public, own)


def _require_question_quota(context: AppContext, session: Session, account: int) -> None:
    since = context.now() - timedelta(days=1)
    recent = Notice.by_id == account, Notice.kind == "question", Notice.at > since
    if (session.scalar(select(func.count()).where(*recent)) or 0) >= MOST_QUESTIONS_PER_DAY:
        raise TooManyRequests(
            "{most} questions a day are enough; ask the next one tomorrow",
            most=MOST_QUESTIONS_PER_DAY,
        )


def _clean_both_languages(words: Mapping[str, str]) -> dict[str, str]:
    """Both languages; where one is empty, the other stands for it."""
    en, ja = (clean_text(words.get(lang, ""), MOST_CHARACTERS) for lang in ("en", "ja"))
    if not (en or ja):
        raise UnprocessableContent("a text is needed", context="a post")
    return {"en": en or ja, "ja": ja or en}


def _build_notice_view(row: Notice, viewer: Viewer, names: Mapping[int, str]) -> NoticeView:
    return NoticeView.of(
        row,
        words=Message.of_texts(row.words),
        answer=None if row.answer is None else Message.of_texts(row.answer),
        mine=row.kind == "question" and row.by_id == viewer.account_id,
        team=names.get(row.team_id or 0),
    )
