"""Histories released period by period under changing pseudonyms.

What `import tokumei as tk` does not have of them: a generated history, what an attacker knows and
answers, what its confidence is worth, the curve of `tk.lifetime`, and the contest's total.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.lazy import lazy

if TYPE_CHECKING:
    from tokumei.pseudonyms.confidence import ConfidenceCurve as ConfidenceCurve
    from tokumei.pseudonyms.confidence import attack_curves as attack_curves
    from tokumei.pseudonyms.conformity import singular_effects as singular_effects
    from tokumei.pseudonyms.data.knowledge import PartialKnowledge as PartialKnowledge
    from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess as PeriodGuess
    from tokumei.pseudonyms.data.rows import PeriodRows as PeriodRows
    from tokumei.pseudonyms.data.sample import sample_periods as sample_periods
    from tokumei.pseudonyms.lifetime import LifetimeCurve as LifetimeCurve
    from tokumei.pseudonyms.measures.judge import judge_safety as judge_safety
    from tokumei.pseudonyms.measures.judge import judge_total as judge_total
else:
    __getattr__, __dir__, __all__ = lazy(__name__)
