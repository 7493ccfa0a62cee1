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
from tokumei.core.messages import Message

NO_COLUMN = Message("there is no such column", "そのような列はありません")
GENERALIZED_CELL = r"^\*$|^\[.*\]$"
"""Cells that say nothing of one item."""
EXTREME_SD = 4.0


def check_single_items(case: ConformityCase) -> Finding:
    """Every item is bought by at least `few_people` people."""
    title = Message("No item was bought by one person only", "一人だけが買った商品がない")
    name, person = case.roles.item, case.person
    if name is None or person is None:
        return Finding("single-items", 4, Verdict.NOTHING, title, NO_COLUMN)
    rows = pl.DataFrame({"item": case.release[name].cast(pl.String), "person": person})
    is_exact = ~pl.col("item").str.contains(GENERALIZED_CELL)
    buyers = pl.col("person").n_unique().over("item")
    few = rows.select((is_exact & (buyers < case.limits.few_people)).fill_null(False)).to_series()
    if not few.any():
        summary = Message(
            f"every item has at least {case.limits.few_people} buyers",
            f"どの商品も {case.limits.few_people} 人以上が買っています",
        )
        return Finding("single-items", 4, Verdict.PASS, title, summary)
    rare_rows = rows.filter(few)
    items, bought_once = (
        rare_rows["item"].n_unique(),
        int((~rare_rows["item"].is_duplicated()).sum()),
    )
    summary = Message(
        f"{items} items have fewer than {case.limits.few_people} buyers; {bought_once} were "
        f"bought once",
        f"{items} 種類の商品は買った人が {case.limits.few_people} 人未満 (うち {bought_once} 種類"
        f"は 1 回)",
    )
    evidence = (Evidence.at(title, name, case.file_lines_of(few.to_numpy()).tolist()),)
    return Finding("single-items", 4, Verdict.FAIL, title, summary, evidence)


def check_extreme_prices(case: ConformityCase) -> Finding:
    """No unit price beyond mean ± 4 sd of the original's."""
    title = Message("No extreme unit price", "極端な単価がない")
    return _check_extreme_numbers(
        case, "extreme-prices", title, case.roles.price, case.limits.price_sd
    )


def check_extreme_quantities(case: ConformityCase) -> Finding:
    """No quantity beyond mean ± 4 sd of the original's."""
    title = Message("No extreme quantity", "極端な数量がない")
    return _check_extreme_numbers(
        case, "extreme-quantities", title, case.roles.quantity, case.limits.quantity_sd
    )


def check_extreme_spenders(case: ConformityCase) -> Finding:
    """Nobody's visible spending lies beyond mean + 4 sd of what people spent in the original."""
    title = Message("Nobody spends far more than others", "突出した購入額の人がいない")
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
        summary = Message(
            f"nobody is beyond mean + {case.limits.spender_sd:g} sd",
            f"平均 + {case.limits.spender_sd:g} 標準偏差を超える人はいません",
        )
        return Finding("extreme-spenders", 4, Verdict.PASS, title, summary)
    summary = Message(
        f"{beyond.height} pseudonyms are beyond mean + {case.limits.spender_sd:g} sd",
        f"{beyond.height} 個の仮名が平均 + {case.limits.spender_sd:g} 標準偏差を超えています",
    )
    is_extreme_row = case.release[str(pseudonym)].cast(pl.String).is_in(beyond["who"].implode())
    evidence = (
        Evidence.at(title, pseudonym, case.file_lines_of(is_extreme_row.to_numpy()).tolist()),
    )
    return Finding("extreme-spenders", 4, Verdict.FAIL, title, summary, evidence)


def check_stated_tails(case: ConformityCase) -> Finding:
    """No value at or beyond a stated tail, such as an age of 90."""
    title = Message(
        "No value in a stated tail (such as age ≥ 90)", "上限以上の値がない (90 歳以上など)"
    )
    evidence = []
    for name, limit in case.limits.tails.items():
        if name in case.release.columns:
            beyond = to_numbers_or_nan(case.release[name]) >= limit
            if beyond.any():
                message = Message(f"at least {limit:g}", f"{limit:g} 以上")
                evidence.append(Evidence.at(message, name, case.file_lines_of(beyond).tolist()))
    checked_columns = [name for name in case.limits.tails if name in case.release.columns]
    summary = Message(
        f"columns looked at: {len(checked_columns)}", f"調べた列: {len(checked_columns)}"
    )
    if evidence:
        summary = Message("values in the tail are left", "上限以上の値が残っています")
    verdict = Verdict.FAIL if evidence else Verdict.PASS if checked_columns else Verdict.NOTHING
    return Finding("tails", 4, verdict, title, summary, tuple(evidence))


