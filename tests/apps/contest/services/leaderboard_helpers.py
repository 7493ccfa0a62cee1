"""What the tests split from test_leaderboard share."""

from __future__ import annotations

from datetime import timedelta

from apps.contest.played import START

END = START + timedelta(days=7)
