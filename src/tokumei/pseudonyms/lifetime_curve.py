"""Link rate and utility against the lifetime of a pseudonym, as the service `lifetime` computes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tokumei.core.json_types import JsonObject
from tokumei.pseudonyms.link_rate import LinkRate, VolumeLinks


@dataclass(frozen=True)
class LifetimePoint:
    """One release under one attack; `alpha` is the share of rows known, None for halves."""

    lifetime: int
    alpha: float | None
    links: LinkRate
    reid_active: float
    reid_all: float
    rows_per_pseudonym: float
    utility: Mapping[str, float]
    volumes: tuple[VolumeLinks, ...] = ()
    """The same links by how much customers bought."""

    def as_json(self) -> JsonObject:
        """As plain data."""
        return {
            **_link_figures(self, self.links),
            "baseline": self.links.baseline,
            "reid_active": self.reid_active,
            "reid_all": self.reid_all,
            "pseudonyms": self.links.pseudonyms,
            "rows_per_pseudonym": self.rows_per_pseudonym,
            **self.utility,
        }


def _link_figures(point: LifetimePoint, links: LinkRate) -> JsonObject:
    rates = {"link_rate": links.rate, "low": links.low, "high": links.high}
    return {"lifetime": point.lifetime, "alpha": point.alpha, **rates}


@dataclass(frozen=True)
class LifetimeCurve:
    """All lifetimes under all knowledge, and the rate that is allowed."""

    points: tuple[LifetimePoint, ...]
    attack: str
    rate: float
    periods: int
    customers: int
    rows: int
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def lifetimes(self) -> list[int]:
        """The lifetimes tried."""
        return list(dict.fromkeys(point.lifetime for point in self.points))

    @property
    def alphas(self) -> list[float | None]:
        """The shares of rows known."""
        return list(dict.fromkeys(point.alpha for point in self.points))

    @property
    def longest(self) -> int | None:
        """The longest lifetime whose interval stays under the rate, whatever is known; or None."""
        return self._longest_under_rate([point.links for point in self.points])

    @property
    def volumes(self) -> list[VolumeLifetime]:
        """Customers by how much they bought, and the longest lifetime of each."""
        volume_lifetimes = []
        for part, volume in enumerate(self.points[0].volumes):
            longest = self._longest_under_rate([point.volumes[part].links for point in self.points])
            volume_lifetimes.append(
                VolumeLifetime(volume.least, volume.most, volume.links.customers, longest)
            )
        return volume_lifetimes

    def _longest_under_rate(self, links: Sequence[LinkRate]) -> int | None:
        over = {
            p.lifetime
            for p, point_links in zip(self.points, links, strict=True)
            if point_links.high >= self.rate
        }
        return max(set(self.lifetimes) - over, default=None)

    def as_json(self) -> JsonObject:
        """As plain data."""
        return {
            "attack": self.attack,
            "rate": self.rate,
            "longest": self.longest,
            "points": [point.as_json() for point in self.points],
            "volumes": [
                {
                    **vars(volume),
                    "points": [_link_figures(p, p.volumes[part].links) for p in self.points],
                }
                for part, volume in enumerate(self.volumes)
            ],
        }


@dataclass(frozen=True)
class VolumeLifetime:
    """Customers who bought from `least` to `most` rows, and the longest lifetime for them."""

    least: int
    most: int
    customers: int
    longest: int | None
