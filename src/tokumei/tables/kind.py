"""The kind `tables`."""

from __future__ import annotations

from tokumei.core.ask import Verb
from tokumei.core.kind import Kind
from tokumei.core.lazy import LazyObject
from tokumei.core.text import Text
from tokumei.tables.registry import anonymizers, attackers, formats, measures, rules

TABLES = Kind(
    name="tables",
    noun="table",
    title=Text("Tables", "表"),
    home="tokumei.tables",
    services=LazyObject("tokumei.tables.flow", "SERVICES"),
    anonymizers=anonymizers,
    attackers=attackers,
    measures=measures,
    rules=rules,
    formats=formats,
    verbs={
        "look": Verb(LazyObject("tokumei.tables.ask.look", "LookAtTable"), ("table",)),
        "sample": Verb(LazyObject("tokumei.tables.ask.sample", "SampleTable"), ("table",)),
        "anonymize": Verb(LazyObject("tokumei.tables.ask.anonymize", "AnonymizeTable"), ("table",)),
        "attack": Verb(LazyObject("tokumei.tables.ask.attack", "AttackTable"), ("table",)),
        "check": Verb(LazyObject("tokumei.tables.ask.check", "CheckTable")),
        "measure utility": Verb(LazyObject("tokumei.tables.ask.measure", "MeasureTable")),
        "choose": Verb(LazyObject("tokumei.tables.ask.choose", "ChooseTable"), ("table",)),
        "advise": Verb(LazyObject("tokumei.tables.ask.advise", "AdviseTable"), ("table",)),
        "sweep": Verb(LazyObject("tokumei.tables.ask.sweep", "SweepTable")),
        "risk": Verb(LazyObject("tokumei.tables.ask.risk", "RiskOfTable")),
        "audit": Verb(LazyObject("tokumei.tables.ask.audit", "AuditTable")),
        "audit split": Verb(LazyObject("tokumei.tables.ask.audit", "SplitForAudit")),
        "diagnose": Verb(LazyObject("tokumei.tables.ask.diagnose", "DiagnoseTable")),
        "ledger add": Verb(LazyObject("tokumei.tables.ask.ledger", "AddTable"), ("table",)),
        "ledger check": Verb(
            LazyObject("tokumei.tables.ask.ledger", "CheckLedgerOfTable"), ("table",)
        ),
        "ledger attack": Verb(
            LazyObject("tokumei.tables.ask.ledger_attack", "AttackLedgerOfTable"), ("table",)
        ),
        "curves": Verb(LazyObject("tokumei.tables.ask.curves", "CurvesOfTable")),
    },
    sources=(
        LazyObject("tokumei.tables.data.table", "Table"),
        LazyObject("tokumei.tables.data.table", "Release"),
    ),
    recipe_key="data",
    recipe_class=LazyObject("tokumei.tables.recipe", "TableRecipe"),
    judges={"table": LazyObject("tokumei.tables.judge.judge", "TableJudge")},
    make_contribution=LazyObject("tokumei.tables.ledger.contribution", "release_contribution"),
    make_adviser=LazyObject("tokumei.tables.services.advise", "table_adviser"),
    conformity={"table": LazyObject("tokumei.tables.conformity", "table_dossier")},
)
