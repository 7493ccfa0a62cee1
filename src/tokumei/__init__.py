"""Tokumei (匿名): anonymize tables and purchase histories, attack the result, measure what is left.

    import tokumei as tk
    people = tk.sample_table(1000, seed=1)
    release = tk.anonymize(people, "mondrian", k=5, seed=1)
    print(tk.attack(people, release, seed=1)["linkage"].rate)

What only one kind of data needs stands in `tokumei.tables`, `tokumei.histories`,
`tokumei.pseudonyms`; more in `tokumei.advice`, `tokumei.price`, `tokumei.spark`,
`tokumei.conformity`, `tokumei.contest`, `tokumei.testing` and `tokumei.extending`. Names are
imported when first used, so that `import tokumei` and the command line start fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei._version import __version__ as __version__
from tokumei.core.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from tokumei import advice as advice
    from tokumei import conformity as conformity
    from tokumei import contest as contest
    from tokumei import extending as extending
    from tokumei import histories as histories
    from tokumei import ledger as ledger
    from tokumei import price as price
    from tokumei import pseudonyms as pseudonyms
    from tokumei import spark as spark
    from tokumei import tables as tables
    from tokumei import testing as testing
    from tokumei.api.advisers import advise as advise
    from tokumei.api.assessment import assess as assess
    from tokumei.api.data import read as read
    from tokumei.api.data import read_history as read_history
    from tokumei.api.data import sample as sample
    from tokumei.api.evaluation import attack as attack
    from tokumei.api.evaluation import measure as measure
    from tokumei.api.evaluation import sweep as sweep
    from tokumei.api.evaluation import unicity as unicity
    from tokumei.api.pages import render as render
    from tokumei.api.pages import report as report
    from tokumei.api.recipes import load_recipe as load_recipe
    from tokumei.api.recipes import run_recipe as run_recipe
    from tokumei.api.release import release as release
    from tokumei.api.releases import anonymize as anonymize
    from tokumei.api.releases import save as save
    from tokumei.assessment.assessment import Assessment as Assessment
    from tokumei.conformity.assessment import conform as conform
    from tokumei.core.errors import ClaimError as ClaimError
    from tokumei.core.errors import InputError as InputError
    from tokumei.core.errors import OutputError as OutputError
    from tokumei.core.errors import TokumeiError as TokumeiError
    from tokumei.core.errors import UsageError as UsageError
    from tokumei.core.errors import Violation as Violation
    from tokumei.core.measure import Score as Score
    from tokumei.core.messages import Message as Message
    from tokumei.core.provenance import Claim as Claim
    from tokumei.core.randomness import Randomness as Randomness
    from tokumei.core.scenario import Scenario as Scenario
    from tokumei.files.release_files import save_experiment as save_experiment
    from tokumei.histories.data.history import History as History
    from tokumei.histories.data.history import sample_history as sample_history
    from tokumei.histories.data.release import HistoryRelease as HistoryRelease
    from tokumei.kinds import kind as kind
    from tokumei.pseudonyms.data.period_history import PeriodHistory as PeriodHistory
    from tokumei.pseudonyms.data.pseudonym_table import PeriodRelease as PeriodRelease
    from tokumei.pseudonyms.lifetime import lifetime as lifetime
    from tokumei.tables.audit.audit import audit as audit
    from tokumei.tables.data.table import Release as Release
    from tokumei.tables.data.table import Table as Table
    from tokumei.tables.datasets.households import sample_table as sample_table
    from tokumei.tables.evaluation import check as check
    from tokumei.tables.evaluation import diagnose as diagnose
    from tokumei.tables.privacy_levels import k_anonymity as k_anonymity
    from tokumei.tables.privacy_levels import l_diversity as l_diversity
    from tokumei.tables.privacy_levels import t_closeness as t_closeness
    from tokumei.tables.profiling.profiler import look as look
    from tokumei.tables.risk.risk import risk as risk
    from tokumei.tables.services.read_table import read_table as read_table
else:
    __getattr__, __dir__, __all__ = lazy_exports(
        __name__,
        renamed={
            "Comparison": "extending.Comparison",
            "Fault": "Violation",
            "Goal": "extending.Goal",
            "Guess": "extending.Guess",
            "Knowledge": "extending.Knowledge",
            "Step": "tables.Step",
            "TableMethod": "tables.TableMethod",
            "Text": "Message",
        },
    )
    __all__.append("__version__")
    __all__.sort()
