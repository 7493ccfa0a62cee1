"""The judge of a contest.

    contest = read_contest_folder(folder)
    judge = judge_of(contest, folder)
    judge.check(Upload("A.csv", data)).faults

Takes a moment: reads the data, runs the organiser's Python file, and builds everything the contest
names, so that whatever is wrong with it is told here and not in the middle of a judgement.
"""

from __future__ import annotations

from pathlib import Path

from tokumei.contest.judge.contest_judge import ContestJudge
from tokumei.contest.spec.model import ContestSpec
from tokumei.files.containers import AnyPath


def judge_of(contest: ContestSpec, folder: AnyPath) -> ContestJudge:
    """The judge for a contest whose files are in a folder."""
    return ContestJudge(contest, Path(folder))
