"""A method, an attack, a measure and a rule."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar

import polars as pl

from tokumei import Claim, Message, Randomness, Score, Violation
from tokumei.extending import Goal, Limits, Provenance
from tokumei_ratings.data import Ratings, RatingsRelease


@dataclass(frozen=True)
class DropRare:
    """Leave out films that fewer than k people rated; give users random numbers."""

    name: ClassVar[str] = "drop-rare"
    title: ClassVar[Message] = Message.of_texts(
        {"en": "Drop rare films", "ja": "評価の少ない映画を削除"}
    )
    sentence: ClassVar[Message] = Message.of_texts(
        {
            "en": "Films that fewer than k people rated are left out.",
            "ja": "評価した人が k 人に満たない映画を除きます。",
        }
    )

    k: int = 2

    def anonymize(
        self, source: Ratings, *, rng: Randomness, sha256: str | None = None
    ) -> RatingsRelease:
        """A release; its rows are sorted by their public values, so their order tells nothing."""
        enough = pl.col("user").n_unique().over("film") >= self.k
        order = rng.child("numbers").permutation(len(source.users))
        people = pl.DataFrame({"user": source.users, "number": order})
        rows = source.frame.filter(enough).join(people, on="user")
        public = rows.select(pl.col("number").alias("user"), "film", "stars").sort(pl.all())
        steps = ({"method": self.name, **dataclasses.asdict(self)},)
        return RatingsRelease(
            public,
            people,
            (Claim("film-raters", {"k": self.k}),),
            Provenance(steps, sha256, rng.seed),
        )


@dataclass(frozen=True)
class FilmRaters:
    """Every film of the public rows was rated by at least k users."""

    name: ClassVar[str] = "film-raters"
    title: ClassVar[Message] = Message.of_texts(
        {"en": "Raters of every film", "ja": "各映画の評価者数"}
    )
    sentence: ClassVar[Message] = Message.of_texts(
        {
            "en": "Every film was rated by at least k users.",
            "ja": "どの映画も k 人以上が評価しています。",
        }
    )

    k: int

    def words(self) -> Message:
        """What is claimed, for people."""
        return Message.of_texts(
            {
                "en": f"every film was rated by at least {self.k} users",
                "ja": f"どの映画も {self.k} 人以上が評価",
            }
        )

    def check(self, public: pl.DataFrame) -> list[Violation]:
        """A fault for every film with too few."""
        counts = public.group_by("film").agg(pl.col("user").n_unique().alias("raters"))
        few = counts.filter(pl.col("raters") < self.k).sort("raters", "film")
        return [_too_few(film, raters, self.k) for film, raters in few.iter_rows()]


def _too_few(film: Any, raters: int, k: int) -> Violation:
    return Violation(
        rule=FilmRaters.name,
        column="film",
        message=Message.of_texts(
            {
                "en": f"film '{film}' was rated by {raters} users; {k} are needed",
                "ja": f"映画 '{film}' の評価者は {raters} 人です ({k} 人必要)",
            }
        ),
    )


@dataclass(frozen=True)
class SameFilms:
    """Name the user who shares most films with a number."""

    name: ClassVar[str] = "same-films"
    title: ClassVar[Message] = Message.of_texts(
        {"en": "Most films in common", "ja": "共通する映画が最多"}
    )
    sentence: ClassVar[Message] = Message.of_texts(
        {
            "en": "Takes the user who shares most films with a number.",
            "ja": "番号と共通する映画が最も多い利用者を選びます。",
        }
    )

    def attack(self, public: pl.DataFrame, known: Ratings, *, rng: Randomness) -> pl.DataFrame:
        """For every number the user with most common films; ties go to the first in the file."""
        pairs = public.rename({"user": "number"}).join(known.frame, on="film")
        counts = pairs.group_by("number", "user").len()
        place = pl.DataFrame({"user": known.users, "place": range(len(known.users))})
        best = counts.join(place, on="user").sort(
            "number", "len", "place", descending=[False, True, False]
        )
        return best.group_by("number", maintain_order=True).first().select("number", "user")


@dataclass(frozen=True)
class RowsLost:
    """The share of ratings that are not in the release."""

    name: ClassVar[str] = "rows_lost"
    title: ClassVar[Message] = Message.of_texts({"en": "Ratings lost", "ja": "失われた評価"})
    sentence: ClassVar[Message] = Message.of_texts(
        {"en": "The share of ratings that were left out.", "ja": "除かれた評価の割合です。"}
    )
    formula: ClassVar[str] = "1 − rows(release) / rows(original)"
    unit: ClassVar[Message] = Message.of_texts({"en": "share of rows", "ja": "行の割合"})
    goal: ClassVar[Goal] = Goal.MINIMIZE
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    limits: ClassVar[Limits] = Limits(0.05, 0.2)

    def score(self, original: Ratings, release: RatingsRelease) -> Score:
        """The figure."""
        kept = release.public.height / original.frame.height
        return Score(1 - kept, sample=original.frame.height)
