"""The judge of tables with quasi-identifiers and sensitive attributes (format `table`).

Uploads have X's header without id columns, and say which row of X each row comes from: X's rows in
X's order, a deleted row as DEL and empty cells; or rows in any order beside a `link.csv`. S has the
rows that are left, sorted as text. A guess says for rows of S which row of X they are:
`released,original`, both from 0. What an upload says of its rows is only a claim: safety is at
least what their values show (`value_recognition.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Any

import numpy as np
import polars as pl
from pydantic import Field

from tokumei.core.errors import InputError, Violation
from tokumei.core.format_judge import (
    FULL_KNOWLEDGE,
    AcceptedRelease,
    AttackOutcome,
    ContestTerms,
    FileSizeLimit,
    FormatJudge,
    FormatOptions,
    SampleData,
)
from tokumei.core.json_types import JsonObject
from tokumei.files.column_types import infer_column_types
from tokumei.files.contest_files import ContestRows, parse_contest_bytes
from tokumei.files.csv_parsing import CsvRows
from tokumei.files.writing import frame_output
from tokumei.tables.attackers.protocol import attack_rate
from tokumei.tables.data.column_kinds import cast_to_kinds, schema_for
from tokumei.tables.data.comparison import CROSS_DEFAULT, Comparison
from tokumei.tables.data.guess import ABSTAIN, Guess, Knowledge
from tokumei.tables.data.simple_frame import require_simple_frame
from tokumei.tables.data.table import Table, require_numbers
from tokumei.tables.datasets.households import sample_table
from tokumei.tables.evaluation_suite import TableChallenge
from tokumei.tables.judge.link import (
    LINK_FILE,
    deleted_mark_violations,
    is_link_refuted,
    read_link_text,
    restore_original_order,
)
from tokumei.tables.judge.upload_checks import (
    DELETED,
    GUESS_FILE,
    HEADER,
    MAX_CELL_LENGTH,
    ExpectedRelease,
    check_guess,
    check_table,
    count_hits,
    parse_guess,
    read_upload_cells,
)
from tokumei.tables.judge.value_recognition import LinkageResult, ValueLinkage
from tokumei.tables.judge.written_days import WrittenDays
from tokumei.tables.services.read_table import read_table_file
from tokumei.tables.services.requests import TableRequest


class TableOptions(FormatOptions):
    """What the columns of X mean; `id` columns are left out of releases."""

    qi: tuple[str, ...] = Field(min_length=1)
    sa: tuple[str, ...] = Field(min_length=1)
    id: tuple[str, ...] = ()
    cross: tuple[str, ...] = ()
    """The QI of the cross tables of U2 and U3; the first six if empty."""
    kinds: dict[str, str] = Field(default_factory=dict)
    rows_kept: Annotated[float, Field(ge=0, le=1)] = 0.5
    """The least share of the rows that a release keeps."""


@dataclass(frozen=True, eq=False)
class PublishedTable:
    """The rows of S as a table and as lines, the row of X behind each, and whom values show."""

    table: Table = field(repr=False)
    lines: list[bytes] = field(repr=False)
    link: np.ndarray = field(repr=False)
    recognition: ValueLinkage = field(repr=False)

    @cached_property
    def seen(self) -> LinkageResult:
        """Who is recognised by values."""
        return self.recognition.of(self.table)


class TableJudge(FormatJudge[PublishedTable, ContestRows]):
    """Judges Y and guesses of which row is whose."""

    options = TableOptions
    upload_besides = (LINK_FILE,)
    default_utility = ("U1", "U2", "U3", "U4", "U5", "U6")
    default_attacks = ("E1", "E2", "E3", "E4", "EUC1", "EUC2")

    def __init__(self, terms: ContestTerms) -> None:
        super().__init__(terms)
        roles: TableOptions = terms.options
        path = terms.data["original"]
        read = read_table_file(
            TableRequest(
                data=str(path), qi=roles.qi, sa=roles.sa, id=roles.id, kind=roles.kinds, strict=True
            )
        )
        whole = read.table.with_text()
        require_numbers(whole, whole.schema.sa, where=str(path), line_of=read.line_of)
        self.roles = roles
        self.original, self._days = _parse_day_columns(whole.drop(whole.schema.ids), roles)
        if (self.original.frame.to_series(0).cast(pl.String) == DELETED).any():
            raise InputError(
                "{path}: the first column holds DEL, which stands for deleted rows", path=path
            )
        names, rows = self.original.schema.names, self.original.rows
        self._expected = ExpectedRelease(names, roles.sa, rows, roles.rows_kept)
        self._recognition = ValueLinkage(self.original)

    @classmethod
    def sample(
        cls, terms: ContestTerms, *, rows: int | None, customers: int | None, seed: int
    ) -> SampleData:
        """Made-up households."""
        table = sample_table(rows or 1_000, seed=seed)
        schema = {"qi": table.schema.qi, "sa": table.schema.sa}
        return SampleData({"original": frame_output(table.frame, "X.csv")}, schema)

    @property
    def source(self) -> Table:
        """X without its id columns."""
        return self.original

    @property
    def size(self) -> FileSizeLimit:
        """X's lines with its header, every cell as long as it may be."""
        widest = 4 * MAX_CELL_LENGTH * len(self._expected.names)
        return FileSizeLimit(self.original.rows + 1, max(FileSizeLimit.line_bytes, widest))

    def unchanged(self) -> AcceptedRelease[PublishedTable]:
        """X as Y."""
        plain = self.original.frame.select(pl.all().cast(pl.String).fill_null(""))
        published = self._publish_rows(CsvRows(plain))
        return AcceptedRelease(plain, published, lambda: self.original, lambda: published.link)

    def read(
        self, texts: Mapping[str, bytes]
    ) -> tuple[AcceptedRelease[PublishedTable] | None, list[Violation]]:
        """Y, or what is wrong with it and with its link."""
        link_text = texts.get(LINK_FILE)
        expected = replace(self._expected, linked=link_text is not None)
        (text,) = (text for name, text in texts.items() if name != LINK_FILE)
        cells = read_upload_cells(text, expected)
        if not isinstance(cells, CsvRows):
            return None, cells
        faults = check_table(cells, expected)
        if link_text is not None:
            link, link_violations = read_link_text(link_text, cells.frame.height, expected.rows)
            faults = [*deleted_mark_violations(cells.frame), *faults, *link_violations]
            if link is not None and not faults:
                cells = CsvRows(restore_original_order(cells.frame, link, expected.rows))
        if faults:
            return None, faults
        published = self._publish_rows(cells)
        return AcceptedRelease(
            cells.frame, published, lambda: published.table, lambda: published.link
        ), []

    def _publish_rows(self, cells: CsvRows) -> PublishedTable:
        is_kept = (cells.frame[cells.frame.columns[0]] != DELETED).to_numpy()
        kept_rows = cells.frame.filter(pl.Series(is_kept)).with_columns(
            pl.when(pl.all() != "").then(pl.all())
        )
        frame = self._typed(kept_rows)
        lines = frame.write_csv(include_header=False).encode().splitlines()
        order = np.array(sorted(range(len(lines)), key=lines.__getitem__))
        if self._days.columns:
            frame = self._typed(self._days.read_cells(kept_rows))
        schema = schema_for(frame, qi=self.roles.qi, sa=self.roles.sa)
        table = Table(frame, schema).take(order)
        link = np.flatnonzero(is_kept)[order]
        return PublishedTable(table, [lines[row] for row in order], link, self._recognition)

    def _typed(self, cells: pl.DataFrame) -> pl.DataFrame:
        return require_simple_frame(cast_to_kinds(infer_column_types(cells), self.roles.kinds))

    def outputs(self, sound: AcceptedRelease[PublishedTable]) -> tuple[bytes, bytes]:
        """S with a header; for each of its rows that of X, and whom its values show instead."""
        header = sound.made.table.frame.head(0).write_csv().encode()
        public = header + b"".join(line + b"\n" for line in sound.made.lines)
        link, shown = sound.made.link, sound.made.seen.person
        differing = np.flatnonzero((shown != ABSTAIN) & (shown != link))
        rows = [
            *enumerate(link.tolist()),
            *zip(differing.tolist(), shown[differing].tolist(), strict=True),
        ]
        truth = "released,original\n" + "".join(f"{row},{origin}\n" for row, origin in rows)
        return public, truth.encode()

    def utility(
        self, sound: AcceptedRelease[PublishedTable], measures: Mapping[str, Any]
    ) -> dict[str, float]:
        """Measures that compare S with X row by row."""
        published = sound.made
        case = Comparison(self.original, published.table, published.link, self.roles.cross)
        return {name: float(measure.score(case).value) for name, measure in measures.items()}

    def scales(self) -> Mapping[str, float]:
        """What U1…U6 would be if nothing were released."""
        return table_scales(self.original, self.roles.cross)

    def further(self, sound: AcceptedRelease[PublishedTable]) -> JsonObject:
        """How many rows are left, and whether values refute the link."""
        refutation = {"link_refuted": True} if self._is_link_refuted(sound.made) else {}
        return {"rows_kept": sound.made.table.rows / self.original.rows, **refutation}

    def challenges(self, sound: AcceptedRelease[PublishedTable]) -> Mapping[str, TableChallenge]:
        """S, knowing all of X."""
        knowledge = Knowledge(self.original, strict=False)
        return {FULL_KNOWLEDGE: TableChallenge(sound.made.table, knowledge)}

    def found(self, sound: AcceptedRelease[PublishedTable], answer: Guess) -> AttackOutcome:
        """The exact expected rate, so that no draw and no order of rows matters."""
        return AttackOutcome(
            attack_rate(answer, sound.truth, self.original.rows, generator=None).rate
        )

    def recognised(self, sound: AcceptedRelease[PublishedTable]) -> float:
        """The share of people whose record stands in S, verbatim or nearest by far.

        All of them, if that refutes what the upload says of its rows.
        """
        return 1.0 if self._is_link_refuted(sound.made) else sound.made.seen.rate

    def _is_link_refuted(self, published: PublishedTable) -> bool:
        return is_link_refuted(
            self.original, published.table, published.link, published.seen.person
        )

    def guess_files(self) -> Sequence[str]:
        """One file released,original."""
        return [GUESS_FILE]

    def guess_size(self, public: bytes) -> FileSizeLimit:
        """A line for each of S's."""
        return FileSizeLimit(len(public.splitlines()))

    def read_guess(
        self, public: bytes, texts: Mapping[str, bytes]
    ) -> tuple[ContestRows, list[Violation]]:
        """Lines of row numbers."""
        (text,) = texts.values()
        guess = parse_contest_bytes(text, HEADER, where="")
        return guess, check_guess(guess, len(public.splitlines()) - 1, self.original.rows)

    def score(self, public: bytes, truth: bytes, answer: ContestRows) -> AttackOutcome:
        """The share of S's rows that were found: as they are linked, or as their values show."""
        true = parse_guess(parse_contest_bytes(truth, HEADER, where="F"))
        lines = pl.Series(public.splitlines()[1:])
        guessed = parse_guess(answer)
        hits = count_hits(guessed, true, lines)
        value = hits / len(lines)
        figures = {"hits": hits, "answered": len(guessed), "rows": len(lines)}
        return AttackOutcome(value, figures={"rate": value, **figures})


