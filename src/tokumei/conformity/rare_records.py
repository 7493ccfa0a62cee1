"""Finds singular records: unique values, outliers, rare omissions (item 4)."""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.conformity.finding import Evidence, Finding, Verdict
from tokumei.core.conformity_case import (
    ConformityCase,
    MissingCells,
    SingularEffect,
    to_numbers_or_nan,
)
from tokumei.core.messages import Message, join_messages

NO_COLUMN = Message("there is no such column")
GENERALIZED_CELL = r"^\*$|^\[.*\]$"
"""Cells that say nothing of one item."""
EXTREME_SD = 4.0


def check_single_items(case: ConformityCase) -> Finding:
    """Every item is bought by at least `few_people` people."""
    title = Message("No item was bought by one person only")
    name, person = case.roles.item, case.person
    if name is None or person is None:
        return Finding("single-items", 4, Verdict.NOTHING, title, NO_COLUMN)
    rows = pl.DataFrame({"item": case.release[name].cast(pl.String), "person": person})
    is_exact = ~pl.col("item").str.contains(GENERALIZED_CELL)
    buyers = pl.col("person").n_unique().over("item")
    few = rows.select((is_exact & (buyers < case.limits.few_people)).fill_null(False)).to_series()
    if not few.any():
        summary = Message("every item has at least {least} buyers", least=case.limits.few_people)
        return Finding("single-items", 4, Verdict.PASS, title, summary)
    rare_rows = rows.filter(few)
    items, bought_once = (
        rare_rows["item"].n_unique(),
        int((~rare_rows["item"].is_duplicated()).sum()),
    )
    summary = Message(
        "{count} item has fewer than {least} buyers; {bought_once} were bought once",
        plural="{count} items have fewer than {least} buyers; {bought_once} were bought once",
        count=items,
        least=case.limits.few_people,
        bought_once=bought_once,
    )
    evidence = (Evidence.at(title, name, case.file_lines_of(few.to_numpy()).tolist()),)
    return Finding("single-items", 4, Verdict.FAIL, title, summary, evidence)


def check_extreme_prices(case: ConformityCase) -> Finding:
    """No unit price beyond mean ± 4 sd of the original's."""
    title = Message("No extreme unit price")
    return _check_extreme_numbers(
        case, "extreme-prices", title, case.roles.price, case.limits.price_sd
    )


def check_extreme_quantities(case: ConformityCase) -> Finding:
    """No quantity beyond mean ± 4 sd of the original's."""
    title = Message("No extreme quantity")
    return _check_extreme_numbers(
        case, "extreme-quantities", title, case.roles.quantity, case.limits.quantity_sd
    )


def check_extreme_spenders(case: ConformityCase) -> Finding:
    """Nobody's visible spending lies beyond mean + 4 sd of what people spent in the original."""
    title = Message("Nobody spends far more than others")
    pseudonym = case.roles.pseudonym
    spent = _spending_by_person(case.release, pseudonym, case)
    if spent is None:
        return Finding("extreme-spenders", 4, Verdict.NOTHING, title, NO_COLUMN)
    original_spending = (
        None
        if case.original is None
        else _spending_by_person(case.original, case.roles.person, case)
    )
    sums = (spent if original_spending is None else original_spending)["spent"].to_numpy()
    limit = float(sums.mean() + case.limits.spender_sd * sums.std())
    beyond = spent.filter(pl.col("spent") > limit)
    if not beyond.height:
        summary = Message("nobody is beyond mean + {sd:g} sd", sd=case.limits.spender_sd)
        return Finding("extreme-spenders", 4, Verdict.PASS, title, summary)
    summary = Message(
        "{count} pseudonym is beyond mean + {sd:g} sd",
        plural="{count} pseudonyms are beyond mean + {sd:g} sd",
        count=beyond.height,
        sd=case.limits.spender_sd,
    )
    is_extreme_row = case.release[str(pseudonym)].cast(pl.String).is_in(beyond["who"].implode())
    evidence = (
        Evidence.at(title, pseudonym, case.file_lines_of(is_extreme_row.to_numpy()).tolist()),
    )
    return Finding("extreme-spenders", 4, Verdict.FAIL, title, summary, evidence)


def check_stated_tails(case: ConformityCase) -> Finding:
    """No value at or beyond a stated tail, such as an age of 90."""
    title = Message("No value in a stated tail (such as age ≥ 90)")
    evidence = []
    for name, limit in case.limits.tails.items():
        if name in case.release.columns:
            beyond = to_numbers_or_nan(case.release[name]) >= limit
            if beyond.any():
                message = Message("at least {limit:g}", limit=limit)
                evidence.append(Evidence.at(message, name, case.file_lines_of(beyond).tolist()))
    checked_columns = [name for name in case.limits.tails if name in case.release.columns]
    summary = Message("columns checked: {count}", count=len(checked_columns))
    if evidence:
        summary = Message("values in the tail are left")
    verdict = Verdict.FAIL if evidence else Verdict.PASS if checked_columns else Verdict.NOTHING
    return Finding("tails", 4, verdict, title, summary, tuple(evidence))


