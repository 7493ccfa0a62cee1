"""What the bots make keeps the contest's rules, or breaks them as intended."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from core.format_judge_fixtures import folder as folder
from core.format_judge_fixtures import history as history
from core.format_judge_fixtures import judge as judge
from tokumei.apps.contest.judge.contest_judge import ContestJudge
from tokumei.apps.contest.judge.results import Upload
from tokumei.core.format_judge import BotTeam
from tokumei.pseudonyms.data.period_history import PeriodHistory
from tokumei.pseudonyms.judge.bots import TEAMS, made_guess, made_release


@pytest.mark.parametrize("team", TEAMS, ids=lambda team: team.captain)
def test_releases_keep_the_rules_and_can_be_attacked(
    team: BotTeam, history: PeriodHistory, judge: ContestJudge, folder: Path, tmp_path: Path
) -> None:
    for parameters in team.releases:
        data = made_release(history, parameters, seed=1)
        assert judge.check(Upload("A.csv", data)).accepted
    verdict = judge.judge(Upload("A.csv", data))
    assert verdict.public is not None
    assert verdict.truth is not None
    (tmp_path / "S.csv").write_bytes(verdict.public)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in judge.guess_files():
            guess = made_guess(folder, tmp_path / "S.csv", name=name, method=team.attack, seed=1)
            archive.writestr(name, guess)
    scored = judge.score(verdict.public, verdict.truth, Upload("guess.zip", packed.getvalue()))
    assert scored.accepted
    assert scored.card.safety is not None
    assert 0 <= scored.card.safety <= 1
