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
import tokumei.tables.attackers.ensemble
import tokumei.tables.attackers.euclid
import tokumei.tables.attackers.everything
import tokumei.tables.attackers.identify
import tokumei.tables.defending.defend
import tokumei.tables.measures.cell_width
import tokumei.tables.measures.class_size
import tokumei.tables.measures.classification
import tokumei.tables.measures.cross_table
import tokumei.tables.measures.losses
import tokumei.tables.measures.moments
import tokumei.tables.measures.population_uniques
import tokumei.tables.measures.qi_information
import tokumei.tables.measures.query_error
import tokumei.tables.measures.record_risk
import tokumei.tables.measures.suda
import tokumei.tables.measures.uniqueness
import tokumei.tables.verify.columns
import tokumei.tables.verify.frequency
import tokumei.tables.verify.k_anonymity
import tokumei.tables.verify.l_diversity
import tokumei.tables.verify.t_closeness
import tokumei.tables.verify.wishes
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
    tokumei.tables.defending.defend.Defend,
)
TABLES_ATTACKERS = Listed[Attacker](
    tokumei.tables.attackers.identify.Rand,
    tokumei.tables.attackers.identify.SaNear,
    tokumei.tables.attackers.identify.Sort,
    tokumei.tables.attackers.identify.SaOnly,
    tokumei.tables.attackers.euclid.Euc1,
    tokumei.tables.attackers.euclid.Euc2,
    tokumei.tables.attackers.euclid.Linkage,
    tokumei.tables.attackers.everything.Everything,
    tokumei.tables.attackers.ensemble.Ensemble,
)
TABLES_MEASURES = Listed[Measure](
    tokumei.tables.measures.moments.MeanError,
    tokumei.tables.measures.cross_table.CrossMean,
    tokumei.tables.measures.cross_table.CrossCount,
    tokumei.tables.measures.moments.Correlation,
    tokumei.tables.measures.losses.InformationLoss,
    tokumei.tables.measures.losses.RowsLost,
    tokumei.tables.measures.class_size.SmallestClass,
    tokumei.tables.measures.class_size.MeanClass,
    tokumei.tables.measures.class_size.Discernibility,
    tokumei.tables.measures.class_size.AverageClass,
    tokumei.tables.measures.cell_width.GcpSets,
    tokumei.tables.measures.losses.RowsKept,
    tokumei.tables.measures.cell_width.Ncp,
    tokumei.tables.measures.cell_width.Prec,
    tokumei.tables.measures.qi_information.EntropyLoss,
    tokumei.tables.measures.qi_information.KlDivergence,
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
    tokumei.tables.verify.l_diversity.EntropyLDiversity,
    tokumei.tables.verify.l_diversity.RecursiveLDiversity,
    tokumei.tables.verify.frequency.AlphaK,
    tokumei.tables.verify.t_closeness.TCloseness,
    tokumei.tables.verify.frequency.BetaLikeness,
    tokumei.tables.verify.frequency.DeltaDisclosure,
    tokumei.tables.verify.k_anonymity.KPerPerson,
    tokumei.tables.verify.wishes.PersonalK,
    tokumei.tables.verify.wishes.HiddenCells,
    tokumei.tables.verify.columns.Constant,
    tokumei.tables.verify.columns.NoIdentifiers,
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
