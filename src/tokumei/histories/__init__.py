"""Public names for purchase histories.

What `import tokumei as tk` does not have of them: generalized rows, an attacker's answer,
categories of items, layouts of files, and the limit R(n) of the contest's test.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from tokumei.histories.categories.make_categories import choose_categories as choose_categories
    from tokumei.histories.categories.mapping import Categories as Categories
    from tokumei.histories.category_mapping_study import study_categories as study_categories
    from tokumei.histories.data.generalized_history import GeneralHistory as GeneralHistory
    from tokumei.histories.data.guess import HistoryGuess as HistoryGuess
    from tokumei.histories.data.guess import HistoryHits as HistoryHits
    from tokumei.histories.data.guess import threshold as threshold
    from tokumei.histories.formats.layout import HistoryLayout as HistoryLayout
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__)
