"""The judge of a contest's folder; tests hand the judging process another function."""

from __future__ import annotations

from pathlib import Path

from tokumei.contest.judge.choose import judge_of
from tokumei.contest.judge.protocol import Judge
from tokumei.contest.spec.folder import read_contest_folder


def judge_of_folder(folder: Path) -> Judge:
    """The judge that a contest's folder describes."""
    return judge_of(read_contest_folder(folder), folder)
