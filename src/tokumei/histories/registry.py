"""Registries of methods, attacks, measures, checks and formats for histories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.messages import Message
from tokumei.core.registry import Registry

if TYPE_CHECKING:
    from tokumei.histories.anonymizers.grouping_method import GroupingMethod
    from tokumei.histories.attackers.protocol import HistoryAttacker
    from tokumei.histories.formats.layout import HistoryLayout
    from tokumei.histories.measures.protocol import HistoryMeasure
    from tokumei.histories.verification.identical_histories import HistoryClaimCheck

anonymizers: Registry[GroupingMethod] = Registry(
    "tokumei.histories.anonymizers",
    Message("method for histories"),
    {
        "rank-match": "tokumei.histories.anonymizers.rank_match:RankMatch",
        "aligned": "tokumei.histories.anonymizers.aligned:Aligned",
    },
)

attackers: Registry[HistoryAttacker] = Registry(
    "tokumei.histories.attackers",
    Message("attack on histories"),
    {
        "first": "tokumei.histories.attackers.voting:OrderOfAppearance",
        "unique-rows": "tokumei.histories.attackers.voting:UniqueRows",
        "item-sets": "tokumei.histories.attackers.voting:ItemSetOverlap",
        "consistent": "tokumei.histories.attackers.consistent:ConsistentCells",
        "best": "tokumei.histories.attackers.best:BestHistoryAttack",
    },
)

measures: Registry[HistoryMeasure] = Registry(
    "tokumei.histories.measures",
    Message("measure of histories"),
    {
        "loss": "tokumei.histories.measures.losses:Loss",
        "day": "tokumei.histories.measures.losses:DayLoss",
        "item": "tokumei.histories.measures.losses:ItemLoss",
        "price": "tokumei.histories.measures.losses:PriceLoss",
        "quantity": "tokumei.histories.measures.losses:QuantityLoss",
        "rows_kept": "tokumei.histories.measures.losses:HistoryRowsKept",
        "customers_kept": "tokumei.histories.measures.losses:CustomersKept",
        "rfm": "tokumei.histories.measures.rfm:Rfm",
        "rfm_recency": "tokumei.histories.measures.rfm:RfmRecency",
        "rfm_frequency": "tokumei.histories.measures.rfm:RfmFrequency",
        "rfm_monetary": "tokumei.histories.measures.rfm:RfmMonetary",
        "top_items": "tokumei.histories.measures.top_items:TopItems",
        "monthly_sales": "tokumei.histories.measures.monthly_sales:MonthlySales",
        "monthly_shape": "tokumei.histories.measures.monthly_sales:MonthlyShape",
    },
)

claim_checks: Registry[HistoryClaimCheck] = Registry(
    "tokumei.histories.rules",
    Message("rule"),
    {
        "identical-histories": (
            "tokumei.histories.verification.identical_histories:IdenticalHistories"
        )
    },
)

formats: Registry[HistoryLayout] = Registry(
    "tokumei.histories.formats",
    Message("format of histories"),
    {
        "pws2018": "tokumei.histories.formats.pws2018:Pws2018",
        "table": "tokumei.histories.formats.layout:HeaderTable",
        "online-retail": "tokumei.histories.formats.online_retail:OnlineRetail",
    },
)
