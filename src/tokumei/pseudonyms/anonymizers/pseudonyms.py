"""Random pseudonyms that change over time, with noise on the purchases.

    release = Pseudonyms(lifetime=3, day=15, price_noise=0.1).anonymize(history, rng=Randomness())

Rows are deleted and changed first; a bound on exposure then counts what really is released.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal, Protocol

import numpy as np

from tokumei.core.described import Anonymizer
from tokumei.core.errors import UsageError
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message
from tokumei.core.provenance import Claim, Provenance
from tokumei.core.randomness import Randomness, content_digest, text_pseudonyms
from tokumei.pseudonyms.anonymizers.cell_changes import (
    CellChanges,
    DayChange,
    DeletionOrder,
    InvoiceChange,
    ItemSimilarity,
    TimeChange,
    choose_deleted_rows,
    find_outlier_rows,
    replace_items,
)
from tokumei.pseudonyms.anonymizers.lifetimes import (
    LifetimeScheduler,
    PurchaseCodes,
    build_exposure_meter,
    exposure_limit,
)
from tokumei.pseudonyms.data.knowledge import require_figure
from tokumei.pseudonyms.data.period_history import PeriodHistory
from tokumei.pseudonyms.data.pseudonym_table import PeriodRelease, PseudonymTable
from tokumei.pseudonyms.data.purchase_text_cells import PeriodRows

_require_figure = partial(require_figure, where=Message.verbatim("pseudonyms"))


class PeriodAnonymizer(Anonymizer, Protocol):
    """Turns a history into a release under pseudonyms; parameters are dataclass fields."""

    def anonymize(
        self, source: PeriodHistory, *, rng: Randomness, sha256: str | None = None
    ) -> PeriodRelease:
        """Make a release of `source`."""


@dataclass(frozen=True)
class Pseudonyms(PeriodAnonymizer):
    """Changing pseudonyms with controlled lifetimes; moved, coarsened, replaced, deleted values."""

    name: ClassVar[str] = "pseudonyms"
    title: ClassVar[Message] = Message("Pseudonyms over time")
    sentence: ClassVar[Message] = Message(
        "Gives customers pseudonyms that change over time, and moves, coarsens, replaces or "
        "deletes values."
    )

    lifetime: int | None = None
    exposure: Literal["rows", "items", "risk"] | None = None
    bound: float | None = None
    known: float = 0.25
    exchange: float = 0.0
    day: DayChange = "keep"
    day_shift: int = 0
    time: TimeChange = "keep"
    time_shift: int = 0
    price_noise: float = 0.0
    quantity_noise: int = 0
    replace: float = 0.0
    replace_by: ItemSimilarity = "prefix"
    prefix: int = 2
    delete: float = 0.0
    delete_first: DeletionOrder = "random"
    singular: Literal["keep", "delete"] = "keep"
    invoice: InvoiceChange = "blank"

    def __post_init__(self) -> None:
        """Fail, naming the parameter, unless every figure makes sense."""
        for name in ("exchange", "replace"):
            _require_figure(0 <= getattr(self, name) <= 1, name, Message("0 to 1"))
        for name in ("price_noise", "delete"):
            below = Message("0 or more, below 1")
            _require_figure(0 <= getattr(self, name) < 1, name, below)
        for name in ("day_shift", "time_shift", "quantity_noise"):
            _require_figure(getattr(self, name) >= 0, name, Message("0 or more"))
        for name in ("prefix", "lifetime"):
            value = getattr(self, name)
            _require_figure(value is None or value >= 1, name, Message("1 or more"))
        is_valid_day = isinstance(self.day, str) or 1 <= self.day <= 31
        _require_figure(is_valid_day, "day", Message("1 to 31"))
        for name in ("day", "time"):
            if getattr(self, name) != "keep" and getattr(self, f"{name}_shift"):
                raise UsageError("pseudonyms: give either {name} or {name}_shift", name=name)
        self._require_bound()

    def _require_bound(self) -> None:
        if (self.exposure is None) != (self.bound is None):
            raise UsageError("pseudonyms: exposure (rows, items or risk) and bound go together")
        _require_figure(0 < self.known <= 1, "known", Message("above 0, at most 1"))
        if self.bound is not None and self.exposure == "risk":
            _require_figure(0 <= self.bound <= 1, "bound", Message("0 to 1"))
        elif self.bound is not None:
            _require_figure(self.bound >= 1, "bound", Message("1 or more"))

    def anonymize(
        self, source: PeriodHistory, *, rng: Randomness, sha256: str | None = None
    ) -> PeriodRelease:
        """Delete, change, then give out pseudonyms."""
        if rng.seeded:
            rng = rng.bound_to(content_digest(source.frame), self.describe())
        rng = rng.child(self.name)
        rows, bought = self._change_rows(source, rng)
        kept = bought.take(rows.kept)
        slots = self._build_scheduler(kept).slots(kept.counts() > 0, rng=rng)
        names = text_pseudonyms(int(slots.max()) + 1, taken=source.master.customers, rng=rng)
        slot = slots[bought.person, bought.period]
        pseudonym_cells = rows.cells["customer"].scatter(
            np.flatnonzero(rows.kept), names.gather(slot[rows.kept])
        )
        released = PeriodRows(rows.cells.with_columns(pseudonym_cells))
        table = PseudonymTable.of_rows(
            source.rows, released, customers=source.master.customers, months=source.months
        )
        provenance = Provenance((self.describe(),), sha256, rng.seed)
        return PeriodRelease(released, table, source.months, self._claims(), provenance)

    def describe(self) -> JsonObject:
        """The method and its parameters as plain data."""
        return {"method": self.name, **dataclasses.asdict(self)}

    def _change_rows(
        self, source: PeriodHistory, rng: Randomness
    ) -> tuple[PeriodRows, PurchaseCodes]:
        """All rows with their new cells, still under the customers' ids, and what they buy."""
        bought = PurchaseCodes.of(source)
        changes = {
            field_info.name: getattr(self, field_info.name)
            for field_info in dataclasses.fields(CellChanges)
        }
        cells = CellChanges(**changes).apply(source.rows, rng=rng)
        if self.replace:
            items = replace_items(
                bought,
                source.items,
                share=self.replace,
                like=self.replace_by,
                prefix=self.prefix,
                rng=rng.child("items"),
            )
            bought = dataclasses.replace(bought, item=items)
            cells = cells.with_columns(source.items.gather(items).alias("item"))
        deleted = choose_deleted_rows(
            bought, self.delete, self.delete_first, rng=rng.child("deletion")
        )
        rows = PeriodRows(cells).with_deleted(deleted)
        if self.singular == "delete":
            rows = rows.with_deleted(find_outlier_rows(source.rows, rows, bought))
        return rows, bought

    def _build_scheduler(self, released: PurchaseCodes) -> LifetimeScheduler:
        if self.exposure is None or self.bound is None:
            return LifetimeScheduler(self.lifetime or 1, exchange=self.exchange)
        meter = build_exposure_meter(self.exposure, released)
        limit = exposure_limit(self.exposure, self.bound, self.known)
        longest = self.lifetime or released.periods
        return LifetimeScheduler(longest, meter, limit, self.exchange)

    def _claims(self) -> tuple[Claim, ...]:
        """What anyone can recompute from the public rows."""
        if self.exposure is None:
            return (Claim("pseudonym-lifetime", {"periods": self.lifetime or 1}),)
        figures = {"by": self.exposure, "bound": self.bound, "known": self.known}
        claims = [Claim("pseudonym-exposure", figures)]
        if self.lifetime is not None:
            claims.append(Claim("pseudonym-lifetime", {"periods": self.lifetime}))
        return tuple(claims)
