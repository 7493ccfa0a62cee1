"""Base class of table methods, and the step they transform."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.core.described import Anonymizer
from tokumei.core.errors import UsageError
from tokumei.core.generalized_cells import LineOfRow
from tokumei.core.messages import Message
from tokumei.core.progress import track_progress
from tokumei.core.provenance import Claim, Provenance, SearchOutcome
from tokumei.core.randomness import Randomness, content_digest
from tokumei.files.column_types import (
    decode_foreign_categories,
    dictionary_words,
    is_dictionary_encoded,
)
from tokumei.tables.data.table import Release, Table
from tokumei.tables.hierarchies.leaf_lookup import canonicalize_text as respelled


@dataclass(frozen=True, eq=False)
class Step:
    """A table in the making: its rows, where each claims to come from, and what is claimed.

    `searches` tells how the search of the last method ended, if it searched. `origin`: where the
    rows truly come from, if that is not what the link claims. `chosen_steps`: those that
    the last method chose to take, if it chose.
    """

    table: Table
    link: np.ndarray = field(repr=False)
    claims: tuple[Claim, ...] = ()
    searches: tuple[SearchOutcome, ...] = ()
    origin: np.ndarray | None = field(default=None, repr=False)
    chosen_steps: tuple[dict[str, object], ...] = ()

    @property
    def rows(self) -> np.ndarray:
        """The row of the source that each row was."""
        return self.link if self.origin is None else self.origin

    @classmethod
    def start(cls, source: Table) -> Step:
        """The source itself, every row linked to itself."""
        return cls(source, np.arange(source.rows))


class TableMethod(Anonymizer):
    """Base of the table methods: `change` does the work, `anonymize` wraps it up."""

    leaves_open: ClassVar[Message]
    """What it does not protect against, in plain words."""

    unsaid: ClassVar[tuple[str, ...]] = ()
    """Parameters that are not described where they ask for nothing."""

    @property
    def takes_compact(self) -> bool:
        """Whether `change` understands compact text (see `files/column_types.py`)."""
        return False

    @property
    def reads(self) -> set[str]:
        """Columns that it reads and drops itself, even where they are identifiers."""
        return set()

    def prepare(self) -> None:
        """Load what the work will need, while the table is still being read."""

    def require(self, table: Table, line_of: LineOfRow | None = None) -> None:
        """Fail if the cells of a table are not what the method needs; `first_row_line` names lines.

        Only what can be told before any other step changed them.
        """

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Apply the method; may drop rows but keeps the order of the others."""
        raise NotImplementedError

    def anonymize(
        self, source: Table, *, rng: Randomness, shuffle: bool = True, sha256: str | None = None
    ) -> Release:
        """Drop identifiers, change the table, shuffle the rows (order leaks nothing)."""
        start = Step.start(source.drop({*source.schema.ids} - self.reads))
        if rng.seeded:
            rng = rng.bound_to(content_digest(source.frame), self.describe())
        with ThreadPoolExecutor(1) as executor:
            # Drawn meanwhile; useless if rows are dropped, which few methods do.
            drawn_rows = source.rows if shuffle and not rng.seeded else 0
            drawn_order = executor.submit(rng.child("shuffle").permutation, drawn_rows)
            step = self.change(start, rng=rng.child(self.name))
        # An enumeration would carry every category of the original into the release.
        public = step.table.with_frame(
            restore_original_text(source, decode_foreign_categories(step.table.frame))
        )
        order = _shuffle_order(public, drawn_order.result(), rng) if shuffle else None
        if order is not None:
            public = public.take(order)
        link = step.link if order is None else step.link[order]
        rows = step.rows if order is None else step.rows[order]
        kept_spellings = {
            name: source.spelled[name][rows] for name in _unchanged_columns(source, step)
        }
        steps = (*self.describe(), *step.chosen_steps)
        provenance = Provenance(steps, sha256, rng.seed, step.searches)
        return Release(public, link, step.claims, provenance, kept_spellings)

    def describe(self) -> list[dict[str, object]]:
        """The method and its parameters as plain data, for provenance and reports."""
        params = dataclasses.asdict(self)
        described_params = {
            key: value for key, value in params.items() if value or key not in self.unsaid
        }
        return [{"method": self.name, **described_params}]


