"""What an anonymizer is, and what all table methods share."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from tokumei.core.cells import LineOf
from tokumei.core.errors import UsageError
from tokumei.core.progress import track
from tokumei.core.randomness import Randomness, content_digest
from tokumei.core.release import Claim, Provenance, Search
from tokumei.core.text import Text
from tokumei.core.words import Anonymizer
from tokumei.files.compact import foreign_as_text
from tokumei.tables.anonymizers.as_written import as_they_came
from tokumei.tables.data.table import Release, Table


@dataclass(frozen=True, eq=False)
class Step:
    """A table in the making: its rows, where each claims to come from, and what is claimed.

    `searches` tells how the search of the last method ended, if it searched. `origin`: where the
    rows truly come from, if that is not what the link claims. `found`: the steps that the last
    method chose to take, if it chose.
    """

    table: Table
    link: np.ndarray = field(repr=False)
    claims: tuple[Claim, ...] = ()
    searches: tuple[Search, ...] = ()
    origin: np.ndarray | None = field(default=None, repr=False)
    found: tuple[dict[str, Any], ...] = ()

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

    leaves_open: ClassVar[Text]
    """What it does not protect against, in plain words."""

    @property
    def takes_compact(self) -> bool:
        """Whether `change` understands compact text (see `files/compact.py`)."""
        return False

    def prepare(self) -> None:
        """Load what the work will need, while the table is still being read."""

    def require(self, table: Table, line_of: LineOf | None = None) -> None:
        """Fail if the cells of a table are not what the method needs; lines are named by `line_of`.

        Only what can be told before any other step changed them.
        """

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Apply the method; may drop rows but keeps the order of the others."""
        raise NotImplementedError

    def anonymize(
        self, source: Table, *, rng: Randomness, shuffle: bool = True, sha256: str | None = None
    ) -> Release:
        """Drop identifiers, change the table, shuffle the rows (order leaks nothing)."""
        start = Step.start(source.drop(source.schema.ids))
        if rng.seeded:
            rng = rng.bound_to(content_digest(source.frame), self.describe())
        with ThreadPoolExecutor(1) as beside:
            # Drawn meanwhile; useless if rows are dropped, which few methods do.
            ahead = source.rows if shuffle and not rng.seeded else 0
            drawn = beside.submit(rng.child("shuffle").permutation, ahead)
            step = self.change(start, rng=rng.child(self.name))
        # An enumeration would carry every category of the original into the release.
        public = step.table.with_frame(as_they_came(source, foreign_as_text(step.table.frame)))
        order = _order(public, drawn.result(), rng) if shuffle else None
        if order is not None:
            public = public.take(order)
        link = step.link if order is None else step.link[order]
        rows = step.rows if order is None else step.rows[order]
        spelled = {name: source.spelled[name][rows] for name in _untouched(source, step)}
        steps = (*self.describe(), *step.found)
        provenance = Provenance(steps, sha256, rng.seed, step.searches)
        return Release(public, link, step.claims, provenance, spelled)

    def describe(self) -> list[dict[str, Any]]:
        """The method and its parameters as plain data, for provenance and reports."""
        return [{"method": self.name, **dataclasses.asdict(self)}]


def _untouched(source: Table, step: Step) -> list[str]:
    """The columns with a spelling of their own that no method changed, nor makes classes of."""
    classes = {name for claim in step.claims for name in claim.params.get("columns", ())}
    names = [name for name in source.spelled if name in step.table.schema.names]
    return [name for name in names if name not in classes and _is_same(source, step, name)]


def _is_same(source: Table, step: Step, name: str) -> bool:
    before, after = source.frame[name], step.table.frame[name]
    return before.dtype == after.dtype and before[step.rows].eq_missing(after).all()


def _order(public: Table, ahead: np.ndarray, rng: Randomness) -> np.ndarray:
    """A random order of the public rows: the one drawn ahead, if it fits.

    With a seed or key it depends on the rows themselves, so that no two releases of one source
    have theirs in the same order, whatever makes them differ.
    """
    if rng.seeded:
        rng = rng.bound_to(content_digest(public.frame))
    elif len(ahead) == public.rows:
        return ahead
    return rng.child("shuffle").permutation(public.rows)


def require_columns(method: str, names: Sequence[str], role: Text) -> None:
    """Fail if a method has nothing to work on, instead of doing nothing silently."""
    if not names:
        raise UsageError(
            f"{method}: name at least one {role.en} column",
            f"{method}: {role.ja}の列を一つ以上指定してください",
        )


@dataclass(frozen=True)
class Pipeline(TableMethod):
    """Applies its methods in order; the claims of all of them stand together."""

    name: ClassVar[str] = "pipeline"
    title: ClassVar[Text] = Text("Several methods", "複数の手法")
    sentence: ClassVar[Text] = Text(
        "Applies several methods one after the other.", "複数の手法を順に適用します。"
    )
    leaves_open: ClassVar[Text] = Text(
        "Whatever all of its methods leave open.", "どの手法でも防げないものは防げません。"
    )

    methods: tuple[TableMethod, ...]

    def require(self, table: Table, line_of: LineOf | None = None) -> None:
        """What the first method needs; the others see what it leaves."""
        self.methods[0].require(table, line_of)

    def anonymize(
        self, source: Table, *, rng: Randomness, shuffle: bool = True, sha256: str | None = None
    ) -> Release:
        """Make a release; an identifier by which a method counts people is dropped by it."""
        people = {getattr(method, "person", "") for method in self.methods}
        schema = source.schema
        if people & {*schema.ids}:
            ids = [name for name in schema.ids if name not in people]
            roles = schema.with_roles(qi=schema.qi, sa=schema.sa, ids=ids)
            source = Table(source.frame, roles, source.spelled)
        return super().anonymize(source, rng=rng, shuffle=shuffle, sha256=sha256)

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Apply each method to what the one before left."""
        searches: list[Search] = []
        found: list[dict[str, Any]] = []
        for number, method in enumerate(track(self.methods, Text("anonymizing", "匿名加工中"))):
            step = method.change(step, rng=rng.child(method.name, number))
            searches += step.searches
            found += step.found
            step = replace(step, searches=(), found=())
        return replace(step, searches=tuple(searches), found=tuple(found))

    def describe(self) -> list[dict[str, Any]]:
        """All methods with their parameters."""
        return [part for method in self.methods for part in method.describe()]


def require_share(method: str, share: float, name: str = "share") -> None:
    """Fail unless 0 ≤ share ≤ 1."""
    if not 0 <= share <= 1:
        raise UsageError(
            f"{method}: {name} must lie between 0 and 1, not {share}",
            f"{method}: {name} は 0 から 1 の間でなければなりません ({share})",
        )
