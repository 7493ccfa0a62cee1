"""Public names for advice: purposes, candidates and the search for candidate releases.

    adviser = tokumei.advice.adviser("people.csv", Purpose("public", keep=("income",)), seed=1)
    for candidate in adviser.steps(seconds=60):
        print(candidate.title, candidate.figures.loss, candidate.risk)

`tokumei.advise` does all of it in one call; docs/advise.md tells what follows from a purpose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from tokumei.api.advisers import advise as advise
    from tokumei.api.advisers import advise_steps as advise_steps
    from tokumei.api.advisers import adviser as adviser
    from tokumei.api.advisers import near as near
    from tokumei.core.advice.advice import Advice as Advice
    from tokumei.core.advice.advice import Budget as Budget
    from tokumei.core.advice.advice import Skipped as Skipped
    from tokumei.core.advice.adviser import Adviser as Adviser
    from tokumei.core.advice.adviser import Proposal as Proposal
    from tokumei.core.advice.candidate import AttackEstimate as AttackEstimate
    from tokumei.core.advice.candidate import Candidate as Candidate
    from tokumei.core.advice.candidate import Figures as Figures
    from tokumei.core.advice.purpose import Purpose as Purpose
    from tokumei.core.advice.purpose import Settings as Settings
    from tokumei.core.advice.request import Request as Request
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__, renamed={"Found": "AttackEstimate"})
