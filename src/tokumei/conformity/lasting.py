"""What a person's changing pseudonyms have in common links them again (item 3)."""

from __future__ import annotations

import polars as pl
from scipy.stats import binom

from tokumei.conformity.finding import Evidence, Finding, Verdict
from tokumei.core.conformity import ConformityCase
from tokumei.core.text import Text


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


SURPRISE = 1e-6
STRONG = 0.2
ENOUGH = 20
PLACES = 12
FEW_PEOPLE = 3
MOST_PEOPLE = 0.9


def lasting_codes(case: ConformityCase) -> Finding:
    """Neither a part of the pseudonym nor another column stays when a pseudonym changes."""
    title = Text(
        "Nothing else links a person's pseudonyms", "同じ人の仮名どうしを結び付ける値がない"
    )
    pairs = pseudonym_pairs(case)
    changes = _changes(pairs) if pairs is not None else None
    if changes is None or not changes.height:
        none = Text("no pseudonym was seen to change", "仮名の変更は確認されません")
        return Finding("lasting-codes", 3, Verdict.NOTHING, title, none)
    evidence = [*_alike(case, changes), *_codes(case)]
    summary = Text(
        "nothing stays when pseudonyms change", "仮名が変わるときに引き継がれる値はありません"
    )
    if evidence:
        columns = ", ".join(found.column or "" for found in evidence)
        summary = Text(
            f"pseudonyms are linked by: {columns}", f"仮名どうしを結び付ける列: {columns}"
        )
    verdict = Verdict.FAIL if evidence else Verdict.PASS
    return Finding("lasting-codes", 3, verdict, title, summary, tuple(evidence))


def _changes(pairs: pl.DataFrame) -> pl.DataFrame:
    """Every pseudonym with the same person's next one, and the periods of both."""
    after = pl.col("pseudonym", "period").shift(-1).over("id").name.prefix("next_")
    return pairs.sort("id", "first").with_columns(after).drop_nulls()


def _alike(case: ConformityCase, changes: pl.DataFrame) -> list[Evidence]:
    """Places, from either end, that stay more often than they agree between different people."""
    places = [place for end in (0, 1) for place in range(PLACES) if _stays(changes, place, end)]
    if not places:
        return []
    what = Text(
        f"{len(places)} characters of the pseudonym stay when it changes",
        f"仮名が変わっても {len(places)} 文字が変わりません",
    )
    return [Evidence(what, case.roles.pseudonym, changes.height)]


def _stays(changes: pl.DataFrame, place: int, end: int) -> bool:
    """Compared inside pairs of periods: a month written into the pseudonym is no link."""
    names = pl.col("pseudonym", "next_pseudonym")
    long = changes.filter(pl.all_horizontal(names.str.len_chars() > place))
    periods = ["period", "next_period"]
    seen = long.select(*periods, names.str.slice(-1 - place if end else place, 1))
    if seen.height < ENOUGH:
        return False
    same = seen.filter(pl.col("pseudonym") == pl.col("next_pseudonym")).height
    counts = [seen.group_by(*periods, char=name).len() for name in ("pseudonym", "next_pseudonym")]
    sizes = seen.group_by(periods).len("size")
    both = counts[0].join(counts[1], on=[*periods, "char"]).join(sizes, on=periods)
    expected = both.select((pl.col("len") * pl.col("len_right") / pl.col("size")).sum()).item()
    chance = expected / seen.height
    beyond = same / seen.height > chance + STRONG
    return bool(beyond and binom.sf(same - 1, seen.height, chance) < SURPRISE)


def _codes(case: ConformityCase) -> list[Evidence]:
    """Columns that hold one value for a person and another for everybody else."""
    what = Text("one value per person, whatever the pseudonym", "仮名によらず一人に一つの値")
    name, own = case.roles.pseudonym, case.own_id
    return [
        Evidence(what, column, case.release.height)
        for column in case.release.columns
        if name is not None and own is not None and column != name
        if _one_per_person(own, case.release[name], case.release[column])
    ]


def _one_per_person(own: pl.Series, pseudonyms: pl.Series, cells: pl.Series) -> bool:
    rows = pl.DataFrame({"own": own, "name": pseudonyms, "cell": cells.cast(pl.String)})
    rows = rows.drop_nulls().filter(pl.col("name").n_unique().over("own") > 1)
    people = rows.with_columns(others=pl.col("own").n_unique().over("cell")).group_by("own")
    told = people.agg(one=(pl.col("cell").n_unique() == 1) & (pl.col("others") == 1).all())
    number = int(told["one"].sum())
    return number >= max(FEW_PEOPLE, MOST_PEOPLE * told.height)
