"""Methods for tables, by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tokumei.core.registry import ALL, Registry, chosen_names
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.tables.anonymizers.protocol import TableMethod
    from tokumei.tables.attackers.protocol import Attacker
    from tokumei.tables.measures.protocol import Measure
    from tokumei.tables.verify.protocol import Rule

anonymizers: Registry[TableMethod] = Registry(
    "tokumei.tables.anonymizers",
    Text("method", "匿名加工手法"),
    {
        "mondrian": "tokumei.tables.anonymizers.mondrian:Mondrian",
        "mondrian-hierarchical": (
            "tokumei.tables.anonymizers.mondrian_hierarchical:HierarchicalMondrian"
        ),
        "local": "tokumei.tables.anonymizers.local_recoding:LocalRecodingMethod",
        "flash": "tokumei.tables.anonymizers.full_domain:Flash",
        "datafly": "tokumei.tables.anonymizers.full_domain:Datafly",
        "k-member": "tokumei.tables.anonymizers.local_recoding:KMember",
        "one-pass": "tokumei.tables.anonymizers.local_recoding:OnePass",
        "local-suppression": "tokumei.tables.anonymizers.local_recoding:CellSuppression",
        "auto": "tokumei.tables.anonymizers.auto:Auto",
        "noise": "tokumei.tables.anonymizers.noise:Noise",
        "yamaoka": "tokumei.tables.anonymizers.yamaoka:Yamaoka",
        "unify": "tokumei.tables.anonymizers.unify:Unify",
        "microaggregate": "tokumei.tables.anonymizers.microaggregate:Microaggregate",
        "swap": "tokumei.tables.anonymizers.swap:Swap",
        "delete": "tokumei.tables.anonymizers.delete:Delete",
        "defend": "tokumei.tables.defending.defend:Defend",
    },
)

attackers: Registry[Attacker] = Registry(
    "tokumei.tables.attackers",
    Text("attack", "攻撃手法"),
    {
        "E1": "tokumei.tables.attackers.identify:Rand",
        "E2": "tokumei.tables.attackers.identify:SaNear",
        "E3": "tokumei.tables.attackers.identify:Sort",
        "E4": "tokumei.tables.attackers.identify:SaOnly",
        "EUC1": "tokumei.tables.attackers.euclid:Euc1",
        "EUC2": "tokumei.tables.attackers.euclid:Euc2",
        "linkage": "tokumei.tables.attackers.euclid:Linkage",
        "everything": "tokumei.tables.attackers.everything:Everything",
        "ensemble": "tokumei.tables.attackers.ensemble:Ensemble",
    },
)


def chosen_attacks(names: Sequence[str] = ()) -> list[str]:
    """Names of attacks, each known; `all` (also without names): all but those on request."""
    usual = [n for n in attackers.names() if not getattr(attackers.get(n), "on_request", False)]
    given = [one for name in names or (ALL,) for one in (usual if name == ALL else [name])]
    return chosen_names(attackers, given)


measures: Registry[Measure] = Registry(
    "tokumei.tables.measures",
    Text("measure", "指標"),
    {
        "U1": "tokumei.tables.measures.moments:MeanError",
        "U2": "tokumei.tables.measures.cross_table:CrossMean",
        "U3": "tokumei.tables.measures.cross_table:CrossCount",
        "U4": "tokumei.tables.measures.moments:Correlation",
        "U5": "tokumei.tables.measures.losses:InformationLoss",
        "U6": "tokumei.tables.measures.losses:RowsLost",
        "S1": "tokumei.tables.measures.class_size:SmallestClass",
        "S2": "tokumei.tables.measures.class_size:MeanClass",
        "dm": "tokumei.tables.measures.class_size:Discernibility",
        "c_avg": "tokumei.tables.measures.class_size:AverageClass",
        "gcp_sets": "tokumei.tables.measures.cell_width:GcpSets",
        "rows_kept": "tokumei.tables.measures.losses:RowsKept",
        "ncp": "tokumei.tables.measures.cell_width:Ncp",
        "prec": "tokumei.tables.measures.cell_width:Prec",
        "entropy_loss": "tokumei.tables.measures.qi_information:EntropyLoss",
        "kl_divergence": "tokumei.tables.measures.qi_information:KlDivergence",
        "query_error": "tokumei.tables.measures.query_error:QueryError",
        "classification": "tokumei.tables.measures.classification:ClassificationAccuracy",
        "highest_risk": "tokumei.tables.measures.record_risk:HighestRisk",
        "records_at_risk": "tokumei.tables.measures.record_risk:RecordsAtRisk",
        "marketer_risk": "tokumei.tables.measures.record_risk:MarketerRisk",
        "sample_uniques": "tokumei.tables.measures.uniqueness:SampleUniques",
        "distinction": "tokumei.tables.measures.uniqueness:Distinction",
        "separation": "tokumei.tables.measures.uniqueness:Separation",
        "suda": "tokumei.tables.measures.suda:SpecialRecords",
        "population_uniques": "tokumei.tables.measures.population_uniques:PopulationUniques",
    },
)

rules: Registry[Rule] = Registry(
    "tokumei.tables.rules",
    Text("rule", "規則"),
    {
        "k-anonymity": "tokumei.tables.verify.k_anonymity:KAnonymity",
        "l-diversity": "tokumei.tables.verify.l_diversity:LDiversity",
        "entropy-l-diversity": "tokumei.tables.verify.l_diversity:EntropyLDiversity",
        "recursive-l-diversity": "tokumei.tables.verify.l_diversity:RecursiveLDiversity",
        "alpha-k": "tokumei.tables.verify.frequency:AlphaK",
        "t-closeness": "tokumei.tables.verify.t_closeness:TCloseness",
        "beta-likeness": "tokumei.tables.verify.frequency:BetaLikeness",
        "delta-disclosure": "tokumei.tables.verify.frequency:DeltaDisclosure",
        "k-per-person": "tokumei.tables.verify.k_anonymity:KPerPerson",
        "personal-k": "tokumei.tables.verify.wishes:PersonalK",
        "hidden-cells": "tokumei.tables.verify.wishes:HiddenCells",
        "constant": "tokumei.tables.verify.columns:Constant",
        "no-identifiers": "tokumei.tables.verify.columns:NoIdentifiers",
    },
)

formats: Registry[Any] = Registry(
    "tokumei.tables.formats",
    Text("format", "形式"),
    {"table": "tokumei.tables.services.table_layout:TableFile"},
)
