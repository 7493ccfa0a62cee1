"""The real judge in a process of its own gives the very figures it gives here."""

from __future__ import annotations

import pytest

from support.waiting import HUNG_SECONDS
from tokumei.apps.contest.jobs.judge_process import JudgeProcess
from tokumei.apps.contest.jobs.judge_tasks import Task, run_task
from tokumei.apps.contest.jobs.upload_checker import UploadChecker
from tokumei.apps.contest.judge.contest_judge import load_judge_from_folder
from tokumei.apps.contest.spec.sample_folder import write_sample_contest
from tokumei.core.errors import InputError


@pytest.fixture
def table(tmp_path):
    write_sample_contest(tmp_path / "contest", preset="table", rows=40)
    return tmp_path / "contest"


def test_a_contest_that_cannot_be_used_is_told_without_the_servers_paths(table):
    text = (table / "contest.yaml").read_text().replace('"food"', '"foot"')
    (table / "contest.yaml").write_text(text)
    checker = UploadChecker(table.parent, seconds=2 * HUNG_SECONDS)
    try:
        with pytest.raises(InputError) as told:
            checker.describe_judge(table.name)
    finally:
        checker.close()
    assert "foot" in told.value.message.show("en")
    assert str(table) not in told.value.message.show("en") + told.value.message.show("ja")


@pytest.mark.long
def test_figures_do_not_depend_on_the_process(table, tmp_path):
    """Also when the process has loaded the modules before it forks."""
    upload = table / "X.csv"
    task = Task("judge", str(table), str(upload), "A.csv", out=str(tmp_path / "out"))
    answer, files = run_task(task, load_judge_from_folder(table))
    judging = JudgeProcess()
    try:
        for _ in range(2):
            ended = judging.run(task, wall_seconds=HUNG_SECONDS)
            assert (ended.why, ended.where) == (None, "")
            assert ended.answer == answer
            assert ended.files == files
    finally:
        judging.close()
    assert answer["accepted"]
    assert set(files) == {"public", "truth"}
