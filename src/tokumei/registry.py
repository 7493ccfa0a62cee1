"""Methods found by name: built-in ones, and those other packages offer through entry points.

    anonymizers.build("noise", {"scale": 0.1})
    anonymizers.names()

A third party adds its own in its pyproject.toml:

    [project.entry-points."tokumei.anonymizers"]
    my-method = "my_package:MyMethod"
"""

from __future__ import annotations

from typing import Any

from tokumei.named_classes import Registry
from tokumei.text import Text

anonymizers: Registry[Any] = Registry(
    "tokumei.anonymizers",
    Text("method", "匿名加工手法"),
    {
        "mondrian": "tokumei.anonymizers.mondrian:Mondrian",
        "mondrian-hierarchical": "tokumei.anonymizers.mondrian_hierarchical:HierarchicalMondrian",
        "local": "tokumei.anonymizers.local_recoding:LocalRecodingMethod",
        "flash": "tokumei.anonymizers.full_domain:Flash",
        "datafly": "tokumei.anonymizers.full_domain:Datafly",
        "k-member": "tokumei.anonymizers.local_recoding:KMember",
        "one-pass": "tokumei.anonymizers.local_recoding:OnePass",
        "local-suppression": "tokumei.anonymizers.local_recoding:CellSuppression",
        "auto": "tokumei.anonymizers.auto:Auto",
        "noise": "tokumei.anonymizers.noise:Noise",
        "yamaoka": "tokumei.anonymizers.yamaoka:Yamaoka",
        "unify": "tokumei.anonymizers.unify:Unify",
        "microaggregate": "tokumei.anonymizers.microaggregate:Microaggregate",
        "swap": "tokumei.anonymizers.swap:Swap",
        "delete": "tokumei.anonymizers.delete:Delete",
    },
)

history_anonymizers: Registry[Any] = Registry(
    "tokumei.history_anonymizers",
    Text("method for histories", "履歴の匿名加工手法"),
    {
        "rank-match": "tokumei.anonymizers.history.rank_match:RankMatch",
        "aligned": "tokumei.anonymizers.history.aligned:Aligned",
    },
)

attackers: Registry[Any] = Registry(
    "tokumei.attackers",
    Text("attack", "攻撃手法"),
    {
        "E1": "tokumei.attackers.rand:Rand",
        "E2": "tokumei.attackers.sa_near:SaNear",
        "E3": "tokumei.attackers.sort:Sort",
        "E4": "tokumei.attackers.sa_only:SaOnly",
        "EUC1": "tokumei.attackers.euclid:Euc1",
        "EUC2": "tokumei.attackers.euclid:Euc2",
        "linkage": "tokumei.attackers.linkage:Linkage",
    },
)

history_attackers: Registry[Any] = Registry(
    "tokumei.history_attackers",
    Text("attack on histories", "履歴への攻撃手法"),
    {
        "first": "tokumei.attackers.history.first:First",
        "unique-rows": "tokumei.attackers.history.unique_rows:UniqueRows",
        "item-sets": "tokumei.attackers.history.item_sets:ItemSetOverlap",
        "consistent": "tokumei.attackers.history.consistent:Consistent",
        "best": "tokumei.attackers.history.best:Best",
    },
)

measures: Registry[Any] = Registry(
    "tokumei.measures",
    Text("measure", "指標"),
    {
        "U1": "tokumei.measures.mean_error:MeanError",
        "U2": "tokumei.measures.cross_mean:CrossMean",
        "U3": "tokumei.measures.cross_count:CrossCount",
        "U4": "tokumei.measures.correlation:Correlation",
        "U5": "tokumei.measures.information_loss:InformationLoss",
        "U6": "tokumei.measures.rows_lost:RowsLost",
        "S1": "tokumei.measures.class_size:SmallestClass",
        "S2": "tokumei.measures.class_size:MeanClass",
        "dm": "tokumei.measures.discernibility:Discernibility",
        "c_avg": "tokumei.measures.discernibility:AverageClass",
        "gcp_sets": "tokumei.measures.gcp_sets:GcpSets",
        "rows_kept": "tokumei.measures.rows_lost:RowsKept",
        "ncp": "tokumei.measures.ncp:Ncp",
        "prec": "tokumei.measures.prec:Prec",
        "entropy_loss": "tokumei.measures.entropy_loss:EntropyLoss",
        "kl_divergence": "tokumei.measures.kl_divergence:KlDivergence",
        "query_error": "tokumei.measures.query_error:QueryError",
        "classification": "tokumei.measures.classification:ClassificationAccuracy",
        "highest_risk": "tokumei.measures.record_risk:HighestRisk",
        "records_at_risk": "tokumei.measures.record_risk:RecordsAtRisk",
        "marketer_risk": "tokumei.measures.record_risk:MarketerRisk",
        "sample_uniques": "tokumei.measures.uniqueness:SampleUniques",
        "distinction": "tokumei.measures.uniqueness:Distinction",
        "separation": "tokumei.measures.uniqueness:Separation",
        "suda": "tokumei.measures.suda:SpecialRecords",
        "population_uniques": "tokumei.measures.population_uniques:PopulationUniques",
    },
)

