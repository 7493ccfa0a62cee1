"""Small generated contests with their judges."""

from __future__ import annotations

from apps.contest.judge.judge_fixtures import histories as histories
from apps.contest.judge.judge_fixtures import periods as periods
from apps.contest.judge.judge_fixtures import tables as tables
