"""What the tests split from test_judge_process share."""

from __future__ import annotations

from pathlib import Path

from support.waiting import HUNG_SECONDS
from tokumei.apps.contest.jobs.judge_tasks import Task


def task(tmp_path: Path, content: str, **more) -> Task:
    (tmp_path / "upload").write_text(content)
    given = {
        "megabytes": 1024,
        "cpu_seconds": int(HUNG_SECONDS),
        "out": str(tmp_path / "out"),
        **more,
    }
    return Task("judge", str(tmp_path), str(tmp_path / "upload"), "A.csv", **given)
