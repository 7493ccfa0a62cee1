"""The judge of pseudonyms over time (format `pws2017`).

U is made of the measures, S of `reid_all` of the suite with every knowledge T_α. A guess is one
table per α; its value is the mean over α of `reid_all`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from statistics import fmean

from tokumei.contest.judge.format_judge import FormatJudge, Sound
from tokumei.contest.judge.name_length import LONGEST, name_length_faults
from tokumei.contest.judge.protocol import GuessVerdict, Scorecard, Upload
from tokumei.contest.judge.scoring import built_attacks, built_measures, chosen, scorecard
from tokumei.contest.judge.spelling import Spelling
from tokumei.contest.judge.uploads import Limit, upload_texts
from tokumei.contest.spec.data_files import known_key
from tokumei.contest.spec.model import ContestSpec
from tokumei.contest.spec.options import PeriodOptions, options_of
from tokumei.core.errors import Fault, InputError
from tokumei.core.progress import track
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.files.contest_text import ContestText, contest_bytes, contest_text
from tokumei.pseudonyms.data.history import PeriodHistory
from tokumei.pseudonyms.data.knowledge import PartialKnowledge
from tokumei.pseudonyms.data.pseudonym_table import PseudonymTable
from tokumei.pseudonyms.data.rows import PERIOD_COLUMNS, PeriodRows
from tokumei.pseudonyms.formats.pws2017 import period_names, read_period_history, read_rows
from tokumei.pseudonyms.measures.answers import Answers
from tokumei.pseudonyms.measures.protocol import PeriodCase
from tokumei.pseudonyms.measures.reid import reid_scores
from tokumei.pseudonyms.verify.guess2017 import check_guess_table
from tokumei.pseudonyms.verify.pws2017 import check_release

SEVEN = ("itemcf_supply", "itemcf_retail", "topk", "topk_similarity", "date", "price", "rows")
SAMPLES = ("S1", "S2", "S3", "S4", "S5", "S6")
RATES = ("reid_all", "reid_active", "reid_pairs")
Tables = Mapping[str, ContestText]


class PeriodJudge(FormatJudge[PeriodRows, Tables]):
    """Judges A(T) and guesses of the pseudonym table."""

    def __init__(self, contest: ContestSpec, folder: Path) -> None:
        super().__init__(contest, folder)
        options, data = options_of(contest, PeriodOptions), contest.data
        self.history: PeriodHistory = read_period_history(
            folder / data["original"], folder / data["master"]
        )
        self.known = {
            f"{alpha:g}": _known(contest, folder, self.history, alpha, options)
            for alpha in contest.knowledge
        }
        scoring, tools = contest.scoring, self.toolbox
        names = chosen(scoring.utility, SEVEN)
        self.measures = built_measures(scoring, tools.measures, names)
        names = chosen(scoring.attacks, SAMPLES, tools.attackers.names())
        self.attacks = built_attacks(scoring, tools.attackers, names if self.known else [])
        self._spelling = Spelling(self.history.rows)
        self._try_rules(_sound(self.history.rows))

    def guess_files(self) -> Sequence[str]:
        """One table per share of knowledge: F25.csv, F50.csv…"""
        return [f"F{100 * alpha:g}.csv" for alpha in self.contest.knowledge]

    @property
    def _limit(self) -> Limit:
        return Limit(self.max_bytes, self.history.rows.rows)

    @property
    def _source(self) -> PeriodHistory:
        return self.history

    def _read(self, text: bytes) -> tuple[Sound[PeriodRows] | None, list[Fault]]:
        found = contest_text(text, PERIOD_COLUMNS, where="")
        faults = check_release(self.history, found)
        faults += name_length_faults(found.frame, ("customer", "invoice"))
        if faults:
            return None, faults
        rows = self._spelling.of(PeriodRows(found.frame))
        return _sound(rows), []

    def _files(self, sound: Sound[PeriodRows]) -> tuple[bytes, bytes]:
        return contest_bytes(sound.seen), contest_bytes(self._truth(sound.made).cells())

    def _truth(self, rows: PeriodRows) -> PseudonymTable:
        customers, months = self.history.master.customers, self.history.months
        return PseudonymTable.of_rows(self.history.rows, rows, customers=customers, months=months)

    def _card(self, sound: Sound[PeriodRows]) -> Scorecard:
        case = PeriodCase(self.history.rows, sound.made, self.history.master)
        utility = {name: case.score_of(one).value for name, one in self.measures.items()}
        seen, truth = PeriodRows(sound.seen), self._truth(sound.made)
        safety = {
            name: {alpha: self._rate(name, seen, alpha, truth) for alpha in self.known}
            for name in track(list(self.attacks), Text("attacks", "攻撃"))
        }
        kept = seen.rows / self.history.rows.rows
        more = {"rows_kept": kept, "pseudonyms": len(seen.people)}
        return scorecard(self.contest.scoring, utility, safety, more=more)

    def _rate(self, name: str, seen: PeriodRows, alpha: str, truth: PseudonymTable) -> float:
        guess = self.attacks[name].attack(
            seen,
            self.known[alpha],
            customers=self.history.master.customers,
            months=self.history.months,
            rng=Randomness(self.contest.scoring.seed).child(name),
        )
        return reid_scores(Answers.of_table(guess.table, truth))["reid_all"].value

    @cached_property
    def _columns(self) -> list[str]:
        return ["customer", *period_names(self.history.months.count)]

    def _read_guess(self, public: bytes, guess: Upload) -> tuple[Tables, list[Fault]]:
        if not self.known:
            reason = Text("this contest takes no attacks", "このコンテストに攻撃はありません")
            raise InputError(reason)
        people, widest = len(self.history.master.customers), len(self._columns) * (LONGEST + 1)
        limit = Limit(self.max_bytes, people, max(Limit.line_bytes, widest))
        texts = upload_texts(guess, self.guess_files(), limit)
        tables = {
            name: contest_text(text, self._columns, where=name) for name, text in texts.items()
        }
        seen, customers = _rows_of(public), self.history.master.customers
        faults = [
            fault
            for name, table in tables.items()
            for fault in check_guess_table(seen, customers, table, name=name)
        ]
        return tables, faults

    def _score(self, public: bytes, truth: bytes, answer: Tables) -> GuessVerdict:
        true = _table(contest_text(truth, self._columns, where="F"))
        found: dict[str, dict[str, float]] = {rate: {} for rate in RATES}
        for alpha, text in zip(self.known, answer.values(), strict=True):
            scores = reid_scores(Answers.of_table(_table(text), true))
            for rate in RATES:
                found[rate][alpha] = scores[rate].value
        return GuessVerdict(value=fmean(found["reid_all"].values()), figures=found)


def _sound(rows: PeriodRows) -> Sound[PeriodRows]:
    return Sound(rows.cells, rows, lambda: rows.public().cells)


def _known(
    contest: ContestSpec, folder: Path, history: PeriodHistory, alpha: float, how: PeriodOptions
) -> PeriodRows:
    """T_α: the file of the contest, or drawn from T."""
    name = contest.data.get(known_key(alpha))
    if name is not None:
        return read_rows(folder / name)
    drawn = PartialKnowledge(alpha=alpha, prefix=how.prefix)
    return drawn.of(history.rows, rng=Randomness(contest.scoring.seed))


def _rows_of(public: bytes) -> PeriodRows:
    return PeriodRows(contest_text(public, PERIOD_COLUMNS, where="S").frame)


def _table(text: ContestText) -> PseudonymTable:
    return PseudonymTable.of_cells(text.frame["customer"], text.frame.drop("customer"))
