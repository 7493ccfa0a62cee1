"""A restored server shows the very leaderboard and matrix, from either database."""

from __future__ import annotations

from sqlalchemy import select

from contest.played import ATTACKING, OVER, SLUG, Played
from tokumei.contest.desk.board import leaderboard, matrix, points
from tokumei.contest.desk.place import VISITOR, open_place
from tokumei.contest.store.backup import back_up
from tokumei.contest.store.home import settings_of
from tokumei.contest.store.restore import restore
from tokumei.contest.store.tables import Entry


def boards(place) -> list[object]:
    return [
        view.as_json() for view in (leaderboard(place, VISITOR, SLUG), matrix(place, VISITOR, SLUG))
    ] + list(points(place, VISITOR, SLUG))


def keep_truths(played: Played) -> None:
    """What a worker keeps of accepted releases; these were never judged for real."""
    vault = played.place.home.vault()
    with played.place.read() as session:
        for entry_id in session.scalars(select(Entry.id).where(Entry.public_sha256.is_not(None))):
            vault.keep_truth(entry_id, b"truth")
            vault.salts(entry_id)


def test_the_boards_are_the_same(sqlite_home, postgres, tmp_path):
    played = Played.make(sqlite_home, tmp_path)
    keep_truths(played)
    back_up(sqlite_home, tmp_path / "b.zip")
    elsewhere = postgres.new_database()
    for number, url in enumerate((None, elsewhere)):
        home = tmp_path / f"new-{number}"
        restore(tmp_path / "b.zip", home, database=url)
        place = open_place(home, settings=settings_of(home, database=url), clock=played.clock)
        for moment in (ATTACKING, OVER):
            played.clock.to(moment)
            assert boards(place) == boards(played.place)
            assert boards(place)[0]["rows"]
        place.close()
    played.place.close()
