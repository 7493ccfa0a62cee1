"""Customer measures (M): cross tables of an item's buyers, and similarity of customers.

    CrossTables().score(PeriodCase(original, released, master))
    MasterK().score(case)

The birth counts by its decade.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import polars as pl

from tokumei.core.errors import UsageError
from tokumei.core.fields import field_name
from tokumei.core.generalized_cells import positions_in
from tokumei.core.measure import Goal, Limits, Score
from tokumei.core.messages import Message
from tokumei.pseudonyms.data.period_history import CustomerMaster
from tokumei.pseudonyms.measures.protocol import PeriodCase, PeriodMeasure

CustomerAttribute = Literal["sex", "birth", "country"]
CUSTOMER_ATTRIBUTES: tuple[CustomerAttribute, ...] = ("sex", "birth", "country")


def attribute_groups(
    master: CustomerMaster, by: tuple[CustomerAttribute, ...] = CUSTOMER_ATTRIBUTES
) -> np.ndarray:
    """The number of every customer's combination of attributes, birth by decade."""
    decade = pl.col("birth").str.replace(r"^(\d{3})\d.*$", "${1}0")
    frame = master.frame.with_columns(decade)
    return frame.select(pl.struct(by).rank("dense").cast(pl.Int64)).to_series().to_numpy() - 1


def require_master(case: PeriodCase, name: str) -> CustomerMaster:
    """The customers, which not every case has."""
    if case.master is None:
        raise UsageError(
            "{measure} needs the customers ({setting})",
            field="master",
            measure=name,
            setting=field_name("master"),
        )
    return case.master


@dataclass(frozen=True)
class CrossTables(PeriodMeasure):
    """How far the tables item × sex × decade × country of buyers differ.

    Σ |n − n′| / Σ (n + n′) over all cells of all items, n the number of buyers. Whoever has f knows
    the customer behind a pseudonym and counts `buyers = "customers"`; who has only the attributes
    of every pseudonym counts pseudonyms.
    """

    name: ClassVar[str] = "cross_tables"
    title: ClassVar[Message] = Message("Cross tables of buyers")
    sentence: ClassVar[Message] = Message(
        "How far the cross tables of an item's buyers by sex, decade of birth and country differ."
    )
    formula: ClassVar[str] = "Σ |n − n′| / Σ (n + n′)"
    says: ClassVar[Message] = Message("The cross tables of the buyers differ by {value}.")
    needs: ClassVar[tuple[str, ...]] = ("master",)
    on_request: ClassVar[bool] = True
    unit: ClassVar[Message] = Message("share of the buyers")

    by: tuple[CustomerAttribute, ...] = CUSTOMER_ATTRIBUTES
    buyers: Literal["customers", "pseudonyms"] = "customers"

    def __post_init__(self) -> None:
        if not self.by:
            raise UsageError("cross_tables: at least one attribute is needed")

    def score(self, case: PeriodCase) -> Score:
        """The figure."""
        master = require_master(case, self.name)
        # Rows are aligned: f leads from a row that is kept to the original's customer.
        customer = positions_in(case.original.cells["customer"], master.customers)
        buyer = case.released.person if self.buyers == "pseudonyms" else customer
        group = np.where(customer >= 0, attribute_groups(master, self.by)[customer], -1)
        original, released = case.user_items
        shape = (len(original.items), int(group.max(initial=0)) + 1)
        true_table = _count_buyers(original.item, group, customer, shape)
        seen_table = _count_buyers(released.item, group, buyer, shape)
        total = int(true_table.sum() + seen_table.sum())
        difference = int(np.abs(true_table - seen_table).sum())
        return Score(difference / total if total else 0.0, sample=int(true_table.sum()))


def _count_buyers(
    item: np.ndarray, group: np.ndarray, person: np.ndarray, shape: tuple[int, int]
) -> np.ndarray:
    """How many distinct persons of each group bought each item; -1 is none."""
    is_known = (item >= 0) & (group >= 0)
    cell = np.ravel_multi_index((item[is_known], group[is_known]), shape)
    cell, _ = np.unique(np.stack([cell, person[is_known]]), axis=1)
    return np.bincount(cell, minlength=shape[0] * shape[1])


@dataclass(frozen=True)
class MasterK(PeriodMeasure):
    """The smallest number of customers who share sex, decade of birth and country."""

    name: ClassVar[str] = "master_k"
    title: ClassVar[Message] = Message("k-anonymity of the customers")
    sentence: ClassVar[Message] = Message(
        "How many customers at least share sex, decade of birth and country."
    )
    formula: ClassVar[str] = "min |class|"
    says: ClassVar[Message] = Message(
        "At least {value} customers share sex, decade of birth and country."
    )
    needs: ClassVar[tuple[str, ...]] = ("master",)
    as_percent: ClassVar[bool] = False
    safety: ClassVar[bool] = True
    limits: ClassVar[Limits] = Limits(5, 2, more_is_better=True)
    """k = 5 is the customary minimum; k = 1 means that somebody is alone."""
    on_request: ClassVar[bool] = True
    goal: ClassVar[Goal] = Goal.MAXIMIZE
    bounds: ClassVar[tuple[float, float]] = (1.0, float("inf"))
    unit: ClassVar[Message] = Message("customers", context="a unit")

    def score(self, case: PeriodCase) -> Score:
        """The figure."""
        sizes = np.bincount(attribute_groups(require_master(case, self.name)))
        return Score(float(sizes.min()), sample=int(sizes.sum()))
