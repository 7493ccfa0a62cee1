"""What the judges of all formats share: read, check, then score.

A format says how a text becomes a release (`_read`), what it is worth (`_card`), and how a guess
is checked and scored (`_read_guess`, `_score`).
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

import polars as pl

from tokumei.contest.judge.protocol import GuessVerdict, Scorecard, Upload, Verdict
from tokumei.contest.judge.toolbox import Toolbox, toolbox_of
from tokumei.contest.judge.uploads import Limit, upload_text
from tokumei.contest.judge.version import judge_version
from tokumei.contest.spec.model import ContestSpec
from tokumei.core.errors import Fault, InputError, TokumeiError
from tokumei.core.text import Text

MOST_FAULTS = 10_000
Made = TypeVar("Made")
Answer = TypeVar("Answer")


@dataclass(frozen=True, eq=False)
class Sound(Generic[Made]):
    """A release that broke no rule of its format: its rows as text, and as the format sees them."""

    aligned: pl.DataFrame = field(repr=False)
    made: Made = field(repr=False)
    _publish: Callable[[], Any] = field(repr=False)

    @cached_property
    def seen(self) -> Any:
        """S as the library's rules take it; made when first asked for, since few need it."""
        return self._publish()


class FormatJudge(ABC, Generic[Made, Answer]):
    """A judge without what makes its format."""

    def __init__(self, contest: ContestSpec, folder: Path) -> None:
        self.contest = contest
        self.version = judge_version(contest, folder)
        self.toolbox: Toolbox = toolbox_of(contest, folder)
        self.rules = {
            name: self.toolbox.rules.build(name, given, where="rules")
            for name, given in contest.rules.items()
        }

    @property
    def max_bytes(self) -> int:
        """The most that an upload may have, packed and unpacked."""
        return self.contest.quotas.megabytes * 2**20

    def check(self, upload: Upload) -> Verdict:
        """Only the rules."""
        return rejection(self._checked(upload)[1])

    def judge(self, upload: Upload) -> Verdict:
        """Rules, then S, truth and all figures."""
        sound, faults = self._checked(upload)
        if sound is None or faults:
            return rejection(faults)
        public, truth = self._files(sound)
        return Verdict(card=self._card(sound), public=public, truth=truth)

    def check_guess(self, public: bytes, guess: Upload) -> GuessVerdict:
        """Only the rules of a guess."""
        return guess_rejection(self._guessed(public, guess)[1])

    def score(self, public: bytes, truth: bytes, guess: Upload) -> GuessVerdict:
        """Rules, then what the guess found."""
        answer, faults = self._guessed(public, guess)
        if answer is None or faults:
            return guess_rejection(faults)
        return self._score(public, truth, answer)

    @abstractmethod
    def guess_files(self) -> Sequence[str]:
        """The names of the files a guess is made of."""

    @property
    @abstractmethod
    def _limit(self) -> Limit:
        """The most that a release's file may have."""

    @property
    @abstractmethod
    def _source(self) -> Any:
        """The original, as rules get it."""

    @abstractmethod
    def _read(self, text: bytes) -> tuple[Sound[Made] | None, list[Fault]]:
        """The release in a text, and what breaks the format's rules."""

    @abstractmethod
    def _files(self, sound: Sound[Made]) -> tuple[bytes, bytes]:
        """S and the truth."""

    @abstractmethod
    def _card(self, sound: Sound[Made]) -> Scorecard:
        """All figures."""

    @abstractmethod
    def _read_guess(self, public: bytes, guess: Upload) -> tuple[Answer, list[Fault]]:
        """The answer in an upload, and what breaks the rules."""

    @abstractmethod
    def _score(self, public: bytes, truth: bytes, answer: Answer) -> GuessVerdict:
        """What an answer found."""

    def _checked(self, upload: Upload) -> tuple[Sound[Made] | None, list[Fault]]:
        try:
            sound, faults = self._read(upload_text(upload, self._limit))
        except InputError as err:
            return None, faults_of(err)
        if sound is None or faults:
            return None, faults
        return sound, self._rule_faults(sound)

    def _rule_faults(self, sound: Sound[Made]) -> list[Fault]:
        faults: list[Fault] = []
        for rule in self.rules.values():
            if getattr(rule, "aligned", False):
                faults += rule.check(sound.aligned, source=self._source)
            else:
                faults += [_in_public(fault) for fault in rule.check(sound.seen, source=None)]
        return faults

    def _try_rules(self, original: Sound[Made]) -> None:
        """Fail now, not at the first upload, if a rule cannot be used with this data."""
        try:
            self._rule_faults(original)
        except TokumeiError:
            raise
        except Exception as err:
            told = f"{type(err).__name__}: {err}"
            raise InputError(
                Text(f"rules: one of them fails: {told}", f"rules: 規則が失敗します: {told}")
            ) from err

    def _guessed(self, public: bytes, guess: Upload) -> tuple[Answer | None, list[Fault]]:
        try:
            return self._read_guess(public, guess)
        except InputError as err:
            return None, faults_of(err)


def rejection(faults: Sequence[Fault]) -> Verdict:
    """The verdict of these faults (none: no rule broken)."""
    return Verdict(faults[:MOST_FAULTS], len(faults))


def guess_rejection(faults: Sequence[Fault]) -> GuessVerdict:
    """The verdict of these faults (none: no rule broken)."""
    return GuessVerdict(faults[:MOST_FAULTS], len(faults))


def faults_of(err: InputError) -> list[Fault]:
    """What an unreadable file's error tells, as faults."""
    return list(err.faults) or [Fault(rule="file", message=err.message)]


def _in_public(fault: Fault) -> Fault:
    """A fault of the published file, whose lines are not those of the upload."""
    message = Text(
        f"in the published file: {fault.message.en}", f"公開データで: {fault.message.ja}"
    )
    return dataclasses.replace(fault, line=None, message=message)
