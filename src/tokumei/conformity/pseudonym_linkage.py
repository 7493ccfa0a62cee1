"""Checks whether a person's changing pseudonyms can be linked by common values (item 3)."""

from __future__ import annotations

import polars as pl
from scipy.stats import binom

from tokumei.conformity.finding import Evidence, Finding, Verdict
from tokumei.core.conformity_case import ConformityCase
from tokumei.core.messages import Message, join_messages


def pseudonym_pairs(case: ConformityCase) -> pl.DataFrame | None:
    """Each pair (id, pseudonym) once: its first original row, its month, and how many rows."""
    name, own_ids = case.roles.pseudonym, case.true_person_ids
    if name is None or own_ids is None or case.origin is None:
        return None
    frame = pl.DataFrame(
        {
            "id": own_ids,
            "pseudonym": case.release[name].cast(pl.String),
            "row": case.origin,
            "month": row_months(case),
        }
    )
    pairs = frame.group_by("id", "pseudonym").agg(
        first=pl.col("row").min(), period=pl.col("month").min(), rows=pl.len()
    )
    return pairs.sort("id", "pseudonym")


def row_months(case: ConformityCase) -> pl.Series:
    """The month of every released row (2010-12); empty where there is no day."""
    if case.roles.day is None:
        return pl.repeat("", case.release.height, eager=True)
    parts = case.release[case.roles.day].cast(pl.String).str.extract_groups(r"(\d{4})[-/](\d{1,2})")
    year, month = parts.struct.unnest()
    return (year + "-" + month.str.zfill(2)).fill_null("")


def month_spellings(case: ConformityCase) -> list[str]:
    """The months of a release as people write them."""
    spellings = []
    for name in row_months(case).unique().sort():
        if name:
            year, _, month = name.partition("-")
            spellings += [name, f"{year}/{month}", f"{year}{month}", f"{year}/{int(month)}"]
    count = len(spellings) // 4
    return [*spellings, *(str(number) for number in range(count + 1))]


MAX_P_VALUE = 1e-6
MIN_EXCESS = 0.2
MIN_CHANGES = 20
MAX_POSITIONS = 12
MIN_PEOPLE = 3
MIN_PEOPLE_SHARE = 0.9


def check_codes_linking_pseudonyms(case: ConformityCase) -> Finding:
    """Neither a part of the pseudonym nor another column stays when a pseudonym changes."""
    title = Message("Nothing else links a person's pseudonyms")
    pairs = pseudonym_pairs(case)
    changes = _pseudonym_changes(pairs) if pairs is not None else None
    if changes is None or not changes.height:
        missing_message = Message("no pseudonym was seen to change")
        return Finding("lasting-codes", 3, Verdict.NOTHING, title, missing_message)
    evidence = [*_shared_characters_evidence(case, changes), *_personal_codes_evidence(case)]
    summary = Message("nothing stays the same when pseudonyms change")
    if evidence:
        columns = join_messages(observation.column or "" for observation in evidence)
        summary = Message("pseudonyms are linked by: {columns}", columns=columns)
    verdict = Verdict.FAIL if evidence else Verdict.PASS
    return Finding("lasting-codes", 3, verdict, title, summary, tuple(evidence))


def _pseudonym_changes(pairs: pl.DataFrame) -> pl.DataFrame:
    """Every pseudonym with the same person's next one, and the periods of both."""
    next_values = pl.col("pseudonym", "period").shift(-1).over("id").name.prefix("next_")
    return pairs.sort("id", "first").with_columns(next_values).drop_nulls()


def _shared_characters_evidence(case: ConformityCase, changes: pl.DataFrame) -> list[Evidence]:
    """Places, from either end, that stay more often than they agree between different people."""
    kept_positions = [
        position
        for end in (0, 1)
        for position in range(MAX_POSITIONS)
        if _is_position_kept(changes, position, end)
    ]
    if not kept_positions:
        return []
    message = Message(
        "{count} character of the pseudonym stays the same when it changes",
        plural="{count} characters of the pseudonym stay the same when it changes",
        count=len(kept_positions),
    )
    return [Evidence(message, case.roles.pseudonym, changes.height)]


def _is_position_kept(changes: pl.DataFrame, position: int, end: int) -> bool:
    """Compared inside pairs of periods: a month written into the pseudonym is no link."""
    names = pl.col("pseudonym", "next_pseudonym")
    long_enough = changes.filter(pl.all_horizontal(names.str.len_chars() > position))
    periods = ["period", "next_period"]
    characters = long_enough.select(
        *periods, names.str.slice(-1 - position if end else position, 1)
    )
    if characters.height < MIN_CHANGES:
        return False
    same_count = characters.filter(pl.col("pseudonym") == pl.col("next_pseudonym")).height
    counts = [
        characters.group_by(*periods, char=name).len() for name in ("pseudonym", "next_pseudonym")
    ]
    sizes = characters.group_by(periods).len("size")
    joined_counts = counts[0].join(counts[1], on=[*periods, "char"]).join(sizes, on=periods)
    expected = joined_counts.select(
        (pl.col("len") * pl.col("len_right") / pl.col("size")).sum()
    ).item()
    chance = expected / characters.height
    exceeds_chance = same_count / characters.height > chance + MIN_EXCESS
    return bool(
        exceeds_chance and binom.sf(same_count - 1, characters.height, chance) < MAX_P_VALUE
    )


def _personal_codes_evidence(case: ConformityCase) -> list[Evidence]:
    """Columns that hold one value for a person and another for everybody else."""
    message = Message("one value per person, whatever the pseudonym")
    name, own_ids = case.roles.pseudonym, case.true_person_ids
    return [
        Evidence(message, column, case.release.height)
        for column in case.release.columns
        if name is not None and own_ids is not None and column != name
        if _has_one_code_per_person(own_ids, case.release[name], case.release[column])
    ]


def _has_one_code_per_person(own: pl.Series, pseudonyms: pl.Series, cells: pl.Series) -> bool:
    rows = pl.DataFrame({"own": own, "name": pseudonyms, "cell": cells.cast(pl.String)})
    rows = rows.drop_nulls().filter(pl.col("name").n_unique().over("own") > 1)
    people = rows.with_columns(others=pl.col("own").n_unique().over("cell")).group_by("own")
    coded_people = people.agg(one=(pl.col("cell").n_unique() == 1) & (pl.col("others") == 1).all())
    coded_count = int(coded_people["one"].sum())
    return coded_count >= max(MIN_PEOPLE, MIN_PEOPLE_SHARE * coded_people.height)