def _parse_day_columns(table: Table, roles: TableOptions) -> tuple[Table, WrittenDays]:
    """X with its days read as days, and how it writes them; not where a kind is given."""
    days = WrittenDays.of(table.frame, [name for name in roles.qi if name not in roles.kinds])
    if not days.columns:
        return table, days
    frame = days.read_original(table.frame)
    spelled = {name: cells for name, cells in table.spelled.items() if name not in days.columns}
    return Table(frame, schema_for(frame, qi=roles.qi, sa=roles.sa), spelled), days


def table_scales(original: Table, cross: Sequence[str] = ()) -> dict[str, float]:
    """The scales of a table's measures; without `cross` the first six QI make the cross table."""
    names = list(cross) or original.schema.qi[:CROSS_DEFAULT]
    values = original.numbers(original.schema.sa)
    cell = original.frame.select(pl.struct(names).rank("dense")).to_series().to_numpy()
    cell = cell.astype(np.int64)
    counts = np.bincount(cell)[1:]
    sums = [np.bincount(cell, weights=column)[1:] for column in values.T]
    means = np.abs(np.array(sums) / counts)
    return {
        "U1": float(np.abs(values.mean(axis=0)).mean()),
        "U2": float(means.mean()),
        "U3": float(counts.mean()),
        "U4": 1.0,
        "U5": 1.0,
        "U6": float(original.rows),
    }
