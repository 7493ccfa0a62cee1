"""The adviser of tables: proposes releases, measures and attacks them.

adviser = TableAdviser.of(TableSource(read, look), Purpose("partner", keep=("income",)), seed=1)
for candidate in adviser.steps(steps=20): ...
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from tokumei.core.advice.advice import Wish
from tokumei.core.advice.adviser import Adviser, Proposal
from tokumei.core.advice.candidate import Candidate
from tokumei.core.advice.purpose import Purpose
from tokumei.core.advice.request import DROP, Request
from tokumei.core.errors import UsageError
from tokumei.core.text import Text
from tokumei.tables.advising import why
from tokumei.tables.advising.attacks import ALL_ROWS, SAMPLE, attacks_of
from tokumei.tables.advising.measured import Made, figures_of, telling_columns
from tokumei.tables.advising.portfolio import Portfolio, with_k
from tokumei.tables.advising.source import Fates, TableSource
from tokumei.tables.anonymizers.conditions import parse_condition
from tokumei.tables.data.person_values import count_persons
from tokumei.tables.data.table import Release

MOST = 40
"""The search ends by itself after so many candidates."""
RISKY = 0.05


@dataclass(eq=False)
class TableAdviser(Adviser):
    """Candidates for the release of a table."""

    source: TableSource = field(kw_only=True)
    fates: Fates = field(kw_only=True)
    made: Made | None = None
    """The release that was evaluated last, for its attack."""

    @classmethod
    def of(
        cls,
        source: TableSource,
        purpose: Purpose,
        *,
        seed: int | None = 1,
        fates: Mapping[str, str] | None = None,
        person: str | None = None,
    ) -> TableAdviser:
        """For a table that was read and looked at."""
        for model in purpose.models or ():
            parse_condition(model)
        source = source.readable()
        chosen = Fates.of(source, purpose, fates, person)
        notes = [*source.notes, *chosen.notes]
        if source.table.rows > ALL_ROWS:
            notes.append(_on_samples(source.table.rows))
        return cls(purpose, purpose.settings, seed, notes, source=source, fates=chosen)

    @property
    def portfolio(self) -> Portfolio:
        """What can be asked for."""
        purpose = self.purpose
        counted = (name for table in purpose.tables for name in table)
        needed = {*purpose.keep, *counted, *([purpose.predict] if purpose.predict else [])}
        return Portfolio(self.source, self.fates, self.settings, frozenset(needed))

    def first(self) -> Iterable[Proposal]:
        """Methods that fit, at the purpose's k, then its grid."""
        return self.portfolio.first(self._people)

    def further(self) -> Iterable[Proposal]:
        """Around the front: k in between, columns that tell too much, exact columns swapped."""
        if len(self.found) + len(self.failed) >= MOST:
            return []
        front, portfolio = self.advice().front, self.portfolio
        found = list[Proposal]()
        for one in front:
            if one.risk is not None and one.risk.share > RISKY / one.figures.people**0.25:
                found += portfolio.lighter(one)
        exact = portfolio.swapped(front[-1].request) if front else None
        if exact is not None and self.settings.counted == "everything":
            found.insert(0, exact)
        found += portfolio.between(front)
        return found[: MOST - len(self.found) - len(self.failed)]

    def close_to(self, candidate: Candidate, wish: Wish, column: str | None) -> Iterator[Proposal]:
        """What comes near to a candidate and fulfils a wish."""
        request, k = candidate.request, candidate.request.k or 2
        portfolio = self.portfolio
        if wish == "safer":
            if 2 * k <= self._people:
                yield Proposal(with_k(request, 2 * k), why.said(why.SAFER, 2 * k))
            yield from portfolio.lighter(candidate)
            if (exact := portfolio.swapped(request)) is not None:
                yield exact
        elif wish == "more detail":
            for finer in sorted({max(2, k // 2), max(2, 2 * k // 3)} - {k}):
                yield Proposal(with_k(request, finer), why.said(why.FINER, finer))
            if request.steps[0]["method"] != "local" and "local" in portfolio.methods:
                local = portfolio.request("local", k, request.columns)
                yield Proposal(local, why.said(why.FINER, k))
        elif wish == "drop":
            if request.columns.get(column or "", DROP) == DROP:
                raise UsageError(
                    f"'{column}' is no column of this candidate",
                    f"'{column}' はこの候補の列ではありません",
                )
            yield portfolio.without(request, str(column))
        elif wish == "without suppressed rows":
            steps = tuple(
                {key: value for key, value in step.items() if key != "suppression"}
                for step in request.steps
            )
            yield Proposal(replace(request, steps=steps), why.WHOLE)
        else:
            raise UsageError(f"unknown wish '{wish}'", f"未知の希望です: '{wish}'")

    def evaluated(self, proposal: Proposal, id: str) -> Candidate:
        """Make and prove the release, and take its figures."""
        made = Made.of(self.source, proposal.request, self.seed)
        self.made = made
        ages = [column.name for column in self.source.look.columns if column.type == "age"]
        figures = figures_of(
            made, self.fates.released(), self._attacker(made), self.settings, self.purpose.tables
        )
        return Candidate(
            id,
            proposal.request,
            figures,
            why.sentence(made, self.purpose, proposal.why, ages),
            why.title_of(proposal.request, self.fates.columns),
            self.settings.counted,
            near=proposal.near,
        )

    def attacked(self, candidate: Candidate) -> Candidate:
        """Attack the release that was made last."""
        made, self.made = self.made, None
        if made is None or made.request != candidate.request:
            made = Made.of(self.source, candidate.request, self.seed)
        figures = candidate.figures
        known, everything = attacks_of(made, self.fates.known, figures.people, self.seed or 0)
        telling = telling_columns(made, self._attacker(made))
        figures = replace(figures, known=known, everything=everything, telling=telling)
        return replace(candidate, figures=figures)

    def release(self, request: Request, *, seed: int | None = None) -> Release:
        """The release that a candidate stands for, proven."""
        return Made.of(self.source, request, self.seed if seed is None else seed).release

    def _attacker(self, made: Made) -> list[str]:
        """What the attacker that counts knows of the public columns."""
        if self.settings.counted == "everything":
            return made.case.released.schema.names
        return made.public(self.fates.known)

    @property
    def _people(self) -> int:
        person = self.fates.person
        table = self.source.table
        return table.rows if person in ("", "none") else count_persons(table.frame[person])


def _on_samples(rows: int) -> Text:
    return Text(
        f"{rows:,} rows: losses and classes are of all rows; attacks try {SAMPLE:,} random "
        "released rows (people) with all known ones, and intervals account for that",
        f"{rows:,} 行: 損失とクラスは全行、攻撃は無作為に選んだ {SAMPLE:,} 行 (人) を既知の全行と"
        "照合した推定です (区間に反映)",
    )
