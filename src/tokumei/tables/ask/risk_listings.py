"""What `tokumei risk` shows: plain tables, the gravest first."""

from __future__ import annotations

import polars as pl

from tokumei.core.ask import Listing
from tokumei.core.figures import percent
from tokumei.core.text import Text
from tokumei.tables.measures.record_risk import RecordRisk
from tokumei.tables.report.risk_words import (
    MODELS,
    advice,
    columns_label,
    count_columns,
    counted_sentence,
    everything_sentence,
    headline,
    population_sentence,
    size_label,
)
from tokumei.tables.risk.population_risk import PopulationRisk
from tokumei.tables.risk.risk import Risk

NAMES = {
    "prosecutor": Text(
        "Prosecutor: knows who is in the table", "検察官: 本人が表に含まれることを知っている"
    ),
    "everything": Text("Prosecutor who knows every column", "検察官: すべての列の値も知っている"),
    "journalist": Text("Journalist: knows the population", "ジャーナリスト: 母集団を知っている"),
    "marketer": Text("Marketer: links everybody", "マーケター: 全員を照合する"),
}
BAR = 20
NONE = "–"


Shown = list[Listing | Text]
Header = list[Text | str]


def risk_listings(found: Risk, *, most: int) -> Shown:
    """All tables; of ranked ones the first `most` lines."""
    more = everything_sentence(found)
    shown: Shown = [headline(found), *([more] if more else []), _attackers(found), _classes(found)]
    shown += [*_population(found), *_sets(found, most), *_special(found, most)]
    last = advice(found)
    return shown if last is None else [*shown, last]


def _attackers(found: Risk) -> Listing:
    limit = percent(found.threshold)
    header: Header = [
        "",
        Text("highest", "最大"),
        Text("mean", "平均"),
        Text(f"rows above {limit}", f"{limit} を超える行"),
    ]
    known = {"prosecutor": found.prosecutor, "everything": found.everything}
    known |= {} if found.journalist is None else {"journalist": found.journalist}
    rows = [[NAMES[name].show(), *_three(found, one)] for name, one in known.items()]
    rows.append([NAMES["marketer"].show(), NONE, _exact(found.marketer), NONE])
    return Listing(Text("Risk of a row", "行ごとのリスク"), header, rows)


def _three(found: Risk, risk: RecordRisk) -> list[str]:
    return [_exact(value) for value in (risk.highest, risk.mean, risk.share_above(found.threshold))]


def _classes(found: Risk) -> Listing:
    whole = found.uniqueness
    rows = [
        [size_label(size), f"{size.classes:,}", f"{size.rows:,}", _exact(size.rows / found.rows),
         _bar(size.rows / found.rows)]
        for size in found.bins
    ]  # fmt: skip
    header: Header = [
        Text("rows alike", "同じ値の行数"),
        Text("classes", "クラス"),
        Text("rows", "行"),
        Text("share", "割合"),
        "",
    ]
    title = Text(
        f"Classes by {count_columns(len(found.columns))}: sample uniques {_exact(whole.uniques)}, "
        f"distinction {whole.distinction:.6f}, separation {whole.separation:.6f}",
        f"{len(found.columns)} 列によるクラス: 標本一意 {_exact(whole.uniques)}、"
        f"区別度 {whole.distinction:.6f}、分離度 {whole.separation:.6f}",
    )
    return Listing(title, header, rows)


def _population(found: Risk) -> Shown:
    people = found.population
    if people is None:
        return [
            Text(
                "Give --population N, --sample-fraction f or --population-file P to estimate who "
                "is unique in the population.",
                "--population N、--sample-fraction f、--population-file P のいずれかを与えると、"
                "母集団で一意な人を推定します。",
            )
        ]
    header: Header = ["", Text("uniques", "一意な人"), Text("share", "割合"), ""]
    title = Text(
        f"Unique in a population of {people.rows:,} (the table is {percent(people.fraction)})",
        f"母集団 {people.rows:,} 人での一意性 (表は {percent(people.fraction)})",
    )
    lines = (people.why, population_sentence(found), counted_sentence(found))
    listing = Listing(title, header, _estimates(people))
    return [listing, *(line for line in lines if line is not None)]


def _estimates(people: PopulationRisk) -> list[list[str]]:
    rows = []
    for one in people.estimates:
        mark = Text("chosen", "採用").show() if one.model in people.chosen else ""
        if not one.usable:
            mark = Text("no solution", "解なし").show()
        figures = [f"{one.uniques:,.0f}", _exact(one.uniques / people.rows)]
        rows.append([MODELS[one.model].show(), *(figures if one.usable else [NONE, NONE]), mark])
    return rows


def _sets(found: Risk, most: int) -> list[Listing]:
    header = [
        Text("columns", "列"),
        Text("distinction", "区別度"),
        Text("separation", "分離度"),
        Text("unique rows", "一意な行"),
    ]
    listings: list[Listing] = []
    for size in range(1, found.max_size + 1):
        ranked = found.sets.filter(pl.col("size") == size)
        if not ranked.height:
            break
        rows = [
            [columns_label(line["columns"]), f"{line['distinction']:.6f}",
             f"{line['separation']:.6f}", _exact(line["uniques"])]
            for line in ranked.head(most).iter_rows(named=True)
        ]  # fmt: skip
        some = f"{min(most, ranked.height):,} / {ranked.height:,}"
        title = Text(
            f"Sets of {count_columns(size)} that best tell rows apart ({some})",
            f"行を最もよく区別する {size} 列 ({some})",
        )
        listings.append(Listing(title, header, rows))
    return listings


def _special(found: Risk, most: int) -> Shown:
    alone = found.special_rows
    if not alone:
        return [
            Text(
                f"No row is unique on {count_columns(found.max_size)} or fewer (SUDA).",
                f"{found.max_size} 列以下で一意になる行はありません (SUDA)。",
            )
        ]
    used = found.suda.contributions.sort("share", descending=True, maintain_order=True)
    rows = [
        [line["column"], f"{line['msus']:,}", percent(line["share"]),
         percent(found.without[line["column"]])]
        for line in used.iter_rows(named=True)
    ]  # fmt: skip
    title = Text(
        f"Minimal unique combinations (SUDA): {alone:,} rows ({percent(alone / found.rows)}) are "
        f"unique on {count_columns(found.max_size)} or fewer",
        f"極小な一意の組み合わせ (SUDA): {alone:,} 行 ({percent(alone / found.rows)}) が "
        f"{found.max_size} 列以下で一意",
    )
    header = [
        Text("column", "列"),
        Text("combinations", "組み合わせ"),
        Text("contribution", "寄与"),
        Text("unique rows without it", "除いたときの一意な行"),
    ]
    return [Listing(title, header, rows), _combinations(found, most)]


def _combinations(found: Risk, most: int) -> Listing:
    sets = found.special_sets
    lines = [
        [columns_label(line["columns"]), f"{line['msus']:,}", f"{line['score']:,.0f}"]
        for line in sets.head(most).iter_rows(named=True)
    ]
    some = f"{min(most, sets.height):,} / {sets.height:,}"
    return Listing(
        Text(f"Combinations that make rows unique ({some})", f"特異な行を作る組み合わせ ({some})"),
        [Text("columns", "列"), Text("rows", "行"), Text("score", "得点")],
        lines,
    )


def _exact(share: float) -> str:
    """A share as a percentage with two decimals, so that figures can be compared."""
    return f"{share * 100:.2f} %"


def _bar(share: float) -> str:
    full = round(share * BAR)
    return "█" * full + "░" * (BAR - full)
