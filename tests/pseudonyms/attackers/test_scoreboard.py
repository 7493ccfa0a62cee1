"""Tests of tokumei.pseudonyms.attackers.scoreboard."""

from __future__ import annotations

from support.small_contests import coarse, contest, release, run
from tokumei.pseudonyms.attackers.scoreboard import ScoreboardAttack
from tokumei.pseudonyms.measures.reidentification import GuessClaims


def test_the_scoreboard_abstains_where_nobody_stands_out():
    rows = contest(seed=9)
    released, known = release(rows), coarse(rows, 0.3)
    bold, _ = run(ScoreboardAttack(), rows, released, known)
    shy, truth = run(ScoreboardAttack(eccentricity=2.0), rows, released, known)
    assert 0 < (shy.table.codes >= 0).sum() < (bold.table.codes >= 0).sum()
    share = [GuessClaims.of_table(guess.table, truth).right.mean() for guess in (shy, bold)]
    assert share[0] > share[1]
