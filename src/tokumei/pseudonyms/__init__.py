"""Public names for histories released period by period under changing pseudonyms.

What `import tokumei as tk` does not have of them: a generated history, what an attacker knows and
answers, what its confidence is worth, the curve of `tk.lifetime`, and the contest's total.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from tokumei.pseudonyms.confidence_curves import ConfidenceCurve as ConfidenceCurve
    from tokumei.pseudonyms.confidence_curves import attack_curves as attack_curves
    from tokumei.pseudonyms.conformity import singular_effects as singular_effects
    from tokumei.pseudonyms.data.knowledge import PartialKnowledge as PartialKnowledge
    from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess as PeriodGuess
    from tokumei.pseudonyms.data.purchase_text_cells import PeriodRows as PeriodRows
    from tokumei.pseudonyms.data.sample_data import sample_periods as sample_periods
    from tokumei.pseudonyms.lifetime_curve import LifetimeCurve as LifetimeCurve
    from tokumei.pseudonyms.measures.contest_measures import judge_safety as judge_safety
    from tokumei.pseudonyms.measures.contest_measures import judge_total as judge_total
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__)
