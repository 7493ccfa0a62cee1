"""Singular values: what one person has, what lies far from all others, what few lack (item 4)."""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.conformity.finding import Evidence, Finding, Verdict
from tokumei.core.conformity import ConformityCase, MissingCells, SingularEffect, as_numbers
from tokumei.core.text import Text

NO_COLUMN = Text("there is no such column", "そのような列はありません")
GENERAL = r"^\*$|^\[.*\]$"
"""Cells that say nothing of one item."""
EXTREME_SD = 4.0


def single_items(case: ConformityCase) -> Finding:
    """Every item is bought by at least `few_people` people."""
    title = Text("No item was bought by one person only", "一人だけが買った商品がない")
    name, person = case.roles.item, case.person
    if name is None or person is None:
        return Finding("single-items", 4, Verdict.NOTHING, title, NO_COLUMN)
    rows = pl.DataFrame({"item": case.release[name].cast(pl.String), "person": person})
    named = ~pl.col("item").str.contains(GENERAL)
    buyers = pl.col("person").n_unique().over("item")
    few = rows.select((named & (buyers < case.limits.few_people)).fill_null(False)).to_series()
    if not few.any():
        summary = Text(
            f"every item has at least {case.limits.few_people} buyers",
            f"どの商品も {case.limits.few_people} 人以上が買っています",
        )
        return Finding("single-items", 4, Verdict.PASS, title, summary)
    chosen = rows.filter(few)
    items, once = chosen["item"].n_unique(), int((~chosen["item"].is_duplicated()).sum())
    summary = Text(
        f"{items} items have fewer than {case.limits.few_people} buyers; {once} were bought once",
        f"{items} 種類の商品は買った人が {case.limits.few_people} 人未満 (うち {once} 種類は 1 回)",
    )
    evidence = (Evidence.at(title, name, case.lines_of(few.to_numpy()).tolist()),)
    return Finding("single-items", 4, Verdict.FAIL, title, summary, evidence)


def extreme_prices(case: ConformityCase) -> Finding:
    """No unit price beyond mean ± 4 sd of the original's."""
    title = Text("No extreme unit price", "極端な単価がない")
    return _extreme(case, "extreme-prices", title, case.roles.price, case.limits.price_sd)


def extreme_quantities(case: ConformityCase) -> Finding:
    """No quantity beyond mean ± 4 sd of the original's."""
    title = Text("No extreme quantity", "極端な数量がない")
    return _extreme(case, "extreme-quantities", title, case.roles.quantity, case.limits.quantity_sd)


def extreme_spenders(case: ConformityCase) -> Finding:
    """Nobody's visible spending lies beyond mean + 4 sd of what people spent in the original."""
    title = Text("Nobody spends far more than others", "突出した購入額の人がいない")
    pseudonym = case.roles.pseudonym
    spent = _spending(case.release, pseudonym, case)
    if spent is None:
        return Finding("extreme-spenders", 4, Verdict.NOTHING, title, NO_COLUMN)
    before = None if case.original is None else _spending(case.original, case.roles.person, case)
    sums = (spent if before is None else before)["spent"].to_numpy()
    limit = float(sums.mean() + case.limits.spender_sd * sums.std())
    beyond = spent.filter(pl.col("spent") > limit)
    if not beyond.height:
        summary = Text(
            f"nobody is beyond mean + {case.limits.spender_sd:g} sd",
            f"平均 + {case.limits.spender_sd:g} 標準偏差を超える人はいません",
        )
        return Finding("extreme-spenders", 4, Verdict.PASS, title, summary)
    summary = Text(
        f"{beyond.height} pseudonyms are beyond mean + {case.limits.spender_sd:g} sd",
        f"{beyond.height} 個の仮名が平均 + {case.limits.spender_sd:g} 標準偏差を超えています",
    )
    theirs = case.release[str(pseudonym)].cast(pl.String).is_in(beyond["who"].implode())
    evidence = (Evidence.at(title, pseudonym, case.lines_of(theirs.to_numpy()).tolist()),)
    return Finding("extreme-spenders", 4, Verdict.FAIL, title, summary, evidence)


def tails(case: ConformityCase) -> Finding:
    """No value at or beyond a stated tail, such as an age of 90."""
    title = Text(
        "No value in a stated tail (such as age ≥ 90)", "上限以上の値がない (90 歳以上など)"
    )
    evidence = []
    for name, limit in case.limits.tails.items():
        if name in case.release.columns:
            beyond = as_numbers(case.release[name]) >= limit
            if beyond.any():
                what = Text(f"at least {limit:g}", f"{limit:g} 以上")
                evidence.append(Evidence.at(what, name, case.lines_of(beyond).tolist()))
    looked = [name for name in case.limits.tails if name in case.release.columns]
    summary = Text(f"columns looked at: {len(looked)}", f"調べた列: {len(looked)}")
    if evidence:
        summary = Text("values in the tail are left", "上限以上の値が残っています")
    verdict = Verdict.FAIL if evidence else Verdict.PASS if looked else Verdict.NOTHING
    return Finding("tails", 4, verdict, title, summary, tuple(evidence))


