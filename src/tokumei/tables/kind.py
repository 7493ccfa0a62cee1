"""The kind `tables`."""

from __future__ import annotations

from tokumei.core.ask import Verb
from tokumei.core.kind import Kind
from tokumei.core.text import Text
from tokumei.tables.registry import anonymizers, attackers, formats, measures, rules

TABLES = Kind(
    name="tables",
    noun="table",
    title=Text("Tables", "表"),
    home="tokumei.tables",
    anonymizers=anonymizers,
    attackers=attackers,
    measures=measures,
    rules=rules,
    formats=formats,
    verbs={
        "look": Verb("tokumei.tables.ask.look:LookAtTable", ("table",)),
        "sample": Verb("tokumei.tables.ask.sample:SampleTable", ("table",)),
        "anonymize": Verb("tokumei.tables.ask.anonymize:AnonymizeTable", ("table",)),
        "attack": Verb("tokumei.tables.ask.attack:AttackTable", ("table",)),
        "check": Verb("tokumei.tables.ask.check:CheckTable"),
        "measure utility": Verb("tokumei.tables.ask.measure:MeasureTable"),
        "choose": Verb("tokumei.tables.ask.choose:ChooseTable", ("table",)),
        "advise": Verb("tokumei.tables.ask.advise:AdviseTable", ("table",)),
        "sweep": Verb("tokumei.tables.ask.sweep:SweepTable"),
        "risk": Verb("tokumei.tables.ask.risk:RiskOfTable"),
        "audit": Verb("tokumei.tables.ask.audit:AuditTable"),
        "audit split": Verb("tokumei.tables.ask.audit:SplitForAudit"),
        "diagnose": Verb("tokumei.tables.ask.diagnose:DiagnoseTable"),
        "ledger add": Verb("tokumei.tables.ask.ledger:AddTable", ("table",)),
        "ledger check": Verb("tokumei.tables.ask.ledger:CheckLedgerOfTable", ("table",)),
        "ledger attack": Verb("tokumei.tables.ask.ledger_attack:AttackLedgerOfTable", ("table",)),
        "curves": Verb("tokumei.tables.ask.curves:CurvesOfTable"),
    },
    sources=("tokumei.tables.data.table:Table", "tokumei.tables.data.table:Release"),
    recipe_key="data",
    recipe_home="tokumei.tables.recipe:TableRecipe",
    judges={"table": "tokumei.tables.judge.judge:TableJudge"},
    ledger_home="tokumei.tables.ledger.contribution:release_contribution",
    advice_home="tokumei.tables.services.advise:table_adviser",
    conformity={"table": "tokumei.tables.conformity:table_dossier"},
)
