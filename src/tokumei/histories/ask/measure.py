"""`tokumei measure utility` and `safety` of histories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from tokumei.core.ask import Answer, Ask, Listing, option
from tokumei.core.options import (
    encoding_option,
    guess_option,
    original_option,
    release_option,
    set_option,
)
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.core.measure import Score

ALL = ("default", "all")


@dataclass(frozen=True, kw_only=True)
class MeasureHistory(Ask):
    """Measure a release."""

    about: ClassVar = Text(
        "Histories: the contest's loss with its parts, and what the data is still good for. "
        "honest_loss (with --categories) is the loss against the real items.",
        "履歴: コンテストの損失とその内訳、データの使い道ごとの指標。--categories があれば、"
        "元の商品に対する損失 honest_loss も測ります。",
    )
    examples: ClassVar = (
        "tokumei measure utility --format pws2018 --original T.csv --release A.csv",
    )

    original: str = original_option()
    release: str = release_option()
    method: tuple[str, ...] = option(
        "all, or names: loss,rfm",
        "all または名前: loss,rfm",
        default=("all",),
        aliases=("measures", "methods"),
    )
    set: dict[str, Any] = set_option()
    categories: str | None = option(
        "pws2018: mapping item,category", "pws2018: 対応表 item,category", default=None
    )
    encoding: str = encoding_option()

    @classmethod
    def methods(cls, given: Mapping[str, Any]) -> Mapping[str, type[Any]]:
        """The chosen measures, whose fields are options."""
        from tokumei.histories.registry import measures

        named = [name for name in given.get("method", ALL) if name in measures.names()]
        return {name: measures.get(name) for name in named or measures.names()}

    def answer(self) -> Answer:
        """Read both, replace items by their categories first if asked to, and measure."""
        from tokumei.core.measure import Score
        from tokumei.histories.categories.mapping_file import read_categories
        from tokumei.histories.flow import measure
        from tokumei.histories.formats.pws2018 import Pws2018, read_general
        from tokumei.histories.measures.category_loss import honest_loss

        names, params = self._chosen()
        source = real = Pws2018(encoding=self.encoding).read(self.original)
        mapping = None if self.categories is None else read_categories(self.categories).of
        if mapping is not None:
            source = real.with_items(mapping)
        released = read_general(self.release, source, encoding=self.encoding)
        scores = measure(source, released, methods=names, params=params)
        if mapping is not None:
            scores["honest_loss"] = Score(honest_loss(real, released, mapping).loss)
        return Answer({name: score.value for name, score in scores.items()}, [_listing(scores)])

    def _chosen(self) -> tuple[list[str], dict[str, dict[str, Any]]]:
        """The measures (none: all), and their parameters."""
        from tokumei.core.registry import params_of
        from tokumei.histories.registry import measures

        names = [] if set(self.method) & set(ALL) else list(self.method)
        registered = [name for name in names if name in measures.names()] or measures.names()
        return names, params_of(measures, registered, self.set)


def _listing(scores: Mapping[str, Score]) -> Listing:
    from tokumei.histories.flow import measure_title

    rows = [
        [f"{name}  {measure_title(name).show()}", f"{score.value:.6f}"]
        for name, score in scores.items()
    ]
    return Listing(Text("Measures", "指標"), ["", Text("value", "値")], rows)


@dataclass(frozen=True, kw_only=True)
class SafetyOfHistory(Ask):
    """Score a guess."""

    about: ClassVar = Text(
        "Histories: how many answers of a guess are right, and whether that proves the release "
        "unsafe (R(n)).",
        "履歴: 推定の正答数と、それが安全でないことの証拠になるか (R(n))。",
    )
    examples: ClassVar = (
        "tokumei measure safety --format pws2018 --original T.csv --release A.csv --guess F1.csv",
    )

    original: str = original_option()
    release: str = release_option()
    guess: str = guess_option()
    encoding: str = encoding_option()

    def answer(self) -> Answer:
        """Count the hits."""
        from tokumei.histories.contest_files import contest_hits

        found = contest_hits(self.original, self.release, self.guess, encoding=self.encoding)
        verdict = Text(
            "this proves the release unsafe", "この匿名加工データが安全でないことの証拠になります"
        )
        if not found.unsafe:
            verdict = Text(
                "this does not prove the release unsafe",
                "安全でないことの証拠にはなりません (安全の証明でもありません)",
            )
        told = Text(
            f"{found.hits} of {found.tried} answers are right (threshold: {found.threshold}); "
            f"{verdict.en}",
            f"{found.tried} 件中 {found.hits} 件が正答 (基準 {found.threshold} 件)。{verdict.ja}",
        )
        return Answer(found.as_json(), [told])
