"""Every registered class, held against the type that its registry stands for.

mypy checks this file: a method that lacks a word, a parameter or a function that its kind asks for
is an error here. `test_words.py` fails if a registered class is not listed.
"""

from __future__ import annotations

from typing import Generic, TypeVar

import tokumei.histories.anonymizers.aligned
import tokumei.histories.anonymizers.rank_match
import tokumei.histories.attackers.best
import tokumei.histories.attackers.consistent
import tokumei.histories.attackers.votes
import tokumei.histories.measures.losses
import tokumei.histories.measures.monthly_sales
import tokumei.histories.measures.rfm
import tokumei.histories.measures.top_items
import tokumei.histories.verify.identical_histories
import tokumei.pseudonyms.anonymizers.pseudonyms
import tokumei.pseudonyms.attackers.best
import tokumei.pseudonyms.attackers.likelihood
import tokumei.pseudonyms.attackers.profile
import tokumei.pseudonyms.attackers.sample_keys
import tokumei.pseudonyms.attackers.scoreboard
import tokumei.pseudonyms.measures.association_rules
import tokumei.pseudonyms.measures.customers
import tokumei.pseudonyms.measures.itemcf
import tokumei.pseudonyms.measures.judge
import tokumei.pseudonyms.measures.rfm
import tokumei.pseudonyms.measures.topk
import tokumei.pseudonyms.verify.promises
import tokumei.tables.anonymizers.auto
import tokumei.tables.anonymizers.delete
import tokumei.tables.anonymizers.full_domain
import tokumei.tables.anonymizers.local_recoding
import tokumei.tables.anonymizers.microaggregate
import tokumei.tables.anonymizers.mondrian
import tokumei.tables.anonymizers.mondrian_hierarchical
import tokumei.tables.anonymizers.noise
import tokumei.tables.anonymizers.swap
import tokumei.tables.anonymizers.unify
import tokumei.tables.anonymizers.yamaoka
import tokumei.tables.attackers.euclid
import tokumei.tables.attackers.linkage
import tokumei.tables.attackers.rand
import tokumei.tables.attackers.sa_near
import tokumei.tables.attackers.sa_only
import tokumei.tables.attackers.sort
import tokumei.tables.measures.class_size
import tokumei.tables.measures.classification
import tokumei.tables.measures.correlation
import tokumei.tables.measures.cross_count
import tokumei.tables.measures.cross_mean
import tokumei.tables.measures.discernibility
import tokumei.tables.measures.entropy_loss
import tokumei.tables.measures.gcp_sets
import tokumei.tables.measures.information_loss
import tokumei.tables.measures.kl_divergence
import tokumei.tables.measures.mean_error
import tokumei.tables.measures.ncp
import tokumei.tables.measures.population_uniques
import tokumei.tables.measures.prec
import tokumei.tables.measures.query_error
import tokumei.tables.measures.record_risk
import tokumei.tables.measures.rows_lost
import tokumei.tables.measures.suda
import tokumei.tables.measures.uniqueness
import tokumei.tables.verify.alpha_k
import tokumei.tables.verify.beta_likeness
import tokumei.tables.verify.constant
import tokumei.tables.verify.delta_disclosure
import tokumei.tables.verify.entropy_l
import tokumei.tables.verify.k_anonymity
import tokumei.tables.verify.k_per_person
import tokumei.tables.verify.l_diversity
import tokumei.tables.verify.no_identifiers
import tokumei.tables.verify.recursive_l
import tokumei.tables.verify.t_closeness
from tokumei.histories.anonymizers.grouping import GroupingMethod
from tokumei.histories.attackers.protocol import HistoryAttacker
from tokumei.histories.measures.protocol import HistoryMeasure
from tokumei.histories.verify.identical_histories import HistoryRule
from tokumei.pseudonyms.anonymizers.pseudonyms import PeriodAnonymizer
from tokumei.pseudonyms.attackers.sides import PeriodAttacker
from tokumei.pseudonyms.measures.protocol import PeriodMeasure
from tokumei.pseudonyms.verify.promises import PeriodRule
from tokumei.tables.anonymizers.protocol import TableMethod
from tokumei.tables.attackers.protocol import Attacker
from tokumei.tables.measures.protocol import Measure
from tokumei.tables.verify.protocol import Rule

