"""The judge of tables with quasi-identifiers and sensitive attributes (format `table`).

Uploads are row-aligned: X's header without id columns, X's rows in X's order, a deleted row as DEL
and empty cells. S has the rows that are left, sorted as text. A guess says for rows of S which row
of X they are: `released,original`, both from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tokumei.contest.judge.format_judge import FormatJudge, Sound
from tokumei.contest.judge.protocol import GuessVerdict, Scorecard, Upload
from tokumei.contest.judge.scoring import built_measures, chosen, scorecard
from tokumei.contest.judge.table_guess import GUESS, guess_faults, guess_numbers, hits_of
from tokumei.contest.judge.table_rules import DELETED, Expected, check_table, read_cells
from tokumei.contest.judge.table_scales import table_scales
from tokumei.contest.judge.uploads import Limit, upload_texts
from tokumei.contest.spec.model import ContestSpec
from tokumei.contest.spec.options import TableOptions, options_of
from tokumei.core.errors import Fault, InputError
from tokumei.core.progress import track
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.files.column_types import typed
from tokumei.files.contest_text import ContestText, contest_text
from tokumei.files.csv_text import CsvRows
from tokumei.tables.attackers.rating import attack_rate
from tokumei.tables.data.column_kinds import as_kinds
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.infer import schema_for
from tokumei.tables.data.knowledge import Knowledge
from tokumei.tables.data.reading import read_table
from tokumei.tables.data.table import Table, simple_frame

SIX = ("U1", "U2", "U3", "U4", "U5", "U6")
SUITE = ("E1", "E2", "E3", "E4", "EUC1", "EUC2")
EVERYTHING = "1"


@dataclass(frozen=True, eq=False)
class Published:
    """The rows of S as a table and as lines, and the row of X behind each."""

    table: Table = field(repr=False)
    lines: list[bytes] = field(repr=False)
    link: np.ndarray = field(repr=False)


class TableJudge(FormatJudge[Published, ContestText]):
    """Judges Y and guesses of which row is whose."""

    def __init__(self, contest: ContestSpec, folder: Path) -> None:
        super().__init__(contest, folder)
        self.options = options_of(contest, TableOptions)
        path, roles = folder / contest.data["original"], self.options
        whole = read_table(path, qi=roles.qi, sa=roles.sa, ids=roles.id, kinds=roles.kinds)
        self.original: Table = whole.drop(whole.schema.ids)
        names, first = self.original.schema.names, self.original.frame.columns[0]
        _require_no_mark(self.original.frame[first], str(path))
        self._expected = Expected(
            names, self.options.sa, self.original.rows, self.options.rows_kept
        )
        scoring, tools = contest.scoring, self.toolbox
        self.measures = built_measures(scoring, tools.measures, chosen(scoring.utility, SIX))
        self.scale = table_scales(self.original, self.options.cross)
        names = chosen(scoring.attacks, SUITE, tools.attackers.names())
        self.attacks = {name: self._attacker(name) for name in names}
        plain = self.original.frame.select(pl.all().cast(pl.String).fill_null(""))
        self._try_rules(Sound(plain, self._published(CsvRows(plain)), lambda: self.original))

    def guess_files(self) -> Sequence[str]:
        """One file released,original."""
        return [GUESS]

    @property
    def _limit(self) -> Limit:
        widest = 4 * 200 * len(self._expected.names)
        return Limit(self.max_bytes, self.original.rows + 1, max(10_000, widest))

    @property
    def _source(self) -> Table:
        return self.original

    def _attacker(self, name: str) -> Any:
        named, scoring = self.toolbox.attackers, self.contest.scoring
        declared = getattr(named.get(name, where="scoring.attacks"), "when_shuffled", {})
        given = {**declared, **scoring.parameters.get(name, {})}
        return named.build(name, given, where="scoring.attacks")

    def _read(self, text: bytes) -> tuple[Sound[Published] | None, list[Fault]]:
        cells = read_cells(text, self._expected)
        if not isinstance(cells, CsvRows):
            return None, cells
        faults = check_table(cells, self._expected)
        if faults:
            return None, faults
        made = self._published(cells)
        return Sound(cells.frame, made, lambda: made.table), []

    def _published(self, cells: CsvRows) -> Published:
        kept = (cells.frame[cells.frame.columns[0]] != DELETED).to_numpy()
        left = cells.frame.filter(pl.Series(kept)).with_columns(
            pl.when(pl.all() != "").then(pl.all())
        )
        frame = simple_frame(as_kinds(typed(left), self.options.kinds))
        lines = frame.write_csv(include_header=False).encode().splitlines()
        order = np.array(sorted(range(len(lines)), key=lines.__getitem__))
        schema = schema_for(frame, qi=self.options.qi, sa=self.options.sa)
        table = Table(frame, schema).take(order)
        return Published(table, [lines[row] for row in order], np.flatnonzero(kept)[order])

    def _files(self, sound: Sound[Published]) -> tuple[bytes, bytes]:
        header = sound.made.table.frame.head(0).write_csv().encode()
        public = header + b"".join(line + b"\n" for line in sound.made.lines)
        rows = enumerate(sound.made.link.tolist())
        truth = "released,original\n" + "".join(f"{row},{origin}\n" for row, origin in rows)
        return public, truth.encode()

    def _card(self, sound: Sound[Published]) -> Scorecard:
        made = sound.made
        case = Comparison(self.original, made.table, made.link, self.options.cross)
        utility = {name: float(one.score(case).value) for name, one in self.measures.items()}
        safety = {
            name: {EVERYTHING: self._rate(name, made)}
            for name in track(list(self.attacks), Text("attacks", "攻撃"))
        }
        more = {"rows_kept": made.table.rows / self.original.rows}
        return scorecard(self.contest.scoring, utility, safety, scale=self.scale, more=more)

    def _rate(self, name: str, made: Published) -> float:
        """The exact expected rate, so that no draw and no order of rows matters."""
        rng = Randomness(self.contest.scoring.seed).child("attack", name)
        guess = self.attacks[name].attack(made.table, Knowledge(self.original), rng=rng)
        return attack_rate(guess, made.link, self.original.rows, generator=None).rate

    def _read_guess(self, public: bytes, guess: Upload) -> tuple[ContestText, list[Fault]]:
        seen = len(public.splitlines()) - 1
        limit = Limit(self.max_bytes, seen + 1)
        (text,) = upload_texts(guess, self.guess_files(), limit).values()
        found = contest_text(text, ("released", "original"), where="")
        return found, guess_faults(found, seen, self.original.rows)

    def _score(self, public: bytes, truth: bytes, answer: ContestText) -> GuessVerdict:
        true = guess_numbers(contest_text(truth, ("released", "original"), where="F"))
        lines = pl.Series(public.splitlines()[1:])
        named = guess_numbers(answer)
        hits = hits_of(named, true, lines)
        figures = {"hits": hits, "answered": len(named), "rows": len(lines)}
        value = hits / len(lines)
        return GuessVerdict(value=value, figures={"rate": value, **figures})


def _require_no_mark(first: pl.Series, where: str) -> None:
    if (first.cast(pl.String) == DELETED).any():
        raise InputError(
            Text(
                f"{where}: the first column holds DEL, which stands for deleted rows",
                f"{where}: 最初の列に、削除行を表す DEL があります",
            )
        )
