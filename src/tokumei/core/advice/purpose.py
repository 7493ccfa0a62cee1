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
from tokumei.core.messages import Message
from tokumei.core.registry import build_params

Recipient = Literal["public", "partner", "inside"]
RECIPIENTS: tuple[Recipient, ...] = get_args(Recipient)

RECIPIENT_LABELS = {
    "public": Message("anybody", "誰でも (一般公開)"),
    "partner": Message("a partner under contract", "契約のある提供先"),
    "inside": Message("people inside the company", "社内"),
}
NO_LEGAL_ADVICE = Message(
    "These settings are conventions, not legal thresholds; no release is called lawful.",
    "これらの設定は慣行によるもので、法律上の基準ではありません。適法であるとの判断もしません。",
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
        models = ", ".join(self.models)
        share = f"{self.suppression:.0%}"
        lines = [
            Message(
                f"k from {self.ks[0]} to {self.ks[-1]}, beginning at {self.k}",
                f"k は {self.k} から始め、{self.ks[0]}〜{self.ks[-1]} を試す",
            ),
            Message(f"models: {models or 'none'}", f"モデル: {models or 'なし'}"),
            Message(f"rows left out: at most {share}", f"削除してよい行: {share} まで"),
            Message(
                "risk: what somebody finds who knows "
                + ("every public column" if self.counted == "everything" else "the known columns"),
                "リスク: "
                + ("公開列をすべて" if self.counted == "everything" else "知られ得る列を")
                + "知る人による特定",
            ),
        ]
        if self.weights:
            en = ", ".join(f"{name} × {w:g}" for name, w in self.weights.items())
            ja = "、".join(f"{name} × {w:g}" for name, w in self.weights.items())
            lines.append(Message(f"weights of losses: {en}", f"損失の重み: {ja}"))
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
                f"the recipient is {', '.join(RECIPIENTS)}, not '{self.recipient}'",
                f"提供先は {'・'.join(RECIPIENTS)} のどれかです ('{self.recipient}')",
            )
        if self.k is not None and self.k < 2:
            raise UsageError("k must be at least 2", "k は 2 以上にしてください")
        if self.suppression is not None and not 0 <= self.suppression < 1:
            raise UsageError(
                "the share of rows left out is from 0 to below 1",
                "削除してよい行の割合は 0 以上 1 未満です",
            )

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
