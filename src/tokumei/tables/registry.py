"""Registries of methods, attacks, measures, checks and formats for tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tokumei.core.messages import Message
from tokumei.core.registry import ALL_METHODS, Registry, resolve_method_names

if TYPE_CHECKING:
    from tokumei.tables.anonymizers.protocol import TableMethod
    from tokumei.tables.attackers.protocol import Attacker
    from tokumei.tables.measures.protocol import Measure
    from tokumei.tables.verification.protocol import TableClaimCheck

anonymizers: Registry[TableMethod] = Registry(
    "tokumei.tables.anonymizers",
    Message("method", context="a kind of method"),
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
        "column-sets": "tokumei.tables.anonymizers.column_sets:ColumnSets",
        "safepub": "tokumei.tables.anonymizers.safepub:SafePub",
        "auto": "tokumei.tables.anonymizers.auto:Auto",
        "noise": "tokumei.tables.anonymizers.noise:Noise",
        "yamaoka": "tokumei.tables.anonymizers.yamaoka:Yamaoka",
        "unify": "tokumei.tables.anonymizers.unify:Unify",
        "microaggregate": "tokumei.tables.anonymizers.microaggregate:Microaggregate",
        "swap": "tokumei.tables.anonymizers.swap:Swap",
        "rank-swap": "tokumei.tables.anonymizers.rank_swap:RankSwap",
        "pram": "tokumei.tables.anonymizers.pram:Pram",
        "top-bottom": "tokumei.tables.anonymizers.top_bottom:TopBottom",
        "delete": "tokumei.tables.anonymizers.delete_rows:Delete",
        "drop-identifiers": "tokumei.tables.anonymizers.drop_identifiers:DropIdentifiers",
        "defend": "tokumei.tables.attack_aware.defend:Defend",
    },
)

attackers: Registry[Attacker] = Registry(
    "tokumei.tables.attackers",
    Message("attack", context="a kind of method"),
    {
        "E1": "tokumei.tables.attackers.paper_identify_attacks:RandomSameQiAttack",
        "E2": "tokumei.tables.attackers.paper_identify_attacks:NearestSaSameQiAttack",
        "E3": "tokumei.tables.attackers.paper_identify_attacks:RankOrderAttack",
        "E4": "tokumei.tables.attackers.paper_identify_attacks:NearestSaAttack",
        "EUC1": "tokumei.tables.attackers.euclidean:Euc1",
        "EUC2": "tokumei.tables.attackers.euclidean:Euc2",
        "linkage": "tokumei.tables.attackers.euclidean:Linkage",
        "everything": "tokumei.tables.attackers.everything:Everything",
        "ensemble": "tokumei.tables.attackers.ensemble:Ensemble",
    },
)


def resolve_attack_names(names: Sequence[str] = ()) -> list[str]:
    """Names of attacks, each known; `all` (also without names): all but those on request."""
    default_attacks = [
        n for n in attackers.names() if not getattr(attackers.get(n), "on_request", False)
    ]
    requested = [
        attack
        for name in names or (ALL_METHODS,)
        for attack in (default_attacks if name == ALL_METHODS else [name])
    ]
    return resolve_method_names(attackers, requested)


measures: Registry[Measure] = Registry(
    "tokumei.tables.measures",
    Message("measure"),
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
        "hellinger": "tokumei.tables.measures.hellinger:Hellinger",
        "pmse": "tokumei.tables.measures.propensity:PropensityError",
        "pmse_ratio": "tokumei.tables.measures.propensity:PropensityRatio",
        "specks": "tokumei.tables.measures.propensity:Specks",
        "regression": "tokumei.tables.measures.regression:RegressionOverlap",
        "il1s": "tokumei.tables.measures.number_structure:Il1s",
        "sse": "tokumei.tables.measures.number_structure:SquaredError",
        "eigenvalues": "tokumei.tables.measures.number_structure:EigenvalueLoss",
        "ambiguity": "tokumei.tables.measures.ambiguity:Ambiguity",
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

claim_checks: Registry[TableClaimCheck] = Registry(
    "tokumei.tables.rules",
    Message("rule"),
    {
        "k-anonymity": "tokumei.tables.verification.k_anonymity:KAnonymity",
        "l-diversity": "tokumei.tables.verification.l_diversity:LDiversity",
        "entropy-l-diversity": "tokumei.tables.verification.l_diversity:EntropyLDiversity",
        "recursive-l-diversity": "tokumei.tables.verification.l_diversity:RecursiveLDiversity",
        "alpha-k": "tokumei.tables.verification.value_frequency:AlphaK",
        "t-closeness": "tokumei.tables.verification.t_closeness:TCloseness",
        "beta-likeness": "tokumei.tables.verification.value_frequency:BetaLikeness",
        "delta-disclosure": "tokumei.tables.verification.value_frequency:DeltaDisclosure",
        "highest-risk": "tokumei.tables.verification.risk_limits:HighestRisk",
        "average-risk": "tokumei.tables.verification.risk_limits:AverageRisk",
        "records-at-risk": "tokumei.tables.verification.risk_limits:RecordsAtRisk",
        "k-of-columns": "tokumei.tables.verification.column_sets:KOfColumns",
        "differential-privacy": (
            "tokumei.tables.verification.differential_privacy:DifferentialPrivacy"
        ),
        "k-per-person": "tokumei.tables.verification.k_anonymity:KPerPerson",
        "personal-k": "tokumei.tables.verification.personal_requests:PersonalK",
        "hidden-cells": "tokumei.tables.verification.personal_requests:HiddenCells",
        "constant": "tokumei.tables.verification.column_checks:Constant",
        "no-identifiers": "tokumei.tables.verification.column_checks:NoIdentifiers",
    },
)

formats: Registry[Any] = Registry(
    "tokumei.tables.formats",
    Message("format"),
    {"table": "tokumei.tables.services.table_layout:TableFile"},
)
