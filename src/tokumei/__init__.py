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
    from tokumei.anonymizers.pipeline import Pipeline
    from tokumei.anonymizers.protocol import Step, TableMethod
    from tokumei.conformity.case import ConformityCase
    from tokumei.conformity.conform import conform
    from tokumei.data.categories.choose import choose_categories
    from tokumei.data.comparison import Comparison
    from tokumei.data.files.histories import read_history
    from tokumei.data.files.reading import read_link, read_table
    from tokumei.data.general_history import GeneralHistory
    from tokumei.data.guess import Guess
    from tokumei.data.history import History
    from tokumei.data.history_guess import HistoryGuess
    from tokumei.data.history_release import HistoryRelease
    from tokumei.data.history_threshold import threshold
    from tokumei.data.knowledge import Knowledge
    from tokumei.data.periods.history import PeriodHistory
    from tokumei.data.periods.knowledge import PartialKnowledge
    from tokumei.data.periods.release import PeriodRelease
    from tokumei.data.randomness import Randomness
    from tokumei.data.release import Claim, Release
    from tokumei.data.samples.histories import sample_history
    from tokumei.data.samples.households import sample_table
    from tokumei.data.samples.periods import sample_periods
    from tokumei.data.samples.price_people import sample_prices
    from tokumei.data.schema import Kind, Role, Schema
    from tokumei.data.table import Table
    from tokumei.engine.spark_history import read_spark_history
    from tokumei.errors import (
        ClaimError,
        Fault,
        InputError,
        OutputError,
        TokumeiError,
        UnknownNameError,
        UsageError,
    )
    from tokumei.experiment import Experiment, run_recipe, save_experiment
    from tokumei.flow import anonymize, attack, check, diagnose, measure
    from tokumei.history_flow import save_history
    from tokumei.measures.protocol import Goal, Score
    from tokumei.period_curves import lifetime
    from tokumei.period_flow import save_periods
    from tokumei.price.dictionary import PriceList
    from tokumei.price.question import Question
    from tokumei.price.session import PriceSession
    from tokumei.price.valuation import value_release
    from tokumei.recipe import Recipe, load_recipe
    from tokumei.report.conformity_page import render_conformity
    from tokumei.report.html import render_report
    from tokumei.report.risk_page import render_risk_report
    from tokumei.search.evaluate import evaluate
    from tokumei.search.pareto import pareto_front
    from tokumei.search.risk import Risk, risk
    from tokumei.search.unicity import unicity
    from tokumei.spark_histories import SparkHistoryRelease
    from tokumei.spark_history_files import save_history_on_spark
    from tokumei.spark_release import SparkRelease, save_on_spark
    from tokumei.sweeps import sweep
    from tokumei.table_flow import save
    from tokumei.text import Text

_HOMES = {
    "tokumei.text": ["Text"],
    "tokumei.measures.protocol": ["Goal", "Score"],
    "tokumei.data.knowledge": ["Knowledge"],
    "tokumei.data.periods.history": ["PeriodHistory"],
    "tokumei.data.periods.knowledge": ["PartialKnowledge"],
    "tokumei.data.periods.release": ["PeriodRelease"],
    "tokumei.data.samples.periods": ["sample_periods"],
    "tokumei.data.samples.price_people": ["sample_prices"],
    "tokumei.price.dictionary": ["PriceList"],
    "tokumei.price.question": ["Question"],
    "tokumei.price.session": ["PriceSession"],
    "tokumei.price.valuation": ["value_release"],
    "tokumei.period_flow": ["save_periods"],
    "tokumei.data.guess": ["Guess"],
    "tokumei.data.comparison": ["Comparison"],
    "tokumei.anonymizers.protocol": ["Step", "TableMethod"],
    "tokumei.anonymizers.pipeline": ["Pipeline"],
    "tokumei.data.randomness": ["Randomness"],
    "tokumei.data.files.reading": ["read_link", "read_table"],
    "tokumei.data.release": ["Claim", "Release"],
    "tokumei.data.history": ["History"],
    "tokumei.data.history_release": ["HistoryRelease"],
    "tokumei.data.history_guess": ["HistoryGuess"],
    "tokumei.data.general_history": ["GeneralHistory"],
    "tokumei.data.files.histories": ["read_history"],
    "tokumei.data.samples.histories": ["sample_history"],
    "tokumei.data.categories.choose": ["choose_categories"],
    "tokumei.data.history_threshold": ["threshold"],
    "tokumei.history_flow": ["save_history"],
    "tokumei.engine.spark_history": ["read_spark_history"],
    "tokumei.spark_histories": ["SparkHistoryRelease"],
    "tokumei.spark_history_files": ["save_history_on_spark"],
    "tokumei.spark_release": ["SparkRelease", "save_on_spark"],
    "tokumei.sweeps": ["sweep"],
    "tokumei.period_curves": ["lifetime"],
    "tokumei.search.unicity": ["unicity"],
    "tokumei.data.samples.households": ["sample_table"],
    "tokumei.data.schema": ["Kind", "Role", "Schema"],
    "tokumei.data.table": ["Table"],
    "tokumei.errors": [
        "ClaimError",
        "Fault",
        "InputError",
        "OutputError",
        "TokumeiError",
        "UnknownNameError",
        "UsageError",
    ],
    "tokumei.flow": ["anonymize", "attack", "check", "diagnose", "measure"],
    "tokumei.table_flow": ["save"],
    "tokumei.experiment": ["Experiment", "run_recipe", "save_experiment"],
    "tokumei.recipe": ["Recipe", "load_recipe"],
    "tokumei.report.html": ["render_report"],
    "tokumei.search.evaluate": ["evaluate"],
    "tokumei.search.pareto": ["pareto_front"],
    "tokumei.search.risk": ["Risk", "risk"],
    "tokumei.report.risk_page": ["render_risk_report"],
    "tokumei.conformity.case": ["ConformityCase"],
    "tokumei.conformity.conform": ["conform"],
    "tokumei.report.conformity_page": ["render_conformity"],
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
    "lifetime",
    "load_recipe",
    "measure",
    "pareto_front",
    "read_history",
    "read_link",
    "read_spark_history",
    "read_table",
    "render_conformity",
    "render_report",
    "render_risk_report",
    "risk",
    "run_recipe",
    "sample_history",
    "sample_periods",
    "sample_prices",
    "sample_table",
    "save",
    "save_experiment",
    "save_history",
    "save_history_on_spark",
    "save_on_spark",
    "save_periods",
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
