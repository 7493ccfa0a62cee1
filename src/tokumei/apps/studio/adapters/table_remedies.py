"""Candidates of tables that do what a measured remedy says, or that may fit a scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tokumei.assessment.propose_remedies import needed_size
from tokumei.core.advice.adviser import Proposal
from tokumei.core.advice.request import DROP, GENERALIZE, Request
from tokumei.core.messages import Message
from tokumei.tables.advice.choose_k import shorten_names
from tokumei.tables.advice.proposals import ProposalGenerator

if TYPE_CHECKING:
    from tokumei.core.scenario import Scenario
    from tokumei.tables.advice.adviser import TableAdviser

COARSER = Message(
    "makes {columns} coarser until groups of at least {k} look alike", stable_code="remedy-coarser"
)
WITHOUT = Message("leaves out {columns}", stable_code="remedy-without")
COARSE_ACTIONS = frozenset({"coarsen", "top-code", "round", "merge", "suppress", "leave-out"})
FIXABLE_ACTIONS = COARSE_ACTIONS | {"drop", "swap", "scenario"}
"""The remedies of which the methods at hand make candidates; `scenario` changes the recipient."""


def propose_remedy(
    adviser: TableAdviser, request: Request, action: str, parameters: Mapping[str, object]
) -> list[Proposal]:
    """Candidates that do what a remedy says with the methods at hand."""
    named = parameters.get("columns")
    columns = [str(name) for name in named] if isinstance(named, list | tuple) else []
    columns = [name for name in columns if request.columns.get(name, DROP) != DROP]
    k = int(str(parameters.get("k", request.k or adviser.settings.k)))
    if action == "drop" and columns:
        return _without(adviser, request, columns, k)
    if action == "swap":
        swapped = adviser.proposal_generator.swapped(request)
        return [] if swapped is None else [swapped]
    if action in COARSE_ACTIONS:
        return _coarser(adviser, request, columns, k)
    return []


def propose_fitting(adviser: TableAdviser, request: Request, scenario: Scenario) -> list[Proposal]:
    """All that may be known made coarser, at once; then what is exact left out."""
    if scenario.knows is None:
        known = [name for name, treatment in request.columns.items() if treatment != DROP]
    else:
        known = [item.column for item in scenario.knows]
        known = [name for name in known if request.columns.get(name, DROP) != DROP]
    exact = [name for name in known if request.columns[name] != GENERALIZE]
    k = needed_size(scenario)
    proposals = _coarser(adviser, request, known, k)
    if exact and len(exact) < len(known):
        proposals += _without(adviser, request, exact, k)
    return proposals


def _coarser(
    adviser: TableAdviser, request: Request, columns: Sequence[str], k: int
) -> list[Proposal]:
    """By every recoding that fits the table's size."""
    generator = adviser.proposal_generator
    treatments = {**request.columns, **dict.fromkeys(columns, GENERALIZE)}
    why = COARSER.fill(
        columns=shorten_names(columns or request.columns_with_treatment(GENERALIZE)), k=k
    )
    requests = (
        generator.build_request(method, max(k, request.k or k), treatments)
        for method in _methods(generator, treatments, request)
    )
    return [Proposal(proposed, why) for proposed in requests if proposed != request]


def _methods(
    generator: ProposalGenerator, treatments: Mapping[str, str], request: Request
) -> list[str]:
    """The recodings for these columns; many more columns than planned: by the fastest alone."""
    planned = len(request.columns_with_treatment(GENERALIZE))
    wanted = sum(treatment == GENERALIZE for treatment in treatments.values())
    return generator.methods[:2] if wanted <= max(10, 2 * planned) else ["mondrian"]


def _without(
    adviser: TableAdviser, request: Request, columns: Sequence[str], k: int
) -> list[Proposal]:
    """By the same method; none if no column would be left to make coarser."""
    generator = adviser.proposal_generator
    treatments = {**request.columns, **dict.fromkeys(columns, DROP)}
    method = str(request.steps[0]["method"])
    if GENERALIZE not in treatments.values():
        return []
    proposed = generator.build_request(method, max(k, request.k or k), treatments)
    return [Proposal(proposed, WITHOUT.fill(columns=shorten_names(columns)))]
