"""`tokumei rules simulate`: the simulation of the method's paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from tokumei.cli.rules import IDF, TIES, level_rows
from tokumei.core.ask import Answer, Ask, Listing, option
from tokumei.core.options import seed_option
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.tables.rule_simulation import ChoiceResult


@dataclass(frozen=True, kw_only=True)
class Simulate(Ask):
    """Means over many random tables."""

    about: ClassVar = Text(
        "The simulation of Arai, Kono and Babaguchi (2015), section 4: 100 random people, k = 2, "
        "one rule at a time; means over many draws.",
        "新井・河野・馬場口 (2015) 4 節のシミュレーション: 無作為な 100 人、k = 2、"
        "推薦ルールは一つずつ。多数回の平均を示します。",
    )
    examples: ClassVar = ("tokumei rules simulate --draws 200 --seed 1",)

    draws: int = option("how many tables are drawn", "試行回数", default=200, least=1)
    people: int = option("people each", "人数", default=100, least=1)
    k: int = option("k", "k", default=2, least=1)
    ties: Literal["order", "prec"] = option(*TIES, default="order")
    idf: Literal["table", "split"] = option(*IDF, default="table")
    seed: int | None = seed_option()

    def answer(self) -> Answer:
        """The paper's figures, with how far they spread."""
        from tokumei.tables import rule_simulation

        asked: dict[str, Any] = {
            "draws": self.draws,
            "people": self.people,
            "k": self.k,
            "seed": self.seed,
        }
        found = rule_simulation.simulate(ties=self.ties, idf=self.idf, **asked)
        heights = {name: one.height for name, one in rule_simulation.hierarchies().items()}
        results = [
            {
                "choice": one.choice,
                "rule": one.rule,
                "prec": one.prec,
                "prec_sd": one.spread,
                "kept": one.kept,
                "decided": one.decided,
                "first_draw": level_rows(one.table, heights),
            }
            for one in found
        ]
        asked["idf"] = self.idf
        return Answer({**asked, "results": results}, [*_listings(found), *_first_draw(found)])


def _listings(found: Sequence[ChoiceResult]) -> list[Listing]:
    from tokumei.tables.rule_simulation import TITLES

    titles = [
        "Prec" if one.rule is None else f"{one.rule} {TITLES[one.rule].show()}" for one in found
    ]
    kept = [
        [title, f"{one.prec:.3f}", *(f"{one.kept[name]:.1%}" for name in found[0].kept)]
        for title, one in zip(titles, found, strict=True)
    ]
    decided = [
        [title, *(f"{one.decided[name]:.1%}" for name in found[0].decided)]
        for title, one in zip(titles, found, strict=True)
    ]
    by = Text("choice by", "選び方")
    return [
        Listing(
            Text("Prec, and people whose attribute is not *", "Prec と、属性が * でない人の割合"),
            [by, "Prec", *found[0].kept],
            kept,
        ),
        Listing(
            Text("People for whom a rule can be decided", "推薦ルールを判断できる人の割合"),
            [by, *found[0].decided],
            decided,
        ),
    ]


def _first_draw(found: Sequence[ChoiceResult]) -> list[Listing]:
    """The level vectors of the first draw and their people, the paper's Tables 7 to 12."""
    from tokumei.tables.rule_simulation import LEVELS, TITLES

    return [
        Listing(
            Text(
                f"First draw, choice by {'Prec' if one.rule is None else TITLES[one.rule].en}",
                f"最初の試行 ({'Prec' if one.rule is None else TITLES[one.rule].ja} による選択)",
            ),
            [*LEVELS, Text("people", "人数")],
            [
                [
                    *(
                        names[level].show()
                        for names, level in zip(LEVELS.values(), row.levels, strict=True)
                    ),
                    str(row.people),
                ]
                for row in one.table
            ],
        )
        for one in found
    ]
