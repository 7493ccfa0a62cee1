"""The judge of a contest: reads, checks and scores an upload.

    judge = load_judge(read_contest_folder(folder), folder)
    judge.check(Upload("A.csv", data)).faults

Takes a moment: reads the data, runs the organiser's Python file, and builds everything the contest
names, so that whatever is wrong with it is told here and not in the middle of a judgement. What
depends on the format is asked of the format's own judge, which its kind of data brings
(`core/format_judge.py`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any, TypeAlias

from tokumei.apps.contest.judge.guess_sketches import sketch_wrong_answers
from tokumei.apps.contest.judge.results import JudgeVerdict, Scorecard, Upload
from tokumei.apps.contest.judge.scoring import (
    build_attacks,
    build_measures,
    build_scorecard,
    expand_names,
    load_contest_methods,
)
from tokumei.apps.contest.judge.upload_decoding import UploadLimits, read_upload_texts
from tokumei.apps.contest.spec.folder import (
    build_judge_terms,
    compute_judge_version,
    contest_folder,
    read_contest_folder,
    required_data_keys,
    withheld_data_keys,
)
from tokumei.apps.contest.spec.formats import AnyJudge, find_contest_format
from tokumei.apps.contest.spec.model import ContestSpec
from tokumei.core.errors import InputError, TokumeiError, Violation
from tokumei.core.format_judge import AcceptedRelease, FileSizeLimit
from tokumei.core.messages import Message, join_messages
from tokumei.files.file_formats import AnyPath

MOST_FAULTS = 10_000
AnyRelease: TypeAlias = AcceptedRelease[Any]


class ContestJudge:
    """Judges releases and guesses of one contest, its data loaded."""

    def __init__(self, contest: ContestSpec, folder: Path) -> None:
        self.contest = contest
        # Changes when figures may: library version, contest file, data, organiser's own file.
        self.version = compute_judge_version(contest, folder)
        tools, scoring = load_contest_methods(contest, folder), contest.scoring
        self.rules = {
            name: tools.rules.build(name, parameters, where="rules")
            for name, parameters in contest.rules.items()
        }
        format_judge: AnyJudge = find_contest_format(contest.format).judge(
            build_judge_terms(contest, folder)
        )
        self.format = format_judge
        self._utility_names = expand_names(scoring.utility, format_judge.default_utility)
        names = [name for name in self._utility_names if name not in format_judge.own_figures]
        self.measures = build_measures(scoring, tools.measures, names)
        names = expand_names(scoring.attacks, format_judge.default_attacks, tools.attackers.names())
        self.attacks = build_attacks(scoring, tools.attackers, names)
        self._test_rules_on_original()

    def check(self, upload: Upload) -> JudgeVerdict:
        """Only the rules."""
        return verdict_of_violations(self._read_and_check(upload)[1])

    def judge(self, upload: Upload) -> JudgeVerdict:
        """Rules, then S, truth and all figures."""
        sound, faults = self._read_and_check(upload)
        if sound is None or faults:
            return verdict_of_violations(faults)
        public, truth = self.format.outputs(sound)
        return JudgeVerdict(card=self._build_scorecard(sound), public=public, truth=truth)

    def check_guess(self, public: bytes, guess: Upload) -> JudgeVerdict:
        """Only the rules of a guess."""
        return verdict_of_violations(self._read_guess(public, guess)[1])

    def score(self, public: bytes, truth: bytes, guess: Upload) -> JudgeVerdict:
        """Rules, then what the guess found."""
        answer, faults = self._read_guess(public, guess)
        if answer is None or faults:
            return verdict_of_violations(faults)
        attack_score = self.format.score(public, truth, answer)
        return JudgeVerdict(
            card=Scorecard(
                None, attack_score.value, None, attack_score.unsafe, attack_score.figures
            )
        )

    def sketch(self, public: bytes, truth: bytes, guess: Upload) -> list[str]:
        """A small sketch of what is wrong in a guess that breaks no rule, to compare guesses."""
        limit = self._upload_limits(self.format.guess_size(public))
        return sketch_wrong_answers(
            read_upload_texts(guess, self.format.guess_files(), limit), truth
        )

    def guess_files(self) -> Sequence[str]:
        """The names of the files a guess is made of."""
        return self.format.guess_files()

    def _upload_limits(self, size: FileSizeLimit) -> UploadLimits:
        most = self.contest.quotas.megabytes * 2**20
        return UploadLimits(most, size.lines, size.line_bytes)

    def _read_and_check(self, upload: Upload) -> tuple[AnyRelease | None, list[Violation]]:
        try:
            names, besides = self.format.upload_files, self.format.upload_besides
            limit = self._upload_limits(self.format.size)
            sound, faults = self.format.read(
                read_upload_texts(upload, names, limit, besides=besides)
            )
        except InputError as err:
            return None, violations_of_error(err)
        if sound is None or faults:
            return None, faults
        return sound, self._rule_violations(sound)

    def _rule_violations(self, sound: AnyRelease) -> list[Violation]:
        faults: list[Violation] = []
        for rule in self.rules.values():
            if getattr(rule, "aligned", False):
                faults += rule.check(sound.aligned, source=self.format.source)
            else:
                source_argument = (
                    {"source": None} if "source" in signature(rule.check).parameters else {}
                )
                faults += [
                    _mark_as_published_file(fault)
                    for fault in rule.check(sound.seen, **source_argument)
                ]
        return faults

    def _test_rules_on_original(self) -> None:
        """Fail now, not at the first upload, if a rule cannot be used with this data."""
        unchanged = self.format.unchanged()
        if unchanged is None:
            return
        try:
            self._rule_violations(unchanged)
        except TokumeiError:
            raise
        except Exception as err:
            error_text = f"{type(err).__name__}: {err}"
            raise InputError("rules: one of them crashed: {error}", error=error_text) from err

    def _build_scorecard(self, sound: AnyRelease) -> Scorecard:
        scores = self.format.utility(sound, self.measures)
        utility = {name: scores[name] for name in self._utility_names}
        attack_scores = self.format.attacked(sound, self.attacks)
        safety = {
            attack: {
                knowledge: attack_score.value for knowledge, attack_score in by_knowledge.items()
            }
            for attack, by_knowledge in attack_scores.items()
        }
        all_scores = [
            attack_score
            for by_knowledge in attack_scores.values()
            for attack_score in by_knowledge.values()
        ]
        tests = {
            attack: dict(attack_score.figures)
            for attack, by_knowledge in attack_scores.items()
            for attack_score in by_knowledge.values()
            if attack_score.figures
        }
        return build_scorecard(
            self.contest.scoring,
            utility,
            safety,
            scale=self.format.scales(),
            recognised=self.format.recognised(sound),
            unsafe=any(attack_score.unsafe for attack_score in all_scores),
            more={**({"tests": tests} if tests else {}), **self.format.further(sound)},
        )

    def _read_guess(self, public: bytes, guess: Upload) -> tuple[object, list[Violation]]:
        try:
            names = self.format.guess_files()
            if not names:
                reason = Message("this contest takes no attacks")
                raise InputError(reason)
            limit = self._upload_limits(self.format.guess_size(public))
            return self.format.read_guess(public, read_upload_texts(guess, names, limit))
        except InputError as err:
            return None, violations_of_error(err)


def verdict_of_violations(faults: Sequence[Violation]) -> JudgeVerdict:
    """The verdict of these faults (none: no rule broken)."""
    return JudgeVerdict(faults[:MOST_FAULTS], len(faults))


def violations_of_error(err: InputError) -> list[Violation]:
    """What an unreadable file's error tells, as faults."""
    return list(err.faults) or [Violation(rule="file", message=err.message)]


