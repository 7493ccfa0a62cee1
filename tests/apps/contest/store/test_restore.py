"""A restored server shows the very leaderboard and matrix, from either database."""

from __future__ import annotations

from sqlalchemy import select

from apps.contest.played import ATTACKING, OVER, SLUG, Played
from tokumei.apps.contest.services.context import VISITOR, open_app_context
from tokumei.apps.contest.services.leaderboard import (
    build_attack_matrix,
    build_leaderboard,
    list_score_points,
)
from tokumei.apps.contest.store.backup import write_backup
from tokumei.apps.contest.store.restore import restore_backup
from tokumei.apps.contest.store.server_home import load_settings
from tokumei.apps.contest.store.tables import ContestEntry


def boards(place) -> list[object]:
    return [
        view.as_json()
        for view in (
            build_leaderboard(place, VISITOR, SLUG),
            build_attack_matrix(place, VISITOR, SLUG),
        )
    ] + list(list_score_points(place, VISITOR, SLUG))


def keep_truths(played: Played) -> None:
    """What a worker keeps of accepted releases; these were never judged for real."""
    vault = played.place.home.vault()
    with played.place.read() as session:
        for entry_id in session.scalars(
            select(ContestEntry.id).where(ContestEntry.public_sha256.is_not(None))
        ):
            vault.keep_truth(entry_id, b"truth")
            vault.salts(entry_id)


def test_the_boards_are_the_same(sqlite_home, postgres, tmp_path):
    played = Played.make(sqlite_home, tmp_path)
    keep_truths(played)
    write_backup(sqlite_home, tmp_path / "b.zip")
    elsewhere = postgres.new_database()
    for number, url in enumerate((None, elsewhere)):
        home = tmp_path / f"new-{number}"
        restore_backup(tmp_path / "b.zip", home, database=url)
        place = open_app_context(
            home, settings=load_settings(home, database=url), clock=played.clock
        )
        for moment in (ATTACKING, OVER):
            played.clock.to(moment)
            assert boards(place) == boards(played.place)
            assert boards(place)[0]["rows"]
        place.close()
    played.place.close()
