"""Registries of methods, attacks, measures, checks and formats for pseudonyms over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokumei.core.messages import Message
from tokumei.core.registry import Registry

if TYPE_CHECKING:
    from tokumei.pseudonyms.anonymizers.pseudonyms import PeriodAnonymizer
    from tokumei.pseudonyms.attackers.challenge import PeriodAttacker
    from tokumei.pseudonyms.measures.protocol import PeriodMeasure
    from tokumei.pseudonyms.verification.lifetimes import PeriodClaimCheck

anonymizers: Registry[PeriodAnonymizer] = Registry(
    "tokumei.pseudonyms.anonymizers",
    Message("method for pseudonyms over time"),
    {"pseudonyms": "tokumei.pseudonyms.anonymizers.pseudonyms:Pseudonyms"},
)

attackers: Registry[PeriodAttacker] = Registry(
    "tokumei.pseudonyms.attackers",
    Message("attack on pseudonyms over time"),
    {
        "day": "tokumei.pseudonyms.attackers.sample_keys:SameDay",
        "item": "tokumei.pseudonyms.attackers.sample_keys:SameItem",
        "item-month": "tokumei.pseudonyms.attackers.sample_keys:SameItemMonth",
        "S1": "tokumei.pseudonyms.attackers.sample_keys:S1",
        "S2": "tokumei.pseudonyms.attackers.sample_keys:S2",
        "S3": "tokumei.pseudonyms.attackers.sample_keys:S3",
        "S4": "tokumei.pseudonyms.attackers.sample_keys:S4",
        "S5": "tokumei.pseudonyms.attackers.sample_keys:S5",
        "S6": "tokumei.pseudonyms.attackers.sample_keys:S6",
        "scoreboard": "tokumei.pseudonyms.attackers.scoreboard:ScoreboardAttack",
        "likelihood": "tokumei.pseudonyms.attackers.likelihood:Likelihood",
        "profile": "tokumei.pseudonyms.attackers.profile:Profile",
        "best": "tokumei.pseudonyms.attackers.best:BestPseudonymAttack",
    },
)

measures: Registry[PeriodMeasure] = Registry(
    "tokumei.pseudonyms.measures",
    Message("measure of pseudonyms over time"),
    {
        "itemcf": "tokumei.pseudonyms.measures.itemcf:ItemCf",
        "itemcf_supply": "tokumei.pseudonyms.measures.itemcf:ItemCfSupply",
        "itemcf_retail": "tokumei.pseudonyms.measures.itemcf:ItemCfRetail",
        "topk": "tokumei.pseudonyms.measures.topk:TopK",
        "topk_similarity": "tokumei.pseudonyms.measures.topk:TopKSimilarity",
        "date": "tokumei.pseudonyms.measures.contest_measures:DateShift",
        "price": "tokumei.pseudonyms.measures.contest_measures:PriceChange",
        "rows": "tokumei.pseudonyms.measures.contest_measures:RowsDeleted",
        "worst": "tokumei.pseudonyms.measures.contest_measures:WorstMeasure",
        "association_rules": "tokumei.pseudonyms.measures.association_rules:AssociationRules",
        "cross_tables": "tokumei.pseudonyms.measures.customers:CrossTables",
        "rfm": "tokumei.pseudonyms.measures.rfm:PseudonymRfm",
        "rfm_recency": "tokumei.pseudonyms.measures.rfm:PseudonymRecency",
        "rfm_frequency": "tokumei.pseudonyms.measures.rfm:PseudonymFrequency",
        "rfm_monetary": "tokumei.pseudonyms.measures.rfm:PseudonymMonetary",
        "master_k": "tokumei.pseudonyms.measures.customers:MasterK",
    },
)

claim_checks: Registry[PeriodClaimCheck] = Registry(
    "tokumei.pseudonyms.rules",
    Message("rule"),
    {
        "pseudonym-lifetime": "tokumei.pseudonyms.verification.lifetimes:PseudonymLifetime",
        "pseudonym-exposure": "tokumei.pseudonyms.verification.lifetimes:PseudonymExposure",
    },
)

formats: Registry[Any] = Registry(
    "tokumei.pseudonyms.formats",
    Message("format"),
    {"pws2017": "tokumei.pseudonyms.formats.pws2017:Pws2017"},
)
