"""A small contest of three teams, and what its judge, called directly, says of all they send."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tokumei.apps.contest.demo import write_demo_contest
from tokumei.apps.contest.judge.contest_judge import ContestJudge, load_judge
from tokumei.apps.contest.judge.results import JudgeVerdict, Upload
from tokumei.apps.contest.spec.folder import read_contest_folder
from tokumei.pseudonyms.data.period_history import PeriodHistory
from tokumei.pseudonyms.judge.bots import made_guess, made_release

SLUG = "autumn"
OWN = """
from dataclasses import dataclass
from typing import ClassVar

from tokumei.core.measure import Goal, Score
from tokumei.core.messages import Message


@dataclass(frozen=True)
class QuantityLoss:
    name: ClassVar[str] = "quantity"
    title: ClassVar[Message] = Message("Quantities changed")
    goal: ClassVar[Goal] = Goal.MINIMIZE
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    unit: ClassVar[Message] = Message("share of rows")

    def score(self, case):
        changed = case.original.cells["quantity"] != case.released.cells["quantity"]
        return Score(float(changed.HOW()))


MEASURES = {"quantity": QuantityLoss}
"""
SCORING = {"utility": ["itemcf_supply", "price", "quantity"], "attacks": ["S1", "S4", "S6"]}


@dataclass(frozen=True)
class Plan:
    """How a team plays."""

    team: str
    captain: str
    lang: str
    release: dict[str, Any]
    attack: str


HIDDEN = {"time": "constant", "day": 15}
PLANS = (
    Plan("Ants", "ann", "en", {"lifetime": 1, "quantity_noise": 3}, "scoreboard"),
    Plan("Bees & Co <b>", "bob", "en", {**HIDDEN, "lifetime": 3, "price_noise": 0.1}, "S4"),
    Plan("蝉の会", "千代", "ja", {**HIDDEN, "lifetime": 12, "quantity_noise": 1}, "S5"),
)


class Contest:
    """The contest's folder, and what its judge says of everything that is sent."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._judges: dict[str, ContestJudge] = {}
        begun = datetime.now(UTC) - timedelta(hours=2)
        folder.mkdir()
        (folder / "own.py").write_text(OWN.replace("HOW", "any"))
        self.history: PeriodHistory = write_demo_contest(
            folder,
            starts=begun,
            anonymize=timedelta(hours=5),
            slug=SLUG,
            rows=900,
            customers=18,
            scoring=SCORING,
            extra="own.py",
        )
        self.verdicts: dict[str, JudgeVerdict] = {}
        self.releases: dict[str, bytes] = {}
        self.guesses: dict[tuple[str, str], bytes] = {}
        for plan in PLANS:
            data = made_release(self.history, plan.release, seed=2)
            self.releases[plan.team] = data
            self.verdicts[plan.team] = self.judge.judge(Upload("A.csv", data))

    @property
    def judge(self) -> ContestJudge:
        """The judge of the folder as it is now: the organiser's own file changes once."""
        own = (self.folder / "own.py").read_text()
        if own not in self._judges:
            self._judges[own] = load_judge(read_contest_folder(self.folder), self.folder)
        return self._judges[own]

    def zipped(self) -> bytes:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            for path in self.folder.iterdir():
                if path.is_file():
                    archive.write(path, path.name)
        return packed.getvalue()

    def guess(self, attacker: Plan, target: str, public: bytes) -> bytes:
        """What a team sends against another, one file for each knowledge."""
        scratch = self.folder.parent
        (scratch / "S.csv").write_bytes(public)
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            for name in self.judge.guess_files():
                made = made_guess(
                    self.folder, scratch / "S.csv", name=name, method=attacker.attack, seed=1
                )
                archive.writestr(name, made)
        self.guesses[attacker.team, target] = packed.getvalue()
        return packed.getvalue()

    def found(self, attacker: str, target: str) -> float:
        """What the judge says an attack found."""
        verdict = self.verdicts[target]
        guess = Upload("guess.zip", self.guesses[attacker, target])
        assert verdict.public is not None
        assert verdict.truth is not None
        card = self.judge.score(verdict.public, verdict.truth, guess).card
        assert card is not None
        assert card.safety is not None
        return card.safety

    def board(self, teams: list[str]) -> dict[str, list[float]]:
        """U, S, total of each team, the best first; slow and obvious."""
        rows = {}
        for team in teams:
            card = self.verdicts[team].card
            assert card is not None
            assert card.safety is not None
            attacks = [self.found(*pair) for pair in self.guesses if pair[1] == team]
            safety = max([card.safety, *attacks])
            most = max(attacks, default=None)
            rows[team] = [
                (card.utility + safety) / 2,
                card.utility,
                safety,
                card.safety,
                most,
            ]
        return dict(sorted(rows.items(), key=lambda row: row[1][0]))
