"""The judge on a participant's machine, where the files of `secret_data` are not.

    home = judge_at_home("spring", guess=False)
    home.judge, home.withheld                        # withheld: ("known-0.25",)

Without what attackers know (`known-…`) a release gets no safety and no total; its rules and its
utility are those of the server, and so is everything about a guess. Without the original or the
master nothing can be checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tokumei.contest.judge.choose import judge_of
from tokumei.contest.judge.protocol import Judge
from tokumei.contest.spec.data_files import needed_keys, withheld_keys
from tokumei.contest.spec.folder import contest_folder, read_contest_folder
from tokumei.contest.spec.model import ContestSpec
from tokumei.core.errors import InputError
from tokumei.core.text import Text
from tokumei.files.containers import AnyPath


@dataclass(frozen=True)
class HomeJudge:
    """A judge, and the keys of the data that it does without."""

    judge: Judge
    withheld: tuple[str, ...] = ()

    @property
    def remark(self) -> Text | None:
        """What cannot be told here, and what can."""
        if not self.withheld:
            return None
        listed = ", ".join(self.withheld)
        return Text(
            f"the organiser keeps {listed} secret: rules and utility are those of the server, and "
            "so are guesses; safety and total of a release are shown after the upload",
            f"主催者は {listed} を公開していません。規則の検査と有用性、推定の検査と採点は"
            "サーバーと同じです。匿名加工データの安全性と総合点は提出後に分かります",
        )


def judge_at_home(path: AnyPath, *, guess: bool) -> HomeJudge:
    """The judge of a contest for guesses, or for releases, with the files that are there."""
    contest, folder = read_contest_folder(path, at_home=True), contest_folder(path)
    withheld = withheld_keys(contest, folder)
    if not withheld:
        return HomeJudge(judge_of(contest, folder))
    _require_needed(contest, withheld)
    data = {key: name for key, name in contest.data.items() if key not in withheld}
    changed: dict[str, Any] = {"data": data}
    if not guess:
        changed["knowledge"] = ()
    return HomeJudge(judge_of(contest.model_copy(update=changed), folder), withheld)


def _require_needed(contest: ContestSpec, withheld: Sequence[str]) -> None:
    lacking = ", ".join(key for key in needed_keys(contest) if key in withheld)
    if lacking:
        raise InputError(
            f"contest.yaml has no fault, but the organiser keeps {lacking} secret, and neither "
            "a release nor a guess can be checked without it: upload your file, and the "
            "server will list every violation",
            f"contest.yaml に誤りはありませんが、主催者が {lacking} を公開していないため、"
            "匿名加工データも推定も手元では検査できません。提出すると、サーバーが違反を"
            "すべて示します",
        )