def _mark_as_published_file(fault: Violation) -> Violation:
    """A fault of the published file, whose lines are not those of the upload."""
    message = Message("in the published file: {message}", message=fault.message)
    return dataclasses.replace(fault, line=None, message=message)


def load_judge(contest: ContestSpec, folder: AnyPath) -> ContestJudge:
    """The judge for a contest whose files are in a folder."""
    return ContestJudge(contest, Path(folder))


def load_judge_from_folder(folder: Path) -> ContestJudge:
    """The judge that a contest's folder describes."""
    return load_judge(read_contest_folder(folder), folder)


@dataclass(frozen=True)
class HomeJudge:
    """A judge, and the keys of the data that it does without."""

    judge: ContestJudge
    withheld: tuple[str, ...] = ()

    @property
    def withheld_note(self) -> Message | None:
        """What cannot be told here, and what can."""
        if not self.withheld:
            return None
        return Message(
            "the organiser keeps {keys} secret: rules, utility and guesses are judged as on the "
            "server; safety and total of a release are shown after the upload",
            keys=join_messages(self.withheld),
        )


def load_home_judge(path: AnyPath, *, guess: bool) -> HomeJudge:
    """The judge of a contest for guesses, or for releases, with the files that are there."""
    contest, folder = read_contest_folder(path, at_home=True), contest_folder(path)
    withheld = withheld_data_keys(contest, folder)
    if not withheld:
        return HomeJudge(load_judge(contest, folder))
    _require_data_not_withheld(contest, withheld)
    data = {key: name for key, name in contest.data.items() if key not in withheld}
    overrides: dict[str, object] = {"data": data}
    if not guess:
        overrides["knowledge"] = ()
    return HomeJudge(load_judge(contest.model_copy(update=overrides), folder), withheld)


def _require_data_not_withheld(contest: ContestSpec, withheld: Sequence[str]) -> None:
    missing_keys = [key for key in required_data_keys(contest) if key in withheld]
    if missing_keys:
        raise InputError(
            "contest.yaml has no fault, but the organiser keeps {keys} secret, and neither a "
            "release nor a guess can be checked without it: upload your file, and the server will "
            "list every violation",
            keys=join_messages(missing_keys),
        )
