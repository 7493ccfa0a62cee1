"""`tokumei lifetime`: risk and utility against how long a pseudonym lives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from tokumei.core import options
from tokumei.core.ask import Answer, Ask, Listing, option
from tokumei.core.registry import params_of
from tokumei.core.text import Text
from tokumei.pseudonyms.ask.make import master_option

if TYPE_CHECKING:
    from tokumei.pseudonyms.data.history import PeriodHistory
    from tokumei.pseudonyms.lifetime import LifetimeCurve

METHOD = "pseudonyms"
RESULTS = (
    *("lifetime.csv", "lifetime.json", "report.html"),
    *("risk-lifetime.svg", "risk-knowledge.svg", "utility-lifetime.svg"),
)


@dataclass(frozen=True, kw_only=True)
class AskLifetime(Ask):
    """Draw the lifetime curve of a history in any layout."""

    about: ClassVar = Text(
        "Make a release for every lifetime, attack each with the same knowledge, and "
        "find the longest lifetime whose link rate (upper end of its 95 % interval) "
        "stays under --rate. --halves asks instead what somebody who knows the first half of "
        "the months links in the second. With --out also CSV, JSON, charts and report.",
        "有効期間ごとに仮名化し、同じ知識で攻撃して、結び付く仮名の割合 (95 % 区間の上端) が "
        "--rate 未満にとどまる最長の有効期間を示します。--halves は、前半の月を知る人が後半で"
        "どれだけ結び付けるかを調べます。--out で CSV・JSON・図・レポートも作ります。",
    )

    data: str = options.data_option()
    alpha: tuple[float, ...] = option(
        "share of rows known: 0.25 (default) or 0.25,0.5",
        "知られている行の割合 (既定 0.25)",
        default=(),
    )
    lifetimes: tuple[int, ...] = option(
        "1-12 or 1,3,6 (default: all)", "1-12 など (既定は全て)", default=()
    )
    method: str | None = option(
        "the attack (default: best; with --halves: profile)",
        "攻撃 (既定は best、--halves では profile)",
        default=None,
        aliases=("attack", "attacks", "methods"),
    )
    rate: float = option("link rate allowed", "許容する割合", default=0.1)
    halves: bool = option(
        "known: first half of the months (attack profile)",
        "前半の月を知る (攻撃 profile)",
        default=False,
    )
    prefix: dict[str, int] = option("known cells: item=2", "知られている文字数: item=2", default={})
    set: dict[str, Any] = options.set_option()
    out: str | None = options.out_folder_option()
    seed: int | None = options.seed_option()

    @classmethod
    def methods(cls, given: Mapping[str, Any]) -> Mapping[str, type[Any]]:
        """The method that makes the releases, whose fields are options."""
        from tokumei.pseudonyms.registry import anonymizers

        return {METHOD: anonymizers.get(METHOD)}

    def source(self) -> tuple[PeriodHistory, list[Text]]:
        """The history, and what its reader should know of it."""
        raise NotImplementedError

    def spare(self, *sources: str) -> None:
        """Fail if a result would replace what was read."""
        if self.out is not None:
            options.spare_sources(sources, tuple(f"{self.out}/{name}" for name in RESULTS))

    def answer(self) -> Answer:
        """Draw the curve, and write it."""
        from tokumei.files.atomic import write_all
        from tokumei.files.releases import make_folder
        from tokumei.pseudonyms.data.knowledge import PartialKnowledge
        from tokumei.pseudonyms.lifetime import KNOWLEDGE, lifetime
        from tokumei.pseudonyms.registry import anonymizers
        from tokumei.pseudonyms.report.lifetime import lifetime_outputs

        if self.halves:
            options.refuse_beside("--halves", alpha=self.alpha, prefix=self.prefix)
        params = params_of(anonymizers, [METHOD], self.set)[METHOD]
        source, notes = self.source()
        curve = lifetime(
            source,
            lifetimes=self.lifetimes,
            alphas=self.alpha or (0.25,),
            halves=self.halves,
            attack=self.method or ("profile" if self.halves else "best"),
            rate=self.rate,
            knowledge=PartialKnowledge(prefix=self.prefix) if self.prefix else KNOWLEDGE,
            params=params,
            seed=self.seed,
        )
        if self.out is not None:
            write_all(lifetime_outputs(curve, make_folder(self.out)))
        return Answer(curve.as_json(), _shown(curve), notes)


@dataclass(frozen=True, kw_only=True)
class LifetimeOfPseudonyms(AskLifetime):
    """Of the contest's T with its customers M."""

    examples: ClassVar = (
        "tokumei lifetime --data T.csv --master M.csv --alpha 0.25,0.5 --lifetimes 1-12 "
        "--rate 0.1 --out lifetime",
    )

    master: str = master_option()
    encoding: str = options.encoding_option()

    def source(self) -> tuple[PeriodHistory, list[Text]]:
        """T with its customers."""
        from tokumei.pseudonyms.formats.pws2017 import Pws2017

        self.spare(self.data, self.master)
        return Pws2017(master=self.master, encoding=self.encoding).read_noted(self.data)


def _shown(curve: LifetimeCurve) -> list[Listing | Text]:
    from tokumei.pseudonyms.report.lifetime import headline

    header = [Text("months", "月数"), Text("known", "知識"), Text("linked", "結び付き")]
    header += [Text("95 % interval", "95 % 区間"), Text("chance", "偶然")]
    header += [Text("all months", "全月正答"), Text("worst loss", "最大の損失")]
    rows = []
    for point in curve.points:
        links = point.links
        mark = "*" if point.lifetime == curve.longest else ""
        known = "½" if point.alpha is None else f"{point.alpha:g}"
        span = f"{links.low:.3f}–{links.high:.3f}"
        others = (links.baseline, point.reid_all, point.utility["worst"])
        figures = [f"{links.rate:.4f}", span, *(f"{figure:.4f}" for figure in others)]
        rows.append([f"{point.lifetime}{mark}", known, *figures])
    title = Text(f"Links by {curve.attack}", f"攻撃 {curve.attack} で結び付いた仮名")
    return [Listing(title, header, rows), *_volumes(curve), headline(curve)]


def _volumes(curve: LifetimeCurve) -> list[Listing]:
    """The longest lifetime of customers who buy little, and of those who buy much."""
    shown = {curve.lifetimes[0], curve.lifetimes[-1]}
    header = [Text("rows bought", "購買行数"), Text("customers", "顧客"), Text("longest", "最長")]
    header += [Text(f"linked, {n} mo.", f"結び付き {n} か月") for n in sorted(shown)]
    rows = []
    for part, one in enumerate(curve.volumes):
        links = {
            months: max(
                (p.volumes[part].links for p in curve.points if p.lifetime == months),
                key=lambda found: found.high,
            )
            for months in sorted(shown)
        }
        told = [f"{x.rate:.3f} [{x.low:.3f}–{x.high:.3f}]" for x in links.values()]
        longest = "–" if one.longest is None else f"{one.longest}"
        rows.append([f"{one.least}–{one.most}", f"{one.customers}", longest, *told])
    title = Text("By how much customers buy", "購買量別")
    return [Listing(title, header, rows)] if rows else []