def check_rare_values(case: ConformityCase) -> Finding:
    """Values of other columns that hardly anyone shares, or numbers far from the others'."""
    title = Message("Values that stand out in other columns")
    roles = case.roles
    role_columns = {
        roles.pseudonym,
        roles.item,
        roles.price,
        roles.quantity,
        roles.day,
        roles.invoice,
    }
    names = [name for name in case.release.columns if name not in {*role_columns, *roles.qi}]
    evidence = [
        observation for name in names if (observation := _outlier_evidence(case, name)) is not None
    ]
    summary = Message("columns checked: {count}", count=len(names))
    if evidence:
        columns = join_messages(observation.column or "" for observation in evidence)
        summary = Message("look at: {columns}", columns=columns)
    verdict = Verdict.HUMAN if evidence else Verdict.PASS if names else Verdict.NOTHING
    return Finding("rare-values", 4, verdict, title, summary, tuple(evidence))


def singular_effect_finding(effect: SingularEffect) -> Finding:
    """A group of singular rows by what the strongest attack loses without them."""
    title = Message("Effect of {what}", what=effect.what)
    if not effect.rows:
        missing_message = Message("there are no such rows")
        return Finding(f"effect-{effect.name}", 4, Verdict.NOTHING, title, missing_message)
    summary = Message(
        "without these {rows} rows {attack} finds fewer: {before:percent} → {after:percent} "
        "(change {low:+.1f} to {high:+.1f} points)"
        if effect.matters
        else "removing these {rows} rows changes nothing for {attack}: {before:percent} → "
        "{after:percent} (change {low:+.1f} to {high:+.1f} points)",
        rows=effect.rows,
        attack=effect.attack,
        before=effect.before,
        after=effect.after,
        low=100 * effect.low,
        high=100 * effect.high,
    )
    verdict = Verdict.HUMAN if effect.matters else Verdict.PASS
    return Finding(f"effect-{effect.name}", 4, verdict, title, summary, (), effect.as_json())


def _outlier_evidence(case: ConformityCase, name: str) -> Evidence | None:
    cells, numbers = case.release[name].cast(pl.String), to_numbers_or_nan(case.release[name])
    is_number = np.isfinite(numbers)
    if is_number.any() and is_number.sum() >= 0.9 * (len(cells) - cells.null_count()):
        middle, sd = numbers[is_number].mean(), numbers[is_number].std()
        is_outlier = np.abs(numbers - middle) > EXTREME_SD * sd
        message = Message("numbers beyond mean ± {sd:g} sd", sd=EXTREME_SD)
    else:
        is_outlier = (
            (cells.is_unique() & ~cells.str.contains(GENERALIZED_CELL)).fill_null(False).to_numpy()
        )
        message = Message("values that occur once")
    return (
        Evidence.at(message, name, case.file_lines_of(is_outlier).tolist())
        if is_outlier.any()
        else None
    )


def _check_extreme_numbers(
    case: ConformityCase, id: str, title: Message, name: str | None, sd: float
) -> Finding:
    numbers = case.numbers(name)
    if numbers is None:
        return Finding(id, 4, Verdict.NOTHING, title, NO_COLUMN)
    original_numbers = case.original_numbers(name)
    reference = numbers if original_numbers is None else original_numbers
    reference = reference[np.isfinite(reference)]
    if not len(reference):
        return Finding(id, 4, Verdict.NOTHING, title, Message("no numbers"))
    is_extreme = np.abs(numbers - reference.mean()) > sd * reference.std()
    if not is_extreme.any():
        summary = Message("all within mean ± {sd:g} sd", sd=sd)
        return Finding(id, 4, Verdict.PASS, title, summary)
    count = int(is_extreme.sum())
    summary = Message(
        "{count} cell beyond mean ± {sd:g} sd",
        plural="{count} cells beyond mean ± {sd:g} sd",
        count=count,
        sd=sd,
    )
    evidence = (Evidence.at(title, name, case.file_lines_of(is_extreme).tolist()),)
    return Finding(id, 4, Verdict.FAIL, title, summary, evidence)


def _spending_by_person(
    frame: pl.DataFrame, person_column: str | None, case: ConformityCase
) -> pl.DataFrame | None:
    price, quantity = case.roles.price, case.roles.quantity
    columns = (person_column, price, quantity)
    if any(name is None or name not in frame.columns for name in columns):
        return None
    spent = to_numbers_or_nan(frame[str(price)]) * to_numbers_or_nan(frame[str(quantity)])
    rows = pl.DataFrame(
        {"who": frame[str(person_column)].cast(pl.String), "spent": np.nan_to_num(spent)}
    )
    return rows.group_by("who").agg(pl.col("spent").sum()).sort("who")


def missing_cells_finding(missing: MissingCells, k: int) -> Finding:
    """A column that has missing cells on either side."""
    summary = Message(
        "{before:,} in the original, {after:,} in the release",
        before=missing.before,
        after=missing.after,
    )
    if missing.gained is not None and missing.lost is not None:
        summary = Message(
            "{summary}; {gained:,} newly missing, {lost:,} no longer",
            summary=summary,
            gained=missing.gained,
            lost=missing.lost,
        )
    few = 0 < missing.after < k
    if few:
        summary = Message(
            "{summary}; fewer than {k} rows lack it, which may tell who they are",
            summary=summary,
            k=k,
        )
    return Finding(
        f"missing-cells:{missing.column}",
        4,
        Verdict.HUMAN if few else Verdict.PASS,
        Message("Missing cells of {column}", column=missing.column),
        summary,
        figures={
            name: value
            for name, value in vars(missing).items()
            if name != "column" and value is not None
        },
    )