def rare_values(case: ConformityCase) -> Finding:
    """Values of other columns that hardly anyone shares, or numbers far from the others'."""
    title = Text("Values that stand out in other columns", "ほかの列の目立つ値")
    roles = case.roles
    known = {roles.pseudonym, roles.item, roles.price, roles.quantity, roles.day, roles.invoice}
    names = [name for name in case.release.columns if name not in {*known, *roles.qi}]
    evidence = [one for name in names if (one := _standing_out(case, name)) is not None]
    summary = Text(f"columns looked at: {len(names)}", f"調べた列: {len(names)}")
    if evidence:
        columns = ", ".join(one.column or "" for one in evidence)
        summary = Text(f"look at: {columns}", f"確認してください: {columns}")
    verdict = Verdict.HUMAN if evidence else Verdict.PASS if names else Verdict.NOTHING
    return Finding("rare-values", 4, verdict, title, summary, tuple(evidence))


def effect_finding(one: SingularEffect) -> Finding:
    """A group of singular rows by what the strongest attack loses without them."""
    title = Text(f"Effect of {one.what.en}", f"{one.what.ja}の影響")
    if not one.rows:
        none = Text("there are no such rows", "該当する行はありません")
        return Finding(f"effect-{one.name}", 4, Verdict.NOTHING, title, none)
    figures = f"{one.before:.1%} → {one.after:.1%}"
    change = f"{100 * one.low:+.1f}–{100 * one.high:+.1f}"
    if one.matters:
        summary = Text(
            f"without these {one.rows} rows {one.attack} finds fewer: {figures} "
            f"(change {change} points)",
            f"この {one.rows} 行を除くと {one.attack} が特定する割合は下がります: {figures} "
            f"(変化 {change} ポイント)",
        )
    else:
        summary = Text(
            f"removing these {one.rows} rows changes nothing for {one.attack}: {figures} "
            f"(change {change} points)",
            f"この {one.rows} 行を除いても {one.attack} の結果は変わりません: {figures} "
            f"(変化 {change} ポイント)",
        )
    verdict = Verdict.HUMAN if one.matters else Verdict.PASS
    return Finding(f"effect-{one.name}", 4, verdict, title, summary, (), one.as_json())


def _standing_out(case: ConformityCase, name: str) -> Evidence | None:
    cells, numbers = case.release[name].cast(pl.String), as_numbers(case.release[name])
    given = np.isfinite(numbers)
    if given.any() and given.sum() >= 0.9 * (len(cells) - cells.null_count()):
        middle, sd = numbers[given].mean(), numbers[given].std()
        far = np.abs(numbers - middle) > EXTREME_SD * sd
        what = Text(
            f"numbers beyond mean ± {EXTREME_SD:g} sd", f"平均 ± {EXTREME_SD:g} 標準偏差の外の数値"
        )
    else:
        far = (cells.is_unique() & ~cells.str.contains(GENERAL)).fill_null(False).to_numpy()
        what = Text("values that occur once", "1 回だけ現れる値")
    return Evidence.at(what, name, case.lines_of(far).tolist()) if far.any() else None


def _extreme(case: ConformityCase, id: str, title: Text, name: str | None, sd: float) -> Finding:
    numbers = case.numbers(name)
    if numbers is None:
        return Finding(id, 4, Verdict.NOTHING, title, NO_COLUMN)
    before = case.original_numbers(name)
    reference = numbers if before is None else before
    reference = reference[np.isfinite(reference)]
    if not len(reference):
        return Finding(id, 4, Verdict.NOTHING, title, Text("no numbers", "数値がありません"))
    far = np.abs(numbers - reference.mean()) > sd * reference.std()
    if not far.any():
        summary = Text(f"all within mean ± {sd:g} sd", f"すべて平均 ± {sd:g} 標準偏差の内側です")
        return Finding(id, 4, Verdict.PASS, title, summary)
    count = int(far.sum())
    summary = Text(
        f"{count} cells beyond mean ± {sd:g} sd",
        f"{count} 個のセルが平均 ± {sd:g} 標準偏差の外側です",
    )
    evidence = (Evidence.at(title, name, case.lines_of(far).tolist()),)
    return Finding(id, 4, Verdict.FAIL, title, summary, evidence)


def _spending(frame: pl.DataFrame, who: str | None, case: ConformityCase) -> pl.DataFrame | None:
    price, quantity = case.roles.price, case.roles.quantity
    needed = (who, price, quantity)
    if any(name is None or name not in frame.columns for name in needed):
        return None
    spent = as_numbers(frame[str(price)]) * as_numbers(frame[str(quantity)])
    rows = pl.DataFrame({"who": frame[str(who)].cast(pl.String), "spent": np.nan_to_num(spent)})
    return rows.group_by("who").agg(pl.col("spent").sum()).sort("who")


def missing_finding(one: MissingCells, k: int) -> Finding:
    """A column that has missing cells on either side."""
    said = Text(
        f"{one.before:,} in the original, {one.after:,} in the release",
        f"元データ {one.before:,}、匿名加工データ {one.after:,}",
    )
    if one.gained is not None and one.lost is not None:
        said = Text(
            f"{said.en}; {one.gained:,} newly missing, {one.lost:,} no longer",
            f"{said.ja} (新たに欠損 {one.gained:,}、欠損でなくなった {one.lost:,})",
        )
    few = 0 < one.after < k
    if few:
        said = Text(
            f"{said.en}; fewer than {k} rows lack it, which may tell who they are",
            f"{said.ja}。欠損が {k} 行に満たず、誰の行かの手がかりになりえます",
        )
    return Finding(
        f"missing-cells:{one.column}",
        4,
        Verdict.HUMAN if few else Verdict.PASS,
        Text(f"Missing cells of {one.column}", f"{one.column} の欠損セル"),
        said,
        figures={
            name: value
            for name, value in vars(one).items()
            if name != "column" and value is not None
        },
    )