T = TypeVar("T")


class Listed(Generic[T]):
    """Classes that are all that a type asks for: mypy takes no abstract one here."""

    def __init__(self, *kinds: type[T]) -> None:
        self.kinds = kinds


TABLES_ANONYMIZERS = Listed[TableMethod](
    tokumei.tables.anonymizers.mondrian.Mondrian,
    tokumei.tables.anonymizers.mondrian_hierarchical.HierarchicalMondrian,
    tokumei.tables.anonymizers.local_recoding.LocalRecodingMethod,
    tokumei.tables.anonymizers.full_domain.Flash,
    tokumei.tables.anonymizers.full_domain.Datafly,
    tokumei.tables.anonymizers.local_recoding.KMember,
    tokumei.tables.anonymizers.local_recoding.OnePass,
    tokumei.tables.anonymizers.local_recoding.CellSuppression,
    tokumei.tables.anonymizers.auto.Auto,
    tokumei.tables.anonymizers.noise.Noise,
    tokumei.tables.anonymizers.yamaoka.Yamaoka,
    tokumei.tables.anonymizers.unify.Unify,
    tokumei.tables.anonymizers.microaggregate.Microaggregate,
    tokumei.tables.anonymizers.swap.Swap,
    tokumei.tables.anonymizers.delete.Delete,
)
TABLES_ATTACKERS = Listed[Attacker](
    tokumei.tables.attackers.rand.Rand,
    tokumei.tables.attackers.sa_near.SaNear,
    tokumei.tables.attackers.sort.Sort,
    tokumei.tables.attackers.sa_only.SaOnly,
    tokumei.tables.attackers.euclid.Euc1,
    tokumei.tables.attackers.euclid.Euc2,
    tokumei.tables.attackers.linkage.Linkage,
)
TABLES_MEASURES = Listed[Measure](
    tokumei.tables.measures.mean_error.MeanError,
    tokumei.tables.measures.cross_mean.CrossMean,
    tokumei.tables.measures.cross_count.CrossCount,
    tokumei.tables.measures.correlation.Correlation,
    tokumei.tables.measures.information_loss.InformationLoss,
    tokumei.tables.measures.rows_lost.RowsLost,
    tokumei.tables.measures.class_size.SmallestClass,
    tokumei.tables.measures.class_size.MeanClass,
    tokumei.tables.measures.discernibility.Discernibility,
    tokumei.tables.measures.discernibility.AverageClass,
    tokumei.tables.measures.gcp_sets.GcpSets,
    tokumei.tables.measures.rows_lost.RowsKept,
    tokumei.tables.measures.ncp.Ncp,
    tokumei.tables.measures.prec.Prec,
    tokumei.tables.measures.entropy_loss.EntropyLoss,
    tokumei.tables.measures.kl_divergence.KlDivergence,
    tokumei.tables.measures.query_error.QueryError,
    tokumei.tables.measures.classification.ClassificationAccuracy,
    tokumei.tables.measures.record_risk.HighestRisk,
    tokumei.tables.measures.record_risk.RecordsAtRisk,
    tokumei.tables.measures.record_risk.MarketerRisk,
    tokumei.tables.measures.uniqueness.SampleUniques,
    tokumei.tables.measures.uniqueness.Distinction,
    tokumei.tables.measures.uniqueness.Separation,
    tokumei.tables.measures.suda.SpecialRecords,
    tokumei.tables.measures.population_uniques.PopulationUniques,
)
TABLES_RULES = Listed[Rule](
    tokumei.tables.verify.k_anonymity.KAnonymity,
    tokumei.tables.verify.l_diversity.LDiversity,
    tokumei.tables.verify.entropy_l.EntropyLDiversity,
    tokumei.tables.verify.recursive_l.RecursiveLDiversity,
    tokumei.tables.verify.alpha_k.AlphaK,
    tokumei.tables.verify.t_closeness.TCloseness,
    tokumei.tables.verify.beta_likeness.BetaLikeness,
    tokumei.tables.verify.delta_disclosure.DeltaDisclosure,
    tokumei.tables.verify.k_per_person.KPerPerson,
    tokumei.tables.verify.constant.Constant,
    tokumei.tables.verify.no_identifiers.NoIdentifiers,
)
HISTORIES_ANONYMIZERS = Listed[GroupingMethod](
    tokumei.histories.anonymizers.rank_match.RankMatch,
    tokumei.histories.anonymizers.aligned.Aligned,
)
HISTORIES_ATTACKERS = Listed[HistoryAttacker](
    tokumei.histories.attackers.votes.First,
    tokumei.histories.attackers.votes.UniqueRows,
    tokumei.histories.attackers.votes.ItemSetOverlap,
    tokumei.histories.attackers.consistent.Consistent,
    tokumei.histories.attackers.best.Best,
)
HISTORIES_MEASURES = Listed[HistoryMeasure](
    tokumei.histories.measures.losses.Loss,
    tokumei.histories.measures.losses.DayLoss,
    tokumei.histories.measures.losses.ItemLoss,
    tokumei.histories.measures.losses.PriceLoss,
    tokumei.histories.measures.losses.QuantityLoss,
    tokumei.histories.measures.losses.RowsKept,
    tokumei.histories.measures.losses.CustomersKept,
    tokumei.histories.measures.rfm.Rfm,
    tokumei.histories.measures.rfm.RfmRecency,
    tokumei.histories.measures.rfm.RfmFrequency,
    tokumei.histories.measures.rfm.RfmMonetary,
    tokumei.histories.measures.top_items.TopItems,
    tokumei.histories.measures.monthly_sales.MonthlySales,
    tokumei.histories.measures.monthly_sales.MonthlyShape,
)
HISTORIES_RULES = Listed[HistoryRule](
    tokumei.histories.verify.identical_histories.IdenticalHistories,
)
PSEUDONYMS_ANONYMIZERS = Listed[PeriodAnonymizer](
    tokumei.pseudonyms.anonymizers.pseudonyms.Pseudonyms,
)
PSEUDONYMS_ATTACKERS = Listed[PeriodAttacker](
    tokumei.pseudonyms.attackers.sample_keys.Day,
    tokumei.pseudonyms.attackers.sample_keys.Item,
    tokumei.pseudonyms.attackers.sample_keys.ItemMonth,
    tokumei.pseudonyms.attackers.sample_keys.S1,
    tokumei.pseudonyms.attackers.sample_keys.S2,
    tokumei.pseudonyms.attackers.sample_keys.S3,
    tokumei.pseudonyms.attackers.sample_keys.S4,
    tokumei.pseudonyms.attackers.sample_keys.S5,
    tokumei.pseudonyms.attackers.sample_keys.S6,
    tokumei.pseudonyms.attackers.scoreboard.Scoreboard,
    tokumei.pseudonyms.attackers.likelihood.Likelihood,
    tokumei.pseudonyms.attackers.profile.Profile,
    tokumei.pseudonyms.attackers.best.Best,
)
PSEUDONYMS_MEASURES = Listed[PeriodMeasure](
    tokumei.pseudonyms.measures.itemcf.ItemCf,
    tokumei.pseudonyms.measures.itemcf.ItemCfSupply,
    tokumei.pseudonyms.measures.itemcf.ItemCfRetail,
    tokumei.pseudonyms.measures.topk.TopK,
    tokumei.pseudonyms.measures.topk.TopKSimilarity,
    tokumei.pseudonyms.measures.judge.DateLoss,
    tokumei.pseudonyms.measures.judge.PriceLoss,
    tokumei.pseudonyms.measures.judge.RowsDeleted,
    tokumei.pseudonyms.measures.judge.Worst,
    tokumei.pseudonyms.measures.association_rules.AssociationRules,
    tokumei.pseudonyms.measures.customers.CrossTables,
    tokumei.pseudonyms.measures.rfm.PseudonymRfm,
    tokumei.pseudonyms.measures.rfm.PseudonymRecency,
    tokumei.pseudonyms.measures.rfm.PseudonymFrequency,
    tokumei.pseudonyms.measures.rfm.PseudonymMonetary,
    tokumei.pseudonyms.measures.customers.MasterK,
)
PSEUDONYMS_RULES = Listed[PeriodRule](
    tokumei.pseudonyms.verify.promises.PseudonymLifetime,
    tokumei.pseudonyms.verify.promises.PseudonymExposure,
)
