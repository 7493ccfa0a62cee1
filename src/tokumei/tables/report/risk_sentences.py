"""Sentences of a risk report: headline, advice, meaning of figures."""

from __future__ import annotations

from collections.abc import Sequence

from tokumei.core.formatting import format_number, format_percent
from tokumei.core.measure import ATTACK_LIMITS, Level
from tokumei.core.messages import Message
from tokumei.report.page_parts import KeyFigure, join_sentences
from tokumei.tables.risk.risk import Risk, SizeBin

MODEL_TITLES = {
    "zayatz": Message("Zayatz (1991)", "Zayatz (1991)"),
    "snb": Message("Slide negative binomial (1998)", "スライド負の二項分布 (1998)"),
    "pitman": Message("Pitman (Hoshino 2001)", "Pitman（星野 2001）"),
    "poisson-lognormal": Message("Poisson-lognormal (1993)", "ポアソン対数正規 (1993)"),
    "counted": Message("Counted", "実数"),
}
ATTACKER_TITLES = {
    "prosecutor": (
        Message("Prosecutor", "検察官"),
        Message(
            "knows that the person is in the table", "本人が表に含まれることを知っている攻撃者"
        ),
    ),
    "everything": (
        Message("Prosecutor who knows all", "すべてを知る検察官"),
        Message(
            "also knows every other column of the table, named here or not",
            "ここで挙げた列以外の、表のすべての列の値も知る攻撃者",
        ),
    ),
    "journalist": (
        Message("Journalist", "ジャーナリスト"),
        Message(
            "knows only that the person is in the population",
            "本人が母集団にいることだけを知る攻撃者",
        ),
    ),
    "marketer": (
        Message("Marketer", "マーケター"),
        Message("links everybody and counts the hits", "全員を照合し、当たった数を数える攻撃者"),
    ),
}


def size_label(size: SizeBin) -> str:
    """The sizes of a bin: `1`, `3–4`."""
    return str(size.low) if size.low == size.high else f"{size.low:,}–{size.high:,}"


def columns_label(columns: Sequence[str]) -> str:
    """A set of columns as text."""
    return " + ".join(columns)


def count_columns(number: int) -> str:
    """`1 column`, `3 columns`."""
    return f"{number} column" if number == 1 else f"{number} columns"


def risk_level(result: Risk) -> Level:
    """Good if nobody, fair if up to a twentieth of the rows are above the threshold."""
    share = result.prosecutor.share_above(result.threshold)
    return Level.GOOD if share == 0 else Level.MID if share <= MAX_SHARE_AT_RISK else Level.BAD


MAX_SHARE_AT_RISK = 0.05


def risk_headline(result: Risk) -> Message:
    """The one sentence to remember."""
    unique_rows = result.sample.of_size(1)
    if unique_rows:
        share, number = format_percent(result.uniqueness.uniques), len(result.columns)
        return Message(
            f"{share} of the rows are the only ones with their values in {count_columns(number)}.",
            f"{share} の行は、{number} 列の値だけで一人に絞られます。",
        )
    smallest = int(result.sample.sizes[0])
    return Message(
        f"No row is unique: every combination is shared by at least {format_number(smallest)} "
        f"rows.",
        f"一人に絞られる行はありません。どの組み合わせも {format_number(smallest)} 行以上に共通し"
        f"ます。",
    )


def all_columns_sentence(result: Risk) -> Message | None:
    """What the other columns of the table add; None if they add nothing."""
    share = result.everything.certain
    if share <= result.prosecutor.certain:
        return None
    return Message(
        f"Whoever knows every column of the table finds {format_percent(share)} of the rows for "
        f"sure.",
        f"表のすべての列の値を知る人は、{format_percent(share)} の行を確実に特定できます。",
    )