def _unchanged_columns(source: Table, step: Step) -> list[str]:
    """The columns with a spelling of their own that no method changed, nor makes classes of."""
    classes = {name for claim in step.claims for name in claim.params.get("columns", ())}
    names = [name for name in source.spelled if name in step.table.schema.names]
    return [name for name in names if name not in classes and _is_unchanged(source, step, name)]


def _is_unchanged(source: Table, step: Step, name: str) -> bool:
    before, after = source.frame[name], step.table.frame[name]
    return before.dtype == after.dtype and before[step.rows].eq_missing(after).all()


def _shuffle_order(public: Table, drawn_order: np.ndarray, rng: Randomness) -> np.ndarray:
    """A random order of the public rows: the one drawn ahead, if it fits.

    With a seed or key it depends on the rows themselves, so that no two releases of one source
    have theirs in the same order, whatever makes them differ.
    """
    if rng.seeded:
        rng = rng.bound_to(content_digest(public.frame))
    elif len(drawn_order) == public.rows:
        return drawn_order
    return rng.child("shuffle").permutation(public.rows)


def restore_original_text(source: Table, released: pl.DataFrame) -> pl.DataFrame:
    """The released rows with exact texts of QI as they came: `2024-05-01 08:30`, not with a T.

    Methods work with canonical text, in which equal moments and numbers are equal. A value that its
    column writes in one way only gets that writing back; where two writings became one, the
    canonical one stays, because the other would part rows that are alike.
    """
    texts = [name for name in source.schema.qi if name in released.columns]
    texts = [
        name
        for name in texts
        if _is_text_column(source.frame[name]) and _is_text_column(released[name])
    ]
    for name in texts:
        spellings = _unique_spellings(source.frame[name])
        if not spellings.height:
            continue
        cells = released[name].cast(pl.String)
        if cells.is_in(spellings["plain"].implode()).any():
            released = released.with_columns(cells.replace(spellings["plain"], spellings["text"]))
    return released


def _is_text_column(cells: pl.Series) -> bool:
    return cells.dtype == pl.String or is_dictionary_encoded(cells.dtype)


def _unique_spellings(cells: pl.Series) -> pl.DataFrame:
    """The texts whose canonical form is another one that no other text has."""
    distinct = dictionary_words(cells) if is_dictionary_encoded(cells.dtype) else cells.unique()
    spellings = pl.DataFrame({"text": distinct}).drop_nulls()
    spellings = spellings.with_columns(plain=respelled(spellings["text"]))
    return spellings.filter((pl.col("text") != pl.col("plain")) & ~pl.col("plain").is_duplicated())


def require_columns(method: str, names: Sequence[str], role: Message) -> None:
    """Fail if a method has nothing to work on, instead of doing nothing silently."""
    if not names:
        raise UsageError("{method}: name at least one {role} column", method=method, role=role)


@dataclass(frozen=True)
class Pipeline(TableMethod):
    """Applies its methods in order; the claims of all of them stand together."""

    name: ClassVar[str] = "pipeline"
    title: ClassVar[Message] = Message("Several methods")
    sentence: ClassVar[Message] = Message("Applies several methods one after the other.")
    leaves_open: ClassVar[Message] = Message("Whatever all of its methods leave open.")

    methods: tuple[TableMethod, ...]

    def require(self, table: Table, line_of: LineOfRow | None = None) -> None:
        """What the first method needs; the others see what it leaves."""
        self.methods[0].require(table, line_of)

    @property
    def reads(self) -> set[str]:
        """What any of its methods reads."""
        return {name for method in self.methods for name in method.reads}

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Apply each method to what the one before left."""
        searches: list[SearchOutcome] = []
        chosen_steps: list[dict[str, object]] = []
        for number, method in enumerate(track_progress(self.methods, Message("anonymizing"))):
            step = method.change(step, rng=rng.child(method.name, number))
            searches += step.searches
            chosen_steps += step.chosen_steps
            step = replace(step, searches=(), chosen_steps=())
        return replace(step, searches=tuple(searches), chosen_steps=tuple(chosen_steps))

    def describe(self) -> list[dict[str, object]]:
        """All methods with their parameters."""
        return [part for method in self.methods for part in method.describe()]


def require_share(method: str, share: float, name: str = "share") -> None:
    """Fail unless 0 ≤ share ≤ 1."""
    if not 0 <= share <= 1:
        raise UsageError(
            "{method}: {name} must lie between 0 and 1, not {share}",
            method=method,
            name=name,
            share=share,
        )