def check_rare_values(case: ConformityCase) -> Finding:
    """Values of other columns that hardly anyone shares, or numbers far from the others'."""
    title = Message("Values that stand out in other columns", "ほかの列の目立つ値")
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
    summary = Message(f"columns looked at: {len(names)}", f"調べた列: {len(names)}")
    if evidence:
        columns = ", ".join(observation.column or "" for observation in evidence)
        summary = Message(f"look at: {columns}", f"確認してください: {columns}")
    verdict = Verdict.HUMAN if evidence else Verdict.PASS if names else Verdict.NOTHING
    return Finding("rare-values", 4, verdict, title, summary, tuple(evidence))


def singular_effect_finding(effect: SingularEffect) -> Finding:
    """A group of singular rows by what the strongest attack loses without them."""
    title = Message(f"Effect of {effect.what.en}", f"{effect.what.ja}の影響")
    if not effect.rows:
        missing_message = Message("there are no such rows", "該当する行はありません")
        return Finding(f"effect-{effect.name}", 4, Verdict.NOTHING, title, missing_message)
    figures = f"{effect.before:.1%} → {effect.after:.1%}"
    change = f"{100 * effect.low:+.1f}–{100 * effect.high:+.1f}"
    if effect.matters:
        summary = Message(
            f"without these {effect.rows} rows {effect.attack} finds fewer: {figures} "
            f"(change {change} points)",
            f"この {effect.rows} 行を除くと {effect.attack} が特定する割合は下がります: {figures} "
            f"(変化 {change} ポイント)",
        )
    else:
        summary = Message(
            f"removing these {effect.rows} rows changes nothing for {effect.attack}: {figures} "
            f"(change {change} points)",
            f"この {effect.rows} 行を除いても {effect.attack} の結果は変わりません: {figures} "
            f"(変化 {change} ポイント)",
        )
    verdict = Verdict.HUMAN if effect.matters else Verdict.PASS
    return Finding(f"effect-{effect.name}", 4, verdict, title, summary, (), effect.as_json())


def _outlier_evidence(case: ConformityCase, name: str) -> Evidence | None:
    cells, numbers = case.release[name].cast(pl.String), to_numbers_or_nan(case.release[name])
    is_number = np.isfinite(numbers)
    if is_number.any() and is_number.sum() >= 0.9 * (len(cells) - cells.null_count()):
        middle, sd = numbers[is_number].mean(), numbers[is_number].std()
        is_outlier = np.abs(numbers - middle) > EXTREME_SD * sd
        message = Message(
            f"numbers beyond mean ± {EXTREME_SD:g} sd", f"平均 ± {EXTREME_SD:g} 標準偏差の外の数値"
        )
    else:
        is_outlier = (
            (cells.is_unique() & ~cells.str.contains(GENERALIZED_CELL)).fill_null(False).to_numpy()
        )
        message = Message("values that occur once", "1 回だけ現れる値")
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
        return Finding(id, 4, Verdict.NOTHING, title, Message("no numbers", "数値がありません"))
    is_extreme = np.abs(numbers - reference.mean()) > sd * reference.std()
    if not is_extreme.any():
        summary = Message(f"all within mean ± {sd:g} sd", f"すべて平均 ± {sd:g} 標準偏差の内側です")
        return Finding(id, 4, Verdict.PASS, title, summary)
    count = int(is_extreme.sum())
    summary = Message(
        f"{count} cells beyond mean ± {sd:g} sd",
        f"{count} 個のセルが平均 ± {sd:g} 標準偏差の外側です",
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
        f"{missing.before:,} in the original, {missing.after:,} in the release",
        f"元データ {missing.before:,}、匿名加工データ {missing.after:,}",
    )
    if missing.gained is not None and missing.lost is not None:
        summary = Message(
            f"{summary.en}; {missing.gained:,} newly missing, {missing.lost:,} no longer",
            f"{summary.ja} (新たに欠損 {missing.gained:,}、欠損でなくなった {missing.lost:,})",
        )
    few = 0 < missing.after < k
    if few:
        summary = Message(
            f"{summary.en}; fewer than {k} rows lack it, which may tell who they are",
            f"{summary.ja}。欠損が {k} 行に満たず、誰の行かの手がかりになりえます",
        )
    return Finding(
        f"missing-cells:{missing.column}",
        4,
        Verdict.HUMAN if few else Verdict.PASS,
        Message(f"Missing cells of {missing.column}", f"{missing.column} の欠損セル"),
        summary,
        figures={
            name: value
            for name, value in vars(missing).items()
            if name != "column" and value is not None
        },
    )