def risk_detail(result: Risk) -> Message:
    """How much is at risk, and which column does most of it."""
    share, limit = result.prosecutor.share_above(result.threshold), format_percent(result.threshold)
    above = format_percent(share)
    sentences = [
        Message(
            f"{above} of the rows are found with a chance above {limit} by somebody who knows a "
            "person's values in these columns.",
            f"これらの列の値を知る人は、{above} の行を {limit} を超える確率で特定できます。",
        ),
        risk_advice(result),
    ]
    if not share:
        none_sentence = Message(
            "Nobody who knows a person's values in these columns finds the row with a chance "
            f"above {limit}.",
            f"これらの列の値を知る人でも、{limit} を超える確率で特定される行はありません。",
        )
        sentences = [none_sentence]
    return join_sentences(
        *(
            sentence
            for sentence in (*sentences, all_columns_sentence(result))
            if sentence is not None
        )
    )


def risk_advice(result: Risk) -> Message | None:
    """The column whose absence would help most; None if nobody is alone."""
    if not result.sample.of_size(1):
        return None
    name = min(result.columns, key=lambda column: result.without[column])
    remaining = format_percent(result.without[name])
    if result.without[name] > result.uniqueness.uniques / 2:
        return Message(
            "Leaving out one column is not enough: even without "
            f"{name}, {remaining} of the rows would be unique.",
            f"1 列を除くだけでは足りません。{name} を除いても、{remaining} の行が一人に絞られます"
            f"。",
        )
    return Message(
        f"Start with {name}: without it, only {remaining} of the rows would be unique.",
        f"まず {name} を見直してください。この列がなければ、一人に絞られる行は {remaining} になり"
        f"ます。",
    )


def key_figures(result: Risk) -> list[KeyFigure]:
    """The figures under the headline."""
    limit = format_percent(result.threshold)
    highest, above = result.prosecutor.highest, result.prosecutor.share_above(result.threshold)
    highest_label = Message("highest chance to be found", "最も特定されやすい行が特定される確率")
    above_label = Message(f"rows with a chance above {limit}", f"特定の確率が {limit} を超える行")
    linked_label = Message(
        "of the rows are right when everybody is linked", "全行を照合したときに正しく結び付く行"
    )
    share, most = result.special_rows / result.rows, result.max_size
    unique_label = Message(
        f"rows unique by at most {count_columns(most)}", f"{most} 列以下で一意になる行"
    )
    if result.population is not None:
        share = result.population.share
        unique_label = Message(
            "of the population estimated to be unique", "母集団で一意と推定される人"
        )
    return [
        KeyFigure(format_percent(highest), ATTACK_LIMITS.level(highest), highest_label),
        KeyFigure(format_percent(above), risk_level(result), above_label),
        KeyFigure(
            format_percent(result.marketer), ATTACK_LIMITS.level(result.marketer), linked_label
        ),
        KeyFigure(format_percent(share), None, unique_label),
    ]


def population_sentence(result: Risk) -> Message | None:
    """The estimate in words; None without a population."""
    people = result.population
    if people is None:
        return None
    about, total = format_number(people.uniques), f"{people.rows:,}"
    share, held_share = format_percent(people.share), format_percent(people.held)
    return Message(
        f"About {about} of {total} people ({share}) are unique in the population; {held_share} "
        f"of the "
        "rows that are alone in the table would be alone there too.",
        f"母集団 {total} 人のうち約 {about} 人（{share}）が一意と推定されます。"
        f"表の中で一意な行のうち {held_share} は、母集団でも一意とみられます。",
    )


def counted_population_sentence(result: Risk) -> Message | None:
    """What a table of the population shows; None without one."""
    if result.population is None or result.population.counted is None:
        return None
    counted = result.population.counted
    return Message(
        f"Counted in the population table: {counted.uniques:,} unique people, "
        f"{counted.sample_uniques:,} of them in this table.",
        f"母集団の表で数えると、一意な人は {counted.uniques:,} 人で、"
        f"うち {counted.sample_uniques:,} 人がこの表にいます。",
    )
