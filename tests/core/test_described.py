"""Everything registered says what it is called and means, in both languages."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from core import registered_classes
from tokumei.core.claims import describe_claim, describe_verified_claims
from tokumei.core.described import describe_class, find_registered, find_title, format_column_names
from tokumei.core.measure import Goal, Level, Limits, Score
from tokumei.core.messages import Message
from tokumei.core.provenance import Claim
from tokumei.core.registry import Registry
from tokumei.kinds import all_kinds
from tokumei.tables.measures.moments import MeanError
from tokumei.tables.registry import measures

JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
LONGEST_TITLE = 60
MAKEFILE = Path(__file__).parents[2] / "Makefile"
PARAMS: dict[str, dict[str, Any]] = {
    "k-anonymity": {"k": 5, "columns": ["age", "sex"]},
    "l-diversity": {"l": 3, "columns": ["age"], "sensitive": ["illness"]},
    "entropy-l-diversity": {"l": 2.5, "columns": ["age"], "sensitive": ["illness"]},
    "recursive-l-diversity": {"c": 3, "l": 2, "columns": ["age"], "sensitive": ["illness"]},
    "alpha-k": {"alpha": 0.5, "k": 4, "columns": ["age"], "sensitive": ["illness"]},
    "t-closeness": {"t": 0.2, "columns": ["age"], "sensitive": ["illness"]},
    "beta-likeness": {"beta": 1.5, "columns": ["age"], "sensitive": ["illness"]},
    "delta-disclosure": {"delta": 1, "columns": ["age"], "sensitive": ["illness"]},
    "k-per-person": {"k": 4, "columns": ["age"], "person": "id"},
    "personal-k": {"columns": ["age"], "personal": "wish"},
    "hidden-cells": {"columns": ["age"], "hide": "wish"},
    "constant": {"columns": ["age"]},
    "no-identifiers": {"columns": ["id"]},
    "identical-histories": {"k": 6},
    "pseudonym-lifetime": {"periods": 3},
    "pseudonym-exposure": {"by": "rows", "bound": 40},
}
EVERYTHING = [
    pytest.param(part, registry.get(name), id=f"{kind.name}-{part}-{name}")
    for kind in all_kinds()
    for part, registry in kind.registries.items()
    for name in registry.names()
]


def in_both(text: Message) -> None:
    assert text.en.strip()
    assert not JAPANESE.search(text.en)
    assert JAPANESE.search(text.ja)


@pytest.mark.parametrize(("part", "kind"), EVERYTHING)
def test_everything_has_a_title_and_a_sentence(part: str, kind: Any) -> None:
    in_both(kind.title)
    in_both(kind.sentence)
    assert len(kind.title.en) <= LONGEST_TITLE
    assert kind.title.en[-1] not in ".。"
    assert kind.sentence.en.endswith(".")
    assert kind.sentence.ja.endswith("。")


@pytest.mark.parametrize(("part", "kind"), [one for one in EVERYTHING if "-measures-" in one.id])
def test_a_measure_can_be_read(part: str, kind: Any) -> None:
    assert kind.formula
    assert kind.unit.en
    assert kind.unit.ja
    low, high = kind.bounds
    assert low < high
    assert kind.goal in Goal
    for score in (Score(0.37, sample=20), Score(0.37, baseline=0.2, sample=20)):
        text = kind.reading(score, 10.0)
        in_both(text)
        assert text.en.endswith(".")
        assert text.ja.endswith("。")
        assert "{" not in text.en + text.ja
    for other in (kind.unchanged, kind.heading, kind.caption):
        if other is not None:
            in_both(other)


@pytest.mark.parametrize(("part", "kind"), [one for one in EVERYTHING if "-measures-" in one.id])
def test_limits_go_the_way_of_the_goal(part: str, kind: Any) -> None:
    limits: Limits | None = kind.limits
    if limits is not None:
        assert (limits.good > limits.mid) is limits.more_is_better
        assert limits.more_is_better is (kind.goal is Goal.MAXIMIZE)


@pytest.mark.parametrize("kind", all_kinds(), ids=lambda kind: kind.name)
def test_a_rule_says_its_claim_with_its_parameters(kind: Any) -> None:
    for name in kind.rules.names():
        text = describe_claim(kind.rules, Claim(name, PARAMS[name]))
        in_both(text)
        assert text.en[-1] != "."
        assert text.ja[-1] != "。"
        assert name not in text.en


def test_a_rule_that_nobody_knows_is_listed() -> None:
    assert describe_claim(all_kinds()[0].rules, Claim("own", {"x": 1})).en == "own (x = 1)"


def test_a_rule_without_words_is_told_by_its_title() -> None:
    rules = Registry[Any]("own", Message("rule", "規則"), {})
    rules.add("silent", Silent)
    told = describe_verified_claims(rules, [Claim("silent", {"k": 3})])
    assert told == Message(
        "verified: A silent rule (k = 3) (silent)", "検証済み: 無言の規則 (k = 3)"
    )


@dataclass(frozen=True)
class Silent:
    """A rule of another package that has a title only."""

    title: ClassVar[Message] = Message("A silent rule", "無言の規則")

    k: int


def test_every_registered_class_is_held_against_its_type() -> None:
    checked = registered_classes.program()
    ast.parse(checked)
    for kind in all_kinds():
        for part, registry in kind.registries.items():
            variable = registered_classes.REGISTRY_NAMES.get(part, part)
            for name in registry.names():
                found = registry.get(name)
                place = f"{found.__module__}.{found.__qualname__}"
                assert f"{kind.home}.registry.{variable}.add({name!r}, {place})" in checked
    assert "$(BIN)/mypy $(VENV)/registered_classes.py" in MAKEFILE.read_text()


def test_figures_no_better_than_a_blind_guess_are_poor() -> None:
    assert MeanError.level(Score(1.0), 1000.0) is Level.GOOD
    assert MeanError.level(Score(1.0, baseline=0.5), 1000.0) is Level.BAD


def test_foreign_classes_fall_back_on_what_they_have() -> None:
    class Mine:
        """Counts something.

        At length.
        """

    assert describe_class(Mine).en == "Counts something."
    assert find_title(measures, "nowhere") == Message("nowhere", "nowhere")
    assert find_registered(measures, "nowhere") is None


def test_many_columns_are_counted() -> None:
    assert format_column_names(["a", "b"]) == Message("a, b", "「a」「b」")
    assert format_column_names(list("abcde")).en == "5 columns"
    assert format_column_names([], Message("all", "すべて")).en == "all"
