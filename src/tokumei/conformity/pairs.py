"""Who had which pseudonym, where released rows can be traced to people."""

from __future__ import annotations

import polars as pl

from tokumei.core.conformity import ConformityCase


def pseudonym_pairs(case: ConformityCase) -> pl.DataFrame | None:
    """Each pair (id, pseudonym) once: its first original row, its month, and how many rows."""
    name, own = case.roles.pseudonym, case.own_id
    if name is None or own is None or case.origin is None:
        return None
    frame = pl.DataFrame(
        {
            "id": own,
            "pseudonym": case.release[name].cast(pl.String),
            "row": case.origin,
            "month": months_of(case),
        }
    )
    pairs = frame.group_by("id", "pseudonym").agg(
        first=pl.col("row").min(), period=pl.col("month").min(), rows=pl.len()
    )
    return pairs.sort("id", "pseudonym")


def months_of(case: ConformityCase) -> pl.Series:
    """The month of every released row (2010-12); empty where there is no day."""
    if case.roles.day is None:
        return pl.repeat("", case.release.height, eager=True)
    parts = case.release[case.roles.day].cast(pl.String).str.extract_groups(r"(\d{4})[-/](\d{1,2})")
    year, month = parts.struct.unnest()
    return (year + "-" + month.str.zfill(2)).fill_null("")


def month_spellings(case: ConformityCase) -> list[str]:
    """The months of a release as people write them."""
    found = []
    for name in months_of(case).unique().sort():
        if name:
            year, _, month = name.partition("-")
            found += [name, f"{year}/{month}", f"{year}{month}", f"{year}/{int(month)}"]
    count = len(found) // 4
    return [*found, *(str(place) for place in range(count + 1))]
