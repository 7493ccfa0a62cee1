"""What a new kind of data, or a package of methods, needs beside the names of `tokumei`.

    from tokumei.extending import Kind, Registry

`docs/extending.md` has an example of everything; `examples/ratings` is a whole kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.lazy import lazy

if TYPE_CHECKING:
    from tokumei.core.claims import claim_faults as claim_faults
    from tokumei.core.errors import UnknownNameError as UnknownNameError
    from tokumei.core.flow import run_attacks as run_attacks
    from tokumei.core.kind import DEFAULT_COMMANDS as DEFAULT_COMMANDS
    from tokumei.core.kind import Kind as Kind
    from tokumei.core.kind import KindServices as KindServices
    from tokumei.core.lazy import LazyObject as LazyObject
    from tokumei.core.measure import Goal as Goal
    from tokumei.core.measure import Limits as Limits
    from tokumei.core.measure import Measure as Measure
    from tokumei.core.rates import AttackRate as AttackRate
    from tokumei.core.rates import wilson as wilson
    from tokumei.core.recipe import Experiment as Experiment
    from tokumei.core.recipe import Recipe as Recipe
    from tokumei.core.registry import Registry as Registry
    from tokumei.core.release import Provenance as Provenance
    from tokumei.core.result_table import AttackResults as AttackResults
    from tokumei.core.result_table import MeasureResults as MeasureResults
    from tokumei.core.text import as_json_text as as_json_text
    from tokumei.core.verification import VerifiableRelease as VerifiableRelease
    from tokumei.core.verification import VerifiedRelease as VerifiedRelease
    from tokumei.core.verification import verify_release as verify_release
    from tokumei.files.atomic import Output as Output
    from tokumei.files.reading import read_frame as read_frame
    from tokumei.files.writing import frame_output as frame_output
    from tokumei.files.writing import text_output as text_output
    from tokumei.tables.data.comparison import Comparison as Comparison
    from tokumei.tables.data.guess import Guess as Guess
    from tokumei.tables.data.guess import Knowledge as Knowledge
else:
    __getattr__, __dir__, __all__ = lazy(__name__)