history_measures: Registry[Any] = Registry(
    "tokumei.history_measures",
    Text("measure of histories", "履歴の指標"),
    {
        "customers_kept": "tokumei.measures.history.activity:CustomersKept",
        "rfm": "tokumei.measures.history.rfm:Rfm",
        "rfm_recency": "tokumei.measures.history.rfm:RfmRecency",
        "rfm_frequency": "tokumei.measures.history.rfm:RfmFrequency",
        "rfm_monetary": "tokumei.measures.history.rfm:RfmMonetary",
        "top_items": "tokumei.measures.history.top_items:TopItems",
        "monthly_sales": "tokumei.measures.history.monthly_sales:MonthlySales",
        "monthly_shape": "tokumei.measures.history.monthly_sales:MonthlyShape",
    },
)

period_anonymizers: Registry[Any] = Registry(
    "tokumei.period_anonymizers",
    Text("method for pseudonyms over time", "期間ごとの仮名化手法"),
    {"pseudonyms": "tokumei.anonymizers.periods.pseudonyms:Pseudonyms"},
)

period_attackers: Registry[Any] = Registry(
    "tokumei.period_attackers",
    Text("attack on pseudonyms over time", "期間ごとの仮名への攻撃手法"),
    {
        "day": "tokumei.attackers.periods.sample_keys:Day",
        "item": "tokumei.attackers.periods.sample_keys:Item",
        "item-month": "tokumei.attackers.periods.sample_keys:ItemMonth",
        "S1": "tokumei.attackers.periods.sample_keys:S1",
        "S2": "tokumei.attackers.periods.sample_keys:S2",
        "S3": "tokumei.attackers.periods.sample_keys:S3",
        "S4": "tokumei.attackers.periods.sample_keys:S4",
        "S5": "tokumei.attackers.periods.sample_keys:S5",
        "S6": "tokumei.attackers.periods.sample_keys:S6",
        "scoreboard": "tokumei.attackers.periods.scoreboard:Scoreboard",
        "likelihood": "tokumei.attackers.periods.likelihood:Likelihood",
        "profile": "tokumei.attackers.periods.profile:Profile",
        "best": "tokumei.attackers.periods.best:Best",
    },
)

period_measures: Registry[Any] = Registry(
    "tokumei.period_measures",
    Text("measure of pseudonyms over time", "期間ごとの仮名の指標"),
    {
        "itemcf": "tokumei.measures.periods.itemcf:ItemCf",
        "itemcf_supply": "tokumei.measures.periods.itemcf:ItemCfSupply",
        "itemcf_retail": "tokumei.measures.periods.itemcf:ItemCfRetail",
        "topk": "tokumei.measures.periods.topk:TopK",
        "topk_similarity": "tokumei.measures.periods.topk:TopKSimilarity",
        "date": "tokumei.measures.periods.row_losses:DateLoss",
        "price": "tokumei.measures.periods.row_losses:PriceLoss",
        "rows": "tokumei.measures.periods.row_losses:RowsDeleted",
        "worst": "tokumei.measures.periods.judge:Worst",
        "association_rules": "tokumei.measures.periods.association_rules:AssociationRules",
        "cross_tables": "tokumei.measures.periods.customers:CrossTables",
        "rfm": "tokumei.measures.periods.rfm:PseudonymRfm",
        "rfm_recency": "tokumei.measures.periods.rfm:PseudonymRecency",
        "rfm_frequency": "tokumei.measures.periods.rfm:PseudonymFrequency",
        "rfm_monetary": "tokumei.measures.periods.rfm:PseudonymMonetary",
        "master_k": "tokumei.measures.periods.customers:MasterK",
    },
)

rules: Registry[Any] = Registry(
    "tokumei.rules",
    Text("rule", "規則"),
    {
        "k-anonymity": "tokumei.verify.k_anonymity:KAnonymity",
        "l-diversity": "tokumei.verify.l_diversity:LDiversity",
        "entropy-l-diversity": "tokumei.verify.entropy_l:EntropyLDiversity",
        "recursive-l-diversity": "tokumei.verify.recursive_l:RecursiveLDiversity",
        "alpha-k": "tokumei.verify.alpha_k:AlphaK",
        "t-closeness": "tokumei.verify.t_closeness:TCloseness",
        "beta-likeness": "tokumei.verify.beta_likeness:BetaLikeness",
        "delta-disclosure": "tokumei.verify.delta_disclosure:DeltaDisclosure",
        "k-per-person": "tokumei.verify.k_per_person:KPerPerson",
        "constant": "tokumei.verify.constant:Constant",
        "no-identifiers": "tokumei.verify.no_identifiers:NoIdentifiers",
        "identical-histories": "tokumei.verify.history.identical_histories:IdenticalHistories",
        "pseudonym-lifetime": "tokumei.verify.periods.lifetime:PseudonymLifetime",
        "pseudonym-exposure": "tokumei.verify.periods.exposure:PseudonymExposure",
    },
)

engines: Registry[Any] = Registry(
    "tokumei.engines",
    Text("engine", "エンジン"),
    {
        "local": "tokumei.engine.local:LocalEngine",
        "spark": "tokumei.engine.spark:SparkEngine",
    },
)
