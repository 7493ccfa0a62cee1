"""defend: the pipeline that the attacks find least, within bounds on what the data is worth.

tk.anonymize(people, "defend", bounds={"U4": 0.086, "U5": 0.046})
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from tokumei.core.errors import UsageError
from tokumei.core.figures import percent
from tokumei.core.randomness import Randomness
from tokumei.core.rates import AttackRate
from tokumei.core.release import Search as Ended
from tokumei.core.text import Text
from tokumei.tables.anonymizers.protocol import Step, TableMethod
from tokumei.tables.defending.search import Found, Search, bounds_words, require_bounds
from tokumei.tables.registry import attackers
from tokumei.tables.suite import strongest

SEARCHED = ("linkage", "E4", "E2", "EUC2", "EUC1", "E3", "E1")
"""The strongest as a rule first: what it finds often need not be attacked further."""
HELD_OUT = ("everything", "ensemble")


def usual_bounds() -> dict[str, float]:
    """Correlations and values within .05, quasi-identifiers at most 30 % of their range wide."""
    return {"U4": 0.05, "U5": 0.05, "ncp": 0.3}


@dataclass(frozen=True)
class Defend(TableMethod):
    """min over pipelines of max over attacks of the rate found, subject to `bounds` on measures.

    The search (successive halving, `search.py`) uses `attacks`; `holdout` are run on the winner
    only, so that they show whether it defends against more than it was searched against. With `k`
    every candidate is k-anonymous. What no bound protects is given up if that helps.
    """

    name: ClassVar[str] = "defend"
    title: ClassVar[Text] = Text("Searched against the attacks", "攻撃に対して探索した加工")
    sentence: ClassVar[Text] = Text(
        "Searches for the pipeline whose strongest attack finds least, within bounds on measures.",
        "指標の上限を守りながら、最も強い攻撃でも特定が最少となる手法の組み合わせを探します。",
    )
    leaves_open: ClassVar[Text] = Text(
        "Attacks unlike those that it was searched and tested with. Only what is claimed is a "
        "guarantee: swapped and noisy values are protected by no claim.",
        "探索と検査に使っていない種類の攻撃は防げるとは限りません。保証されるのは主張の内容だけで、"
        "入れ替えやノイズによる保護は主張に含まれません。",
    )

    bounds: dict[str, float] = field(default_factory=usual_bounds)
    attacks: tuple[str, ...] = SEARCHED
    holdout: tuple[str, ...] = HELD_OUT
    k: int | None = None
    cross: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        require_bounds(self.bounds)
        for name in (*self.attacks, *self.holdout):
            attackers.get(name)
        if not self.attacks or set(self.attacks) & set(self.holdout):
            raise UsageError(
                "defend: name at least one attack to search with, and none of them as held out",
                "defend: 探索に使う攻撃を一つ以上指定し、holdout と重ならないようにしてください",
            )

    def done(self) -> Text:
        """Within which bounds it was searched."""
        told = ", ".join(f"{name} {bound:g}" for name, bound in self.bounds.items())
        return Text(
            f"Search the steps below against {len(self.attacks)} attacks within {told}",
            f"{len(self.attacks)} 種類の攻撃に対し、{told} の範囲で以下の手順を探索する",
        )

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Search, and apply what was found."""
        table = step.table
        table.schema.require(self.cross, where=self.name)
        able = [name for name in self.attacks if _has_columns(name, table.schema)]
        search = Search(table, self.bounds, able, rng, self.cross, self.k or 0)
        found = search.best()
        unseen = [name for name in self.holdout if _has_columns(name, table.schema)]
        fresh = search.rates(found.case, unseen) if unseen else {}
        note = told(found, fresh, self.bounds)
        worst = strongest(found.rates).rate
        made = tuple(part for method in found.methods for part in method.describe())
        return Step(
            found.step.table,
            step.link[found.step.link],
            (*step.claims, *found.step.claims),
            (Ended(self.name, False, worst, note),),
            None if step.origin is None else step.origin[found.step.link],
            made,
        )


def _has_columns(attack: str, schema: Any) -> bool:
    """Whether there are columns of every role that an attack needs."""
    return all(getattr(schema, role) for role in attackers.get(attack).needs)


def told(found: Found, fresh: dict[str, AttackRate], bounds: dict[str, float]) -> Text:
    """What was found, how it stands against the attacks, and what it is worth."""
    steps = [method.done() for method in found.methods]
    worst, worth = strongest(found.rates), bounds_words(found.values, bounds)
    held = ", ".join(f"{name} {percent(rate.rate)}" for name, rate in fresh.items())
    rate = f"{percent(worst.rate)} [{percent(worst.low)}–{percent(worst.high)}]"
    english = f"defend: {found.tried} pipelines tried, {found.within} within the bounds. "
    japanese = f"defend: {found.tried} 通りを試し、{found.within} 通りが上限内でした。"
    english += f"Chosen: {'; '.join(one.en for one in steps) or 'no change'}. "
    japanese += f"採用: {'、'.join(one.ja for one in steps) or '変更なし'}。"
    english += f"Strongest attack of the search on all rows: {worst.attack} {rate}; "
    japanese += f"探索に使った攻撃のうち最も強いもの (全行): {worst.attack} {rate}。"
    english += f"attacks that the search never used: {held or 'none run'}. {worth.en}"
    japanese += f"探索に使っていない攻撃: {held or '実行なし'}。{worth.ja}"
    return Text(english, japanese)
