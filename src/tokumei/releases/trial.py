"""One candidate, made and judged: what it keeps of every column, and whether it fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tokumei.assessment.assess import judge, measure_kept
from tokumei.assessment.attacker_figures import AttackerFigures
from tokumei.assessment.information_kept import ColumnKept, headline
from tokumei.assessment.open_release import AssessTable, open_release
from tokumei.assessment.opened_release import OpenedRelease
from tokumei.assessment.verdict import ReleaseVerdict
from tokumei.core.advice.request import DROP, GENERALIZE, Request
from tokumei.core.messages import Message
from tokumei.core.scenario import Scenario
from tokumei.tables.advice.table_source import TableSource
from tokumei.tables.services.anonymize import ReleasedTable, anonymize_table
from tokumei.tables.services.requests import AnonymizeTableRequest, TableRequest

EMPTY_SHARE = 0.5
"""A column that is empty in more of its cells has no use."""
POOR = 0.8


@dataclass(frozen=True, eq=False)
class Trial:
    """A candidate: its request, its release, what is kept by column, and the verdict."""

    request: Request
    released: ReleasedTable = field(repr=False)
    opened: OpenedRelease = field(repr=False)
    columns: Sequence[ColumnKept] = field(repr=False)
    kept: float | None
    verdict: ReleaseVerdict
    attackers: Sequence[AttackerFigures] = field(default=(), repr=False)
    """What the attackers of the scenario found."""

    @property
    def fits(self) -> bool:
        """Whether it fits the scenario."""
        return self.verdict.word == "fits"

    @property
    def empty_columns(self) -> list[str]:
        """Columns that leave although most of their cells are empty."""
        return [c.name for c in self._leaving if (c.empty or 0.0) > EMPTY_SHARE]

    @property
    def poor_columns(self) -> list[str]:
        """Columns that leave and lose much."""
        return [c.name for c in self._leaving if c.kept is not None and c.kept < POOR]

    @property
    def _leaving(self) -> list[ColumnKept]:
        return [c for c in self.columns if self.request.columns.get(c.name) != DROP]

    @property
    def preference(self) -> tuple[bool, int, float]:
        """What fits comes first, then what leaves no column empty, then what keeps most."""
        return self.fits, -len(self.empty_columns), self.kept or 0.0

    @property
    def gives_up(self) -> list[Message]:
        """What is lost: columns that are dropped or lose much, the worst first."""
        lost = sorted(
            (c for c in self.columns if c.kept is not None and c.kept < 1 - 1e-9),
            key=lambda column: column.kept or 0.0,
        )
        return [
            Message("{column} dropped", column=c.name)
            if self.request.columns.get(c.name) == DROP
            else Message("{column}: {kept:percent} kept", column=c.name, kept=c.kept or 0.0)
            for c in lost
        ]

    def to_dict(self) -> dict[str, object]:
        """Plain data, without cells."""
        return {
            "method": self.request.method,
            "k": self.request.k,
            "verdict": self.verdict.word,
            "kept": self.kept,
            "generalized": self.request.columns_with_treatment(GENERALIZE),
            "dropped": self.request.columns_with_treatment(DROP),
            "columns": {c.name: c.kept for c in self.columns if c.kept is not None},
            "empty": self.empty_columns,
        }


def try_candidate(
    source: TableSource,
    request: Request,
    scenario: Scenario,
    identifiers: Sequence[str],
    *,
    seed: int | None,
    sha256: str | None = None,
) -> Trial:
    """Make the release of a candidate, verify and judge it.

    `identifiers` had to go; every other column that is dropped counts as lost.
    """
    table = build_table_request(source, request, identifiers, scenario)
    released = anonymize_table(
        AnonymizeTableRequest(table=table, steps=request.steps, seed=seed, sha256=sha256),
        source.read,
        profile=source.look,
    )
    opened = open_release(
        AssessTable(original=released.source, release=released.release, scenario=scenario)
    )
    opened = replace(opened, identifiers=frozenset(identifiers))
    columns = measure_kept(opened)
    judgement = judge(opened, scenario)
    kept = headline(columns, scenario.keep)
    return Trial(request, released, opened, columns, kept, judgement.verdict, judgement.attackers)


def build_table_request(
    source: TableSource, request: Request, identifiers: Sequence[str], scenario: Scenario
) -> TableRequest:
    """The request of `anonymize table` that makes a candidate."""
    dropped = request.columns_with_treatment(DROP)
    ids = tuple(name for name in dropped if name in identifiers)
    return replace(
        source.table_request(request),
        id=ids,
        identifiers=tuple(name for name in ids if name != request.person),
        drop=tuple(name for name in dropped if name not in identifiers),
        scenario=scenario,
    )
