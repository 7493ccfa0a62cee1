"""The judge of generalized histories (format `pws2018`).

U is the contest's loss; a release is unsafe if an attack's hits reach R(n). The suite answers for
everyone it can, and once more only where it is surest, since R(n) rewards few but right answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tokumei.contest.judge.format_judge import FormatJudge, Sound
from tokumei.contest.judge.name_length import name_length_faults
from tokumei.contest.judge.protocol import GuessVerdict, Scorecard, Upload
from tokumei.contest.judge.scoring import built_attacks, built_measures, chosen, scorecard
from tokumei.contest.judge.uploads import Limit, upload_texts
from tokumei.contest.spec.model import ContestSpec
from tokumei.core.errors import Fault
from tokumei.core.progress import track
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.files.contest_faults import ROW
from tokumei.files.contest_text import ContestText, contest_bytes, contest_text
from tokumei.histories.attackers.selection import surest
from tokumei.histories.contest_files import check_contest, public_rows, true_pairs
from tokumei.histories.data.cell_text import history_text, parse_general
from tokumei.histories.data.general import GeneralHistory
from tokumei.histories.data.guess import HistoryGuess
from tokumei.histories.data.history import COLUMNS, History
from tokumei.histories.formats.pws2018 import GUESS_COLUMNS, Pws2018
from tokumei.histories.measures.hits import HistoryHits, history_hits
from tokumei.histories.measures.loss import PARTS, history_loss
from tokumei.histories.measures.protocol import HistoryCase
from tokumei.histories.verify.guess2018 import check_guess
from tokumei.pseudonyms.verify.pseudonym_rules import identifier_faults

SUITE = ("unique-rows", "item-sets", "consistent", "best")
TRUTH = ("pseudonym", "customer")
EVERYTHING = "1"
"""The knowledge of attackers here: all of T."""
_PARTS = ("loss", *PARTS)
Hits = Mapping[str, HistoryHits]


class HistoryJudge(FormatJudge[ContestText, ContestText]):
    """Judges A and guesses of who is who."""

    def __init__(self, contest: ContestSpec, folder: Path) -> None:
        super().__init__(contest, folder)
        self.history: History = Pws2018().read(folder / contest.data["original"])
        scoring, tools = contest.scoring, self.toolbox
        names = chosen(scoring.utility, ("loss",))
        self._losses = [name for name in names if name in _PARTS]
        others = [name for name in names if name not in _PARTS]
        self.measures = built_measures(scoring, tools.measures, others)
        names = chosen(scoring.attacks, SUITE, tools.attackers.names())
        self.attacks = built_attacks(scoring, tools.attackers, names)
        plain = history_text(self.history)
        self._try_rules(self._sound(ContestText(plain, np.full(plain.height, len(COLUMNS)))))

    def guess_files(self) -> Sequence[str]:
        """One file of lines pid,cid."""
        return ["F.csv"]

    @property
    def _limit(self) -> Limit:
        return Limit(self.max_bytes, self.history.rows)

    @property
    def _source(self) -> History:
        return self.history

    def _read(self, text: bytes) -> tuple[Sound[ContestText] | None, list[Fault]]:
        found = contest_text(text, COLUMNS, where="")
        faults = check_contest(self.history, found)
        faults += name_length_faults(found.frame, ("customer",))
        faults += identifier_faults(found.frame.with_row_index(ROW), self.history.customers)
        if faults:
            return None, faults
        return self._sound(found), []

    def _sound(self, rows: ContestText) -> Sound[ContestText]:
        return Sound(rows.frame, rows, lambda: public_rows(self.history, rows))

    def _files(self, sound: Sound[ContestText]) -> tuple[bytes, bytes]:
        truth = true_pairs(self.history, sound.made)
        return contest_bytes(sound.seen), contest_bytes(truth.select(TRUTH))

    def _card(self, sound: Sound[ContestText]) -> Scorecard:
        names, decimals = self.history.item_names, self.history.decimals
        general = parse_general(sound.aligned, names, decimals=decimals)
        utility = self._utility(general)
        truth = true_pairs(self.history, sound.made)
        found = {
            name: self._tests(self._guess(name, sound.seen), truth)
            for name in track(list(self.attacks), Text("attacks", "攻撃"))
        }
        safety = {name: {EVERYTHING: self._found(tests["all"])} for name, tests in found.items()}
        unsafe = any(test.unsafe for tests in found.values() for test in tests.values())
        tests = {
            name: {part: _plain(test) for part, test in tests.items()}
            for name, tests in found.items()
        }
        more = {"tests": tests, "rows_kept": general.rows_kept}
        return scorecard(self.contest.scoring, utility, safety, unsafe=unsafe, more=more)

    def _utility(self, general: GeneralHistory) -> dict[str, float]:
        losses = history_loss(self.history, general).as_json()
        case = HistoryCase(self.history, general)
        own = {name: float(one.score(case).value) for name, one in self.measures.items()}
        return {name: losses[name] for name in self._losses} | own

    def _guess(self, name: str, seen: pl.DataFrame) -> HistoryGuess:
        rng = Randomness(self.contest.scoring.seed).child(name)
        guess: HistoryGuess = self.attacks[name].attack(seen, self.history, rng=rng)
        return guess

    def _tests(self, guess: HistoryGuess, truth: pl.DataFrame) -> dict[str, HistoryHits]:
        few = surest(guess, **self.contest.scoring.gate_test.model_dump())
        return {"all": self._hits(guess, truth), "surest": self._hits(few, truth)}

    def _hits(self, guess: HistoryGuess | pl.DataFrame, truth: pl.DataFrame) -> HistoryHits:
        test = self.contest.scoring.gate_test.model_dump()
        return history_hits(guess, truth, customers=len(self.history.customers), **test)

    def _read_guess(self, public: bytes, guess: Upload) -> tuple[ContestText, list[Fault]]:
        limit = Limit(self.max_bytes, len(self.history.customers))
        (text,) = upload_texts(guess, self.guess_files(), limit).values()
        found = contest_text(text, GUESS_COLUMNS, where="")
        seen = contest_text(public, COLUMNS, where="S").frame
        return found, check_guess(seen, self.history.customers, found)

    def _score(self, public: bytes, truth: bytes, answer: ContestText) -> GuessVerdict:
        true = contest_text(truth, TRUTH, where="F").frame
        hits = self._hits(answer.frame, true)
        return GuessVerdict(value=self._found(hits), unsafe=hits.unsafe, figures=_plain(hits))

    def _found(self, hits: HistoryHits) -> float:
        """The share of all customers: of those tried, one lucky line would be all."""
        return hits.hits / len(self.history.customers)


def _plain(hits: HistoryHits) -> dict[str, Any]:
    found = hits.as_json()
    return {name: found[name] for name in ("tried", "hits", "threshold", "unsafe", "rate")}
