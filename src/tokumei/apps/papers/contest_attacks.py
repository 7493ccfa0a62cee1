"""The three sample attacks of paper 001, run on the contest's history."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import polars as pl

from tokumei.apps.papers.comparison import ComputedBlock, FormCheck
from tokumei.apps.papers.headings import describe_heading
from tokumei.apps.papers.reproduction import PaperReproduction
from tokumei.core.messages import SEMICOLON, Message, join_messages
from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.data.knowledge import PartialKnowledge
from tokumei.pseudonyms.flow import anonymize
from tokumei.pseudonyms.formats.pws2017 import Pws2017
from tokumei.pseudonyms.services.anonymize import read_periods
from tokumei.pseudonyms.services.attack import attack_periods
from tokumei.pseudonyms.services.requests import AttackPeriodsRequest, PeriodSource

CONTEST_FILES = {"2017": "pwscup2017/T.csv", "2018": "pwscup2018/T.csv"}
MASTER_FILE = "pwscup2017/M.csv"
MASTER_COLUMNS = ("customer", "sex", "decade", "country")


SAMPLE_ATTACKS = {
    "same day": "day",
    "same item": "item",
    "same item in the same month": "item-month",
}
"""The paper's three sample attacks by the names that they have here."""


class SampleAttacks(PaperReproduction):
    """The contest's files, and what the three attacks find in them."""

    @cached_property
    def master(self) -> pl.DataFrame:
        """The contest's customers."""
        return self.read_contest_file(MASTER_FILE, MASTER_COLUMNS)

    def read_contest_file(self, name: str, columns: Sequence[str] = ()) -> pl.DataFrame:
        """A file of the contest, which has no header, as text."""
        frame = pl.read_csv(self.data_file(name), has_header=False, infer_schema=False)
        return frame.rename(dict(zip(frame.columns, columns, strict=False)))

    @cached_property
    def sample_attack_rates(self) -> dict[str, float]:
        """Pairs found by the paper's three attacks: monthly pseudonyms, a quarter of rows known."""
        layout = Pws2017(master=self.data_file(MASTER_FILE))
        source = PeriodSource(data=self.data_file(CONTEST_FILES["2017"]), layout=layout)
        history = read_periods(source)
        seed = self.recipe["seed"]
        release = anonymize(history, "pseudonyms", lifetime=1, seed=seed)
        request = AttackPeriodsRequest(
            public=release.public,
            known=PartialKnowledge(alpha=0.25).of(history.rows, rng=Randomness(seed)),
            master=history.master,
            months=release.months,
            truth=release.table,
            methods=tuple(SAMPLE_ATTACKS.values()),
            seed=seed,
        )
        rates = attack_periods(request).rates
        return {name: rates[key]["reid_active"].value for name, key in SAMPLE_ATTACKS.items()}

    @property
    def blind_guess(self) -> float:
        """What naming somebody at random finds."""
        return 1 / self.master.height

    def sample_attacks(self) -> ComputedBlock:
        """The three attacks, run: each must find more pairs than a blind guess."""
        rates = self.sample_attack_rates
        printed = self.published_block("sample_attacks")
        forms = [
            FormCheck(
                Message("{attack}: finds more than a blind guess", attack=describe_heading(name)),
                True,
                [rates.get(name, 0.0) > self.blind_guess],
            )
            for (name,) in printed.rows
        ]
        shown = join_messages(
            [
                Message("{attack}: {rate:.1%}", attack=SAMPLE_ATTACKS[name], rate=rate)
                for name, rate in rates.items()
            ],
            SEMICOLON,
        )
        note = Message(
            "Ours, on the contest's history under monthly pseudonyms, "
            "nothing else changed, with a quarter of the rows known: {attacks}; a blind guess "
            "{guess:.1%}.",
            attacks=shown,
            guess=self.blind_guess,
        )
        why = Message("The paper prints no rates of its sample attacks.")
        return ComputedBlock(forms=forms, why=why, note=note)
