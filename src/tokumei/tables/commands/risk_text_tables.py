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
    counted_population_sentence,
    population_sentence,
    risk_advice,
    risk_headline,
    size_label,
)
from tokumei.tables.risk.population_risk import PopulationRisk
from tokumei.tables.risk.risk import Risk

ATTACKER_LABELS = {
    "prosecutor": Message("Prosecutor: knows who is in the table"),
    "everything": Message("Prosecutor who knows every column"),
    "journalist": Message("Journalist: knows the population"),
    "marketer": Message("Marketer: links everybody"),
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
    header: TableHeader = [
        "",
        Message("highest"),
        Message("mean"),
        Message("rows above {limit:percent}", limit=result.threshold),
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
    return TextTable(Message("Risk of a row"), header, rows)


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
        Message("rows alike"),
        Message("classes"),
        Message("rows"),
        Message("share"),
        "",
    ]
    title = Message(
        "Classes by {count} column: sample uniques {uniques}, distinction {distinction:.6f}, "
        "separation {separation:.6f}",
        plural="Classes by {count} columns: sample uniques {uniques}, distinction "
        "{distinction:.6f}, separation {separation:.6f}",
        count=len(result.columns),
        uniques=_format_percent(uniqueness.uniques),
        distinction=uniqueness.distinction,
        separation=uniqueness.separation,
    )
    return TextTable(title, header, rows)


def _population_tables(result: Risk) -> ShownParts:
    people = result.population
    if people is None:
        return [
            Message(
                "Give --population N, --sample-fraction f or --population-file P to estimate who "
                "is unique in the population."
            )
        ]
    header: TableHeader = ["", Message("uniques"), Message("share"), ""]
    title = Message(
        "Unique in a population of {rows:,} (the table is {fraction:percent})",
        rows=people.rows,
        fraction=people.fraction,
    )
    lines = (people.why, population_sentence(result), counted_population_sentence(result))
    listing = TextTable(title, header, _estimate_rows(people))
    return [listing, *(line for line in lines if line is not None)]


def _estimate_rows(people: PopulationRisk) -> list[list[str]]:
    rows = []
    for estimate in people.estimates:
        mark = Message("chosen").show() if estimate.model in people.chosen else ""
        if not estimate.usable:
            mark = Message("no solution").show()
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
        Message("columns"),
        Message("distinction"),
        Message("separation"),
        Message("unique rows"),
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
        title = Message(
            "Sets of {count} column that best tell rows apart ({shown:,} / {sets:,})",
            plural="Sets of {count} columns that best tell rows apart ({shown:,} / {sets:,})",
            count=size,
            shown=min(most, ranked.height),
            sets=ranked.height,
        )
        listings.append(TextTable(title, header, rows))
    return listings


def _special_unique_tables(result: Risk, most: int) -> ShownParts:
    special_rows = result.special_rows
    if not special_rows:
        return [
            Message(
                "No row is unique on {count} column or fewer (SUDA).",
                plural="No row is unique on {count} columns or fewer (SUDA).",
                count=result.max_size,
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
        "Minimal unique combinations (SUDA): {rows:,} rows ({share:percent}) are unique on "
        "{count} column or fewer",
        plural="Minimal unique combinations (SUDA): {rows:,} rows ({share:percent}) are unique on "
        "{count} columns or fewer",
        count=result.max_size,
        rows=special_rows,
        share=special_rows / result.rows,
    )
    header = [
        Message("column"),
        Message("combinations"),
        Message("contribution"),
        Message("unique rows without it"),
    ]
    return [TextTable(title, header, rows), _combinations_table(result, most)]


def _combinations_table(result: Risk, most: int) -> TextTable:
    sets = result.special_sets
    lines = [
        [columns_label(line["columns"]), f"{line['msus']:,}", f"{line['score']:,.0f}"]
        for line in sets.head(most).iter_rows(named=True)
    ]
    return TextTable(
        Message(
            "Combinations that make rows unique ({shown:,} / {combinations:,})",
            shown=min(most, sets.height),
            combinations=sets.height,
        ),
        [Message("columns"), Message("rows"), Message("score", context="of a row")],
        lines,
    )


def _format_percent(share: float) -> str:
    """A share as a percentage with two decimals, so that figures can be compared."""
    return f"{share * 100:.2f} %"


def _format_bar(share: float) -> str:
    full = round(share * BAR_WIDTH)
    return "█" * full + "░" * (BAR_WIDTH - full)
