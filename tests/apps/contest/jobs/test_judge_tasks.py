"""Tests of tokumei.apps.contest.jobs.judge_tasks."""

from __future__ import annotations

from apps.contest.jobs.judge_process_samples import task
from support.waiting import HUNG_SECONDS


def test_where_it_was_thrown_is_told_without_its_message(judging, tmp_path):
    ended = judging.run(task(tmp_path, "raise"), wall_seconds=HUNG_SECONDS)
    assert ended.where.startswith("ValueError at obedient_judge.py:")
    assert "misbehave" in ended.where
