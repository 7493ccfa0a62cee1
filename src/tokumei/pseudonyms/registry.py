"""Methods for pseudonyms over time, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokumei.core.registry import Registry
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.pseudonyms.anonymizers.pseudonyms import PeriodAnonymizer
    from tokumei.pseudonyms.attackers.sides import PeriodAttacker
    from tokumei.pseudonyms.measures.protocol import PeriodMeasure
    from tokumei.pseudonyms.verify.lifetimes import PeriodRule

anonymizers: Registry[PeriodAnonymizer] = Registry(
    "tokumei.pseudonyms.anonymizers",
    Text("method for pseudonyms over time", "期間ごとの仮名化手法"),
    {"pseudonyms": "tokumei.pseudonyms.anonymizers.pseudonyms:Pseudonyms"},
)

attackers: Registry[PeriodAttacker] = Registry(
    "tokumei.pseudonyms.attackers",
    Text("attack on pseudonyms over time", "期間ごとの仮名への攻撃手法"),
    {
        "day": "tokumei.pseudonyms.attackers.sample_keys:Day",
        "item": "tokumei.pseudonyms.attackers.sample_keys:Item",
        "item-month": "tokumei.pseudonyms.attackers.sample_keys:ItemMonth",
        "S1": "tokumei.pseudonyms.attackers.sample_keys:S1",
        "S2": "tokumei.pseudonyms.attackers.sample_keys:S2",
        "S3": "tokumei.pseudonyms.attackers.sample_keys:S3",
        "S4": "tokumei.pseudonyms.attackers.sample_keys:S4",
        "S5": "tokumei.pseudonyms.attackers.sample_keys:S5",
        "S6": "tokumei.pseudonyms.attackers.sample_keys:S6",
        "scoreboard": "tokumei.pseudonyms.attackers.scoreboard:Scoreboard",
        "likelihood": "tokumei.pseudonyms.attackers.likelihood:Likelihood",
        "profile": "tokumei.pseudonyms.attackers.profile:Profile",
        "best": "tokumei.pseudonyms.attackers.best:Best",
    },
)

measures: Registry[PeriodMeasure] = Registry(
    "tokumei.pseudonyms.measures",
    Text("measure of pseudonyms over time", "期間ごとの仮名の指標"),
    {
        "itemcf": "tokumei.pseudonyms.measures.itemcf:ItemCf",
        "itemcf_supply": "tokumei.pseudonyms.measures.itemcf:ItemCfSupply",
        "itemcf_retail": "tokumei.pseudonyms.measures.itemcf:ItemCfRetail",
        "topk": "tokumei.pseudonyms.measures.topk:TopK",
        "topk_similarity": "tokumei.pseudonyms.measures.topk:TopKSimilarity",
        "date": "tokumei.pseudonyms.measures.judge:DateLoss",
        "price": "tokumei.pseudonyms.measures.judge:PriceLoss",
        "rows": "tokumei.pseudonyms.measures.judge:RowsDeleted",
        "worst": "tokumei.pseudonyms.measures.judge:Worst",
        "association_rules": "tokumei.pseudonyms.measures.association_rules:AssociationRules",
        "cross_tables": "tokumei.pseudonyms.measures.customers:CrossTables",
        "rfm": "tokumei.pseudonyms.measures.rfm:PseudonymRfm",
        "rfm_recency": "tokumei.pseudonyms.measures.rfm:PseudonymRecency",
        "rfm_frequency": "tokumei.pseudonyms.measures.rfm:PseudonymFrequency",
        "rfm_monetary": "tokumei.pseudonyms.measures.rfm:PseudonymMonetary",
        "master_k": "tokumei.pseudonyms.measures.customers:MasterK",
    },
)

rules: Registry[PeriodRule] = Registry(
    "tokumei.pseudonyms.rules",
    Text("rule", "規則"),
    {
        "pseudonym-lifetime": "tokumei.pseudonyms.verify.lifetimes:PseudonymLifetime",
        "pseudonym-exposure": "tokumei.pseudonyms.verify.lifetimes:PseudonymExposure",
    },
)

formats: Registry[Any] = Registry(
    "tokumei.pseudonyms.formats",
    Text("format", "形式"),
    {"pws2017": "tokumei.pseudonyms.formats.pws2017:Pws2017"},
)
