"""Text tables of `tokumei risk`, the highest risk first."""

from __future__ import annotations

import polars as pl

from tokumei.core.command import TextTable
from tokumei.core.formatting import format_percent
from tokumei.core.messages import Message
from tokumei.tables.measures.record_risk import RecordRisk
from tokumei.tables.report.risk_sentences import (
    MODEL_TITLES,
    all_columns_sentence,
    columns_label,
    count_columns,
    counted_population_sentence,
    population_sentence,
    risk_advice,
    risk_headline,
    size_label,
)
from tokumei.tables.risk.population_risk import PopulationRisk
from tokumei.tables.risk.risk import Risk

ATTACKER_LABELS = {
    "prosecutor": Message(
        "Prosecutor: knows who is in the table", "検察官: 本人が表に含まれることを知っている"
    ),
    "everything": Message(
        "Prosecutor who knows every column", "検察官: すべての列の値も知っている"
    ),
    "journalist": Message("Journalist: knows the population", "ジャーナリスト: 母集団を知っている"),
    "marketer": Message("Marketer: links everybody", "マーケター: 全員を照合する"),
}
BAR_WIDTH = 20
NO_VALUE = "–"


ShownParts = list[TextTable | Message]
TableHeader = list[Message | str]


def format_risk_tables(result: Risk, *, most: int) -> ShownParts:
    """All tables; of ranked ones the first `most` lines."""
    everything_line = all_columns_sentence(result)
    parts: ShownParts = [
        risk_headline(result),
        *([everything_line] if everything_line else []),
        _attacker_table(result),
        _class_size_table(result),
    ]
    parts += [
        *_population_tables(result),
        *_column_set_tables(result, most),
        *_special_unique_tables(result, most),
    ]
    advice_line = risk_advice(result)
    return parts if advice_line is None else [*parts, advice_line]


def _attacker_table(result: Risk) -> TextTable:
    limit = format_percent(result.threshold)
    header: TableHeader = [
        "",
        Message("highest", "最大"),
        Message("mean", "平均"),
        Message(f"rows above {limit}", f"{limit} を超える行"),
    ]
    risk_by_attacker = {"prosecutor": result.prosecutor, "everything": result.everything}
    risk_by_attacker |= {} if result.journalist is None else {"journalist": result.journalist}
    rows = [
        [ATTACKER_LABELS[name].show(), *_risk_cells(result, record_risk)]
        for name, record_risk in risk_by_attacker.items()
    ]
    rows.append(
        [ATTACKER_LABELS["marketer"].show(), NO_VALUE, _format_percent(result.marketer), NO_VALUE]
    )
    return TextTable(Message("Risk of a row", "行ごとのリスク"), header, rows)


def _risk_cells(result: Risk, risk: RecordRisk) -> list[str]:
    return [
        _format_percent(value)
        for value in (risk.highest, risk.mean, risk.share_above(result.threshold))
    ]


def _class_size_table(result: Risk) -> TextTable:
    uniqueness = result.uniqueness
    rows = [
        [
            size_label(size),
            f"{size.classes:,}",
            f"{size.rows:,}",
            _format_percent(size.rows / result.rows),
            _format_bar(size.rows / result.rows),
        ]
        for size in result.bins
    ]
    header: TableHeader = [
        Message("rows alike", "同じ値の行数"),
        Message("classes", "クラス"),
        Message("rows", "行"),
        Message("share", "割合"),
        "",
    ]
    title = Message(
        f"Classes by {count_columns(len(result.columns))}: sample uniques "
        f"{_format_percent(uniqueness.uniques)}, "
        f"distinction {uniqueness.distinction:.6f}, separation {uniqueness.separation:.6f}",
        f"{len(result.columns)} 列によるクラス: 標本一意 {_format_percent(uniqueness.uniques)}、"
        f"区別度 {uniqueness.distinction:.6f}、分離度 {uniqueness.separation:.6f}",
    )
    return TextTable(title, header, rows)


