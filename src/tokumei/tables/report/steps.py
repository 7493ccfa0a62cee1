"""What was done to the data, and what is claimed of it, in words."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tokumei.core.claims import CheckedClaim, claim_words
from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text
from tokumei.core.words import known, listed
from tokumei.tables.anonymizers.protocol import TableMethod
from tokumei.tables.evaluation import Evaluation
from tokumei.tables.registry import anonymizers, rules

FAULTS_LISTED = 3


@dataclass(frozen=True)
class ShownClaim:
    """A claim in words, and the violations that recomputing it found."""

    text: Text
    faults: tuple[Text, ...]
    more: int

    @property
    def holds(self) -> bool:
        """Whether the claim was verified."""
        return not self.faults


def step_words(step: Mapping[str, Any]) -> Text:
    """One step with its parameters, as its method says it; any other is listed as it stands."""
    method = str(step.get("method", "?"))
    params = {key: value for key, value in step.items() if key != "method"}
    kind = known(anonymizers, method)
    if kind is not None and _is_whole(kind, set(params)):
        try:
            return anonymizers.build(method, params).done()
        except (AttributeError, TokumeiError):
            pass
    return listed(Text(method, method), params)


def _is_whole(kind: type[TableMethod], params: set[str]) -> bool:
    """Whether these are today's parameters: another version's must not be filled with defaults.

    Those by keyword only are left out of a step where they are empty.
    """
    fields = dataclasses.fields(kind)
    return {part.name for part in fields if not part.kw_only} <= params


def shown_claims(evaluation: Evaluation) -> list[ShownClaim]:
    """Every claim of the release with what verification found."""
    return [_shown(checked) for checked in evaluation.checks]


def _shown(checked: CheckedClaim) -> ShownClaim:
    faults = tuple(fault.message for fault in checked.faults[:FAULTS_LISTED])
    return ShownClaim(claim_words(rules, checked.claim), faults, len(checked.faults) - len(faults))
