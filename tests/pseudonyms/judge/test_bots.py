"""Tests of tokumei.pseudonyms.judge.bots."""

from __future__ import annotations

from core.format_judge_fixtures import folder as folder
from core.format_judge_fixtures import history as history
from core.format_judge_fixtures import judge as judge
from tokumei.apps.contest.judge.contest_judge import ContestJudge
from tokumei.apps.contest.judge.results import Upload
from tokumei.pseudonyms.data.period_history import PeriodHistory
from tokumei.pseudonyms.judge.bots import TEAMS, made_release, with_faults


def test_the_careless_upload_breaks_six_rules(history: PeriodHistory, judge: ContestJudge) -> None:
    (careless,) = (team for team in TEAMS if team.careless)
    made = made_release(history, careless.releases[0], seed=1)
    verdict = judge.check(Upload("A.csv", with_faults(made, history)))
    assert not verdict.accepted
    assert verdict.total >= 6
    assert len({fault.rule for fault in verdict.faults}) >= 6
