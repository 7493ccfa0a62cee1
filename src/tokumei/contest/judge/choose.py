"""The judge of a contest.

    contest = read_contest_folder(folder)
    judge = judge_of(contest, folder)
    judge.check(Upload("A.csv", data)).faults

Takes a moment: reads the data, runs the organiser's Python file, and builds everything the contest
names, so that whatever is wrong with it is told here and not in the middle of a judgement.
"""

from __future__ import annotations

from pathlib import Path

from tokumei.contest.judge.protocol import Judge
from tokumei.contest.spec.model import ContestSpec
from tokumei.files.containers import AnyPath


def judge_of(contest: ContestSpec, folder: AnyPath) -> Judge:
    """The judge for a contest whose files are in a folder."""
    if contest.format == "pws2017":
        from tokumei.contest.judge.periods import PeriodJudge

        return PeriodJudge(contest, Path(folder))
    if contest.format == "pws2018":
        from tokumei.contest.judge.histories import HistoryJudge

        return HistoryJudge(contest, Path(folder))
    from tokumei.contest.judge.tables import TableJudge

    return TableJudge(contest, Path(folder))