def _population_tables(result: Risk) -> ShownParts:
    people = result.population
    if people is None:
        return [
            Message(
                "Give --population N, --sample-fraction f or --population-file P to estimate who "
                "is unique in the population.",
                "--population N、--sample-fraction f、--population-file P のいずれかを与えると、"
                "母集団で一意な人を推定します。",
            )
        ]
    header: TableHeader = ["", Message("uniques", "一意な人"), Message("share", "割合"), ""]
    title = Message(
        f"Unique in a population of {people.rows:,} (the table is "
        f"{format_percent(people.fraction)})",
        f"母集団 {people.rows:,} 人での一意性 (表は {format_percent(people.fraction)})",
    )
    lines = (people.why, population_sentence(result), counted_population_sentence(result))
    listing = TextTable(title, header, _estimate_rows(people))
    return [listing, *(line for line in lines if line is not None)]


def _estimate_rows(people: PopulationRisk) -> list[list[str]]:
    rows = []
    for estimate in people.estimates:
        mark = Message("chosen", "採用").show() if estimate.model in people.chosen else ""
        if not estimate.usable:
            mark = Message("no solution", "解なし").show()
        figures = [f"{estimate.uniques:,.0f}", _format_percent(estimate.uniques / people.rows)]
        rows.append(
            [
                MODEL_TITLES[estimate.model].show(),
                *(figures if estimate.usable else [NO_VALUE, NO_VALUE]),
                mark,
            ]
        )
    return rows


def _column_set_tables(result: Risk, most: int) -> list[TextTable]:
    header = [
        Message("columns", "列"),
        Message("distinction", "区別度"),
        Message("separation", "分離度"),
        Message("unique rows", "一意な行"),
    ]
    listings: list[TextTable] = []
    for size in range(1, result.max_size + 1):
        ranked = result.sets.filter(pl.col("size") == size)
        if not ranked.height:
            break
        rows = [
            [
                columns_label(line["columns"]),
                f"{line['distinction']:.6f}",
                f"{line['separation']:.6f}",
                _format_percent(line["uniques"]),
            ]
            for line in ranked.head(most).iter_rows(named=True)
        ]
        shown_of_all = f"{min(most, ranked.height):,} / {ranked.height:,}"
        title = Message(
            f"Sets of {count_columns(size)} that best tell rows apart ({shown_of_all})",
            f"行を最もよく区別する {size} 列 ({shown_of_all})",
        )
        listings.append(TextTable(title, header, rows))
    return listings


def _special_unique_tables(result: Risk, most: int) -> ShownParts:
    special_rows = result.special_rows
    if not special_rows:
        return [
            Message(
                f"No row is unique on {count_columns(result.max_size)} or fewer (SUDA).",
                f"{result.max_size} 列以下で一意になる行はありません (SUDA)。",
            )
        ]
    contributions = result.suda.contributions.sort("share", descending=True, maintain_order=True)
    rows = [
        [
            line["column"],
            f"{line['msus']:,}",
            format_percent(line["share"]),
            format_percent(result.without[line["column"]]),
        ]
        for line in contributions.iter_rows(named=True)
    ]
    title = Message(
        f"Minimal unique combinations (SUDA): {special_rows:,} rows "
        f"({format_percent(special_rows / result.rows)}) are "
        f"unique on {count_columns(result.max_size)} or fewer",
        f"極小な一意の組み合わせ (SUDA): {special_rows:,} 行 "
        f"({format_percent(special_rows / result.rows)}) が "
        f"{result.max_size} 列以下で一意",
    )
    header = [
        Message("column", "列"),
        Message("combinations", "組み合わせ"),
        Message("contribution", "寄与"),
        Message("unique rows without it", "除いたときの一意な行"),
    ]
    return [TextTable(title, header, rows), _combinations_table(result, most)]


def _combinations_table(result: Risk, most: int) -> TextTable:
    sets = result.special_sets
    lines = [
        [columns_label(line["columns"]), f"{line['msus']:,}", f"{line['score']:,.0f}"]
        for line in sets.head(most).iter_rows(named=True)
    ]
    shown_of_all = f"{min(most, sets.height):,} / {sets.height:,}"
    return TextTable(
        Message(
            f"Combinations that make rows unique ({shown_of_all})",
            f"特異な行を作る組み合わせ ({shown_of_all})",
        ),
        [Message("columns", "列"), Message("rows", "行"), Message("score", "得点")],
        lines,
    )


def _format_percent(share: float) -> str:
    """A share as a percentage with two decimals, so that figures can be compared."""
    return f"{share * 100:.2f} %"


def _format_bar(share: float) -> str:
    full = round(share * BAR_WIDTH)
    return "█" * full + "░" * (BAR_WIDTH - full)
