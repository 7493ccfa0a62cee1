"""The judge of a contest: read, check, then score.

    judge = judge_of(read_contest_folder(folder), folder)
    judge.check(Upload("A.csv", data)).faults

Takes a moment: reads the data, runs the organiser's Python file, and builds everything the contest
names, so that whatever is wrong with it is told here and not in the middle of a judgement. What
depends on the format is asked of the format's own judge, which its kind of data brings
(`core/judging.py`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any

from tokumei.contest.judge.protocol import Scorecard, Upload, Verdict
from tokumei.contest.judge.scoring import (
    built_attacks,
    built_measures,
    chosen,
    scorecard,
    toolbox_of,
)
from tokumei.contest.judge.sketches import sketch_of
from tokumei.contest.judge.uploads import Limit, upload_texts
from tokumei.contest.spec.folder import (
    contest_folder,
    judge_version,
    needed_keys,
    read_contest_folder,
    terms_of,
    withheld_keys,
)
from tokumei.contest.spec.formats import contest_format
from tokumei.contest.spec.model import ContestSpec
from tokumei.core.errors import Fault, InputError, TokumeiError
from tokumei.core.judging import FormatJudge, Size, Sound
from tokumei.core.text import Text
from tokumei.files.containers import AnyPath

MOST_FAULTS = 10_000


class ContestJudge:
    """Judges releases and guesses of one contest, its data loaded."""

    def __init__(self, contest: ContestSpec, folder: Path) -> None:
        self.contest = contest
        # Changes when figures may: library version, contest file, data, organiser's own file.
        self.version = judge_version(contest, folder)
        tools, scoring = toolbox_of(contest, folder), contest.scoring
        self.rules = {
            name: tools.rules.build(name, given, where="rules")
            for name, given in contest.rules.items()
        }
        form: FormatJudge[Any, Any] = contest_format(contest.format).judge(
            terms_of(contest, folder)
        )
        self.format = form
        self._utility = chosen(scoring.utility, form.default_utility)
        names = [name for name in self._utility if name not in form.own_figures]
        self.measures = built_measures(scoring, tools.measures, names)
        names = chosen(scoring.attacks, form.default_attacks, tools.attackers.names())
        self.attacks = built_attacks(scoring, tools.attackers, names)
        self._try_rules()

    def check(self, upload: Upload) -> Verdict:
        """Only the rules."""
        return rejection(self._checked(upload)[1])

    def judge(self, upload: Upload) -> Verdict:
        """Rules, then S, truth and all figures."""
        sound, faults = self._checked(upload)
        if sound is None or faults:
            return rejection(faults)
        public, truth = self.format.outputs(sound)
        return Verdict(card=self._card(sound), public=public, truth=truth)

    def check_guess(self, public: bytes, guess: Upload) -> Verdict:
        """Only the rules of a guess."""
        return rejection(self._guessed(public, guess)[1])

    def score(self, public: bytes, truth: bytes, guess: Upload) -> Verdict:
        """Rules, then what the guess found."""
        answer, faults = self._guessed(public, guess)
        if answer is None or faults:
            return rejection(faults)
        found = self.format.score(public, truth, answer)
        return Verdict(card=Scorecard(None, found.value, None, found.unsafe, found.figures))

    def sketch(self, public: bytes, truth: bytes, guess: Upload) -> list[str]:
        """A small sketch of what is wrong in a guess that breaks no rule, to compare guesses."""
        limit = self._limit(self.format.guess_size(public))
        return sketch_of(upload_texts(guess, self.format.guess_files(), limit), truth)

    def guess_files(self) -> Sequence[str]:
        """The names of the files a guess is made of."""
        return self.format.guess_files()

    def _limit(self, size: Size) -> Limit:
        most = self.contest.quotas.megabytes * 2**20
        return Limit(most, size.lines, size.line_bytes)

    def _checked(self, upload: Upload) -> tuple[Sound[Any] | None, list[Fault]]:
        try:
            names, besides = self.format.upload_files, self.format.upload_besides
            limit = self._limit(self.format.size)
            sound, faults = self.format.read(upload_texts(upload, names, limit, besides=besides))
        except InputError as err:
            return None, faults_of(err)
        if sound is None or faults:
            return None, faults
        return sound, self._rule_faults(sound)

    def _rule_faults(self, sound: Sound[Any]) -> list[Fault]:
        faults: list[Fault] = []
        for rule in self.rules.values():
            if getattr(rule, "aligned", False):
                faults += rule.check(sound.aligned, source=self.format.source)
            else:
                named = {"source": None} if "source" in signature(rule.check).parameters else {}
                faults += [_in_public(fault) for fault in rule.check(sound.seen, **named)]
        return faults

    def _try_rules(self) -> None:
        """Fail now, not at the first upload, if a rule cannot be used with this data."""
        unchanged = self.format.unchanged()
        if unchanged is None:
            return
        try:
            self._rule_faults(unchanged)
        except TokumeiError:
            raise
        except Exception as err:
            told = f"{type(err).__name__}: {err}"
            raise InputError(
                f"rules: one of them crashed: {told}",
                f"rules: 規則の実行中にエラーが起きました: {told}",
            ) from err

    def _card(self, sound: Sound[Any]) -> Scorecard:
        scores = self.format.utility(sound, self.measures)
        utility = {name: scores[name] for name in self._utility}
        found = self.format.attacked(sound, self.attacks)
        safety = {
            attack: {known: one.value for known, one in by_knowledge.items()}
            for attack, by_knowledge in found.items()
        }
        every = [one for by_knowledge in found.values() for one in by_knowledge.values()]
        tests = {
            attack: dict(one.figures)
            for attack, by_knowledge in found.items()
            for one in by_knowledge.values()
            if one.figures
        }
        return scorecard(
            self.contest.scoring,
            utility,
            safety,
            scale=self.format.scales(),
            recognised=self.format.recognised(sound),
            unsafe=any(one.unsafe for one in every),
            more=({"tests": tests} if tests else {}) | self.format.further(sound),
        )

    def _guessed(self, public: bytes, guess: Upload) -> tuple[Any, list[Fault]]:
        try:
            names = self.format.guess_files()
            if not names:
                reason = Text("this contest takes no attacks", "このコンテストに攻撃はありません")
                raise InputError(reason)
            limit = self._limit(self.format.guess_size(public))
            return self.format.read_guess(public, upload_texts(guess, names, limit))
        except InputError as err:
            return None, faults_of(err)


def rejection(faults: Sequence[Fault]) -> Verdict:
    """The verdict of these faults (none: no rule broken)."""
    return Verdict(faults[:MOST_FAULTS], len(faults))


def faults_of(err: InputError) -> list[Fault]:
    """What an unreadable file's error tells, as faults."""
    return list(err.faults) or [Fault(rule="file", message=err.message)]


def _in_public(fault: Fault) -> Fault:
    """A fault of the published file, whose lines are not those of the upload."""
    message = Text(
        f"in the published file: {fault.message.en}", f"公開ファイルで: {fault.message.ja}"
    )
    return dataclasses.replace(fault, line=None, message=message)


def judge_of(contest: ContestSpec, folder: AnyPath) -> ContestJudge:
    """The judge for a contest whose files are in a folder."""
    return ContestJudge(contest, Path(folder))


def judge_of_folder(folder: Path) -> ContestJudge:
    """The judge that a contest's folder describes."""
    return judge_of(read_contest_folder(folder), folder)


@dataclass(frozen=True)
class HomeJudge:
    """A judge, and the keys of the data that it does without."""

    judge: ContestJudge
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
