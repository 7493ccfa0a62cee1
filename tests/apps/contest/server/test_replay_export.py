"""Tests of tokumei.apps.contest.server.replay_export."""

from __future__ import annotations

import shutil
import zipfile

from apps.contest.played import OVER, Played
from apps.contest.replay_helpers import exported
from tokumei.apps.contest.server.replay_export import replay_export


def test_the_board_is_the_same_from_either_database(home, tmp_path):
    played = Played.make(home, tmp_path)
    played.clock.to(OVER)
    path = exported(played, tmp_path / "elsewhere")
    played.close()
    shutil.rmtree(played.place.home.path)
    found = replay_export(path)
    assert found.differences == []
    assert found.judged is None
    ranked = found.rows("leaderboard")
    assert [row[1] for row in ranked[1:]] == ["Bees", "Ants"]
    with zipfile.ZipFile(path) as archive:
        for name, text in found.board.items():
            assert archive.read(f"{name}.csv").decode() == text
