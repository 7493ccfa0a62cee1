"""Public names for new kinds of data and for packages of methods.

    from tokumei.extending import DataKind, Registry

`docs/extending.md` has an example of everything; `examples/ratings` is a whole kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from tokumei.core.attack_rates import AttackRate as AttackRate
    from tokumei.core.attack_rates import wilson as wilson
    from tokumei.core.claims import find_claim_violations as find_claim_violations
    from tokumei.core.data_kind import DEFAULT_COMMANDS as DEFAULT_COMMANDS
    from tokumei.core.data_kind import DataKind as DataKind
    from tokumei.core.data_kind import KindServices as KindServices
    from tokumei.core.errors import UnknownNameError as UnknownNameError
    from tokumei.core.json_types import as_json_text as as_json_text
    from tokumei.core.lazy_imports import LazyObject as LazyObject
    from tokumei.core.measure import Goal as Goal
    from tokumei.core.measure import Limits as Limits
    from tokumei.core.measure import Measure as Measure
    from tokumei.core.provenance import Provenance as Provenance
    from tokumei.core.recipe import Experiment as Experiment
    from tokumei.core.recipe import Recipe as Recipe
    from tokumei.core.registry import Registry as Registry
    from tokumei.core.result_table import AttackResults as AttackResults
    from tokumei.core.result_table import MeasureResults as MeasureResults
    from tokumei.core.verification import VerifiableRelease as VerifiableRelease
    from tokumei.core.verification import VerifiedRelease as VerifiedRelease
    from tokumei.core.verification import verify_release as verify_release
    from tokumei.core.workflow import run_attacks as run_attacks
    from tokumei.files.atomic_write import Output as Output
    from tokumei.files.reading import read_frame as read_frame
    from tokumei.files.writing import frame_output as frame_output
    from tokumei.files.writing import text_output as text_output
    from tokumei.tables.data.comparison import Comparison as Comparison
    from tokumei.tables.data.guess import Guess as Guess
    from tokumei.tables.data.guess import Knowledge as Knowledge
else:
    __getattr__, __dir__, __all__ = lazy_exports(
        __name__,
        renamed={
            "Flow": "KindServices",
            "Kind": "DataKind",
            "VERBS": "DEFAULT_COMMANDS",
            "claim_faults": "find_claim_violations",
        },
    )
