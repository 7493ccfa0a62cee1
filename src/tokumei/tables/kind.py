"""The kind `tables`."""

from __future__ import annotations

from tokumei.core.command import CommandSpec
from tokumei.core.data_kind import DataKind
from tokumei.core.lazy_imports import LazyObject
from tokumei.core.messages import Message
from tokumei.tables.registry import anonymizers, attackers, claim_checks, formats, measures

TABLES = DataKind(
    name="tables",
    noun="table",
    title=Message("Tables"),
    home="tokumei.tables",
    services=LazyObject("tokumei.tables.flow", "SERVICES"),
    anonymizers=anonymizers,
    attackers=attackers,
    measures=measures,
    claim_checks=claim_checks,
    formats=formats,
    commands={
        "look": CommandSpec(LazyObject("tokumei.tables.commands.look", "ProfileTable"), ("table",)),
        "sample": CommandSpec(
            LazyObject("tokumei.tables.commands.sample", "SampleTable"), ("table",)
        ),
        "anonymize": CommandSpec(
            LazyObject("tokumei.tables.commands.anonymize", "AnonymizeTable"), ("table",)
        ),
        "attack": CommandSpec(
            LazyObject("tokumei.tables.commands.attack", "AttackTable"), ("table",)
        ),
        "check": CommandSpec(LazyObject("tokumei.tables.commands.check", "CheckTable")),
        "measure utility": CommandSpec(
            LazyObject("tokumei.tables.commands.measure", "MeasureTable")
        ),
        "choose": CommandSpec(
            LazyObject("tokumei.tables.commands.choose", "ChooseTable"), ("table",)
        ),
        "advise": CommandSpec(
            LazyObject("tokumei.tables.commands.advise", "AdviseTable"), ("table",)
        ),
        "sweep": CommandSpec(LazyObject("tokumei.tables.commands.sweep", "SweepTable")),
        "risk": CommandSpec(LazyObject("tokumei.tables.commands.risk", "AssessTableRisk")),
        "audit": CommandSpec(LazyObject("tokumei.tables.commands.audit", "AuditTable")),
        "audit split": CommandSpec(LazyObject("tokumei.tables.commands.audit", "SplitForAudit")),
        "diagnose": CommandSpec(LazyObject("tokumei.tables.commands.diagnose", "DiagnoseTable")),
        "ledger add": CommandSpec(
            LazyObject("tokumei.tables.commands.ledger", "AddTableToLedger"), ("table",)
        ),
        "ledger check": CommandSpec(
            LazyObject("tokumei.tables.commands.ledger", "CheckTableLedger"), ("table",)
        ),
        "ledger attack": CommandSpec(
            LazyObject("tokumei.tables.commands.ledger_attack", "AttackTableLedger"), ("table",)
        ),
        "curves": CommandSpec(LazyObject("tokumei.tables.commands.curves", "DrawAttackCurves")),
    },
    sources=(
        LazyObject("tokumei.tables.data.table", "Table"),
        LazyObject("tokumei.tables.data.table", "Release"),
    ),
    recipe_key="data",
    recipe_class=LazyObject("tokumei.tables.recipe", "TableRecipe"),
    judges={"table": LazyObject("tokumei.tables.judge.judge", "TableJudge")},
    make_contribution=LazyObject("tokumei.tables.ledger.contribution", "build_ledger_contribution"),
    make_adviser=LazyObject("tokumei.tables.services.advise", "build_table_adviser"),
    make_assessment=LazyObject("tokumei.assessment.assess_release", "assess_table_data"),
    conformity={"table": LazyObject("tokumei.tables.conformity", "table_dossier")},
)
