"""Sentences of a risk report: headline, advice, meaning of figures."""

from __future__ import annotations

from collections.abc import Sequence

from tokumei.core.formatting import format_percent, format_percent_range
from tokumei.core.messages import Message, join_sentences
from tokumei.pages.page_parts import KeyFigure
from tokumei.tables.risk.population_risk import PopulationRisk
from tokumei.tables.risk.risk import Risk, SizeBin

MODEL_TITLES = {
    "zayatz": Message.verbatim("Zayatz (1991)"),
    "snb": Message("Slide negative binomial (1998)"),
    "pitman": Message("Pitman (Hoshino 2001)"),
    "poisson-lognormal": Message("Poisson-lognormal (1993)"),
    "counted": Message("Counted"),
}
ATTACKER_TITLES = {
    "prosecutor": (Message("Prosecutor"), Message("knows that the person is in the table")),
    "everything": (
        Message("Prosecutor who knows all"),
        Message("also knows every other column of the table, named here or not"),
    ),
    "journalist": (
        Message("Journalist"),
        Message("knows only that the person is in the population"),
    ),
    "marketer": (Message("Marketer"), Message("links everybody and counts the hits")),
}


def size_label(size: SizeBin) -> str:
    """The sizes of a bin: `1`, `3–4`."""
    return str(size.low) if size.low == size.high else f"{size.low:,}–{size.high:,}"


def columns_label(columns: Sequence[str]) -> str:
    """A set of columns as text."""
    return " + ".join(columns)


def risk_headline(result: Risk) -> Message:
    """The one sentence to remember."""
    unique_rows = result.sample.of_size(1)
    if unique_rows:
        return Message(
            "{share:percent} of the rows are the only ones with their values in {count} column.",
            plural="{share:percent} of the rows are the only ones with their values in {count} "
            "columns.",
            count=len(result.columns),
            share=result.uniqueness.uniques,
        )
    smallest = int(result.sample.sizes[0])
    return Message(
        "No row is unique: every combination is shared by at least {smallest:number} rows.",
        smallest=smallest,
    )


def all_columns_sentence(result: Risk) -> Message | None:
    """What the other columns of the table add; None if they add nothing."""
    share = result.everything.certain
    if share <= result.prosecutor.certain:
        return None
    return Message(
        "All columns of the table together identify {share:percent} of the rows uniquely.",
        share=share,
    )


def risk_detail(result: Risk) -> Message:
    """How much is at risk, and which column does most of it."""
    share, limit = result.prosecutor.share_above(result.threshold), result.threshold
    sentences = [
        Message(
            "{share:percent} of the rows are found with a chance above {limit:percent} by somebody "
            "who knows a person's values in these columns.",
            share=share,
            limit=limit,
        ),
        risk_advice(result),
    ]
    if not share:
        none_sentence = Message(
            "Nobody who knows a person's values in these columns finds the row with a chance above "
            "{limit:percent}.",
            limit=limit,
        )
        sentences = [none_sentence]
    return join_sentences(
        sentence for sentence in (*sentences, all_columns_sentence(result)) if sentence is not None
    )


def risk_advice(result: Risk) -> Message | None:
    """The column whose absence would help most; None if nobody is alone."""
    if not result.sample.of_size(1):
        return None
    name = min(result.columns, key=lambda column: result.without[column])
    remaining = result.without[name]
    if remaining > result.uniqueness.uniques / 2:
        return Message(
            "Leaving out one column is not enough: even without {column}, {remaining:percent} of "
            "the rows would be unique.",
            column=name,
            remaining=remaining,
        )
    return Message(
        "Start with {column}: without it, only {remaining:percent} of the rows would be unique.",
        column=name,
        remaining=remaining,
    )


def key_figures(result: Risk) -> list[KeyFigure]:
    """The figures under the headline."""
    highest, above = result.prosecutor.highest, result.prosecutor.share_above(result.threshold)
    highest_label = Message("highest chance to be found")
    above_label = Message("rows with a chance above {limit:percent}", limit=result.threshold)
    linked_label = Message("of the rows are right when everybody is linked")
    share = result.special_rows / result.rows
    unique_label = Message(
        "rows unique by at most {count} column",
        plural="rows unique by at most {count} columns",
        count=result.max_size,
    )
    if result.population is not None:
        return [
            KeyFigure(format_percent(highest), None, highest_label),
            KeyFigure(format_percent(above), None, above_label),
            KeyFigure(format_percent(result.marketer), None, linked_label),
            population_figure(result.population),
        ]
    return [
        KeyFigure(format_percent(highest), None, highest_label),
        KeyFigure(format_percent(above), None, above_label),
        KeyFigure(format_percent(result.marketer), None, linked_label),
        KeyFigure(format_percent(share), None, unique_label),
    ]


def population_figure(people: PopulationRisk) -> KeyFigure:
    """Estimated uniques; where models disagree, what the least and the most of them say."""
    estimates = [estimate.uniques for estimate in people.estimates if estimate.usable]
    low, high = (pick(estimates, default=people.uniques) for pick in (min, max))
    if high - low > MODELS_DISAGREE * people.rows:
        shares = format_percent_range(low / people.rows, high / people.rows)
        return KeyFigure(
            shares, None, Message("of the population may be unique; the models disagree")
        )
    label = Message("of the population estimated to be unique")
    return KeyFigure(format_percent(people.share), None, label)


FEWEST_PEOPLE = 0.5
MODELS_DISAGREE = 0.01
"""Estimates that differ by more than this share of the population are no one figure."""


def population_sentence(result: Risk) -> Message | None:
    """The estimate in words; None without a population."""
    people = result.population
    if people is None:
        return None
    if people.uniques < FEWEST_PEOPLE:
        return Message(
            "Fewer than 1 of {people:,} people is estimated to be unique in the population; "
            "{held:percent} of the rows that are unique in the table would be unique there too.",
            people=people.rows,
            held=people.held,
        )
    return Message(
        "About {uniques:number} of {people:,} people ({share:percent}) are unique in the "
        "population; {held:percent} of the rows that are unique in the table would be unique "
        "there too.",
        uniques=people.uniques,
        people=people.rows,
        share=people.share,
        held=people.held,
    )


def counted_population_sentence(result: Risk) -> Message | None:
    """What a table of the population shows; None without one."""
    if result.population is None or result.population.counted is None:
        return None
    counted = result.population.counted
    return Message(
        "Counted in the population table: {uniques:,} unique people, {sample_uniques:,} of them in "
        "this table.",
        uniques=counted.uniques,
        sample_uniques=counted.sample_uniques,
    )
