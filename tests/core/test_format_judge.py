"""What the bots make keeps the contest's rules, or breaks them as intended."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tokumei.apps.contest.demo import write_demo_contest
from tokumei.apps.contest.judge.contest_judge import ContestJudge, load_judge
from tokumei.apps.contest.judge.results import Upload
from tokumei.apps.contest.spec.folder import read_contest_folder
from tokumei.core.format_judge import BotTeam
from tokumei.pseudonyms.data.period_history import PeriodHistory
from tokumei.pseudonyms.judge.bots import BOT_TEAMS, made_guess, made_release, with_faults


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("contest")


@pytest.fixture(scope="module")
def history(folder: Path) -> PeriodHistory:
    return write_demo_contest(folder, starts=datetime.now(UTC), rows=800, customers=20)


@pytest.fixture(scope="module")
def judge(folder: Path, history: PeriodHistory) -> ContestJudge:
    return load_judge(read_contest_folder(folder), folder)


@pytest.mark.parametrize("team", BOT_TEAMS, ids=lambda team: team.captain)
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


def test_the_careless_upload_breaks_six_rules(history: PeriodHistory, judge: ContestJudge) -> None:
    (careless,) = (team for team in BOT_TEAMS if team.careless)
    made = made_release(history, careless.releases[0], seed=1)
    verdict = judge.check(Upload("A.csv", with_faults(made, history)))
    assert not verdict.accepted
    assert verdict.total >= 6
    assert len({fault.rule for fault in verdict.faults}) >= 6
