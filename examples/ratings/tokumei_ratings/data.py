"""Ratings, their release, and the one layout of their files: user,film,stars with a header."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import polars as pl

from tokumei import Claim, Message
from tokumei.extending import Output, Provenance, VerifiableRelease, frame_output, read_frame


@dataclass(frozen=True, eq=False)
class Ratings:
    """One row for every user and film."""

    tokumei_kind: ClassVar[str] = "ratings"

    frame: pl.DataFrame

    @property
    def users(self) -> list[Any]:
        """Everybody who rated something."""
        return self.frame["user"].unique(maintain_order=True).to_list()


@dataclass(frozen=True, eq=False)
class RatingsRelease(VerifiableRelease):
    """The public rows, and who is behind which number: a secret."""

    tokumei_kind: ClassVar[str] = "ratings"

    public: pl.DataFrame
    people: pl.DataFrame = field(repr=False)
    claims: tuple[Claim, ...] = ()
    provenance: Provenance = field(default_factory=Provenance)

    def manifest(self) -> Mapping[str, Any]:
        """The public description: no secret, no raw value."""
        return {
            "rows": self.public.height,
            "claims": [claim.as_json() for claim in self.claims],
            "provenance": self.provenance.as_json(public=True),
        }


@dataclass(frozen=True)
class RatingsFile:
    """A CSV or Parquet file with the columns user, film and stars."""

    name: ClassVar[str] = "ratings"
    title: ClassVar[Message] = Message.of_texts(
        {"en": "ratings with a header", "ja": "見出しつきの評価データ"}
    )

    sep: str | None = None

    def read(self, path: str | Path) -> Ratings:
        """The ratings in a file."""
        return Ratings(read_frame(path, sep=self.sep).select("user", "film", "stars"))

    def read_release(
        self, source: Ratings, public: str | Path, secret: str | Path
    ) -> RatingsRelease:
        """A release from its files; what it claims stands in its manifest."""
        import json

        manifest = json.loads(Path(f"{public}.manifest.json").read_text(encoding="utf-8"))
        claims = tuple(Claim(one["rule"], one["params"]) for one in manifest["claims"])
        return RatingsRelease(read_frame(public), read_frame(secret), claims)

    def output(self, source: Ratings, path: str | Path) -> Output:
        """Ratings as a file to write."""
        return frame_output(source.frame, path, sep=self.sep or ",")
