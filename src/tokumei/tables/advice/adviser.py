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
from tokumei.core.messages import Message
from tokumei.tables.advice import explanations
from tokumei.tables.advice.candidate_attacks import MAX_ATTACKED_ROWS, SAMPLE_ROWS, attack_candidate
from tokumei.tables.advice.candidate_figures import (
    CandidateRelease,
    compute_figures,
    rank_revealing_columns,
)
from tokumei.tables.advice.proposals import ProposalGenerator, with_k
from tokumei.tables.advice.table_source import ColumnTreatments, TableSource
from tokumei.tables.anonymizers.conditions import parse_condition
from tokumei.tables.data.column_encoding import count_persons
from tokumei.tables.data.table import Release

MAX_CANDIDATES = 40
"""The search ends by itself after so many candidates."""
RISKY_SHARE = 0.05


@dataclass(eq=False)
class TableAdviser(Adviser):
    """Candidates for the release of a table."""

    source: TableSource = field(kw_only=True)
    fates: ColumnTreatments = field(kw_only=True)
    made: CandidateRelease | None = None
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
        source = source.with_unreadable_as_missing()
        treatments = ColumnTreatments.of(source, purpose, fates, person)
        notes = [*source.notes, *treatments.notes]
        if source.table.rows > MAX_ATTACKED_ROWS:
            notes.append(_sampling_note(source.table.rows))
        return cls(purpose, purpose.settings, seed, notes, source=source, fates=treatments)

    @property
    def proposal_generator(self) -> ProposalGenerator:
        """What can be asked for."""
        purpose = self.purpose
        counted_names = (name for table in purpose.tables for name in table)
        needed = {*purpose.keep, *counted_names, *([purpose.predict] if purpose.predict else [])}
        return ProposalGenerator(self.source, self.fates, self.settings, frozenset(needed))

    def first(self) -> Iterable[Proposal]:
        """Methods that fit, at the purpose's k, then its grid."""
        return self.proposal_generator.first(self._people_count)

    def further(self) -> Iterable[Proposal]:
        """Around the front: k in between, columns that tell too much, exact columns swapped."""
        if len(self.candidates) + len(self.failed) >= MAX_CANDIDATES:
            return []
        front, portfolio = self.advice().front, self.proposal_generator
        proposals = list[Proposal]()
        for candidate in front:
            if (
                candidate.risk is not None
                and candidate.risk.share > RISKY_SHARE / candidate.figures.people**0.25
            ):
                proposals += portfolio.propose_lighter(candidate)
        swap_proposal = portfolio.swapped(front[-1].request) if front else None
        if swap_proposal is not None and self.settings.counted == "everything":
            proposals.insert(0, swap_proposal)
        proposals += portfolio.between(front)
        return proposals[: MAX_CANDIDATES - len(self.candidates) - len(self.failed)]

    def proposals_near(
        self, candidate: Candidate, wish: Wish, column: str | None
    ) -> Iterator[Proposal]:
        """What comes near to a candidate and fulfils a wish."""
        request, k = candidate.request, candidate.request.k or 2
        portfolio = self.proposal_generator
        if wish == "safer":
            if 2 * k <= self._people_count:
                yield Proposal(
                    with_k(request, 2 * k),
                    explanations.SAFER_REASON.fill(k=2 * k),
                )
            yield from portfolio.propose_lighter(candidate)
            if (swap_proposal := portfolio.swapped(request)) is not None:
                yield swap_proposal
        elif wish == "more detail":
            for finer_k in sorted({max(2, k // 2), max(2, 2 * k // 3)} - {k}):
                yield Proposal(
                    with_k(request, finer_k),
                    explanations.FINER_REASON.fill(k=finer_k),
                )
            if request.steps[0]["method"] != "local" and "local" in portfolio.methods:
                local_request = portfolio.build_request("local", k, request.columns)
                yield Proposal(local_request, explanations.FINER_REASON.fill(k=k))
        elif wish == "drop":
            if request.columns.get(column or "", DROP) == DROP:
                raise UsageError("'{column}' is no column of this candidate", column=column)
            yield portfolio.without(request, str(column))
        elif wish == "without suppressed rows":
            steps = tuple(
                {key: value for key, value in step.items() if key != "suppression"}
                for step in request.steps
            )
            yield Proposal(replace(request, steps=steps), explanations.KEEP_ROWS_REASON)
        else:
            raise UsageError("unknown wish '{wish}'", wish=wish)

    def evaluate_proposal(self, proposal: Proposal, id: str) -> Candidate:
        """Make and prove the release, and take its figures."""
        candidate_release = CandidateRelease.of(self.source, proposal.request, self.seed)
        self.made = candidate_release
        age_columns = [column.name for column in self.source.look.columns if column.type == "age"]
        figures = compute_figures(
            candidate_release,
            self.fates.released(),
            self._attacker_columns(candidate_release),
            self.settings,
            self.purpose.tables,
        )
        return Candidate(
            id,
            proposal.request,
            figures,
            explanations.describe_reason(
                candidate_release, self.purpose, proposal.why, age_columns
            ),
            explanations.describe_title(proposal.request, self.fates.columns),
            self.settings.counted,
            near=proposal.near,
        )

    def attacked(self, candidate: Candidate) -> Candidate:
        """Attack the release that was made last."""
        candidate_release, self.made = self.made, None
        if candidate_release is None or candidate_release.request != candidate.request:
            candidate_release = CandidateRelease.of(self.source, candidate.request, self.seed)
        figures = candidate.figures
        known, everything = attack_candidate(
            candidate_release, self.fates.known, figures.people, self.seed or 0
        )
        revealing_columns = rank_revealing_columns(
            candidate_release, self._attacker_columns(candidate_release)
        )
        figures = replace(figures, known=known, everything=everything, telling=revealing_columns)
        return replace(candidate, figures=figures)

    def release(self, request: Request, *, seed: int | None = None) -> Release:
        """The release that a candidate stands for, proven."""
        return CandidateRelease.of(
            self.source, request, self.seed if seed is None else seed
        ).release

    def _attacker_columns(self, candidate_release: CandidateRelease) -> list[str]:
        """What the attacker that counts knows of the public columns."""
        if self.settings.counted == "everything":
            return candidate_release.case.released.schema.names
        return candidate_release.public(self.fates.known)

    @property
    def _people_count(self) -> int:
        person = self.fates.person
        table = self.source.table
        return table.rows if person in ("", "none") else count_persons(table.frame[person])


def _sampling_note(rows: int) -> Message:
    return Message(
        "{rows:,} rows: losses and classes are of all rows; attacks try {sample_rows:,} random "
        "released rows (people) with all known ones, and intervals account for that",
        rows=rows,
        sample_rows=SAMPLE_ROWS,
    )
