"""Tokumei (匿名): anonymize tables, attack the result, measure what is left.

    import tokumei as tk
    people = tk.sample_table(1000, seed=1)
    release = tk.anonymize(people, "mondrian", k=5, seed=1)
    print(tk.attack(people, release, seed=1)["linkage"].rate)

Names are imported when first used, so that `import tokumei` and the command line start fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tokumei._version import __version__

if TYPE_CHECKING:
    from tokumei.conformity.case import ConformityCase
    from tokumei.conformity.conform import conform
    from tokumei.conformity.page import render_conformity
    from tokumei.core.errors import (
        ClaimError,
        Fault,
        InputError,
        OutputError,
        TokumeiError,
        UnknownNameError,
        UsageError,
    )
    from tokumei.core.pareto import pareto_front
    from tokumei.core.randomness import Randomness
    from tokumei.core.recipe import Recipe, load_recipe
    from tokumei.core.release import Claim
    from tokumei.core.score import Goal, Score
    from tokumei.core.text import Text
    from tokumei.core.unicity.unicity import unicity
    from tokumei.files.links import read_link
    from tokumei.flow import (
        anonymize,
        attack,
        check,
        diagnose,
        measure,
        read,
        read_history,
        sample,
        save,
    )
    from tokumei.histories.categories.choose import choose_categories
    from tokumei.histories.data.general import GeneralHistory
    from tokumei.histories.data.guess import HistoryGuess
    from tokumei.histories.data.history import History
    from tokumei.histories.data.release import HistoryRelease
    from tokumei.histories.data.sample import sample_history
    from tokumei.histories.data.threshold import threshold
    from tokumei.histories.spark.files import save_history_on_spark
    from tokumei.histories.spark.flow import SparkHistoryRelease
    from tokumei.histories.spark.reading import read_spark_history
    from tokumei.kinds import kind
    from tokumei.price.dictionary import PriceList
    from tokumei.price.question import Question
    from tokumei.price.sample.people import sample_prices
    from tokumei.price.session import PriceSession
    from tokumei.price.valuation import value_release
    from tokumei.pseudonyms.data.history import PeriodHistory
    from tokumei.pseudonyms.data.knowledge import PartialKnowledge
    from tokumei.pseudonyms.data.release import PeriodRelease
    from tokumei.pseudonyms.data.sample import sample_periods
    from tokumei.pseudonyms.lifetime import lifetime
    from tokumei.tables.anonymizers.pipeline import Pipeline
    from tokumei.tables.anonymizers.protocol import Step, TableMethod
    from tokumei.tables.data.comparison import Comparison
    from tokumei.tables.data.guess import Guess
    from tokumei.tables.data.knowledge import Knowledge
    from tokumei.tables.data.reading import read_table
    from tokumei.tables.data.release import Release
    from tokumei.tables.data.schema import Kind, Role, Schema
    from tokumei.tables.data.table import Table
    from tokumei.tables.evaluate import evaluate
    from tokumei.tables.experiment import Experiment, run_recipe, save_experiment
    from tokumei.tables.releasing.spark_release import SparkRelease, save_on_spark
    from tokumei.tables.report.html import render_report
    from tokumei.tables.report.risk_page import render_risk_report
    from tokumei.tables.risk.risk import Risk, risk
    from tokumei.tables.sample.households import sample_table
    from tokumei.tables.sweeps import sweep

_HOMES = {
    "tokumei.core.text": ["Text"],
    "tokumei.kinds": ["kind"],
    "tokumei.core.score": ["Goal", "Score"],
    "tokumei.tables.data.knowledge": ["Knowledge"],
    "tokumei.pseudonyms.data.history": ["PeriodHistory"],
    "tokumei.pseudonyms.data.knowledge": ["PartialKnowledge"],
    "tokumei.pseudonyms.data.release": ["PeriodRelease"],
    "tokumei.pseudonyms.data.sample": ["sample_periods"],
    "tokumei.price.sample.people": ["sample_prices"],
    "tokumei.price.dictionary": ["PriceList"],
    "tokumei.price.question": ["Question"],
    "tokumei.price.session": ["PriceSession"],
    "tokumei.price.valuation": ["value_release"],
    "tokumei.tables.data.guess": ["Guess"],
    "tokumei.tables.data.comparison": ["Comparison"],
    "tokumei.tables.anonymizers.protocol": ["Step", "TableMethod"],
    "tokumei.tables.anonymizers.pipeline": ["Pipeline"],
    "tokumei.core.randomness": ["Randomness"],
    "tokumei.files.links": ["read_link"],
    "tokumei.tables.data.reading": ["read_table"],
    "tokumei.core.release": ["Claim"],
    "tokumei.tables.data.release": ["Release"],
    "tokumei.histories.data.history": ["History"],
    "tokumei.histories.data.release": ["HistoryRelease"],
    "tokumei.histories.data.guess": ["HistoryGuess"],
    "tokumei.histories.data.general": ["GeneralHistory"],
    "tokumei.histories.data.sample": ["sample_history"],
    "tokumei.histories.categories.choose": ["choose_categories"],
    "tokumei.histories.data.threshold": ["threshold"],
    "tokumei.histories.spark.reading": ["read_spark_history"],
    "tokumei.histories.spark.flow": ["SparkHistoryRelease"],
    "tokumei.histories.spark.files": ["save_history_on_spark"],
    "tokumei.tables.releasing.spark_release": ["SparkRelease", "save_on_spark"],
    "tokumei.tables.sweeps": ["sweep"],
    "tokumei.pseudonyms.lifetime": ["lifetime"],
    "tokumei.core.unicity.unicity": ["unicity"],
    "tokumei.tables.sample.households": ["sample_table"],
    "tokumei.tables.data.schema": ["Kind", "Role", "Schema"],
    "tokumei.tables.data.table": ["Table"],
    "tokumei.core.errors": [
        "ClaimError",
        "Fault",
        "InputError",
        "OutputError",
        "TokumeiError",
        "UnknownNameError",
        "UsageError",
    ],
    "tokumei.flow": [
        "anonymize",
        "attack",
        "check",
        "diagnose",
        "measure",
        "read",
        "read_history",
        "sample",
        "save",
    ],
    "tokumei.tables.experiment": ["Experiment", "run_recipe", "save_experiment"],
    "tokumei.core.recipe": ["Recipe", "load_recipe"],
    "tokumei.tables.report.html": ["render_report"],
    "tokumei.tables.evaluate": ["evaluate"],
    "tokumei.core.pareto": ["pareto_front"],
    "tokumei.tables.risk.risk": ["Risk", "risk"],
    "tokumei.tables.report.risk_page": ["render_risk_report"],
    "tokumei.conformity.case": ["ConformityCase"],
    "tokumei.conformity.conform": ["conform"],
    "tokumei.conformity.page": ["render_conformity"],
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Claim",
    "ClaimError",
    "Comparison",
    "ConformityCase",
    "Experiment",
    "Fault",
    "GeneralHistory",
    "Goal",
    "Guess",
    "History",
    "HistoryGuess",
    "HistoryRelease",
    "InputError",
    "Kind",
    "Knowledge",
    "OutputError",
    "PartialKnowledge",
    "PeriodHistory",
    "PeriodRelease",
    "Pipeline",
    "PriceList",
    "PriceSession",
    "Question",
    "Randomness",
    "Recipe",
    "Release",
    "Risk",
    "Role",
    "Schema",
    "Score",
    "SparkHistoryRelease",
    "SparkRelease",
    "Step",
    "Table",
    "TableMethod",
    "Text",
    "TokumeiError",
    "UnknownNameError",
    "UsageError",
    "__version__",
    "anonymize",
    "attack",
    "check",
    "choose_categories",
    "conform",
    "diagnose",
    "evaluate",
    "kind",
    "lifetime",
    "load_recipe",
    "measure",
    "pareto_front",
    "read",
    "read_history",
    "read_link",
    "read_spark_history",
    "read_table",
    "render_conformity",
    "render_report",
    "render_risk_report",
    "risk",
    "run_recipe",
    "sample",
    "sample_history",
    "sample_periods",
    "sample_prices",
    "sample_table",
    "save",
    "save_experiment",
    "save_history_on_spark",
    "save_on_spark",
    "sweep",
    "threshold",
    "unicity",
    "value_release",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'tokumei' has no attribute {name!r}")
    found = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
