"""Names: the nearest one in errors, typed parameters, methods of other packages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from tokumei.core import registry as named_classes
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.messages import Message
from tokumei.core.registry import Registry
from tokumei.tables.anonymizers.noise import Noise
from tokumei.tables.registry import anonymizers, attackers, claim_checks, measures

ALL = {
    "anonymizers": anonymizers,
    "attackers": attackers,
    "measures": measures,
    "rules": claim_checks,
}


@dataclass(frozen=True)
class Mine:
    """A third party's method."""

    size: int = 1
    label: str | None = None


class Point:
    """An entry point of an installed package."""

    name = "mine"

    def load(self) -> type[Mine]:
        return Mine


@pytest.mark.parametrize("kind", ALL)
def test_every_name_leads_to_a_class_of_that_name(kind: str) -> None:
    for name in ALL[kind].names():
        assert ALL[kind].get(name).name == name


@pytest.mark.parametrize(
    ("kind", "name", "nearest"),
    [
        ("anonymizers", "mondrain", "mondrian"),
        ("anonymizers", "micro-aggregate", "microaggregate"),
        ("attackers", "EUC3", "EUC2"),
        ("measures", "gcp_set", "gcp_sets"),
        ("rules", "k-anonimity", "k-anonymity"),
        ("rules", "zzz", None),
    ],
)
def test_a_wrong_name_names_the_nearest(kind: str, name: str, nearest: str | None) -> None:
    with pytest.raises(UnknownNameError, match=f"'{name}'") as caught:
        ALL[kind].get(name)
    assert caught.value.nearest == nearest
    assert ("Did you mean" in str(caught.value)) == (nearest is not None)
    assert all(known in str(caught.value) for known in ALL[kind].names())
    assert name in caught.value.message.show("ja")


def test_parameters_are_converted_by_type() -> None:
    assert anonymizers.build("noise", {"scale": "0.5", "columns": ["a"]}) == Noise(
        0.5, columns=("a",)
    )
    assert anonymizers.build("noise") == Noise()


@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        ("mondrian", {"k": "many"}, "mondrian: parameter 'k' is 'many'"),
        ("mondrian", {"k": 2.5}, "mondrian: parameter 'k' is 2.5"),
        ("noise", {"distribution": "cauchy"}, "parameter 'distribution' is 'cauchy'"),
        ("noise", {"columns": "a"}, "parameter 'columns' is 'a'"),
        ("noise", {"scale": -1}, "scale must be a finite number of at least 0"),
        ("mondrian", {"kk": 2}, "mondrian: unknown parameter 'kk'. Did you mean 'k'"),
        ("delete", {"shares": 0.5}, "delete: unknown parameter 'shares'. Did you mean 'share'"),
    ],
)
def test_wrong_parameters(name: str, params: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        anonymizers.build(name, params)


def test_where_is_shown() -> None:
    with pytest.raises(UsageError, match="step 2: parameter 'k'"):
        anonymizers.build("mondrian", {"k": "x"}, where="step 2")


def new() -> Registry[Any]:
    return Registry(
        "tokumei.test",
        Message("method"),
        {"noise": "tokumei.tables.anonymizers.noise:Noise"},
    )


def test_add() -> None:
    found = new()
    found.add("mine", Mine)
    assert found.names() == ["noise", "mine"]
    assert found.build("mine", {"size": "3"}) == Mine(3)
    with pytest.raises(UsageError, match="the built-in method 'noise' cannot be replaced"):
        found.add("noise", Mine)
    assert found.get("noise") is Noise


def test_entry_points_of_other_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def installed(group: str) -> list[Point]:
        asked.append(group)
        return [Point()]

    monkeypatch.setattr(named_classes, "load_plugins", installed)
    found = new()
    assert found.names() == ["noise", "mine"]
    assert found.build("mine", {"label": "x"}) == Mine(1, "x")
    assert set(asked) == {"tokumei.test"}


def test_an_entry_point_cannot_replace_what_is_built_in(monkeypatch: pytest.MonkeyPatch) -> None:
    point = Point()
    point.name = "noise"
    monkeypatch.setattr(named_classes, "load_plugins", lambda group: [point])
    assert new().get("noise") is Noise
    assert new().names() == ["noise"]


def test_a_valid_name_given_by_several_is_listed_once() -> None:
    told = UnknownNameError(Message("option"), "--q", ["--k", "--out", "--k"])
    assert str(told).endswith("Valid: --k, --out")
