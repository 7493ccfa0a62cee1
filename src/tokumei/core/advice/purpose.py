"""The purpose of a release: three answers, which set k, models, suppression and weights.

    Purpose(recipient="partner", known=("age", "sex", "zip"), keep=("income",))

The mapping is a convention (docs/advise.md), never a statement of law; every setting can be given
directly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from tokumei.core.errors import UsageError
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message, join_messages
from tokumei.core.registry import build_params

Recipient = Literal["public", "partner", "inside"]
RECIPIENTS: tuple[Recipient, ...] = get_args(Recipient)

RECIPIENT_LABELS = {
    "public": Message("anybody"),
    "partner": Message("a partner under contract"),
    "inside": Message("people inside the company"),
}
NO_LEGAL_ADVICE = Message(
    "These settings are conventions, not legal thresholds; no release is called lawful."
)


@dataclass(frozen=True)
class Settings:
    """The settings that follow from a purpose.

    `k` is where the search begins, `ks` the coarse grid around it. `models`: privacy models that
    sensitive columns have to meet (`l=2`). `suppression`: the share of rows that may be left out.
    `counted`: whose success is the risk: somebody who knows the `known` columns, or every public
    one. `weights`: by column, how much a loss in it counts; a column not named counts 1.
    """

    k: int
    ks: tuple[int, ...]
    models: tuple[str, ...]
    suppression: float
    counted: Literal["known", "everything"]
    weights: Mapping[str, float] = field(default_factory=dict)

    def weight(self, column: str) -> float:
        """How much a loss in a column counts."""
        return self.weights.get(column, 1.0)

    def words(self) -> list[Message]:
        """The settings as a person reads them."""
        models = join_messages(self.models)
        lines = [
            Message(
                "k from {least} to {most}, beginning at {k}",
                least=self.ks[0],
                most=self.ks[-1],
                k=self.k,
            ),
            Message("models: {models}", models=models) if self.models else Message("models: none"),
            Message("rows left out: at most {share:percent}", share=self.suppression),
            Message("risk: people found by someone who knows every public column")
            if self.counted == "everything"
            else Message("risk: people found by someone who knows the known columns"),
        ]
        if self.weights:
            weights = join_messages(f"{name} × {w:g}" for name, w in self.weights.items())
            lines.append(Message("weights of losses: {weights}", weights=weights))
        return lines

    def as_json(self) -> JsonObject:
        """Plain data."""
        return {
            **vars(self),
            "ks": list(self.ks),
            "models": list(self.models),
            "weights": dict(self.weights),
        }


_SETTINGS_BY_RECIPIENT: dict[Recipient, Settings] = {
    "public": Settings(20, (10, 20, 50), ("l=2",), 0.05, "everything"),
    "partner": Settings(5, (3, 5, 10, 20), (), 0.02, "known"),
    "inside": Settings(3, (2, 3, 5, 10), (), 0.0, "known"),
}
TOP_WEIGHT = 4.0
"""Weight of the first column to keep; each further one weighs one less, but at least 2."""
TABLE_WEIGHT = 2.0


@dataclass(frozen=True)
class Purpose:
    """The recipient of a release, what it may know of a person, and what must be kept.

    `known`: columns that the recipient may know of somebody; None: those that look like it.
    `keep`: columns that must stay as exact as can be, the most important first; `predict`: a
    column that is to be predicted from the others; `tables`: sets of columns to be counted.
    `k`, `models`, `suppression`: an expert's own settings, None: as the recipient
    says. For histories, `known` and `keep` are columns of purchases (day, item, price, quantity).
    """

    recipient: Recipient = "partner"
    known: tuple[str, ...] | None = None
    keep: tuple[str, ...] = ()
    predict: str | None = None
    tables: tuple[tuple[str, ...], ...] = ()
    k: int | None = None
    models: tuple[str, ...] | None = None
    suppression: float | None = None

    def __post_init__(self) -> None:
        if self.recipient not in RECIPIENTS:
            raise UsageError(
                "the recipient must be one of {recipients}, not '{recipient}'",
                recipients=join_messages(RECIPIENTS),
                recipient=self.recipient,
            )
        if self.k is not None and self.k < 2:
            raise UsageError("k must be at least 2")
        if self.suppression is not None and not 0 <= self.suppression < 1:
            raise UsageError("the share of rows left out must be from 0 to below 1")

    @property
    def named(self) -> tuple[str, ...]:
        """Every column that the purpose speaks of, each once."""
        counted = (name for table in self.tables for name in table)
        predicted = () if self.predict is None else (self.predict,)
        return tuple(dict.fromkeys((*(self.known or ()), *self.keep, *predicted, *counted)))

    @property
    def settings(self) -> Settings:
        """The settings that follow from the answers, or that were set directly."""
        defaults = _SETTINGS_BY_RECIPIENT[self.recipient]
        k = defaults.k if self.k is None else self.k
        ks = defaults.ks if self.k is None else tuple(sorted({max(2, k // 2), k, 2 * k, 4 * k}))
        return Settings(
            k,
            ks,
            defaults.models if self.models is None else self.models,
            defaults.suppression if self.suppression is None else self.suppression,
            defaults.counted,
            self._column_weights(),
        )

    def _column_weights(self) -> dict[str, float]:
        weights = {name: TABLE_WEIGHT for table in self.tables for name in table}
        for rank, name in enumerate(self.keep):
            weights[name] = max(TOP_WEIGHT - rank, TABLE_WEIGHT)
        if self.predict is not None:
            weights[self.predict] = TOP_WEIGHT
        return weights

    def as_json(self) -> JsonObject:
        """Plain data, from which `from_json` makes the same purpose."""
        plain = {key: list(value) if isinstance(value, tuple) else value
                 for key, value in vars(self).items()}  # fmt: skip
        return plain | {"tables": [list(table) for table in self.tables]}

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> Purpose:
        """The purpose of plain data."""
        return build_params(cls, data, where="purpose")
